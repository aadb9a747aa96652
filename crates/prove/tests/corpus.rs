//! The passes at -O3 on kernels of the corpus: none is refuted, nearly all changes are proven.

use std::time::Duration;

use raddle_filetest::corpus::ptx;
use raddle_filetest::oracle;
use raddle_ir::{CodegenOptions, Cx, OptLevel};
use raddle_prove::solver::Solver;
use raddle_prove::table::{Table, Wanted};
use raddle_prove::{Limits, corpus};
use raddle_target::Target;

/// Functions of a size that takes no time; `cargo campaign prove` takes all.
const LIMITS: Limits = Limits { asking: Duration::from_secs(1), instructions: 200 };

#[test]
fn changes_of_passes_keep_the_meaning() {
    let Some(z3) = oracle::require("z3") else { return };
    let mut solver = Solver::new(z3.path(), Duration::from_millis(300));
    let options = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let cx = Cx::new(Target::by_name("sm_90").expect("a target"), &options);
    let wanted = Wanted { only: None, limits: LIMITS, seen: &|_, _, _, _, _| {} };
    let mut table = Table::default();
    for path in ptx(&["kernels"]) {
        let source = std::fs::read_to_string(&path).expect("a module");
        for mut f in corpus::kernels(&source, &cx) {
            let name = path.display().to_string();
            table.judge(&cx, &name, &mut f, Some(&mut solver), &wanted).expect("passes run, z3 answers");
        }
    }
    for refuted in &table.refuted {
        println!("{} of {}: {:?}\n{}{}", refuted.pass, refuted.kernel, refuted.values, refuted.before, refuted.after);
    }
    assert!(table.refuted.is_empty(), "{} changes are refuted", table.refuted.len());
    // Most are no longer than the limit; of those, nearly all are proven.
    let all = table.total();
    assert!(all.changed > 400, "{all:?}");
    assert!(all.proven * 10 > all.changed * 7, "{all:?}");
}
