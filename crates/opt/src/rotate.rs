//! Loop rotation: turns loops that test at the top into guarded loops that test at the bottom.
//!
//! Problem: a loop that begins with its test has two branches per iteration, nothing in its body is
//! sure to run, so no load leaves it ([`crate::loads`]), and it does not count
//! ([`crate::counted`]), so it is not unrolled.
//!
//! Strategy: the header is copied for the entries and becomes the latch; its successor in the loop
//! becomes the header. Values that the old header defines reach the body through parameters of that
//! block:
//!
//! ```text
//!        entry                      entry
//!          │                          │
//!     ┌──► test ──► exit            test' ──────────┐
//!     │    │                          │             │
//!     │    ▼                     ┌──► body          ▼
//!     └── body                   │    test ──────► exit
//!                                └────┘
//! ```
//!
//! An empty preheader is placed between the copy and the body, for what passes move out of the
//! loop.
//!
//! **Invariants.** The same operations run, as often and in the same order. Headers with convergent
//! operations or effects stay (D4). Only innermost loops with one unconditional back edge; growth
//! is bounded by [`MAX_HEADER`] and [`MAX_LOOPS`].

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Op, Stop, Target, Terminator, Value, Width};
use smallvec::SmallVec;

use crate::counted::{Loop, innermost, loop_closed};
use crate::edit::homes;

/// Most instructions of a header that is copied, not counting constants.
const MAX_HEADER: usize = 12;

/// Most loops of a function that are rotated.
const MAX_LOOPS: usize = 32;

/// Instructions of a function above which nothing is rotated.
const MAX_FUNCTION: usize = 20_000;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut done: SecondaryMap<Block, bool> = SecondaryMap::new();
    for _ in 0..MAX_LOOPS {
        let cfg = Cfg::of(f);
        let dom = DomTree::dominators(&cfg);
        let loops = innermost(&cfg, &dom);
        let next = loops.iter().find_map(|l| Some((l, body(f, &cfg, l).filter(|_| !done[l.header])?)));
        let Some((l, body)) = next else { break };
        let size: usize = f.layout.iter().map(|&b| f.blocks[b].insts.len()).sum();
        cx.step(size as u64)?;
        if size > MAX_FUNCTION {
            break;
        }
        done[l.header] = true;
        let home = homes(f);
        if loop_closed(f, l, &cfg, &dom, &home) {
            turn(f, l, body);
        }
    }
    Ok(())
}

/// The successor of the header of a loop that tests at the top and may be rotated.
fn body(f: &Function, cfg: &Cfg, l: &Loop) -> Option<Block> {
    let Terminator::Branch { then, other, .. } = f.term(l.header) else { return None };
    let inside = |b: Block| l.blocks.contains(&b);
    let body = match (inside(then.block), inside(other.block)) {
        (true, false) => then.block,
        (false, true) => other.block,
        _ => return None,
    };
    let insts = &f.blocks[l.header].insts;
    let movable = |op: &Op| !op.has_effect() && !op.is_convergent();
    let size = insts.iter().filter(|&&i| !matches!(f.insts[i].op, Op::Const(_))).count();
    let fits = body != l.header
        && size <= MAX_HEADER
        && insts.iter().all(|&i| movable(&f.insts[i].op))
        && cfg.preds[body].len() == 1
        && matches!(f.term(l.latch), Terminator::Jump(_))
        && !l.entries.is_empty()
        && !l.entries.iter().any(|&p| matches!(f.term(p), Terminator::Switch { .. }));
    fits.then_some(body)
}

/// Rotates a loop whose values are used after it only through parameters of its exits.
fn turn(f: &mut Function, l: &Loop, body: Block) {
    let header = l.header;
    // The header's values that other blocks of the loop use, in the order of their uses.
    let mut defined: Vec<Value> = f.blocks[header].params.to_vec();
    for &i in &f.blocks[header].insts {
        defined.extend(&f.insts[i].results);
    }
    let mut unseen: FxHashMap<Value, bool> = defined.iter().map(|&v| (v, true)).collect();
    let others: Vec<Block> = l.blocks.iter().copied().filter(|&b| b != header).collect();
    let mut used: Vec<Value> = Vec::new();
    for &b in &others {
        let mut note = |v: Value| {
            if unseen.get_mut(&v).is_some_and(std::mem::take) {
                used.push(v);
            }
        };
        f.blocks[b].insts.iter().for_each(|&i| f.insts[i].args.iter().for_each(|&v| note(v)));
        f.term(b).for_each_use(&mut note);
    }
    let mut renamed: FxHashMap<Value, Value> = FxHashMap::default();
    for &v in &used {
        let width = f.width(v);
        renamed.insert(v, f.add_param(body, width));
    }
    let map = |v: Value| renamed.get(&v).copied().unwrap_or(v);
    for &b in &others {
        for k in 0..f.blocks[b].insts.len() {
            let i = f.blocks[b].insts[k];
            f.insts[i].args.iter_mut().for_each(|v| *v = map(*v));
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(map);
        }
    }
    if let Some(term) = &mut f.blocks[header].term {
        term.targets_mut().into_iter().filter(|t| t.block == body).for_each(|t| t.args.extend(used.iter().copied()));
    }
    let guard = copy(f, header, body);
    for &p in &l.entries {
        if let Some(term) = &mut f.blocks[p].term {
            term.targets_mut().into_iter().filter(|t| t.block == header).for_each(|t| t.block = guard);
        }
    }
}

/// Copies the header, with a preheader between the copy and the body; both are placed before the
/// header.
fn copy(f: &mut Function, header: Block, body: Block) -> Block {
    let (guard, door) = (f.add_block(), f.add_block());
    f.layout.truncate(f.layout.len() - 2);
    let at = f.layout.iter().position(|&b| b == header).unwrap_or(0);
    f.layout.splice(at..at, [guard, door]);
    let mut values: FxHashMap<Value, Value> = FxHashMap::default();
    for p in f.blocks[header].params.clone() {
        let width = f.width(p);
        values.insert(p, f.add_param(guard, width));
    }
    for i in f.blocks[header].insts.clone() {
        let d = f.insts[i].clone();
        let args: SmallVec<[Value; 4]> = d.args.iter().map(|v| values.get(v).copied().unwrap_or(*v)).collect();
        let widths: SmallVec<[Width; 4]> = d.results.iter().map(|&r| f.width(r)).collect();
        let new = f.append(guard, d.op, &args, &widths, d.place);
        for (k, &r) in d.results.iter().enumerate() {
            values.insert(r, f.insts[new].results[k]);
        }
    }
    let mut term = f.term(header).clone();
    term.map_uses(|v| values.get(&v).copied().unwrap_or(v));
    for t in term.targets_mut().into_iter().filter(|t| t.block == body) {
        let args = std::mem::take(&mut t.args);
        t.block = door;
        f.blocks[door].term = Some(Terminator::Jump(Target { block: body, args }));
    }
    f.blocks[guard].term = Some(term);
    for b in [guard, door] {
        f.term_places[b] = f.term_places[header];
    }
    guard
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};
    use raddle_ir::{Cx, Function, Stop};

    const HEAD: &str = "kernel k\n params 0:8 8:4\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n \
        v2: b32 = load.param.b32.1.8 v0\n v3: b32 = const.1\n jump b1(v0, v0)\n";

    type Run = fn(&Cx<'_>, &mut Function) -> Result<(), Stop>;

    fn after(body: &str, passes: &[Run]) -> String {
        let mut f = parse(&format!("{HEAD}{body}end\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        crate::tests::apply(super::run, &mut f);
        for &pass in passes {
            crate::tests::apply(pass, &mut f);
        }
        print(&f)
    }

    const SUM: &str = "b1(v6: b32, v7: b32):\n v8: b32 = mul v6, v6\n HEADER\n v9: p = icmp.lt.s v8, v2\n branch v9, b2, b3\nb2:\n \
        v10: b32 = load.global.b32.1.0 v1\n v11: b32 = add v7, v10\n v12: b32 = add v11, v8\n v13: b32 = add v6, v3\n \
        jump b1(v13, v12)\nb3:\n store.global.b32.1.4 v1, v7\n store.global.b32.1.8 v1, v8\n exit\n";

    #[test]
    fn the_test_goes_to_the_bottom() {
        let text = after(&SUM.replace(" HEADER\n", ""), &[crate::simplify_cfg::run]);
        // A guard and one test in the loop, which is one block.
        assert_eq!((text.matches("icmp.lt.s").count(), text.matches("branch").count()), (2, 2), "{text}");
        assert_eq!(text.matches("load.global").count(), 1, "{text}");
        let own = text.lines().filter(|l| l.starts_with('b')).any(|l| {
            let name = l.split(['(', ':']).next().unwrap_or_default();
            text.split(l)
                .nth(1)
                .unwrap_or_default()
                .split("\nb")
                .next()
                .unwrap_or_default()
                .contains(&format!("{name}("))
        });
        assert!(own, "{text}");
    }

    #[test]
    fn a_load_that_the_guard_makes_safe_leaves_the_loop() {
        let text =
            after(&SUM.replace(" HEADER\n", ""), &[crate::loads::run, crate::simplify_cfg::run, crate::dce::run]);
        let body = text.split("mul ").nth(1).unwrap_or_default();
        // Between guard and loop, not in it.
        assert_eq!(text.matches("load.global").count(), 1, "{text}");
        assert!(body.split("mul ").next().unwrap_or_default().contains("load.global"), "{text}");
        let looped = text.split("load.global").nth(1).unwrap_or_default();
        assert!(looped.contains("jump"), "{text}");
    }

    #[test]
    fn what_stays_as_it_is() {
        for stays in ["v20: b32 = activemask", "warpsync v6", "v20: b32 = special.clock"] {
            let text = after(&SUM.replace("HEADER", stays), &[]);
            assert_eq!(text.matches("icmp.lt.s").count(), 1, "{text}");
        }
        // Tests at the bottom already.
        let text = after(
            "b1(v6: b32, v7: b32):\n v8: b32 = add v6, v3\n v9: p = icmp.lt.s v8, v2\n branch v9, b1(v8, v7), b2\nb2:\n exit\n",
            &[],
        );
        assert_eq!(text.matches("icmp.lt.s").count(), 1, "{text}");
    }
}
