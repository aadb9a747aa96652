//! Texture and surface instructions: the code of ptxas and ours in the simulator gives the results
//! that the interpreter gives, bit by bit. Every spelling on one architecture in turn, at one level
//! in turn, with one way of giving the handle in turn.

use raddle_filetest::oracle;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::texture_forms::{self, Choice, Form, Given};
use raddle_tests::texture_runs::Found;

#[test]
fn code_gives_what_the_interpreter_gives() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let filter = std::env::var("TEXTURE_FORM").unwrap_or_default();
    let forms: Vec<(usize, Form)> =
        texture_forms::all().into_iter().enumerate().filter(|(_, form)| form.dotted.contains(&filter)).collect();
    let judged = parallel::map(&forms, |(n, form)| {
        let levels = [Level::ALL[n % Level::ALL.len()]];
        let given = Given::ALL[n % Given::ALL.len()];
        let choice = Choice { given, independent: n % 3 == 2, seed: *n as u64 };
        let theirs = ["-O0", "-O1", "-O2", "-O3"][n % 4];
        let archs = (0..ARCHS.len()).map(|turn| ARCHS[(n / 2 + turn) % ARCHS.len()]);
        archs.filter_map(|arch| form.judge(arch, choice, (theirs, &levels), &assembler)).next()
    });
    let judged: Vec<Found> = judged.into_iter().flatten().collect();
    let wrong: Vec<&str> = judged.iter().flat_map(|found| &found.wrong).map(String::as_str).collect();
    let (ran, refused) = judged.iter().fold((0, 0), |sum, f| (sum.0 + f.ran, sum.1 + f.refused));
    println!("{} of {} forms, {ran} codes, {refused} refused", judged.len(), forms.len());
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(!filter.is_empty() || judged.len() > 500 && ran > 850, "{} forms, {ran} codes", judged.len());
}
