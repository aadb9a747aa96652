//! `raddle info --resource-usage` and `cuobjdump -res-usage` print the same for our cubins, at
//! every level.

use raddle_filetest::oracle;
use raddle_tests::compile::cubin_at;
use raddle_tests::judge::ARCHS;
use raddle_tests::kernel::{self, PRODUCERS};
use raddle_tests::level::Level;
use raddle_tests::read;

#[test]
fn cuobjdump_says_what_we_say() {
    let Some(cuobjdump) = oracle::require("cuobjdump") else { return };
    let mut compared = 0;
    for (row, arch) in ARCHS.iter().enumerate() {
        for (index, kernel) in kernel::all().unwrap().iter().enumerate() {
            let producer = PRODUCERS[index % PRODUCERS.len()];
            let level = Level::ALL[(index + row) % Level::ALL.len()];
            let Ok(bytes) = kernel.ptx(producer).and_then(|ptx| cubin_at(&ptx, arch, level)) else { continue };
            let agrees = read::usage_agrees(&cuobjdump, &bytes);
            agrees.unwrap_or_else(|why| panic!("{} ({producer}) for {arch}, {level}: {why:#}", kernel.name));
            compared += 1;
        }
    }
    assert!(compared >= 120, "only {compared} cubins compared");
}
