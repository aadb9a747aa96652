//! Over the corpus: the report is compared with `cuobjdump`, and the written file with that of
//! ptxas.

use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_filetest::corpus::{assemble, folder, ptx};
use raddle_filetest::oracle;

/// Architectures with code generation.
const TARGETS: [&str; 5] = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];

#[test]
fn files_of_ptxas_are_written_back_byte_for_byte() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let scratch = tempfile::tempdir().unwrap();
    let mut count = 0;
    let (snippets, producers) = (ptx(&["snippets"]), ptx(&["producers"]));
    for (i, source) in snippets.iter().step_by(4).chain(producers.iter().step_by(8)).enumerate() {
        let options: &[&str] = [&[][..], &["-c"], &["-lineinfo"], &["-O0"]][i % 4];
        let Some(bytes) = assemble(&ptxas, scratch.path(), source, TARGETS[i % 5], options) else { continue };
        let place = format!("{} for {} {options:?}", source.display(), TARGETS[i % 5]);
        let cubin = Cubin::parse(&bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
        let written = cubin.write().unwrap_or_else(|e| panic!("{place}: {e}"));
        let first = written.iter().zip(&bytes).position(|(a, b)| a != b);
        assert!(written == bytes, "{place}: differs at {first:x?}");
        count += 1;
    }
    assert!(count > 80, "only {count} files");
}

#[test]
fn resource_usage_is_that_of_cuobjdump() {
    let (Some(ptxas), Some(cuobjdump)) = (oracle::require("ptxas"), oracle::require("cuobjdump")) else { return };
    let scratch = tempfile::tempdir().unwrap();
    let mut count = 0;
    let (snippets, producers) = (ptx(&["snippets"]), ptx(&["producers"]));
    for (i, source) in snippets.iter().chain(&producers).step_by(16).enumerate() {
        let Some(bytes) = assemble(&ptxas, scratch.path(), source, TARGETS[i % 5], &[]) else { continue };
        let text = cuobjdump.run(&["-res-usage".as_ref(), scratch.path().join("out.cubin").as_os_str()]).unwrap();
        let report = Report::new(&Cubin::parse(&bytes).unwrap());
        assert_eq!(report.resource_usage(), String::from_utf8(text).unwrap(), "{}", source.display());
        count += 1;
    }
    assert!(count > 20, "only {count} files");
}

#[test]
fn architectures_that_are_only_read_come_back_byte_for_byte_with_their_finalizer_sections() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let scratch = tempfile::tempdir().unwrap();
    let source = folder().join("kernels/sha256/nvcc.ptx");
    for target in ["sm_75", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"] {
        for options in [&[][..], &["-c"], &["-lineinfo"]] {
            let bytes =
                assemble(&ptxas, scratch.path(), &source, target, options).unwrap_or_else(|| panic!("{target}"));
            let place = format!("{target} {options:?}");
            let cubin = Cubin::parse(&bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(cubin.write().unwrap() == bytes, "{place}: not the same bytes");
            let report = Report::new(&cubin);
            let carried: Vec<&str> = report.finalizer().map(|s| &*s.name).collect();
            let sm: u16 = target[3..].parse().unwrap();
            assert_eq!((report.sm, carried.is_empty()), (sm, sm < 100), "{place}: {carried:?}");
            if sm >= 100 {
                assert!(carried.iter().any(|n| n.starts_with(".nv.capmerc.text.")), "{place}: {carried:?}");
                assert!(carried.contains(&".nv.merc.symtab"), "{place}: {carried:?}");
            }
            assert!(report.functions.iter().any(|f| f.entry && f.code > 0 && f.registers > 0), "{place}");
        }
    }
}
