//! Right and wrong changes of small functions.

use std::time::Duration;

use raddle_filetest::oracle;
use raddle_ir::Function;
use raddle_ir::text::parse;

use super::{Limits, Reason, Verdict, validate};
use crate::solver::Solver;

fn function(body: &str) -> Function {
    let f = parse(&format!("kernel k\n params 0:8 8:4\n{body}end\n")).unwrap().remove(0);
    raddle_ir::verify::verify(&f).unwrap();
    f
}

/// The verdict without a solver: what is equal by its form.
fn by_form(before: &str, after: &str) -> Verdict {
    validate(&function(before), &function(after), None, Limits::default()).unwrap()
}

/// The verdict with a solver, if it is installed.
fn solved(before: &str, after: &str) -> Option<Verdict> {
    let z3 = oracle::require("z3")?;
    let mut solver = Solver::new(z3.path(), Duration::from_secs(10));
    Some(validate(&function(before), &function(after), Some(&mut solver), Limits::default()).unwrap())
}

const HEAD: &str = "b0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b32 = special.tid_x\n";

#[test]
fn sums_in_another_form_are_equal() {
    let before = format!(
        "{HEAD} v3: b32 = const.3\n v4: b32 = shl v2, v3\n v5: b32 = add v4, v2\n store.global.b32.1.0 v1, v5\n exit\n"
    );
    let after = format!("{HEAD} v3: b32 = const.9\n v4: b32 = mul v2, v3\n store.global.b32.1.0 v1, v4\n exit\n");
    assert_eq!(by_form(&before, &after), Verdict::Proven);
}

#[test]
fn a_wrong_sum_is_refuted_by_values() {
    let before = format!("{HEAD} v3: b32 = const.3\n v4: b32 = shr.u v2, v3\n store.global.b32.1.0 v1, v4\n exit\n");
    let after = format!("{HEAD} v3: b32 = const.2\n v4: b32 = shr.u v2, v3\n store.global.b32.1.0 v1, v4\n exit\n");
    let Some(verdict) = solved(&before, &after) else { return };
    let Verdict::Refuted(values) = verdict else { panic!("{verdict:?}") };
    assert!(values.iter().any(|(name, _)| name.contains("TidX")), "{values:?}");
}

#[test]
fn ranges_of_registers_are_known() {
    let before = format!(
        "{HEAD} v3: b32 = const.1024\n v4: p = icmp.lt.s v2, v3\n branch v4, b1, b2\nb1:\n store.global.b32.1.0 v1, v2\n exit\nb2:\n exit\n"
    );
    let after = format!("{HEAD} store.global.b32.1.0 v1, v2\n exit\n");
    let Some(verdict) = solved(&before, &after) else { return };
    assert_eq!(verdict, Verdict::Proven);
}

/// A loop that sums words; `step` is how far it goes, and what it adds is given.
fn summing(step: u32, adds: &str) -> String {
    format!(
        "{HEAD} v20: b32 = const.100\n v21: b64 = const.{step}\n jump b1(v0, v1, v0)\n\
         b1(v3: b32, v4: b64, v5: b32):\n v6: p = icmp.lt.u v3, v20\n branch v6, b2, b3\n\
         b2:\n v7: b32 = load.global.b32.1.0 v4\n v8: b32 = {adds}\n v9: b64 = add v4, v21\n v10: b32 = const.1\n \
         v11: b32 = add v3, v10\n jump b1(v11, v9, v8)\nb3:\n store.global.b32.1.0 v1, v5\n exit\n"
    )
}

#[test]
fn loops_are_equal_by_induction() {
    assert_eq!(by_form(&summing(4, "add v5, v7"), &summing(4, "add v7, v5")), Verdict::Proven);
    // Another step: not equal, and not called a counterexample, as a loop is in between.
    let verdict = by_form(&summing(4, "add v5, v7"), &summing(8, "add v5, v7"));
    assert_eq!(verdict, Verdict::Open(Reason::NoSolver));
    let verdict = by_form(&summing(4, "add v5, v7"), &summing(4, "sub v5, v7"));
    assert_eq!(verdict, Verdict::Open(Reason::NoSolver));
}

#[test]
fn a_load_that_leaves_a_loop_has_a_counterpart() {
    let text = |before: &str, inside: &str, value: &str| {
        format!(
            "{HEAD} v20: b32 = const.100\n{before} jump b1(v0, v0)\nb1(v3: b32, v5: b32):\n{inside} v8: b32 = add v5, {value}\n \
             v10: b32 = const.1\n v11: b32 = add v3, v10\n v6: p = icmp.lt.u v11, v20\n branch v6, b1(v11, v8), b2\n\
             b2:\n store.global.b32.1.0 v1, v8\n exit\n"
        )
    };
    let load = |v: &str| format!(" {v}: b32 = load.global.b32.1.4 v1\n");
    assert_eq!(by_form(&text("", &load("v7"), "v7"), &text(&load("v30"), "", "v30")), Verdict::Proven);
    // Of another address.
    let other = load("v30").replace(".1.4", ".1.8");
    assert!(matches!(by_form(&text("", &load("v7"), "v7"), &text(&other, "", "v30")), Verdict::Open(_)));
    // With a store in between.
    let store = format!("{} store.global.b32.1.0 v1, v3\n", load("v7"));
    let moved = text(&load("v30"), " store.global.b32.1.0 v1, v3\n", "v30");
    assert_eq!(by_form(&text("", &store, "v7"), &moved), Verdict::Proven);
    let store = store.replace(".1.0 v1, v3", ".1.6 v1, v3");
    let moved = moved.replace(".1.0 v1, v3", ".1.6 v1, v3");
    assert!(matches!(by_form(&text("", &store, "v7"), &moved), Verdict::Open(_)));
}

#[test]
fn effects_stay_in_order_and_see_memory() {
    let text = |first: &str, second: &str| format!("{HEAD}{first}{second} exit\n");
    let store = " store.global.b32.1.0 v1, v2\n";
    let barrier = " bar.sync v0, v0\n";
    let other = " store.global.b32.1.8 v1, v0\n";
    assert_eq!(by_form(&text(store, other), &text(other, store)), Verdict::Proven);
    assert!(matches!(by_form(&text(store, barrier), &text(barrier, store)), Verdict::Open(_)));
    // A load may not pass a barrier, nor be merged across it.
    let load = |v: &str| format!(" {v}: b32 = load.global.b32.1.0 v1\n");
    let twice = format!("{}{barrier}{}{}", load("v3"), load("v4"), " store.global.b32.1.8 v1, v4\n");
    let once = format!("{}{barrier}{}", load("v3"), " store.global.b32.1.8 v1, v3\n");
    assert!(matches!(by_form(&text(&twice, ""), &text(&once, "")), Verdict::Open(_)));
    // Shuffles are not exchanged: lanes meet in them.
    let shuffle = |v: u32, lane: &str| format!(" v{v}: b32, v{}: p = shfl.idx v2, {lane}, v0, v0\n", v + 1);
    let (a, b) = (shuffle(5, "v0"), shuffle(7, "v2"));
    assert!(matches!(by_form(&text(&a, &b), &text(&b, &a)), Verdict::Open(_)));
}
