//! Writes out what old or short spellings imply.
//!
//! - Targets before sm_20 do not support subnormal numbers in single precision: every operation on
//!   `.f32` has `.ftz`, and `mad` is `fma.rn` (PTX ISA 9.0, 9.7.3 and its notes for `sm_1x`; ptxas
//!   13.0.88 generates `FADD.FTZ`, `FFMA.FTZ` for them on later machines).
//! - `%r+8` as a value: an addition before the instruction.
//! - `vote` and `shfl` without `.sync`: for the active threads (PTX ISA 9.0, 9.7.13.9 and 9.7.13.6,
//!   for PTX before 6.4).
//!
//! Invariants: instructions keep their order, and an added one has the place of the instruction it
//! belongs to; labels precede what is added to their instruction.

use crate::body::{Body, Tag, Word};
use crate::module::Outline;
use crate::table::{FormId, Mod, Op};
use crate::tree::*;
use crate::ty::Ty;
use raddle_entity::EntityRef;
use smallvec::{SmallVec, smallvec};

/// The first target that supports subnormal numbers in single precision.
const SUBNORMALS: u16 = 20;

/// Operations that flush them with `.ftz` (PTX ISA 9.0, 9.7.3 to 9.7.9).
const FLUSHING: &[Op] = &[
    Op::Abs,
    Op::Add,
    Op::Cos,
    Op::Cvt,
    Op::Div,
    Op::Ex2,
    Op::Fma,
    Op::Lg2,
    Op::Mad,
    Op::Max,
    Op::Min,
    Op::Mul,
    Op::Neg,
    Op::Rcp,
    Op::Rsqrt,
    Op::Set,
    Op::Setp,
    Op::Sin,
    Op::Slct,
    Op::Sqrt,
    Op::Sub,
];

impl Body {
    /// The same body with everything that its spelling implies written out; `None` if nothing is
    /// implied.
    pub(crate) fn expand_implied(&self, outline: &Outline) -> Option<Body> {
        let old = outline.target.is_some_and(|target| target.sm < SUBNORMALS);
        let flushes = |s: &Shape| old && FLUSHING.contains(&s.op) && s.types.contains(&Ty::F32);
        let votes = |s: &Shape| matches!(s.op, Op::Vote | Op::Shfl) && !s.mods.contains(&Mod::Sync);
        let sums = self.insts.keys().any(|id| self.operand_words(id).iter().any(|word| word.tag() == Tag::Sum));
        if !sums && !self.shapes.iter().any(|s| flushes(s) || votes(s)) {
            return None;
        }
        let mut new = Expansion { body: self.clone(), insts: Vec::new() };
        for shape in new.body.shapes.iter_mut().filter(|s| flushes(s)) {
            if shape.op == Op::Mad && !shape.mods.iter().any(|m| matches!(m, Mod::Rn | Mod::Rz | Mod::Rm | Mod::Rp)) {
                shape.mods.insert(0, Mod::Rn);
            }
            if !shape.mods.contains(&Mod::Ftz) {
                shape.mods.push(Mod::Ftz);
            }
        }
        let mut starts = Vec::with_capacity(self.insts.len() + 1);
        for (id, &inst) in self.insts.iter() {
            starts.push(new.insts.len() as u32);
            let mut words: SmallVec<[Word; 8]> = self.operand_words(id).iter().copied().collect();
            for word in words.iter_mut().filter(|word| word.tag() == Tag::Sum) {
                *word = new.sum(*word, inst.offset);
            }
            let mut inst = inst;
            if votes(self.shape(id)) {
                words.push(new.running(inst.offset));
                inst.shape = new.synchronous(inst.shape);
            }
            new.push(inst, &words);
        }
        starts.push(new.insts.len() as u32);
        let Expansion { mut body, insts } = new;
        body.replace(insts, &starts);
        Some(body)
    }
}

/// A copy under construction.
struct Expansion {
    body: Body,
    insts: Vec<Inst>,
}

impl Expansion {
    /// Appends an instruction with these operands.
    fn push(&mut self, inst: Inst, words: &[Word]) {
        let first = self.body.words.len() as u32;
        self.body.words.extend_from_slice(words);
        self.insts.push(Inst { first, count: words.len() as u32, ..inst });
    }

    /// A new register.
    fn register(&mut self, ty: Ty) -> Word {
        let first = Reg::new(self.body.regs as usize);
        self.body.regs += 1;
        self.body.groups.push(RegGroup { name: "implied".into(), ty, width: 1, count: None, first });
        Word::new(Tag::Reg, first.as_u32())
    }

    /// Appends an instruction of this operation and type that writes a new register.
    fn compute(&mut self, op: Op, ty: Ty, sources: &[Word], offset: u32) -> Word {
        let dotted = format!("{}.{}", op.name(), ty.name());
        let shape = self.body.shapes.iter().position(|s| *s.dotted == *dotted).or_else(|| {
            let form = FormId::all().find(|form| form.op() == op)?;
            self.body.shapes.push(Shape { op, form, mods: smallvec![], types: smallvec![ty], dotted: dotted.into() });
            Some(self.body.shapes.len() - 1)
        });
        let result = self.register(ty);
        if let Some(shape) = shape {
            let form = self.body.shapes[shape].form;
            let guard = PackedGuard::new(None);
            let inst = Inst { op, form, shape: shape as u32, guard, first: 0, count: 0, offset };
            let words: SmallVec<[Word; 4]> = [result].into_iter().chain(sources.iter().copied()).collect();
            self.push(inst, &words);
        }
        result
    }

    /// A register with the sum, which is computed before the instruction that reads it.
    fn sum(&mut self, word: Word, offset: u32) -> Word {
        let at = word.payload() as usize;
        let [reg, low, high] = [0, 1, 2].map(|n| self.body.words[at + n].0);
        let ty = match self.body.reg_ty(Reg::from_u32(reg)).bits() {
            16 => Ty::S16,
            32 => Ty::S32,
            _ => Ty::S64,
        };
        let pool = self.body.words.len() as u32;
        self.body.words.extend([Word(low), Word(high)]);
        self.compute(Op::Add, ty, &[Word::new(Tag::Reg, reg), Word::new(Tag::Int, pool)], offset)
    }

    /// A register with the mask of active threads.
    fn running(&mut self, offset: u32) -> Word {
        self.compute(Op::Activemask, Ty::B32, &[], offset)
    }

    /// The shape with `.sync`.
    fn synchronous(&mut self, shape: u32) -> u32 {
        let old = self.body.shapes[shape as usize].clone();
        let found = |s: &Shape| {
            s.op == old.op && s.types == old.types && s.mods.first() == Some(&Mod::Sync) && s.mods[1..] == old.mods[..]
        };
        if let Some(known) = self.body.shapes.iter().position(found) {
            return known as u32;
        }
        let mods = [Mod::Sync].into_iter().chain(old.mods.iter().copied()).collect();
        self.body.shapes.push(Shape { mods, ..old });
        self.body.shapes.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use crate::table::Mod;
    use raddle_diag::{Diags, FileId};

    fn plain(head: &str, statements: &str) -> crate::Body {
        let text = format!(
            "{head}\n.visible .entry k(.param .u64 a)\n{{\n.reg .f32 %f<4>; .reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n\
             {statements}\nret;\n}}\n"
        );
        let mut diags = Diags::new();
        let outline = crate::outline(&text, FileId::FIRST, &mut diags);
        let (func, _) = outline.kernels().next().unwrap();
        let body = crate::parse_body(&text, FileId::FIRST, &outline, func, &mut diags);
        assert!(!diags.has_errors(), "{:?}", diags.iter().map(|d| d.message.clone()).collect::<Vec<_>>());
        body.to_explicit_form(&outline, func).unwrap_or(body)
    }

    fn lines(body: &crate::Body) -> Vec<String> {
        body.insts.keys().map(|inst| body.print_inst(inst)).collect()
    }

    const NEW: &str = ".version 6.0\n.target sm_60\n.address_size 64";

    #[test]
    fn sums_become_additions() {
        let body = plain(
            NEW,
            "L:\n@%p1 st.global.u32 [%rd1], %r1+4+-6;\nadd.u64 %rd1, %rd2+1, %rd3;\nst.u16 [%rd1], %h1+65537;\nbra L;",
        );
        assert_eq!(
            lines(&body)[..7],
            [
                "add.s32 implied, %r1, -2",
                "@%p1 st.global.u32 [%rd1], implied",
                "add.s64 implied, %rd2, 1",
                "add.u64 %rd1, implied, %rd3",
                "add.s16 implied, %h1, 65537",
                "st.u16 [%rd1], implied",
                "bra L"
            ]
        );
        assert_eq!(body.labels.values().next().unwrap().at.as_u32(), 0);
    }

    #[test]
    fn votes_are_of_the_threads_that_run() {
        let body = plain(NEW, "vote.any.pred %p1, %p2;\nshfl.idx.b32 %r1|%p1, %r2, 0, 31;\nvote.ballot.b32 %r1, %p1;");
        let at = |n: usize| body.insts.keys().nth(n).unwrap();
        let mut text = lines(&body);
        text.retain(|line| line != "ret");
        assert_eq!(text.iter().filter(|line| *line == "activemask.b32 implied").count(), 3);
        assert_eq!(text[1], "vote.any.pred %p1, %p2, implied");
        assert!([1, 3, 5].iter().all(|&n| body.has(at(n), Mod::Sync)));
        assert_eq!(body.operands(at(3)).len(), 5);
    }

    #[test]
    fn the_first_targets_flush_subnormals() {
        let text = "add.f32 %f1, %f2, %f3;\nmad.f32 %f1, %f2, %f3, %f1;\nmov.f32 %f1, %f2;\nadd.s32 %r1, %r2, %r3;";
        let body = plain(".version 1.4\n.target sm_13", text);
        let has = |n: usize, m: Mod| body.has(body.insts.keys().nth(n).unwrap(), m);
        assert_eq!([0, 1, 2, 3].map(|n| has(n, Mod::Ftz)), [true, true, false, false]);
        assert!(has(1, Mod::Rn) && !has(0, Mod::Rn));
        let body = plain(NEW, &text.replace("mad.f32", "mad.rn.f32"));
        assert!(body.insts.keys().all(|inst| !body.has(inst, Mod::Ftz)));
    }
}
