//! Expands atomics without a machine instruction: compare-and-swap loops, and dispatch of generic
//! ones by the space of the address.
//!
//! Problem: shared memory has atomics on 32-bit integers, and exchange and compare-and-swap of 64
//! bits; global memory has no 16-bit ones; generic addresses reach shared and local memory, too.
//! Strategy ("ptxas 13.0.88 output" of every operation, type and space): read, compute,
//! compare-and-swap, until the old value is the one read. The first read is a compare-and-swap of
//! zero for zero, so that no access of the loop is weak. A generic access that is not native
//! branches to a shared, a local (plain load and store: no other thread sees it) and a global one;
//! where there are clusters also to a loop for the shared memory of another block, whose generic
//! compare-and-swap is native.

use raddle_ir::{
    Atom, AtomOp, Aty, Cache, Cond, Fty, Ftz, Function, Mem, Mty, Op, Order, Prefetch, Rnd, Sat, Scope, Sign, Space,
    Special, Target, Terminator, Value, Width,
};
use smallvec::SmallVec;

use super::split::{self, Builder};

/// How an atomic is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// One instruction.
    Native,
    /// A compare-and-swap loop of the same width.
    Loop,
    /// A compare-and-swap loop on the 32-bit word that holds the 16 bits.
    Word,
    /// A dispatch by the space of a generic address.
    BySpace,
}

fn plan(a: Atom) -> Plan {
    let swap = matches!(a.op, AtomOp::Exch | AtomOp::Cas);
    let word = matches!(a.ty, Aty::U32 | Aty::S32);
    let plain = matches!(a.ty, Aty::U64 | Aty::S64 | Aty::F32 | Aty::F64 | Aty::F16x2 | Aty::Bf16x2);
    match a.space {
        _ if matches!(a.ty, Aty::F16 | Aty::Bf16 | Aty::B16) => Plan::Word,
        Space::Shared if word || swap => Plan::Native,
        Space::Shared if plain => Plan::Loop,
        Space::Generic if plain => Plan::BySpace,
        _ => Plan::Native,
    }
}

/// Expands the atomics of a function that need it, for a target with or without clusters.
pub(super) fn run(f: &mut Function, clusters: bool) {
    let needs = |op: Op| matches!(op, Op::Atom(a) | Op::Red(a) if plan(a) != Plan::Native);
    split::rebuild(f, needs, |e, i| {
        let d = e.f.insts[i].clone();
        let (Op::Atom(a) | Op::Red(a)) = d.op else { return };
        let v = e.atomic(a, &d.args, clusters);
        if matches!(d.op, Op::Atom(_)) {
            e.keep(i, v);
        }
    });
}

impl Builder<'_> {
    /// Expands an atomic; returns the old value.
    fn atomic(&mut self, a: Atom, args: &[Value], clusters: bool) -> Value {
        match plan(a) {
            Plan::Native => self.op(Op::Atom(a), args, a.ty.width()),
            Plan::Loop => self.swap_loop(a, args),
            Plan::Word => self.word_loop(a, args),
            Plan::BySpace => self.by_space(a, args, clusters),
        }
    }

    /// Returns the address with its offset added.
    fn address(&mut self, a: Atom, base: Value) -> Value {
        if a.offset == 0 {
            return base;
        }
        let width = self.f.width(base);
        let by = self.constant(i64::from(a.offset) as u64, width);
        self.op(Op::Add, &[base, by], width)
    }

    /// Returns the new value for `old`.
    fn combine(&mut self, a: Atom, old: Value, values: &[Value]) -> Value {
        let width = a.ty.width();
        let v = values[0];
        let sign = if matches!(a.ty, Aty::S32 | Aty::S64) { Sign::S } else { Sign::U };
        let float = match a.ty {
            Aty::F16 => Some(Fty::F16),
            Aty::Bf16 => Some(Fty::Bf16),
            Aty::F16x2 => Some(Fty::F16x2),
            Aty::Bf16x2 => Some(Fty::Bf16x2),
            Aty::F32 => Some(Fty::F32),
            Aty::F64 => Some(Fty::F64),
            _ => None,
        };
        match (a.op, float) {
            (AtomOp::Add, Some(t)) => self.op(Op::Fadd(t, Rnd::Rn, Ftz::No, Sat::No), &[old, v], width),
            (AtomOp::Add, None) => self.op(Op::Add, &[old, v], width),
            (AtomOp::Min, _) => self.op(Op::Min(sign), &[old, v], width),
            (AtomOp::Max, _) => self.op(Op::Max(sign), &[old, v], width),
            (AtomOp::And, _) => self.op(Op::And, &[old, v], width),
            (AtomOp::Or, _) => self.op(Op::Or, &[old, v], width),
            (AtomOp::Xor, _) => self.op(Op::Xor, &[old, v], width),
            (AtomOp::Cas, _) => {
                let same = self.op(Op::Icmp(Cond::Eq, Sign::U), &[old, v], Width::P);
                self.op(Op::Select, &[same, values[1], old], width)
            }
            // Wrapping increments exist for 32 bits only, where they are native everywhere.
            (AtomOp::Exch | AtomOp::Inc | AtomOp::Dec, _) => v,
        }
    }

    /// A loop that swaps until it succeeds: `next` computes the new word from the old one. Returns
    /// the old word.
    fn until_swapped(&mut self, swap: Atom, address: Value, next: impl FnOnce(&mut Self, Value) -> Value) -> Value {
        let width = swap.ty.width();
        let zero = self.constant(0, width);
        let read = Atom { order: Order::Relaxed, ..swap };
        let first = self.op(Op::Atom(read), &[address, zero, zero], width);
        let (again, done) = (self.f.add_block(), self.f.add_block());
        let old = self.f.add_param(again, width);
        self.end(Terminator::Jump(Target { block: again, args: SmallVec::from_slice(&[first]) }));
        self.block = again;
        let new = next(self, old);
        let got = self.op(Op::Atom(swap), &[address, old, new], width);
        let same = self.op(Op::Icmp(Cond::Eq, Sign::U), &[got, old], Width::P);
        self.branch(same, Target::to(done), Target { block: again, args: SmallVec::from_slice(&[got]) });
        self.block = done;
        got
    }

    fn swap_loop(&mut self, a: Atom, args: &[Value]) -> Value {
        let ty = if a.ty.width() == Width::B64 { Aty::U64 } else { Aty::U32 };
        let address = self.address(a, args[0]);
        let swap = Atom { op: AtomOp::Cas, ty, offset: 0, ..a };
        self.until_swapped(swap, address, |e, old| e.combine(a, old, &args[1..]))
    }

    fn word_loop(&mut self, a: Atom, args: &[Value]) -> Value {
        let at = self.address(a, args[0]);
        let width = self.f.width(at);
        let aligned = self.constant(!3, width);
        let base = self.op(Op::And, &[at, aligned], width);
        let low = if width == Width::B64 { self.op(Op::Trunc, &[at], Width::B32) } else { at };
        let (three, eight) = (self.constant(3, Width::B32), self.constant(8, Width::B32));
        let byte = self.op(Op::And, &[low, three], Width::B32);
        let shift = self.op(Op::Mul, &[byte, eight], Width::B32);
        let mask = self.constant(0xffff, Width::B32);
        let mask = self.op(Op::Shl, &[mask, shift], Width::B32);
        let keep = self.op(Op::Not, &[mask], Width::B32);
        let half = |e: &mut Self, word: Value| {
            let v = e.op(Op::Shr(Sign::U), &[word, shift], Width::B32);
            e.op(Op::Trunc, &[v], Width::B16)
        };
        let swap = Atom { op: AtomOp::Cas, ty: Aty::U32, offset: 0, ..a };
        let got = self.until_swapped(swap, base, |e, word| {
            let old = half(e, word);
            let new = e.combine(a, old, &args[1..]);
            let new = e.op(Op::Zext, &[new], Width::B32);
            let new = e.op(Op::Shl, &[new, shift], Width::B32);
            let rest = e.op(Op::And, &[word, keep], Width::B32);
            e.op(Op::Or, &[rest, new], Width::B32)
        });
        half(self, got)
    }

    fn by_space(&mut self, a: Atom, args: &[Value], clusters: bool) -> Value {
        let address = self.address(a, args[0]);
        let a = Atom { offset: 0, ..a };
        let with =
            |at: Value| -> SmallVec<[Value; 3]> { std::iter::once(at).chain(args[1..].iter().copied()).collect() };
        let [shared, other, local, global, join] = [(); 5].map(|()| self.f.add_block());
        let result = self.f.add_param(join, a.ty.width());
        let leave = |e: &mut Self, v: Value| {
            e.end(Terminator::Jump(Target { block: join, args: SmallVec::from_slice(&[v]) }));
        };
        let in_shared = self.op(Op::IsSpace(Space::Shared), &[address], Width::P);
        self.branch(in_shared, Target::to(shared), Target::to(other));
        // The shared window begins at a multiple of 4 GiB.
        self.block = shared;
        let at = self.op(Op::Trunc, &[address], Width::B32);
        let v = self.atomic(Atom { space: Space::Shared, ..a }, &with(at), false);
        leave(self, v);
        self.block = other;
        let in_local = self.op(Op::IsSpace(Space::Local), &[address], Width::P);
        self.branch(in_local, Target::to(local), Target::to(global));
        self.block = local;
        let at = self.local_address(address);
        let v = self.plainly(a, at, &args[1..]);
        leave(self, v);
        self.block = global;
        if clusters {
            let [remote, global] = [(); 2].map(|()| self.f.add_block());
            let in_remote = self.op(Op::IsClusterShared, &[address], Width::P);
            self.branch(in_remote, Target::to(remote), Target::to(global));
            self.block = remote;
            let v = self.swap_loop(a, &with(address));
            leave(self, v);
            self.block = global;
        }
        let v = self.atomic(Atom { space: Space::Global, ..a }, &with(address), false);
        leave(self, v);
        self.block = join;
        result
    }

    /// Returns the address within the local window.
    fn local_address(&mut self, address: Value) -> Value {
        let low = self.op(Op::Special(Special::LocalWindowLo), &[], Width::B32);
        let at = self.op(Op::Trunc, &[address], Width::B32);
        self.op(Op::Sub, &[at, low], Width::B32)
    }

    fn plainly(&mut self, a: Atom, at: Value, values: &[Value]) -> Value {
        let ty = if a.ty.width() == Width::B64 { Mty::B64 } else { Mty::B32 };
        let mem = Mem {
            space: Space::Local,
            ty,
            count: 1,
            order: Order::Weak,
            scope: Scope::None,
            cache: Cache::None,
            prefetch: Prefetch::None,
            offset: 0,
        };
        let old = self.op(Op::Load(mem), &[at], a.ty.width());
        let new = self.combine(a, old, values);
        self.f.append(self.block, Op::Store(mem), &[at, new], &[], self.place);
        old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_native_and_verifies() {
        let text = "kernel k\nb0:\n v0: b32 = const.64\n v1: b64 = const.64\n v2: b32 = atom.add.f32.shared.relaxed.gpu.0 v0, v0\n \
                    v3: b64 = atom.max.s64.generic.acqrel.gpu.8 v1, v1\n v4: b16 = trunc v2\n \
                    v5: b16 = atom.cas.b16.global.relaxed.gpu.2 v1, v4, v4\n red.add.f16.shared.relaxed.cta.0 v0, v5\n jump b1\nb1:\n exit\nend\n";
        let mut f = raddle_ir::text::parse(text).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        run(&mut f, false);
        raddle_ir::verify::verify(&f).unwrap();
        let atomics = f.layout.iter().flat_map(|&b| &f.blocks[b].insts).filter_map(|&i| match f.insts[i].op {
            Op::Atom(a) | Op::Red(a) => Some(a),
            _ => None,
        });
        let atomics: Vec<Atom> = atomics.collect();
        assert!(atomics.len() == 9 && atomics.iter().all(|&a| plan(a) == Plan::Native), "{atomics:?}");
    }
}
