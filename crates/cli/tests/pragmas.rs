//! Useless pragmas: a warning or an error at each place, as in ptxas, in our format and in that of
//! ptxas.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle;

/// A module: `{module}`, `{header}` and `{body}` are places for pragmas, `{function}` one in a
/// function that `k` calls and `other` does not.
const MODULE: &str = ".version 9.0
.target sm_90
.address_size 64
{module}
.func f() { {function} ret; }
.func unused() { .pragma \"in unused\"; ret; }
.visible .entry k(.param .u64 p) {header}
{
 // .pragma \"comment\";
 {body}
 call f, ();
 ret;
}
.visible .entry other() { .pragma \"nounroll\"; ret; }
";

fn module(places: [&str; 4]) -> String {
    let names = ["{module}", "{header}", "{body}", "{function}"];
    names.iter().zip(places).fold(MODULE.to_owned(), |text, (name, pragma)| text.replace(name, pragma))
}

/// The messages about a module in ptxas' format: severity and quoted name of each, and the exit
/// code.
fn said(bench: &Bench, places: [&str; 4], more: &[&str]) -> (Vec<(bool, String)>, bool, String) {
    let input = bench.file("in.ptx", module(places));
    let fixed = ["compile", &input, "-o", "/dev/null", "--message-format", "ptxas"];
    let ran = raddle(&[&fixed[..], more].concat());
    (findings(&ran.stderr), ran.code == Some(0), ran.stderr)
}

/// The pragmas in messages of ptxas' format, sorted, with their severity: an error or a warning.
/// One that ptxas reports twice counts once.
fn findings(text: &str) -> Vec<(bool, String)> {
    let lines = text.lines().filter(|line| line.contains("ragma '"));
    let mut out: Vec<(bool, String)> = lines
        .filter_map(|line| {
            let name = line.split("ragma '").nth(1)?.split('\'').next()?.split(' ').next()?.to_owned();
            Some((line.contains("error"), name))
        })
        .collect();
    out.sort();
    out
}

/// Places, and the expected messages: errors have `true`.
type Case = ([&'static str; 4], &'static [(bool, &'static str)]);

const CASES: &[Case] = &[
    (["", "", "", ""], &[]),
    ([".pragma \"nounroll\";", ".pragma \"nounroll\";", ".pragma \"nounroll\";", ".pragma \"nounroll\";"], &[]),
    (["", "", ".pragma \"foo\";", ""], &[(false, "foo")]),
    (["", ".pragma \"foo\";", "", ""], &[(false, "foo")]),
    (
        ["", ".pragma \"foo\", \"bar\", \"foo\";", "{ .pragma \"baz\"; }", ""],
        &[(false, "bar"), (false, "baz"), (false, "foo"), (false, "foo")],
    ),
    (["", "", "", ".pragma \"inner\";"], &[(false, "inner")]),
    ([".pragma \"foo\";", "", "", ""], &[(true, "foo")]),
    (["", "", ".pragma \"NOUNROLL\"; .pragma \"unroll 1\";", ""], &[(false, "NOUNROLL"), (false, "unroll")]),
    (["", "", ".pragma \"frequency 10\"; .pragma \"used_bytes_mask 0xf\"; .pragma \"enable_smem_spilling\";", ""], &[]),
    (["", ".pragma \"frequency 10\";", "", ""], &[(true, "frequency")]),
    (["", ".pragma \"enable_smem_spilling\";", "", ""], &[(true, "enable_smem_spilling")]),
    ([".pragma \"used_bytes_mask 0xf\";", "", "", ""], &[(true, "used_bytes_mask")]),
    (["", "", ".pragma \"used_bytes_mask\";", ""], &[(true, "used_bytes_mask")]),
    (["", "", ".pragma \"frequency 0\";", ""], &[(true, "frequency")]),
    (["", "", ".pragma \"frequency x\";", ""], &[(true, "frequency")]),
];

#[test]
fn each_place_is_told_as_by_ptxas() {
    let bench = Bench::new();
    let ptxas = oracle::require("ptxas");
    for (places, want) in CASES {
        let (found, good, text) = said(&bench, *places, &[]);
        let want: Vec<(bool, String)> = want.iter().map(|&(error, name)| (error, name.to_owned())).collect();
        assert_eq!(found, want, "{places:?}: {text}");
        assert_eq!(good, want.iter().all(|w| !w.0), "{places:?}: {text}");
        let Some(ptxas) = &ptxas else { continue };
        let input = bench.file("theirs.ptx", module(*places));
        let output = ptxas.output(&["-arch=sm_90", &input, "-o", "/dev/null"]).unwrap();
        let theirs = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let mut told = findings(&theirs);
        if want.iter().any(|w| w.0) {
            // ptxas reports errors once or twice.
            told.dedup();
        }
        assert_eq!((told, output.status.success()), (want, good), "{places:?}: ptxas says {theirs}");
    }
}

#[test]
fn lines_are_ours_and_those_of_ptxas() {
    let bench = Bench::new();
    let places = ["", "", ".pragma \"foo\";", ".pragma \"inner\";"];
    let (_, good, text) = said(&bench, places, &[]);
    let line =
        |n: u32, name: &str| format!("in.ptx, line {n}; warning : pragma '{name}' is not supported and has no effect");
    assert!(good && text.contains(&line(10, "foo")) && text.contains(&line(5, "inner")), "{text}");
    // A kernel that does not call the function, and an object, which contains all functions.
    assert_eq!(said(&bench, places, &["--kernel", "other"]).0, []);
    let (all, good, text) = said(&bench, places, &["-c"]);
    assert!(good && all.len() == 3 && text.contains("pragma 'in unused'"), "{text}");
    let input = bench.file("in.ptx", module(places));
    let ran = raddle(&["compile", &input, "-o", "/dev/null"]);
    assert!(
        ran.stderr.contains("warning[E0090]: pragma 'foo'") && ran.stderr.contains("in function `k`"),
        "{}",
        ran.stderr
    );
    let strict = raddle(&["compile", &input, "-o", "/dev/null", "--warnings-as-errors"]);
    assert!(strict.code == Some(1) && strict.stderr.contains("error[E0090]"), "{}", strict.stderr);
}
