//! Matrix instructions: the code of ptxas and ours in the simulator gives the results that the
//! interpreter gives, bit by bit. Every third spelling on one architecture in turn, at one level in turn;
//! `cargo campaign matrix` has all of them.

use raddle_filetest::oracle;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::matrix_forms::{self, Form, Found};
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;

/// Every how manieth spelling is judged: no number of levels, architectures or variants has it as a
/// divisor.
const STEP: usize = 3;

#[test]
fn code_gives_what_the_interpreter_gives() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let forms: Vec<(usize, Form)> = matrix_forms::all().into_iter().enumerate().step_by(STEP).collect();
    let judged = parallel::map(&forms, |(n, form)| {
        let levels = [Level::ALL[n % Level::ALL.len()]];
        // The first architecture that has the form.
        let archs = (0..ARCHS.len()).map(|turn| ARCHS[(n + turn) % ARCHS.len()]);
        archs.filter_map(|arch| form.judge(arch, &levels, &assembler, *n as u32 % 2)).next()
    });
    let judged: Vec<Found> = judged.into_iter().flatten().collect();
    let wrong: Vec<&str> = judged.iter().flat_map(|found| &found.wrong).map(String::as_str).collect();
    let ran: usize = judged.iter().map(|found| found.ran).sum();
    println!("{} of {} forms, {ran} codes", judged.len(), forms.len());
    assert!(judged.len() > 165 && ran > 330, "{} forms, {ran} codes", judged.len());
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong.join("\n"));
}
