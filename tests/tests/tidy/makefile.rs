//! The Makefile: every target is phony, since none of them is a file.

use std::collections::BTreeSet;

use super::tree::{report, text};

#[test]
fn every_target_is_phony() {
    let makefile = text("Makefile").expect("a Makefile").replace("\\\n", " ");
    let phony: BTreeSet<&str> =
        makefile.lines().filter_map(|line| line.strip_prefix(".PHONY:")).flat_map(str::split_whitespace).collect();
    let targets: BTreeSet<&str> = makefile
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| name)
        .collect();
    assert!(targets.len() > 10, "the Makefile has targets");
    report(
        &targets
            .symmetric_difference(&phony)
            .map(|name| format!("Makefile: {name}: target or .PHONY, not both"))
            .collect::<Vec<_>>(),
    );
}
