//! A program that is linked statically, on workers that have nothing: no loader, no C library, no shell.

use super::common::{corpus, finish};
use super::measured::{WAITS, build, client};
use super::{eight, raddle};
use raddle_driver::options::RunOptions;
use raddle_driver::remote::RemoteOutcome;
use raddle_filetest::engine::Engine;
use raddle_filetest::oracle;
use std::path::PathBuf;

/// The program that `scripts/static.sh` makes.
fn program() -> Option<PathBuf> {
    oracle::require_variable("RADDLE_STATIC", "scripts/static.sh, as make test-remote does")
}

#[test]
fn a_static_program_runs_where_nothing_is() {
    let Some(program) = program() else { return };
    let Some(engine) = Engine::start_bare(2) else { return };
    let program = program.to_str().unwrap();
    let doctor = |more: &[&str]| finish(raddle(&[&["doctor", "--remote", &engine.url], more].concat()));
    let good = doctor(&["--remote-program", program]);
    let said = String::from_utf8_lossy(&good.stdout).into_owned();
    assert!(good.code == Some(0) && said.contains("works: the same bytes as here"), "{said} {}", good.stderr);
    // The test means something: a program that needs a loader does not start there.
    let bad = doctor(&["--remote-program", env!("CARGO_BIN_EXE_raddle")]);
    let said = String::from_utf8_lossy(&bad.stdout).into_owned();
    assert!(bad.code == Some(1) && said.contains("`raddle __unit` did not run there"), "{said}");
    let attention = corpus().join("producers/triton390/sm80_attn_ptr_causal.ptx");
    for path in [eight(), attention.to_str().unwrap().to_owned()] {
        let texts = [std::fs::read_to_string(&path).unwrap()];
        let here = build(&texts, RunOptions::default()).report;
        let engine = Some(client(&engine.url, 64, program));
        let there = build(&texts, RunOptions { engine, remote: WAITS, ..RunOptions::default() }).report;
        assert!(here.cubin.is_some() && here.cubin == there.cubin, "{path}");
        let runs: Vec<_> = there.kernels.iter().map(|kernel| kernel.remote.as_ref().unwrap().outcome).collect();
        assert!(runs.iter().all(|outcome| *outcome == RemoteOutcome::Made), "{path}: {runs:?}");
    }
}
