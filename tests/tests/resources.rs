//! What `raddle info --resource-usage` says of our cubins is what `cuobjdump -res-usage` says, word for word.
#![forbid(unsafe_code)]

use std::fs;

use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_tests::compile::{How, cubin};
use raddle_tests::kernel::{self, PRODUCERS};

/// Lines from the first about usage on; the head names the file.
fn usage(text: &str) -> Vec<&str> {
    text.lines().skip_while(|l| !l.starts_with("Resource usage")).map(str::trim_end).filter(|l| !l.is_empty()).collect()
}

#[test]
fn cuobjdump_says_what_we_say() {
    let Some(cuobjdump) = oracle::require("cuobjdump") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.cubin");
    let mut compared = 0;
    for arch in ["sm_80", "sm_86", "sm_89", "sm_90"] {
        for (index, kernel) in kernel::all().unwrap().iter().enumerate() {
            let producer = PRODUCERS[index % PRODUCERS.len()];
            let how = How { arch, opt: OptLevel::O1, jobs: 1, chaos: None };
            let Ok(bytes) = kernel.ptx(producer).and_then(|ptx| cubin(&ptx, how)) else { continue };
            fs::write(&file, &bytes).unwrap();
            let theirs = cuobjdump.run(&["-res-usage".as_ref(), file.as_os_str()]).unwrap();
            let theirs = String::from_utf8(theirs).unwrap();
            let ours = Report::new(&Cubin::parse(&bytes).unwrap()).resource_usage();
            assert!(usage(&theirs).iter().any(|l| l.contains("REG:")), "{}: {theirs}", kernel.name);
            assert_eq!(usage(&ours), usage(&theirs), "{} ({producer}) for {arch}", kernel.name);
            compared += 1;
        }
    }
    assert!(compared >= 120, "only {compared} cubins compared");
}
