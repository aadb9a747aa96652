//! Removes instructions and block parameters whose results are unused.
//!
//! Strategy: mark backwards from effects and terminators; a parameter marks the values that its
//! edges pass. Unmarked instructions are removed from their blocks, unmarked parameters from their
//! block and its edges. A relaxed atomic operation other than exchange and compare-and-swap becomes
//! a reduction if its result is unused.

use raddle_ir::cfg::Cfg;
use raddle_ir::{AtomOp, Cx, Function, Op, Order, Stop, Terminator, Value, ValueDef};

use crate::edit::retain_params;

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let mut live = vec![false; f.values.len()];
    let mut work: Vec<Value> = Vec::new();
    let mark = |v: Value, live: &mut Vec<bool>, work: &mut Vec<Value>| {
        let slot = &mut live[v.as_u32() as usize];
        if !*slot {
            *slot = true;
            work.push(v);
        }
    };
    for &b in &f.layout {
        for &i in &f.blocks[b].insts {
            if f.insts[i].op.has_effect() {
                f.insts[i].args.iter().for_each(|&v| mark(v, &mut live, &mut work));
            }
        }
        match f.term(b) {
            Terminator::Branch { cond: v, .. } | Terminator::Switch { index: v, .. } => mark(*v, &mut live, &mut work),
            Terminator::Jump(_) | Terminator::Exit => {}
        }
    }
    while let Some(v) = work.pop() {
        match f.values[v].def {
            ValueDef::Result(i, _) => f.insts[i].args.iter().for_each(|&a| mark(a, &mut live, &mut work)),
            ValueDef::Param(b, n) => {
                let mut seen = None;
                for &p in &cfg.preds[b] {
                    if seen == Some(p) {
                        continue;
                    }
                    seen = Some(p);
                    for t in f.term(p).targets() {
                        if t.block == b {
                            mark(t.args[n as usize], &mut live, &mut work);
                        }
                    }
                }
            }
        }
    }
    let is_live = |v: Value| live[v.as_u32() as usize];
    for b in f.layout.clone() {
        let mut insts = std::mem::take(&mut f.blocks[b].insts);
        for &i in &insts {
            if let Op::Atom(a) = f.insts[i].op
                && a.order == Order::Relaxed
                && !matches!(a.op, AtomOp::Exch | AtomOp::Cas)
                && !f.insts[i].results.iter().any(|&v| is_live(v))
            {
                f.insts[i].op = Op::Red(a);
                f.insts[i].results.clear();
            }
        }
        insts.retain(|&i| f.insts[i].op.has_effect() || f.insts[i].results.iter().any(|&v| is_live(v)));
        f.blocks[b].insts = insts;
        let keep: Vec<bool> = f.blocks[b].params.iter().map(|&v| is_live(v)).collect();
        retain_params(f, &cfg.preds[b], b, &keep);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    #[test]
    fn dead_loop_values_go() {
        let mut f = parse(
            "kernel k\nb0:\n v0: b32 = const.1\n v1: b32 = special.tid_x\n jump b1(v0, v1)\nb1(v2: b32, v3: b32):\n \
             v4: b32 = add v2, v0\n v5: b32 = add v3, v0\n v6: p = icmp.lt.s v5, v1\n branch v6, b1(v4, v5), b2\nb2:\n exit\nend\n",
        )
        .unwrap()
        .remove(0);
        crate::tests::apply(super::run, &mut f);
        raddle_ir::verify::verify(&f).unwrap();
        let text = print(&f);
        assert!(text.contains("jump b1(v1)\nb1(v2: b32):\n  v3: b32 = add v2, v0\n"), "{text}");
    }
    #[test]
    fn an_unused_old_value_is_not_waited_for() {
        let text = |op: &str| {
            let mut f = parse(&format!(
                "kernel k\nb0:\n v0: b64 = undef\n v1: b32 = special.tid_x\n v2: b32 = atom.{op}.u32.global.relaxed.gpu.0 v0, v1\n exit\nend\n"
            ))
            .unwrap()
            .remove(0);
            crate::tests::apply(super::run, &mut f);
            raddle_ir::verify::verify(&f).unwrap();
            print(&f)
        };
        assert!(text("add").contains(" red.add"));
        assert!(text("exch").contains(" atom.exch"));
    }
}
