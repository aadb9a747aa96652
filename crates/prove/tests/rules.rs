//! Every algebraic rule is proven, and every result of a rule in the source names its statement.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use raddle_filetest::oracle;
use raddle_prove::rules::{ALL, FACTS, FOLD, Proof, prove, statements};
use raddle_prove::solver::Solver;

#[test]
fn rules_hold_at_eight_bits() {
    let Some(z3) = oracle::require("z3") else { return };
    // Products take longer: `cargo campaign prove-rules` has the time, and goes on to 64 bits.
    let mut solver = Solver::new(z3.path(), Duration::from_millis(400));
    let all: Vec<_> = ALL.iter().flat_map(|(_, text)| statements(text).expect("statements")).collect();
    let (mut wrong, mut late) = (Vec::new(), 0);
    for s in &all {
        match prove(s, 8, &mut solver) {
            Ok(Proof::Holds) => {}
            Ok(Proof::Timeout(_)) => late += 1,
            other => wrong.push(format!("{}: {other:?}", s.text)),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(late * 20 < all.len(), "{late} of {} take too long", all.len());
}

/// Wrong rules, each near a right one.
const WRONG: &[&str] = &[
    "a | (add (sub x y) x) => y",
    "a | (sub c (add x d)) => (add (sub c d) x)",
    "a | (mul x (shl 1 n)) => (shl x (add n 1))",
    "a | (shr.s x n) => (shr.u x n)",
    "a | (not (icmp.lt.s x y)) => (icmp.gt.s x y)",
    "a | (icmp.le.u x c) => (icmp.lt.u x (add c 1))",
    "a | (div.s x y) => (div.u x y) if (icmp.ge.s x 0)",
    "a for 1..w | (extlow.s.k x) => (and x (sub (shl 1 k) 1))",
    "a | (select (icmp.lt.u x y) x y) => (min.s x y)",
    "a | (bfi x y n m) => (or (shl x n) y) if (icmp.lt.u n w)",
    "a | (icmp.le.u (add x y) (add e z)) => yes if (icmp.le.u x e) (icmp.le.u y z)",
    "a | (icmp.ge.u (or x y) (add c d)) => yes if (icmp.ge.u x c) (icmp.ge.u y d)",
    "a | (icmp.le.u (rem.u x y) (sub z 2)) => yes if (icmp.le.u y z) (icmp.gt.u y 1)",
];

#[test]
fn wrong_rules_are_refuted() {
    let Some(z3) = oracle::require("z3") else { return };
    let mut solver = Solver::new(z3.path(), Duration::from_secs(5));
    for text in WRONG {
        let s = &statements(text).expect("a statement")[0];
        for w in [8, 32] {
            let proof = prove(s, w, &mut solver).expect("an answer");
            assert!(matches!(&proof, Proof::Fails(values) if !values.is_empty()), "{text} at {w}: {proof:?}");
        }
    }
}

/// Results of rules that are no equation of bits.
const OTHERS: &[&str] = &["pairs: one operation on a word for two on its halves, which are floats"];

#[test]
fn every_result_of_a_rule_has_a_statement() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../opt/src/fold");
    let known: BTreeSet<String> = statements(FOLD).expect("statements").into_iter().map(|s| s.name).collect();
    let others: BTreeSet<&str> = OTHERS.iter().filter_map(|o| o.split(':').next()).collect();
    let (mut used, mut complaints) = (BTreeSet::new(), Vec::new());
    for line in std::fs::read_to_string(folder.join("mod.rs")).expect("the dispatcher").lines() {
        used.extend(line.trim().strip_prefix("// rule: ").map(str::to_owned));
    }
    for file in ["arith.rs", "bits.rs", "choose.rs", "fields.rs", "pairs.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a file of rules");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut rule: Option<&str> = None;
        for (n, line) in code.lines().enumerate() {
            if let Some(name) = line.trim().strip_prefix("// rule: ") {
                rule = Some(name);
                used.insert(name.to_owned());
                if !known.contains(name) && !others.contains(name) {
                    complaints.push(format!("{file}:{}: {name} has no statement in fold.txt", n + 1));
                }
                continue;
            }
            let result = ["op", "same", "constant"].iter().any(|f| {
                let call = format!("{f}(");
                line.match_indices(&call).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric() && c != '.' && c != '_')
                })
            });
            if result && rule.take().is_none() {
                complaints.push(format!("{file}:{}: a result without `// rule: NAME`: {}", n + 1, line.trim()));
            } else if !line.trim().is_empty() && !result {
                rule = None;
            }
        }
    }
    let unused = known.iter().filter(|name| !used.contains(*name));
    complaints.extend(unused.map(|name| format!("fold.txt: {name} is not in the source")));
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_fact_has_a_statement() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../opt/src/facts.rs");
    let text = std::fs::read_to_string(path).expect("the facts");
    let known: BTreeSet<String> = statements(FACTS).expect("statements").into_iter().map(|s| s.name).collect();
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.iter().position(|line| line.starts_with("fn transfer(")).expect("the transfer function");
    let mut complaints = Vec::new();
    let end = lines.iter().skip(from).position(|line| *line == "}").expect("its end");
    let body = &lines[from..from + end];
    for pair in body.windows(2).filter(|pair| pair[1].starts_with("        Op::")) {
        if !pair[0].trim().starts_with("// rule: ") {
            complaints.push(format!("an arm without `// rule: NAME`: {}", pair[1].trim()));
        }
    }
    let used: BTreeSet<String> =
        lines.iter().filter_map(|line| line.trim().strip_prefix("// rule: ")).map(str::to_owned).collect();
    complaints.extend(used.symmetric_difference(&known).map(|name| format!("{name} is on one side only")));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
