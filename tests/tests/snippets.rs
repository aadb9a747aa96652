//! Snippets of the corpus: the code of ptxas runs in the simulator as their text runs in the
//! interpreter.

use raddle_filetest::oracle;
use raddle_tests::ptxas::Assembler;
use raddle_tests::{parallel, snippet};

#[test]
fn rows_per_thread_are_valid_ptx() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let mut snippets = snippet::all().unwrap();
    snippets.retain(|snippet| snippet.entry.accepted.iter().any(|arch| arch == "sm_90"));
    let refused = parallel::map(&snippets, |snippet| {
        let error = assembler.assemble(&snippet.per_thread("sm_90")?, "sm_90").err()?;
        Some(format!("{}: {error:#}", snippet.entry.file))
    });
    let refused: Vec<String> = refused.into_iter().flatten().collect();
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
