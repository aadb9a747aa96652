//! Combines machine instructions in SSA form: folds operands, and merges two instructions into one.
//!
//! Problem: selection handles one operation at a time, so constants and words of constant banks are
//! in registers, sums of three terms are two instructions, and a comparison and its conjunction
//! with another are two. Strategy: blocks in reverse postorder, instructions in order; each is
//! rewritten in place as long as one of the rules of its operation ([`RULES`]) applies. A rule
//! inspects the instructions that define the operands and builds a form of the table that does the
//! work of both; unused instructions are left to [`crate::dce`].
//!
//! Invariants: a rewritten instruction keeps its definitions that are used, and reads only registers whose
//! definitions dominate it (operands of its operands); instructions with effects, relocations or
//! guards are never merged; no rule adds an instruction, and each makes the instruction depend on
//! fewer others or reach a form to which no rule applies.

mod add;
mod logic;
pub(crate) mod operands;
mod predicates;
mod product;

use raddle_entity::SecondaryMap;
use raddle_ir::Block;
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Field, Isa, Op};
use smallvec::SmallVec;

use crate::graph::{cfg, m};
use crate::mir::{MArg, MBlock, MFunction, MGuard, MInst, MKind, MOp, MTerm, V};
use crate::sass::Mnemonic;

/// Most rewrites of one instruction.
const ROUNDS: usize = 12;

/// A rule: returns the better instruction, if there is one.
type Rule = fn(&Combine<'_>, &MInst) -> Option<MInst>;

/// The rules by operation, in the order they are tried. [`operands::fold`] applies to all.
const RULES: &[(Op, Rule)] = &[
    (Op::Iadd3, add::sum),
    (Op::Iadd3, add::product),
    (Op::Iadd3, add::shifted),
    (Op::Lop3, logic::tree),
    (Op::Plop3, predicates::tree),
    (Op::Plop3, predicates::comparison),
    (Op::Isetp, predicates::nonzero),
    (Op::Imad, product::half),
];

/// State that the rules inspect.
struct Combine<'f> {
    f: &'f mut MFunction,
    isa: Isa,
    /// The instruction that defines a register.
    home: SecondaryMap<V, Option<(MBlock, u32)>>,
    /// The number of operands, guards and edges that read a register.
    uses: SecondaryMap<V, u32>,
    /// Whether it is passed on an edge, where it cannot be negated.
    passed: SecondaryMap<V, bool>,
    /// Predicates that are the negation of another.
    opposite: SecondaryMap<V, Option<V>>,
}

/// Runs the pass.
pub fn run(f: &mut MFunction, isa: Isa) {
    let mut c = Combine {
        isa,
        home: SecondaryMap::new(),
        uses: SecondaryMap::new(),
        passed: SecondaryMap::new(),
        opposite: SecondaryMap::new(),
        f,
    };
    let registers = c.f.vregs.len();
    c.home.resize(registers);
    c.uses.resize(registers);
    c.passed.resize(registers);
    c.count();
    let order: Vec<Block> = cfg(c.f).rpo;
    for x in order {
        let b = m(x);
        for n in 0..c.f.blocks[b].insts.len() {
            c.improve(b, n);
        }
        c.end(b);
    }
}

impl Combine<'_> {
    fn count(&mut self) {
        let (f, home, uses, passed) = (&*self.f, &mut self.home, &mut self.uses, &mut self.passed);
        for &b in &f.layout {
            for (n, i) in f.blocks[b].insts.iter().enumerate() {
                i.for_each_def(|v| home[v] = Some((b, n as u32)));
                i.for_each_use(|v| uses[v] += 1);
            }
            if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = f.blocks[b].term {
                uses[v] += 1;
            }
            for a in f.blocks[b].term.edges().iter().flat_map(|e| &e.args) {
                if let MArg::Reg(v) = *a {
                    uses[v] += 1;
                    passed[v] = true;
                }
            }
        }
    }

    /// Rewrites one instruction as long as a rule applies.
    fn improve(&mut self, b: MBlock, n: usize) {
        self.read_opposites(b, n);
        self.turn(b, n);
        for _ in 0..ROUNDS {
            let i = &self.f.blocks[b].insts[n];
            if i.reloc.is_some() {
                return;
            }
            let op = i.row().op;
            let rules = RULES.iter().filter(|(o, _)| *o == op).map(|(_, rule)| rule);
            let rule: &Rule = &(operands::fold as Rule);
            let Some(new) = rules.chain([rule]).find_map(|rule| rule(self, i)) else { return };
            self.replace(b, n, new);
        }
    }

    /// Turns a test of logic for zero into the negated one, which `LOP3` computes itself.
    fn turn(&mut self, b: MBlock, n: usize) {
        let Some((old, mut new)) = predicates::zero(self, &self.f.blocks[b].insts[n]) else { return };
        let v = self.f.vreg(File::Pred);
        let at = predicates::result(&new);
        new.ops[at] = MOp::reg(v);
        self.uses[v] = self.uses[old];
        self.home[old] = None;
        self.opposite[old] = Some(v);
        self.replace(b, n, new);
    }

    /// Reads replaced predicates as negations.
    fn read_opposites(&mut self, b: MBlock, n: usize) {
        let opposite = &self.opposite;
        let i = &mut self.f.blocks[b].insts[n];
        if let MGuard::Virtual(v, not) = &mut i.guard
            && let Some(w) = opposite[*v]
        {
            (*v, *not) = (w, !*not);
        }
        for k in 0..i.ops.len() {
            if i.is_def(k) {
                continue;
            }
            let o = &mut i.ops[k];
            if let MKind::Regs(vs) = &mut o.kind
                && let [v] = vs.as_mut_slice()
                && let Some(w) = opposite[*v]
            {
                *v = w;
                o.not = !o.not;
            }
        }
    }

    /// Rewrites the end of a block: its branch may read a negated predicate, its edges may pass
    /// constants.
    fn end(&mut self, b: MBlock) {
        if let MTerm::Branch { guard: MGuard::Virtual(v, not), .. } = &mut self.f.blocks[b].term
            && let Some(w) = self.opposite[*v]
        {
            (*v, *not) = (w, !*not);
        }
        let mut term = self.f.blocks[b].term.clone();
        let mut freed: SmallVec<[V; 4]> = SmallVec::new();
        for a in term.edges_mut().into_iter().flat_map(|e| &mut e.args) {
            if let MArg::Reg(v) = *a
                && let Some(bits) = self.constant(v)
            {
                freed.push(v);
                *a = MArg::Imm(bits);
            }
        }
        self.f.blocks[b].term = term;
        self.release(freed);
    }

    fn replace(&mut self, b: MBlock, n: usize, new: MInst) {
        new.for_each_use(|v| self.uses[v] += 1);
        new.for_each_def(|v| self.home[v] = Some((b, n as u32)));
        let old = std::mem::replace(&mut self.f.blocks[b].insts[n], new);
        let mut freed: SmallVec<[V; 4]> = SmallVec::new();
        old.for_each_use(|v| freed.push(v));
        self.release(freed);
    }

    /// Removes one use of each register, and the uses of instructions that become unused.
    fn release(&mut self, mut freed: SmallVec<[V; 4]>) {
        while let Some(v) = freed.pop() {
            self.uses[v] = self.uses[v].saturating_sub(1);
            if self.uses[v] > 0 {
                continue;
            }
            let Some(i) = self.inst(v).filter(|i| !i.has_effect()) else { continue };
            let mut dead = true;
            i.for_each_def(|d| dead &= self.uses[d] == 0);
            if dead {
                i.for_each_use(|u| freed.push(u));
            }
        }
    }

    /// Returns the instruction that defines a register.
    fn inst(&self, v: V) -> Option<&MInst> {
        let (b, n) = self.home[v]?;
        self.f.blocks[b].insts.get(n as usize)
    }

    /// Returns the register of an operand and the instruction that defines it, if that may be
    /// merged.
    fn source(&self, o: &MOp) -> Option<(V, &MInst)> {
        let MKind::Regs(vs) = &o.kind else { return None };
        let [v] = vs.as_slice() else { return None };
        let i = self.inst(*v)?;
        (i.guard == MGuard::Always && i.reloc.is_none() && !i.row().effects.convergent).then_some((*v, i))
    }

    /// The same if there is no other use.
    fn only_source(&self, o: &MOp) -> Option<&MInst> {
        self.source(o).filter(|(v, _)| self.uses[*v] == 1).map(|(_, i)| i)
    }

    /// Returns the source of the plain move that defines a register.
    fn moved(&self, v: V) -> Option<&MOp> {
        let i = self.inst(v)?;
        let plain = i.row().op == Op::Mov && i.guard == MGuard::Always && i.reloc.is_none();
        // A physical uniform register is not in SSA form: it may be written before the move's
        // result is read.
        let source = plain.then(|| i.slot(SlotRole::Rb)).flatten().filter(|o| !matches!(o.kind, MKind::Uniform(_)))?;
        // The result of a leaf is in a register that the next call writes.
        let given = |o: &MOp| match &o.kind {
            MKind::Regs(vs) => vs.iter().any(|&v| self.inst(v).is_some_and(|i| i.leaf.is_some())),
            _ => false,
        };
        (!given(source)).then_some(source)
    }

    /// Returns the bits of a register that is a moved constant.
    fn constant(&self, v: V) -> Option<u32> {
        match self.moved(v)?.kind {
            MKind::Imm(bits) => Some(bits),
            MKind::Zero => Some(0),
            _ => None,
        }
    }

    /// Builds an instruction at the place of `like` and with its definitions, from a mnemonic and
    /// all operands.
    fn build(&self, like: &MInst, mnemonic: Mnemonic, given: &[(SlotRole, MOp)]) -> Option<MInst> {
        let form = find(self.isa, &mnemonic, given)?;
        Some(MInst { row: form.row, fields: form.fields, ops: form.ops, ..like.clone() })
    }
}

/// Returns the raw value of a field, 0 if the row has none.
fn field(i: &MInst, f: Field) -> u16 {
    i.row().field_index(f).map_or(0, |n| i.fields[n])
}

/// Whether the operand in this slot is `RZ` or `PT`, or there is no such slot.
fn unused(i: &MInst, role: SlotRole) -> bool {
    i.slot(role).is_none_or(|o| o.kind == MKind::Zero && !o.not)
}

/// Whether an operand must be in the one slot that takes more than registers.
fn picky(o: &MOp) -> bool {
    matches!(o.kind, MKind::Imm(_) | MKind::CBank { .. })
}
