//! The three modules of `tests/corpus/demo`, which `make demo` shows too: two of ours, and one with
//! a kernel that is left to ptxas, become one program whose kernels run.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle;
use std::path::Path;

fn source(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/demo").join(name).display().to_string()
}

/// `mix` of `mix.ptx`.
fn mix(x: u32) -> u32 {
    (0..3).fold(x, |x: u32, _| {
        let x = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        x ^ (x >> 15)
    })
}

/// `digits` of `digits.ptx`.
fn reversed(x: u32, digits: u32) -> u32 {
    (0..digits).fold((x, 0u32), |(x, out), _| (x / 10, out.wrapping_mul(10).wrapping_add(x % 10))).1
}

fn words(path: &str) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap();
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Runs a kernel with these arguments.
fn run(cubin: &str, kernel: &str, grid: &str, args: &[&str]) {
    let mut line = vec!["run", cubin, "--kernel", kernel, "--grid", grid, "--block", "64"];
    args.iter().for_each(|arg| line.extend(["--arg", arg]));
    let ran = raddle(&line);
    assert_eq!(ran.code, Some(0), "{kernel}: {}", ran.stderr);
}

#[test]
fn two_modules_of_ours_and_one_of_ptxas_become_one_program() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let fallback = format!("--fallback=ptxas:{}", ptxas.path().display());
    for arch in ["sm_80", "sm_90"] {
        let bench = Bench::new();
        let objects: Vec<String> =
            ["fill", "mix", "digits"].iter().map(|name| bench.path(&format!("{name}.o"))).collect();
        for (name, object) in ["fill.ptx", "mix.ptx", "digits.ptx"].into_iter().zip(&objects) {
            let file = source(name);
            let line = ["compile", "-c", &file, "--arch", arch, "-o", object];
            let ran = raddle(&line);
            if name == "digits.ptx" {
                // An unsupported kernel is reported by name; with a fallback it does not stop the
                // build.
                assert_eq!(ran.code, Some(3), "{}", ran.stderr);
                assert!(
                    ran.stderr.contains("unsupported: pmevent") && ran.stderr.contains("`digits`"),
                    "{}",
                    ran.stderr
                );
                let ran = raddle(&[&line[..], &[&fallback]].concat());
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                assert!(ran.stderr.contains("'digits' was assembled by ptxas"), "{}", ran.stderr);
            } else {
                assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
            }
        }
        let cubin = bench.path("program.cubin");
        let ran = raddle(&["link", &objects[0], &objects[1], &objects[2], "-o", &cubin]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        // The same in one step.
        let (at_once, sources) = (bench.path("at_once.cubin"), ["fill.ptx", "mix.ptx", "digits.ptx"].map(source));
        let line = [&["link", "--arch", arch, "-o", &at_once], &sources.each_ref().map(String::as_str)[..]].concat();
        assert_eq!(raddle(&line).code, Some(3));
        assert!(!Path::new(&at_once).exists());
        let ran = raddle(&[&line[..], &[&fallback]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains("'digits' was assembled by ptxas"), "{}", ran.stderr);
        assert!(std::fs::read(&at_once).unwrap() == std::fs::read(&cubin).unwrap(), "{arch}: another program");

        let (filled, sums, digits) = (bench.path("filled"), bench.path("sums"), bench.path("digits"));
        run(&cubin, "fill", "2", &[&format!("out:{filled}:512"), "u32:128"]);
        let mut want: Vec<u32> = (0..127).map(mix).collect();
        want.push(3);
        assert_eq!(words(&filled), want, "{arch}");
        run(&cubin, "sums", "2", &[&format!("in:{filled}"), &format!("out:{sums}:8")]);
        let totals: Vec<u32> = want.chunks(64).map(|part| part.iter().fold(0u32, |a, &b| a.wrapping_add(b))).collect();
        assert_eq!(words(&sums), totals, "{arch}");
        run(&cubin, "digits", "1", &[&format!("out:{digits}:200"), "u32:50", "u32:6"]);
        assert_eq!(words(&digits), (0..50).map(|i| reversed(mix(i), 6)).collect::<Vec<_>>(), "{arch}");
    }
}
