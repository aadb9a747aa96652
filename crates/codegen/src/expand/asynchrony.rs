//! Expands asynchronous operations to what the machine has.
//!
//! Problem: bulk and tensor copies, and the initialisation of mbarrier objects, take their operands
//! from uniform registers and run once for the warp, not once for each of its threads. Machines
//! before sm_90 have hardly any instruction for mbarrier objects. The barrier of a cluster does not
//! exist in a grid that was launched without clusters.
//! Strategy ("ptxas 13.0.88 output"): a loop in which the leader of the active lanes runs the
//! operation alone and leaves. No loop where a branch on the result of `elect.sync` has left one
//! lane. What has the effect of one where several lanes do the same - plain copies to global memory,
//! prefetches, the initialisation of an object, the invalidation of a tensor map - runs once for all
//! lanes with the same operands, without a loop if those are certainly the same: programs store
//! their tiles, and prepare their tensor maps, with whole warps.
//! Arrivals of copies run once for all lanes that name the same object. Before sm_90 an
//! mbarrier object is two words, of which the first holds the expected arrivals and the second the
//! pending ones and, in its uppermost bit, the phase. Without clusters the barrier is that of the
//! CTA.

use raddle_entity::{EntitySet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{
    Atom, AtomOp, Aty, BarOp, Block, BulkOp, BulkWay, Cache, ClusterOp, Cond, Function, Inst, Is, MapOp, Mbar, MbarOp,
    Mem, Mty, Op, Order, Prefetch, Scope, Sign, Space, Special, Target as To, TensorOp, Terminator, Value, ValueDef,
    Width,
};
use raddle_target::{Isa, Target};
use smallvec::SmallVec;

use super::same::is_same;
use super::split::{self, Builder};

/// What an operation runs once for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    /// A lane.
    Lane,
    /// All lanes whose first operand is the same.
    Object,
    /// All lanes whose operands are the same.
    Copy,
}

fn per(op: Op) -> Option<Per> {
    Some(match op {
        Op::Bulk(bulk)
            if bulk.op == BulkOp::Copy && matches!(bulk.way, BulkWay::SharedToGlobal | BulkWay::Prefetch) =>
        {
            Per::Copy
        }
        Op::Tensor(t) if t.op == TensorOp::Prefetch || t.op == TensorOp::Store && t.reduce == BulkOp::Copy => Per::Copy,
        Op::TensorMap(MapOp::Prefetch | MapOp::Invalidate) => Per::Copy,
        Op::Bulk(_) | Op::Tensor(_) => Per::Lane,
        Op::Mbar(m) => match m.op {
            MbarOp::Init => Per::Copy,
            MbarOp::ArriveCopies | MbarOp::ArriveCopiesNoinc => Per::Object,
            _ => return None,
        },
        _ => return None,
    })
}

/// Expands the operations of a function.
pub(super) fn run(f: &mut Function, target: &Target) {
    let asynchronous = |op: Op| per(op).is_some() || matches!(op, Op::Mbar(_) | Op::MbarPending | Op::ClusterBar(_));
    if !f.layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|&i| asynchronous(f.insts[i].op)) {
        return;
    }
    let explicit = f.bounds.explicit_cluster;
    let hopper = target.native.as_ref().is_none_or(|native| native.isa >= Isa::Sm90);
    split::rebuild(
        f,
        |op| matches!(op, Op::Mbar(_) | Op::MbarPending | Op::ClusterBar(_)),
        |e, i| {
            let d = e.f.insts[i].clone();
            match d.op {
                Op::Mbar(m) if !hopper => e.words(i, m, &d.args),
                Op::MbarPending => {
                    let count = e.pending(d.args[0], hopper);
                    e.keep(i, count);
                }
                Op::ClusterBar(op) => e.cluster_barrier(i, op, explicit),
                _ => e.push(i),
            }
        },
    );
    let alone = single_lanes(f);
    split::rebuild(
        f,
        |op| per(op).is_some(),
        |e, i| match per(e.f.insts[i].op) {
            Some(Per::Lane) if !alone[i] => e.each_lane(i),
            Some(Per::Object) => e.each_object(i),
            Some(Per::Copy) if !alone[i] => e.each_copy(i),
            _ => e.push(i),
        },
    );
}

/// The instructions that one lane of a warp runs by itself: those dominated by the edge of a branch
/// that only the lane elected among all lanes takes.
fn single_lanes(f: &Function) -> SecondaryMap<Inst, bool> {
    let cfg = Cfg::of(f);
    let dom = DomTree::dominators(&cfg);
    let mut alone: SecondaryMap<Block, bool> = SecondaryMap::new();
    alone.resize(f.blocks.len());
    for &b in &cfg.rpo {
        let Some(parent) = dom.idom(b) else { continue };
        // The block is entered by this edge only, and the other edge leads elsewhere.
        let elected = match f.term(parent) {
            Terminator::Branch { cond, then, other, .. }
                if cfg.preds[b].as_slice() == [parent] && then.block != other.block =>
            {
                (then.block == b && implies_election(f, *cond, true))
                    || (other.block == b && implies_election(f, *cond, false))
            }
            _ => false,
        };
        alone[b] = elected || alone[parent];
    }
    let mut out: SecondaryMap<Inst, bool> = SecondaryMap::new();
    for &b in cfg.rpo.iter().filter(|b| alone[**b]) {
        for &i in &f.blocks[b].insts {
            out[i] = true;
        }
    }
    out
}

/// Whether a predicate with this value was computed by `elect.sync` in the lane that it elected
/// among all lanes. The same lane is elected every time (PTX ISA 9.0, 9.7.13.14).
fn implies_election(f: &Function, p: Value, holds: bool) -> bool {
    let mut seen: EntitySet<Value> = EntitySet::new();
    let mut open = vec![(p, holds)];
    while let Some((p, holds)) = open.pop() {
        let ValueDef::Result(i, n) = f.values[p].def else { continue };
        if !seen.insert(p) {
            continue;
        }
        let d = &f.insts[i];
        match d.op {
            Op::Elect => return holds && n == 1 && f.constant(d.args[0]) == Some(u32::MAX.into()),
            Op::Not => open.push((d.args[0], !holds)),
            Op::And if holds => open.extend(d.args.iter().map(|&v| (v, true))),
            Op::Or if !holds => open.extend(d.args.iter().map(|&v| (v, false))),
            _ => {}
        }
    }
    false
}

impl Builder<'_> {
    /// Runs an instruction in each active lane alone, the leader first.
    fn each_lane(&mut self, i: Inst) {
        self.in_turns(|e| {
            let leads = e.op(Op::Leads, &[], Width::P);
            (leads, i)
        });
    }

    /// Runs an instruction in all active lanes whose first operand is that of their leader.
    fn each_object(&mut self, i: Inst) {
        self.in_turns(|e| {
            let object = e.f.insts[i].args[0];
            let leader = e.op(Op::Leader, &[object], Width::B32);
            let same = e.op(Op::Icmp(Cond::Eq, Sign::U), &[object, leader], Width::P);
            e.f.insts[i].args[0] = leader;
            (same, i)
        });
    }

    /// Runs a copy in all active lanes whose operands are those of their leader.
    fn each_copy(&mut self, i: Inst) {
        if self.f.insts[i].args.iter().all(|&arg| is_same(self.f, arg)) {
            return self.push(i);
        }
        self.in_turns(|e| {
            let args = e.f.insts[i].args.clone();
            let mut same: Option<Value> = None;
            let mut leaders = SmallVec::new();
            for arg in args {
                if is_same(e.f, arg) {
                    leaders.push(arg);
                    continue;
                }
                let width = e.f.values[arg].width;
                let mut words: SmallVec<[Value; 2]> = SmallVec::new();
                for word in e.words_of(arg, width) {
                    let leader = e.op(Op::Leader, &[word], Width::B32);
                    let equal = e.op(Op::Icmp(Cond::Eq, Sign::U), &[word, leader], Width::P);
                    same = Some(same.map_or(equal, |all| e.op(Op::And, &[all, equal], Width::P)));
                    words.push(leader);
                }
                leaders.push(if words.len() == 1 { words[0] } else { e.op(Op::Pack, &words, width) });
            }
            e.f.insts[i].args = leaders;
            (same.unwrap_or_else(|| e.constant(1, Width::P)), i)
        });
    }

    /// The words of a value of 32 or 64 bits.
    fn words_of(&mut self, v: Value, width: Width) -> SmallVec<[Value; 2]> {
        if width != Width::B64 {
            return SmallVec::from_slice(&[v]);
        }
        let amount = self.constant(32, Width::B32);
        let high = self.op(Op::Shr(Sign::U), &[v, amount], Width::B64);
        [v, high].map(|v| self.op(Op::Trunc, &[v], Width::B32)).into_iter().collect()
    }

    /// A loop in which the lanes chosen in each turn run an instruction and leave. The lanes meet at
    /// the end of each turn: were they to leave from the instruction, it would be their meeting
    /// point, where all would run it together.
    fn in_turns(&mut self, choose: impl FnOnce(&mut Self) -> (Value, Inst)) {
        let [again, body, turn, done] = [(); 4].map(|()| self.f.add_block());
        self.end(Terminator::Jump(To::to(again)));
        self.block = again;
        let (chosen, i) = choose(self);
        self.branch(chosen, To::to(body), To::to(turn));
        self.block = body;
        self.push(i);
        self.end(Terminator::Jump(To::to(turn)));
        self.block = turn;
        self.branch(chosen, To::to(done), To::to(again));
        self.block = done;
    }

    /// The number of arrivals that an object waits for, from its state.
    fn pending(&mut self, state: Value, hopper: bool) -> Value {
        let (first, mask) = if hopper { (11, 0xf_ffff) } else { (0, 0x7fff_ffff) };
        let amount = self.constant(32 + first, Width::B32);
        let high = self.op(Op::Shr(Sign::U), &[state, amount], Width::B64);
        let low = self.op(Op::Trunc, &[high], Width::B32);
        let mask_value = self.constant(mask, Width::B32);
        let left = self.op(Op::And, &[low, mask_value], Width::B32);
        let all = self.constant(mask + 1, Width::B32);
        self.op(Op::Sub, &[all, left], Width::B32)
    }

    /// The barrier of the cluster where there is one, else that of the CTA, at the wait.
    fn cluster_barrier(&mut self, i: Inst, op: ClusterOp, explicit: bool) {
        if explicit {
            return self.ordered_barrier(i, op);
        }
        let flag = self.op(Op::Special(Special::ExplicitCluster), &[], Width::B32);
        let zero = self.constant(0, Width::B32);
        let clustered = self.op(Op::Icmp(Cond::Ne, Sign::U), &[flag, zero], Width::P);
        let [cluster, cta, done] = [(); 3].map(|()| self.f.add_block());
        let uniform = Terminator::Branch { cond: clustered, uniform: true, then: To::to(cluster), other: To::to(cta) };
        self.end(uniform);
        self.block = cluster;
        self.ordered_barrier(i, op);
        self.end(Terminator::Jump(To::to(done)));
        self.block = cta;
        if op == ClusterOp::Wait {
            let zero = self.constant(0, Width::B32);
            self.effect(Op::Bar(BarOp::Sync), &[zero, zero]);
        }
        self.end(Terminator::Jump(To::to(done)));
        self.block = done;
    }

    /// The barrier of the cluster with its fences.
    fn ordered_barrier(&mut self, i: Inst, op: ClusterOp) {
        if op == ClusterOp::Arrive {
            self.effect(Op::Fence(Order::Release, Scope::Cluster), &[]);
        }
        self.push(i);
        if op == ClusterOp::Wait {
            self.effect(Op::Fence(Order::Acquire, Scope::Cluster), &[]);
        }
    }

    /// An operation on the two words of an mbarrier object before sm_90.
    fn words(&mut self, i: Inst, m: Mbar, args: &[Value]) {
        let add = |offset| Atom {
            op: AtomOp::Add,
            ty: Aty::U32,
            space: Space::Shared,
            order: Order::Relaxed,
            scope: Scope::Cta,
            offset,
        };
        let release = |e: &mut Self| e.effect(Op::Fence(Order::AcqRel, Scope::Cta), &[]);
        match m.op {
            MbarOp::Init => {
                let words = [1 << 30, 1 << 31].map(|all| {
                    let all = self.constant(all, Width::B32);
                    self.op(Op::Sub, &[all, args[1]], Width::B32)
                });
                let object = self.op(Op::Pack, &words, Width::B64);
                self.effect(Op::Store(shared(Mty::B64, Order::Weak, 0)), &[args[0], object]);
            }
            MbarOp::Inval => {}
            MbarOp::Arrive => {
                release(self);
                if m.drop == Is::Yes {
                    self.effect(Op::Red(add(0)), &[args[0], args[1]]);
                }
                self.push(i);
            }
            MbarOp::ArriveNoComplete => {
                release(self);
                if m.drop == Is::Yes {
                    self.effect(Op::Red(add(0)), &[args[0], args[1]]);
                }
                let high = self.op(Op::Atom(add(4)), &[args[0], args[1]], Width::B32);
                let state = self.op(Op::Pack, &[high, high], Width::B64);
                self.keep(i, state);
            }
            MbarOp::TestWait | MbarOp::TryWait => {
                let high = self.op(Op::Load(shared(Mty::B32, Order::Acquire, 4)), &[args[0]], Width::B32);
                let differs = self.op(Op::Xor, &[high, args[1]], Width::B32);
                let zero = self.constant(0, Width::B32);
                let ended = self.op(Op::Icmp(Cond::Lt, Sign::S), &[differs, zero], Width::P);
                let yes = self.constant(1, Width::P);
                self.f.insts[i].op = Op::And;
                self.f.insts[i].args = SmallVec::from_slice(&[ended, yes]);
                self.push(i);
            }
            MbarOp::ArriveCopies => {
                let minus = self.constant(u32::MAX.into(), Width::B32);
                self.effect(Op::Red(add(4)), &[args[0], minus]);
                self.f.insts[i].op = Op::Mbar(Mbar { op: MbarOp::ArriveCopiesNoinc, ..m });
                self.push(i);
            }
            _ => self.push(i),
        }
    }
}

fn shared(ty: Mty, order: Order, offset: i32) -> Mem {
    let scope = if order == Order::Weak { Scope::None } else { Scope::Cta };
    let (cache, prefetch) = (Cache::None, Prefetch::None);
    Mem { space: Space::Shared, ty, count: 1, order, scope, cache, prefetch, offset }
}
