//! Snippets of the corpus: what ptxas makes of them runs in the simulator as their text runs in the interpreter.
#![forbid(unsafe_code)]

use raddle_filetest::oracle;
use raddle_tests::ptxas::Assembler;
use raddle_tests::snippet;

#[test]
fn rows_per_thread_are_valid_ptx() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let mut refused = Vec::new();
    for snippet in snippet::all().unwrap() {
        if !snippet.entry.accepted.iter().any(|arch| arch == "sm_90") {
            continue;
        }
        let Some(text) = snippet.per_thread("sm_90") else { continue };
        if let Err(error) = assembler.assemble(&text, "sm_90") {
            refused.push(format!("{}: {error:#}", snippet.entry.file));
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
