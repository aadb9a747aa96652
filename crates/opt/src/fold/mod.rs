//! Folds constants, copies and identities, and narrows operations that are wider than their values.
//!
//! Problem: compilers leave PTX with copies, masks of small values, signed operations on values
//! that are never negative, 64-bit arithmetic on 32-bit numbers. Strategy: one walk in reverse
//! postorder with the facts of values ([`crate::facts`]); the rules for an operation ([`arith`],
//! [`bits`], [`fields`], [`pairs`], [`choose`]) replace an instruction by a constant, another value or a
//! simpler operation, which is simplified again. Each constant exists once, in the entry block: it
//! costs nothing there, as instruction selection makes it an operand.
//!
//! Invariants: only integer and structural rules, exact in every bit; floating-point arithmetic is
//! put in pairs but not folded. Each result of a rule names, by a comment `// rule: NAME`, its
//! statement in `crates/prove/src/rules/fold.txt`, which is proven there. A rule never needs more machine instructions than what it replaces, and looks
//! through a bounded number of definitions.

mod arith;
mod bits;
mod choose;
mod fields;
mod pairs;

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Cx, Function, Inst, Op, SourcePos, Stop, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::{Renames, use_counts};
use crate::facts::{Fact, Facts};

/// Most times that one instruction is simplified.
const STEPS: usize = 8;

/// Deepest nesting of rules that simplify the instructions made by rules.
const DEPTH: u32 = 4;

/// The replacement of an instruction with one result.
enum Becomes {
    /// A constant.
    Constant(u64),
    /// Another value of the same width.
    Same(Value),
    /// An operation on these values.
    Op(Op, SmallVec<[Value; 4]>),
}

fn op(op: Op, args: &[Value]) -> Option<Becomes> {
    Some(Becomes::Op(op, SmallVec::from_slice(args)))
}

fn same(v: Value) -> Option<Becomes> {
    Some(Becomes::Same(v))
}

fn constant(bits: u64) -> Option<Becomes> {
    Some(Becomes::Constant(bits))
}

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let mut folder = Folder {
        uses: use_counts(f),
        facts: Facts::of(f),
        f,
        names: Renames::default(),
        out: Vec::new(),
        place: SourcePos::default(),
        constants: FxHashMap::default(),
        first: Vec::new(),
        depth: 0,
    };
    let mut done: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &b in &cfg.rpo {
        cx.step(folder.f.blocks[b].insts.len() as u64)?;
        if cfg.preds[b].iter().all(|&p| done[p]) {
            folder.params(&cfg, b);
        }
        let insts = std::mem::take(&mut folder.f.blocks[b].insts);
        folder.out = Vec::with_capacity(insts.len());
        for i in insts {
            folder.inst(i);
        }
        folder.names.term(folder.f, b);
        folder.f.blocks[b].insts = std::mem::take(&mut folder.out);
        done[b] = true;
    }
    let Folder { mut names, first, f, .. } = folder;
    let entry = f.entry();
    f.blocks[entry].insts.splice(0..0, first);
    // Back edges may still use values that were replaced after them.
    names.apply(f);
    Ok(())
}

struct Folder<'a> {
    f: &'a mut Function,
    names: Renames,
    facts: Facts,
    /// Approximate use counts, for rules that pay only if the replaced value becomes unused.
    uses: SecondaryMap<Value, u32>,
    /// The instructions of the current block.
    out: Vec<Inst>,
    place: SourcePos,
    constants: FxHashMap<(Width, u64), Value>,
    /// The constants, for the beginning of the entry block.
    first: Vec<Inst>,
    depth: u32,
}

impl Folder<'_> {
    /// Joins the facts that the predecessors, all of them visited, pass to a block's parameters.
    fn params(&mut self, cfg: &Cfg, b: Block) {
        for k in 0..self.f.blocks[b].params.len() {
            let param = self.f.blocks[b].params[k];
            if self.f.width(param) > Width::B64 {
                continue;
            }
            let mut values: SmallVec<[Value; 4]> = SmallVec::new();
            for &p in &cfg.preds[b] {
                values.extend(self.f.term(p).targets().iter().filter(|t| t.block == b).map(|t| t.args[k]));
            }
            self.facts.join(self.f, param, values.into_iter());
        }
    }

    fn inst(&mut self, i: Inst) {
        self.names.inst(self.f, i);
        self.place = self.f.insts[i].place;
        if self.f.insts[i].op == Op::Unpack && self.unpack(i) {
            return;
        }
        if let Op::CpAsync(size, ..) = self.f.insts[i].op {
            let mut args = std::mem::take(&mut self.f.insts[i].args);
            self.copied_bytes(size, &mut args);
            self.f.insts[i].args = args;
        }
        self.settle(i);
    }

    /// Simplifies an instruction as far as rules go, and appends the result to the block.
    fn settle(&mut self, i: Inst) {
        let mut is_known = false;
        if self.f.insts[i].results.len() == 1 && self.f.insts[i].op.is_pure() {
            let r = self.f.insts[i].results[0];
            let w = self.f.width(r);
            for _ in 0..STEPS {
                self.facts.of_inst(self.f, i);
                is_known = true;
                let becomes = match self.facts.get(self.f, r).known(w).filter(|_| w <= Width::B64) {
                    Some(bits) => constant(bits),
                    None => self.simplify(i, w),
                };
                match becomes {
                    Some(Becomes::Constant(bits)) => {
                        let v = self.constant(bits & w.mask(), w);
                        return self.names.set(r, v);
                    }
                    Some(Becomes::Same(v)) => {
                        debug_assert_eq!(self.f.width(v), w);
                        self.uses[v] += self.uses[r];
                        return self.names.set(r, v);
                    }
                    Some(Becomes::Op(op, args)) => {
                        args.iter().for_each(|&v| self.uses[v] += 1);
                        let d = &mut self.f.insts[i];
                        (d.op, d.args) = (op, args);
                        is_known = false;
                    }
                    None => break,
                }
            }
        }
        if !is_known {
            self.facts.of_inst(self.f, i);
        }
        self.out.push(i);
    }

    /// Creates an operation with one result before the current instruction and simplifies it;
    /// returns its value.
    fn make(&mut self, op: Op, args: &[Value], w: Width) -> Value {
        args.iter().for_each(|&v| self.uses[v] += 1);
        let i = self.f.make(op, args, &[w], self.place);
        let r = self.f.insts[i].results[0];
        if self.depth < DEPTH {
            self.depth += 1;
            self.settle(i);
            self.depth -= 1;
        } else {
            self.facts.of_inst(self.f, i);
            self.out.push(i);
        }
        self.names.get(r)
    }

    /// Returns the constant with these bits.
    fn constant(&mut self, bits: u64, w: Width) -> Value {
        let bits = bits & w.mask();
        *self.constants.entry((w, bits)).or_insert_with(|| {
            let i = self.f.make(Op::Const(bits), &[], &[w], SourcePos::default());
            self.first.push(i);
            self.f.insts[i].results[0]
        })
    }

    /// Returns the low bits of `v`; `v` itself if it has that width.
    fn low(&mut self, v: Value, w: Width) -> Value {
        if self.f.width(v) == w { v } else { self.make(Op::Trunc, &[v], w) }
    }

    /// Returns the upper half of a 64-bit value.
    fn high(&mut self, v: Value) -> Value {
        match self.def(v) {
            Some((Op::Pack, args)) if args.len() == 2 => return args[1],
            Some((Op::Zext, _)) => return self.constant(0, Width::B32),
            _ => {}
        }
        if let Some(bits) = self.f.constant(v) {
            return self.constant(bits >> 32, Width::B32);
        }
        self.uses[v] += 1;
        let i = self.f.make(Op::Unpack, &[v], &[Width::B32, Width::B32], self.place);
        self.facts.of_inst(self.f, i);
        self.out.push(i);
        self.f.insts[i].results[1]
    }

    /// Returns the operation with one result that defines `v`, and its operands.
    fn def(&self, v: Value) -> Option<(Op, SmallVec<[Value; 4]>)> {
        match self.f.values[v].def {
            ValueDef::Result(i, 0) if self.f.insts[i].results.len() == 1 => {
                Some((self.f.insts[i].op, SmallVec::from_slice(&self.f.insts[i].args)))
            }
            _ => None,
        }
    }

    /// Returns the operands of `v` if the operation `op` defines it.
    fn is(&self, v: Value, op: Op) -> Option<SmallVec<[Value; 4]>> {
        match self.f.values[v].def {
            ValueDef::Result(i, 0) => {
                let d = &self.f.insts[i];
                (d.results.len() == 1 && d.op == op).then(|| SmallVec::from_slice(&d.args))
            }
            _ => None,
        }
    }

    fn known(&self, v: Value) -> Option<u64> {
        self.f.constant(v)
    }

    fn fact(&self, v: Value) -> Fact {
        self.facts.get(self.f, v)
    }

    /// Whether `v` has a single use, so that replacing the use removes `v` too.
    fn once(&self, v: Value) -> bool {
        self.uses[v] <= 1
    }

    /// Replaces the parts of a packed or known value by their values.
    // rule: unpack
    fn unpack(&mut self, i: Inst) -> bool {
        let (a, results) = (self.f.insts[i].args[0], self.f.insts[i].results.clone());
        let part = self.f.width(results[0]);
        let parts: SmallVec<[Value; 4]> = match self.def(a) {
            Some((Op::Pack, parts)) if parts.len() == results.len() => parts,
            Some((Op::Zext, inner)) if self.f.width(inner[0]) == part && results.len() == 2 => {
                let zero = self.constant(0, part);
                SmallVec::from_slice(&[inner[0], zero])
            }
            Some((Op::Sext, inner)) if self.f.width(inner[0]) == part && part == Width::B32 => {
                let n = self.constant(31, Width::B32);
                let sign = self.make(Op::Shr(raddle_ir::Sign::S), &[inner[0], n], part);
                SmallVec::from_slice(&[inner[0], sign])
            }
            Some((Op::Const(bits), _)) => (0..results.len() as u32)
                .map(|n| self.constant(bits.checked_shr(n * part.bits()).unwrap_or(0), part))
                .collect(),
            _ => return false,
        };
        for (&r, &p) in results.iter().zip(&parts) {
            self.names.set(r, p);
        }
        true
    }

    fn simplify(&mut self, i: Inst, w: Width) -> Option<Becomes> {
        let d = &self.f.insts[i];
        let (op, args): (Op, SmallVec<[Value; 4]>) = (d.op, SmallVec::from_slice(&d.args));
        match op {
            Op::Add => self.add(&args, w),
            Op::Sub => self.sub(&args, w),
            Op::Neg => self.neg(&args, w),
            Op::Mul => self.mul(&args, w),
            Op::Mad => self.mad(&args, w),
            Op::MulWide(sign) => self.mul_wide(sign, &args, w),
            Op::MulHi(_) => self.mul_hi(op, &args, w),
            Op::Div(sign) | Op::Rem(sign) => self.divide(op, sign, &args, w),
            Op::And => self.and(&args, w),
            Op::Or => self.or(&args, w),
            Op::Xor => self.xor(&args, w),
            Op::Not => self.not(&args, w),
            Op::Shl => self.shl(&args, w),
            Op::Shr(sign) => self.shr(sign, &args, w),
            Op::Trunc => self.trunc(args[0], w),
            Op::Zext => self.zext(args[0], w),
            Op::Sext => self.sext(args[0], w),
            Op::ExtLow(sign, n) => self.ext_low(sign, n, args[0], w),
            Op::Bfe(sign) => self.bfe(sign, &args, w),
            Op::Bfi => self.bfi(&args, w),
            Op::Pack => self.pack(&args, w),
            Op::Icmp(cond, sign) => self.icmp(cond, sign, &args),
            Op::Select => self.select(&args, w),
            Op::Min(_) | Op::Max(_) => self.min_max(op, &args, w),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn folded(body: &str) -> String {
        let mut f = parse(&format!("kernel k\n{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        print(&f)
    }

    #[test]
    fn a_copy_of_all_or_nothing_has_a_predicate() {
        let head = "b0:\n v0: b32 = special.tid_x\n v1: b64 = const.4096\n v2: b32 = const.16\n v3: b32 = const.0\n \
                    v4: b32 = const.5\n v5: p = icmp.lt.s v0, v4\n v6: b32 = const.7\n v7: p = icmp.ne.u v0, v6\n";
        let both = format!(
            "{head} v8: b32 = select v5, v2, v3\n v9: b32 = select v7, v8, v3\n cpasync.16.cg v0, v1, v9\n exit\n"
        );
        let text = folded(&both);
        assert!(!text.contains("b32 = select") && text.contains("p = select v"), "{text}");
        let some = format!("{head} v8: b32 = select v5, v4, v3\n cpasync.16.cg v0, v1, v8\n exit\n");
        let text = folded(&some);
        assert!(text.contains("b32 = select"), "{text}");
    }

    #[test]
    fn constants_fold_in_their_width() {
        let text = folded(
            "b0:\n v0: b16 = const.65535\n v1: b16 = const.2\n v2: b16 = add v0, v1\n v3: b32 = sext v2\n v4: b32 = sext v0\n \
             v5: b32 = add v3, v4\n warpsync v5\n exit\n",
        );
        assert!(text.contains("b32 = const.0\n  warpsync v0"), "{text}");
    }

    #[test]
    fn identities_vanish() {
        let text = folded(
            "b0:\n v0: b32 = special.tid_x\n v1: b32 = const.0\n v2: b32 = add v0, v1\n v3: b64 = pack v2, v0\n \
             v4: b32, v5: b32 = unpack v3\n v6: b32 = xor v4, v5\n v7: b32 = or v6, v4\n warpsync v7\n exit\n",
        );
        assert!(text.contains("v0: b32 = special.tid_x\n  warpsync v0"), "{text}");
    }
}
