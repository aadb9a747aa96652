//! Handles of textures and surfaces that lanes may disagree on.
//!
//! Problem: from sm_90 on the machine takes handles from uniform registers. Strategy ("ptxas 13.0.88
//! output"): where the lanes of a warp may have different handles, a loop in which those that agree
//! with their leader run the operation. Handles that cannot differ are found by their definitions:
//! parameters, constants, and what is computed or loaded from them.

use raddle_entity::FxHashMap;
use raddle_ir::{Cond, Function, Inst, Op, Sign, Target as To, Terminator, Value, Width};
use raddle_target::{Isa, Target};
use smallvec::SmallVec;

use super::same::is_same;
use super::split::{self, Builder};

/// The number of handles of an operation.
fn handles(op: Op) -> usize {
    match op {
        Op::Tex(tex) => tex.handles(),
        Op::TexExtent(_) | Op::SurfLoad(_) | Op::SurfStore(_) | Op::SurfRed(_) => 1,
        _ => 0,
    }
}

/// Expands the operations of a function.
pub(super) fn run(f: &mut Function, target: &Target) {
    if target.native.as_ref().is_some_and(|native| native.isa < Isa::Sm90) {
        return;
    }
    let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
    split::rebuild(
        f,
        |op| handles(op) > 0,
        |e, i| {
            let d = &e.f.insts[i];
            let given: SmallVec<[Value; 2]> = SmallVec::from_slice(&d.args[..handles(d.op)]);
            if given.iter().all(|&v| is_same(e.f, v)) {
                return e.push(i);
            }
            e.in_agreement(i, &given, &mut replaced);
        },
    );
    if replaced.is_empty() {
        return;
    }
    let new = |v: Value| replaced.get(&v).copied().unwrap_or(v);
    for b in f.layout.clone() {
        for i in f.blocks[b].insts.clone() {
            for arg in &mut f.insts[i].args {
                *arg = new(*arg);
            }
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(new);
        }
    }
}

impl Builder<'_> {
    /// A loop in which the lanes whose handles are those of their leader run an instruction and
    /// leave; `replaced` gets the values that take the place of its results.
    fn in_agreement(&mut self, i: Inst, given: &[Value], replaced: &mut FxHashMap<Value, Value>) {
        let [again, body, turn, done] = [(); 4].map(|()| self.f.add_block());
        self.end(Terminator::Jump(To::to(again)));
        self.block = again;
        let mut agrees = None;
        let mut leaders = Vec::new();
        for &handle in given {
            let leader = self.op(Op::Leader, &[handle], Width::B32);
            let same = self.op(Op::Icmp(Cond::Eq, Sign::U), &[handle, leader], Width::P);
            leaders.push(leader);
            agrees = Some(match agrees {
                None => same,
                Some(before) => self.op(Op::And, &[before, same], Width::P),
            });
        }
        let Some(agrees) = agrees else { return };
        let results = self.f.insts[i].results.clone();
        let widths: Vec<Width> = results.iter().map(|&r| self.f.width(r)).collect();
        let nothing: Vec<Value> = widths.iter().map(|&w| self.op(Op::Undef, &[], w)).collect();
        let mut skip = To::to(turn);
        skip.args.extend(nothing);
        self.branch(agrees, To::to(body), skip);
        self.block = body;
        let d = self.f.insts[i].clone();
        let mut args = d.args.clone();
        args[..leaders.len()].copy_from_slice(&leaders);
        let copy = self.f.append(body, d.op, &args, &widths, d.place);
        let mut leave = To::to(turn);
        leave.args.extend(self.f.insts[copy].results.iter().copied());
        self.end(Terminator::Jump(leave));
        self.block = turn;
        for (&old, &width) in results.iter().zip(&widths) {
            let new = self.f.add_param(turn, width);
            replaced.insert(old, new);
        }
        self.branch(agrees, To::to(done), To::to(again));
        self.block = done;
    }
}
