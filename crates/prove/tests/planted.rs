//! A wrong rule planted in every pass is found: what the pass leaves is changed as the wrong rule
//! would have left it.

use std::collections::BTreeSet;
use std::time::Duration;

use raddle_filetest::oracle;
use raddle_ir::text::{parse, print};
use raddle_ir::{CodegenOptions, Cx, Function, Op, OptLevel, verify};
use raddle_opt::{LATE, PASSES};
use raddle_prove::solver::Solver;
use raddle_prove::{Limits, Reason, Verdict, validate};
use raddle_target::Target;

/// A pass, a function that it changes, an operation of what it leaves, and the one that a wrong rule
/// would leave in its place.
struct Row {
    pass: &'static str,
    body: &'static str,
    from: &'static str,
    to: &'static str,
    /// Whether the difference shows without a loop: then there are values for which it shows.
    refuted: bool,
}

const fn row(pass: &'static str, body: &'static str, from: &'static str, to: &'static str) -> Row {
    Row { pass, body, from, to, refuted: true }
}

const fn in_loop(pass: &'static str, body: &'static str, from: &'static str, to: &'static str) -> Row {
    Row { pass, body, from, to, refuted: false }
}

/// Two addresses, a number below 1,024 and one of any size.
const HEAD: &str = "b0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b64 = load.param.b64.1.8 v0\n \
                    v3: b32 = special.tid_x\n v4: b32 = load.global.b32.1.0 v2\n v5: b32 = const.8\n v6: b32 = const.3\n";

const ROWS: &[Row] = &[
    row(
        "simplify_cfg",
        " v7: p = icmp.lt.s v4, v5\n branch v7, b1, b2\nb1:\n jump b3(v4)\nb2:\n jump b3(v5)\nb3(v8: b32):\n \
         store.global.b32.1.0 v1, v8\n exit\n",
        "icmp.lt.s",
        "icmp.le.u",
    ),
    // A product by eight is a shift by three.
    row("fold", " v7: b32 = mul v4, v5\n store.global.b32.1.0 v1, v7\n exit\n", "shl", "shr.u"),
    row("fold", " v7: b32 = rem.u v4, v5\n store.global.b32.1.0 v1, v7\n exit\n", "and", "or"),
    row(
        "fold",
        " v7: p = icmp.le.u v4, v5\n v8: b32 = select v7, v3, v4\n store.global.b32.1.0 v1, v8\n exit\n",
        "icmp.lt.u",
        "icmp.gt.u",
    ),
    row(
        "mem2reg",
        " v7: b32 = slotaddr.s0.0\n store.local.b32.1.0 v7, v4\n v8: b32 = load.local.b32.1.0 v7\n v9: b32 = add v8, v5\n \
         store.global.b32.1.0 v1, v9\n exit\n",
        "add",
        "sub",
    ),
    row(
        "gvn",
        " v7: b32 = sub v4, v3\n v8: b32 = sub v4, v3\n v9: b32 = add v7, v8\n store.global.b32.1.0 v1, v9\n exit\n",
        "sub",
        "add",
    ),
    row(
        "dce",
        " v7: b32 = sub v4, v3\n v8: b32 = mul v4, v3\n store.global.b32.1.0 v1, v7\n exit\n",
        "store.global.b32.1.0",
        "store.global.b32.1.4",
    ),
    row("divide", " v7: b32 = div.s v4, v5\n store.global.b32.1.0 v1, v7\n exit\n", "add", "sub"),
    row(
        "divide",
        " v7: b32 = const.10\n v8: b32 = rem.u v4, v7\n store.global.b32.1.0 v1, v8\n exit\n",
        "mulhi.u",
        "mulhi.s",
    ),
    row("divide", " v7: b32 = const.10\n v8: b32 = div.s v4, v7\n store.global.b32.1.0 v1, v8\n exit\n", "sub", "add"),
    row(
        "thread",
        " v7: p = icmp.lt.s v4, v5\n branch v7, b1, b4\nb1:\n store.global.b32.1.0 v1, v4\n branch v7, b2, b3\nb2:\n \
         store.global.b32.1.4 v1, v4\n exit\nb3:\n store.global.b32.1.8 v1, v4\n exit\nb4:\n exit\n",
        "icmp.lt.s",
        "icmp.ge.s",
    ),
    row(
        "loads",
        " store.global.b32.1.0 v1, v4\n v7: b32 = load.global.b32.1.0 v1\n v8: b32 = add v7, v5\n \
         store.global.b32.1.4 v1, v8\n exit\n",
        "add",
        "sub",
    ),
    row(
        "stores",
        " store.global.b32.1.0 v1, v3\n store.global.b32.1.0 v1, v4\n exit\n",
        "store.global.b32.1.0",
        "store.global.b32.1.4",
    ),
    row(
        "pre",
        " v7: p = icmp.lt.s v4, v5\n branch v7, b1, b2\nb1:\n v8: b32 = mulhi.u v4, v4\n store.global.b32.1.8 v1, v8\n jump b3\n\
         b2:\n jump b3\nb3:\n v9: b32 = mulhi.u v4, v4\n store.global.b32.1.0 v1, v9\n exit\n",
        "mulhi.u",
        "mulhi.s",
    ),
    row(
        "hoist",
        " v7: p = icmp.lt.s v4, v5\n branch v7, b1, b2\nb1:\n v8: b32 = mul v4, v3\n store.global.b32.1.8 v1, v8\n jump b3\n\
         b2:\n v9: b32 = mul v4, v3\n store.global.b32.1.0 v1, v9\n jump b3\nb3:\n exit\n",
        "mul",
        "add",
    ),
    row(
        "vectorize",
        " v7: b32 = slotaddr.s1.0\n v10: b32 = load.shared.b32.1.4 v7\n v11: b32 = load.shared.b32.1.0 v7\n \
         v12: b32 = sub v10, v11\n store.global.b32.1.0 v1, v12\n exit\n",
        "sub",
        "add",
    ),
    row(
        "share",
        " v10: b64 = const.4\n v11: b64 = zext v4\n v12: b64 = add v1, v11\n v13: b64 = add v12, v10\n \
         store.global.b32.1.0 v12, v3\n store.global.b32.1.0 v13, v4\n exit\n",
        "store.global.b32.1.4",
        "store.global.b32.1.8",
    ),
    row(
        "sink",
        " v8: b32 = slotaddr.s1.0\n v9: b32 = load.global.b32.1.0 v1\n store.shared.b32.1.0 v8, v9\n v7: p = icmp.lt.s v4, v5\n \
         branch v7, b1, b2(v0)\nb1:\n v10: b32 = load.global.b32.1.4 v1\n jump b2(v10)\nb2(v11: b32):\n \
         store.shared.b32.1.4 v8, v11\n exit\n",
        "store.shared.b32.1.0",
        "store.shared.b32.1.8",
    ),
    row(
        "repack",
        " v7: b16, v8: b16 = unpack v4\n v9: p = icmp.lt.u v4, v3\n branch v9, b1(v7, v8), b2(v7, v8)\n\
         b1(v10: b16, v11: b16):\n jump b2(v10, v11)\nb2(v12: b16, v13: b16):\n v14: b32 = pack v12, v13\n \
         v15: b32 = sub v14, v3\n store.global.b32.1.0 v1, v15\n exit\n",
        "sub",
        "add",
    ),
    row(
        "elements",
        " v7: b32 = slotaddr.s2.0\n v8: b32 = const.2\n v9: b32 = shl v4, v8\n v10: b32 = add v7, v9\n \
         store.local.b32.1.0 v7, v3\n store.local.b32.1.4 v7, v4\n store.local.b32.1.8 v7, v0\n store.local.b32.1.0 v10, v5\n \
         v11: b32 = load.local.b32.1.8 v7\n store.global.b32.1.0 v1, v11\n exit\n",
        "icmp.eq.u",
        "icmp.ne.u",
    ),
    in_loop("rotate", LOOP, "icmp.lt.u", "icmp.le.u"),
    in_loop("licm", BOTTOM, "mul", "add"),
    row("unroll", COUNTED, "sub", "xor"),
];

/// A loop that tests at the top.
const LOOP: &str = " v20: b32 = const.1\n jump b1(v0, v0)\nb1(v10: b32, v11: b32):\n v12: p = icmp.lt.u v10, v4\n \
                    branch v12, b2, b3\nb2:\n v13: b32 = mul v4, v3\n v14: b32 = add v11, v13\n v15: b32 = add v10, v20\n \
                    store.global.b32.1.4 v1, v15\n jump b1(v15, v14)\nb3:\n store.global.b32.1.0 v1, v11\n exit\n";

/// One that tests at the bottom.
const BOTTOM: &str = " v20: b32 = const.1\n jump b1(v0, v0)\nb1(v10: b32, v11: b32):\n v13: b32 = mul v4, v3\n \
                      v14: b32 = add v11, v13\n v15: b32 = add v10, v20\n store.global.b32.1.4 v1, v15\n \
                      v12: p = icmp.lt.u v15, v4\n branch v12, b1(v15, v14), b2\nb2:\n store.global.b32.1.0 v1, v14\n exit\n";

/// One of eight iterations.
const COUNTED: &str = " v20: b32 = const.1\n jump b1(v0, v0)\nb1(v10: b32, v11: b32):\n v14: b32 = sub v11, v4\n \
                       v15: b32 = add v10, v20\n v12: p = icmp.lt.u v15, v5\n branch v12, b1(v15, v14), b2\nb2:\n \
                       store.global.b32.1.0 v1, v14\n exit\n";

/// Passes without a row: what they do needs more than a few instructions to show.
const ELSEWHERE: &[(&str, &str)] = &[("late values", "computes values again near their uses, in long functions only")];

fn function(body: &str) -> Function {
    let head = "kernel k\n params 0:8 8:8\n slot s0 local 4 align 4 \"x\"\n slot s1 shared 64 align 16 \"y\"\n slot s2 local 12 align 4 \"z\"\n";
    let f = parse(&format!("{head}{HEAD}{body}end\n")).unwrap_or_else(|e| panic!("{e}\n{body}")).remove(0);
    verify::verify(&f).unwrap_or_else(|e| panic!("{e:?}\n{body}"));
    f
}

/// Replaces the first operation of this text.
fn planted(f: &Function, from: &str, to: &str) -> Option<Function> {
    let mut f = f.clone();
    let all: Vec<_> = f.layout.iter().flat_map(|&b| f.blocks[b].insts.iter().rev().copied()).collect();
    let i = all.into_iter().find(|&i| f.insts[i].op.to_string() == from)?;
    f.insts[i].op = Op::parse(to)?;
    verify::verify(&f).ok().map(|()| f)
}

#[test]
fn wrong_rules_are_found_in_every_pass() {
    let Some(z3) = oracle::require("z3") else { return };
    let mut solver = Solver::new(z3.path(), Duration::from_secs(10));
    let options = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let cx = Cx::new(Target::by_name("sm_90").expect("a target"), &options);
    let mut problems = Vec::new();
    for Row { pass, body, from, to, refuted } in ROWS {
        let before = function(body);
        let mut after = before.clone();
        let run = PASSES.iter().find(|p| p.name == *pass).expect("a pass").run;
        run(&cx, &mut after).expect("the pass runs");
        if print(&before) == print(&after) {
            problems.push(format!("{pass} changes nothing:\n{}", print(&before)));
            continue;
        }
        let mut verdict = |f: &Function| validate(&before, f, Some(&mut solver), Limits::default()).expect("answers");
        let right = verdict(&after);
        if right != Verdict::Proven {
            problems.push(format!("{pass} is not proven: {right:?}\n{}{}", print(&before), print(&after)));
        }
        let Some(wrong) = planted(&after, from, to) else {
            problems.push(format!("{pass} leaves no {from}:\n{}", print(&after)));
            continue;
        };
        match verdict(&wrong) {
            Verdict::Refuted(values) if !values.is_empty() => {}
            Verdict::Open(Reason::Difference(_) | Reason::Loops) if !refuted => {}
            other => problems.push(format!("{pass} with {to} for {from}: {other:?}\n{}", print(&wrong))),
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_pass_has_a_row() {
    let listed: BTreeSet<&str> = ROWS.iter().map(|r| r.pass).chain(ELSEWHERE.iter().map(|r| r.0)).collect();
    let all: BTreeSet<&str> = PASSES.iter().chain(LATE).map(|p| p.name).collect();
    assert_eq!(listed, all);
}
