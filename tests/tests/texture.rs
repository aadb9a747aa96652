//! Texture and surface instructions: the code of ptxas and ours in the simulator gives the results
//! that the interpreter gives, bit by bit. Every spelling on one architecture in turn, at one level
//! in turn, with one way of giving the handle in turn.

use raddle_filetest::oracle;
use raddle_tests::compile;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::texture_forms::{self, Choice, Form, Given};
use raddle_tests::texture_runs::Found;

/// Changes all words of an operation in a file.
fn changed(file: &[u8], op: u64, change: impl Fn(&mut [u64; 2])) -> Vec<u8> {
    let mut out = file.to_vec();
    for at in (0..out.len() - 15).step_by(16) {
        let half = |n: usize| u64::from_le_bytes(out[at + 8 * n..at + 8 * n + 8].try_into().unwrap());
        let mut word = [half(0), half(1)];
        if word[0] & 0xfff == op {
            change(&mut word);
            out[at..at + 16].copy_from_slice(&word.map(u64::to_le_bytes).concat());
        }
    }
    out
}

#[test]
fn a_mistake_in_a_lookup_of_a_quad_is_found() {
    // Signs of FSWZADD: the place itself is moved, or only lane 3 is moved in y; lanes do not run
    // along; the lookup is that of another lane (SHFL of lane 1).
    type Change = fn(&mut [u64; 2]);
    let mistakes: [(u64, Change); 4] = [
        (0x822, |w| {
            if w[0] >> 32 & 0xff == 0xcc {
                w[0] ^= 0xff << 32
            }
        }),
        (0x822, |w| {
            if w[0] >> 32 & 0xff == 0xf0 {
                w[0] ^= 0x0c << 32
            }
        }),
        (0xf56, |w| w[1] &= !(1 << 20)),
        (0xf89, |w| w[0] |= 1 << 53),
    ];
    let forms = texture_forms::all();
    let kernels: Vec<_> = (0..40)
        .flat_map(|seed| forms.iter().map(move |form| (form, seed)))
        .filter(|(form, _)| form.dotted.starts_with("tex.grad.3d.v4.f32"))
        .map(|(form, seed)| form.kernel("sm_80", Choice { given: Given::Parameter, independent: false, seed }))
        .collect();
    let mut found = [0; 4];
    for kernel in &kernels {
        let cubin = compile::cubin_at(&kernel.text, "sm_80", Level::O3).unwrap();
        kernel.compare(&cubin).unwrap();
        for ((op, change), found) in mistakes.into_iter().zip(&mut found) {
            *found += usize::from(kernel.compare(&changed(&cubin, op, change)).is_err());
        }
    }
    println!("{found:?} of {}", kernels.len());
    assert!(found.iter().all(|n| *n > kernels.len() / 4), "{found:?} of {}", kernels.len());
}

#[test]
fn code_gives_what_the_interpreter_gives() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let filter = std::env::var("TEXTURE_FORM").unwrap_or_default();
    let seeds: usize = std::env::var("TEXTURE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let all = || texture_forms::all().into_iter().enumerate();
    let count = all().count();
    let forms: Vec<(usize, Form)> = (0..seeds)
        .flat_map(|seed| all().map(move |(n, form)| (n + seed * count, form)))
        .filter(|(_, form)| form.dotted.contains(&filter))
        .collect();
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
    let ran: usize = judged.iter().map(|f| f.ran).sum();
    println!("{} of {} forms, {ran} codes", judged.len(), forms.len());
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(!filter.is_empty() || judged.len() > 500 && ran > 850, "{} forms, {ran} codes", judged.len());
}
