//! Building blocks of small functions for unit tests.

use raddle_entity::SplitMix;
use raddle_ir::SourcePos;
use raddle_sass::Isa;
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use crate::mir::{MArg, MBlock, MBlockData, MEdge, MFunction, MGuard, MInst, MKind, MOp, MTerm, V};
use crate::sass::tokens::{IntCmp, Size, Unsigned};
use crate::sass::{self, Mnemonic};

/// The instruction set of the tests.
pub const ISA: Isa = Isa::Sm90;

/// Creates a function of `blocks` empty blocks that end the thread.
pub fn function(blocks: usize) -> MFunction {
    let mut f = MFunction::default();
    for _ in 0..blocks {
        let data =
            MBlockData { params: SmallVec::new(), insts: Vec::new(), term: MTerm::Exit, place: SourcePos::default() };
        let b = f.blocks.push(data);
        f.layout.push(b);
    }
    f
}

/// Appends an instruction.
pub fn push(f: &mut MFunction, b: usize, name: Mnemonic, given: &[(SlotRole, MOp)]) {
    let form = find(ISA, &name, given).unwrap_or_else(|| panic!("no row for {name}"));
    let b = f.layout[b];
    f.blocks[b].insts.push(MInst::new(form, SourcePos::default()));
}

/// Appends a call of a function.
pub fn call(f: &mut MFunction, b: usize) {
    push(f, b, sass::call_rel(), &[(SlotRole::Target, MOp::new(MKind::FunctionStart))]);
}

/// Appends a load from shared memory, a value that cannot be rematerialised.
pub fn value(f: &mut MFunction, b: usize) -> V {
    let v = f.vreg(File::Gpr);
    push(f, b, sass::lds(Size::None), &[(SlotRole::Rd, MOp::reg(v)), (SlotRole::Addr, address(&[]))]);
    v
}

/// Appends a constant.
pub fn constant(f: &mut MFunction, b: usize, n: u32) -> V {
    let v = f.vreg(File::Gpr);
    push(f, b, sass::mov(), &[(SlotRole::Rd, MOp::reg(v)), (SlotRole::Rb, MOp::imm(n))]);
    v
}

/// Appends the sum of two values.
pub fn add(f: &mut MFunction, b: usize, x: V, y: V) -> V {
    let v = f.vreg(File::Gpr);
    let given = [
        (SlotRole::Rd, MOp::reg(v)),
        (SlotRole::Ra, MOp::reg(x)),
        (SlotRole::Rb, MOp::reg(y)),
        (SlotRole::Rc, MOp::zero()),
    ];
    push(f, b, sass::iadd3(), &given);
    v
}

/// Appends a store of values to shared memory, as one vector.
pub fn store(f: &mut MFunction, b: usize, vs: &[V]) {
    let size = [Size::None, Size::N64, Size::N64, Size::N128][vs.len() - 1];
    push(f, b, sass::sts(size), &[(SlotRole::Addr, address(&[])), (SlotRole::Rb, MOp::regs(vs))]);
}

fn address(base: &[V]) -> MOp {
    let base = SmallVec::from_slice(base);
    MOp::new(crate::mir::MKind::Addr { base, phys: None, desc: None, offset: 16 })
}

/// Appends a comparison of a value with zero.
pub fn positive(f: &mut MFunction, b: usize, x: V) -> V {
    let p = f.vreg(File::Pred);
    let given = [(SlotRole::Pd, MOp::reg(p)), (SlotRole::Ra, MOp::reg(x)), (SlotRole::Rb, MOp::zero())];
    push(f, b, sass::isetp(IntCmp::Gt, Unsigned::None), &given);
    p
}

/// Creates an edge.
pub fn edge(f: &MFunction, to: usize, args: &[V]) -> MEdge {
    MEdge { to: f.layout[to], args: args.iter().map(|&v| MArg::Reg(v)).collect() }
}

/// Ends a block with a jump.
pub fn jump(f: &mut MFunction, b: usize, to: usize, args: &[V]) {
    let e = edge(f, to, args);
    let b = f.layout[b];
    f.blocks[b].term = MTerm::Jump(e);
}

/// Ends a block with a branch.
pub fn branch(f: &mut MFunction, b: usize, p: V, then: (usize, &[V]), other: (usize, &[V])) {
    let (then, other) = (edge(f, then.0, then.1), edge(f, other.0, other.1));
    let b = f.layout[b];
    f.blocks[b].term = MTerm::Branch { guard: MGuard::Virtual(p, false), then, other };
}

/// Adds parameters to a block.
pub fn params(f: &mut MFunction, b: usize, n: usize) -> Vec<V> {
    let vs: Vec<V> = (0..n).map(|_| f.vreg(File::Gpr)).collect();
    let b = f.layout[b];
    f.blocks[b].params = vs.iter().copied().collect();
    vs
}

/// Appends `count` random instructions, and to the next block a reader of one of their values.
pub fn random_block(f: &mut MFunction, b: usize, count: usize, random: &mut SplitMix) {
    let mut values = vec![value(f, b), value(f, b)];
    for _ in 0..count {
        let mut any = || values[random.below(values.len() as u64) as usize];
        let (x, y) = (any(), any());
        match random.below(5) {
            0 => values.push(value(f, b)),
            1 => store(f, b, &[x, x]),
            2 => _ = positive(f, b, x),
            _ => values.push(add(f, b, x, y)),
        }
    }
    store(f, b + 1, &[values[random.below(values.len() as u64) as usize]]);
    jump(f, b, b + 1, &[]);
}

/// Returns the mnemonics of a block.
pub fn names(f: &MFunction, b: MBlock) -> Vec<&'static str> {
    f.blocks[b].insts.iter().map(|i| i.row().op.text()).collect()
}
