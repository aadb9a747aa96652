//! Moves loads to the branches that need their results, where many values are live.
//!
//! Problem: a program reads whole structures and then compares them field by field, so that all
//! fields are live at once, and most are not needed: the first comparison decides. Strategy
//! ("ptxas 13.0.88 output"): where more than [`REGISTERS`] are live out of a block, weak loads whose
//! results only one successor needs move to its beginning, if that frees more registers than it takes
//! for their addresses. Blocks are visited in order, so that a load may pass several branches.
//!
//! **Invariants.** The block is the successor's only predecessor, so nothing moves into a loop, and no
//! load is executed more often. A load passes nothing that has an effect.

use raddle_entity::FxHashSet;
use raddle_ir::cfg::Cfg;
use raddle_ir::live::Liveness;
use raddle_ir::{Block, Function, Inst, Op, Value, Width};

/// Registers that may be live out of a block.
const REGISTERS: u32 = 24;

/// Runs the pass. The liveness is that before it.
pub(crate) fn run(f: &mut Function, cfg: &Cfg, live: &Liveness) {
    for &b in &cfg.rpo {
        let alone = |s: &&Block| cfg.preds[**s].len() == 1;
        if cfg.succs[b].len() != 2 || !cfg.succs[b].iter().any(|s| alone(&s)) || !has_loads(f, b) {
            continue;
        }
        let out: FxHashSet<Value> = live.live_out(cfg, b).collect();
        if out.iter().map(|&v| registers(f.width(v))).sum::<u32>() <= REGISTERS {
            continue;
        }
        let here: FxHashSet<Value> = {
            let mut here = FxHashSet::default();
            f.term(b).for_each_use(|v| _ = here.insert(v));
            here
        };
        for &s in cfg.succs[b].iter().filter(alone) {
            let others = cfg.succs[b].iter().filter(|&&o| o != s).flat_map(|&o| live.live_in(o));
            let kept: FxHashSet<Value> = here.iter().copied().chain(others).collect();
            let moved = movable(f, b, &out, kept);
            if !moved.is_empty() {
                f.blocks[b].insts.retain(|i| !moved.contains(i));
                f.blocks[s].insts.splice(0..0, moved);
            }
        }
    }
}

fn has_loads(f: &Function, b: Block) -> bool {
    f.blocks[b].insts.iter().any(|&i| is_load(f, i))
}

fn is_load(f: &Function, i: Inst) -> bool {
    matches!(f.insts[i].op, Op::Load(m) if m.is_weak())
}

/// The loads of a block without uses in it or among `kept`, in their order; none if that frees no
/// registers.
fn movable(f: &Function, b: Block, out: &FxHashSet<Value>, kept: FxHashSet<Value>) -> Vec<Inst> {
    let mut used = kept;
    let (mut moved, mut freed, mut taken) = (Vec::new(), 0, 0);
    let mut longer: FxHashSet<Value> = FxHashSet::default();
    for &i in f.blocks[b].insts.iter().rev() {
        let d = &f.insts[i];
        if d.op.has_effect() {
            break;
        }
        if is_load(f, i) && d.results.iter().all(|v| out.contains(v) && !used.contains(v)) {
            moved.push(i);
            freed += d.results.iter().map(|&v| registers(f.width(v))).sum::<u32>();
            let fresh = d.args.iter().filter(|&&v| !out.contains(&v) && f.constant(v).is_none() && longer.insert(v));
            taken += fresh.map(|&v| registers(f.width(v))).sum::<u32>();
        } else {
            used.extend(&d.args);
        }
    }
    moved.reverse();
    if freed > taken { moved } else { Vec::new() }
}

/// The number of general registers that a value takes.
pub(crate) fn registers(w: Width) -> u32 {
    if w == Width::P { 0 } else { w.bits().div_ceil(32) }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    /// Loads and comparisons of two structures with this many fields.
    fn fields(n: usize, between: &str) -> String {
        let mut text = "kernel k\n params 0:8 8:8\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n \
            v2: b64 = load.param.b64.1.8 v0\n"
            .to_owned();
        for k in 0..n {
            let at = 4 * k;
            text += &format!(" v{}: b32 = load.global.b32.1.{at} v1\n", 10 + 2 * k);
            text += &format!(" v{}: b32 = load.global.b32.1.{at} v2\n", 11 + 2 * k);
        }
        text += between;
        for k in 0..n {
            text += &format!(" v{}: p = icmp.eq.u v{}, v{}\n", 100 + k, 10 + 2 * k, 11 + 2 * k);
            text += &format!(" branch v{}, b{}, b{}\nb{}:\n", 100 + k, k + 1, n + 1, k + 1);
        }
        text += &format!(" jump b{end}\nb{end}:\n exit\nend\n", end = n + 1);
        let mut f = parse(&text).unwrap().remove(0);
        crate::tests::apply(crate::late_values::run, &mut f);
        print(&f)
    }

    fn first(text: &str) -> usize {
        text.split("b1").next().unwrap().matches("load.global").count()
    }

    #[test]
    fn fields_are_loaded_where_they_are_compared() {
        let text = fields(16, "");
        assert_eq!(first(&text), 2, "{text}");
        assert_eq!(text.matches("load.global").count(), 32);
    }

    #[test]
    fn few_fields_and_loads_before_stores_stay() {
        assert_eq!(first(&fields(8, "")), 16);
        assert_eq!(first(&fields(16, " store.global.b32.1.0 v1, v0\n")), 32);
    }
}
