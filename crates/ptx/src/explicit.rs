//! Rewrites arguments, parameters and results in registers to use parameter memory.
//!
//! Problem: a call uses `.param` variables, or registers and literals (`call (%r1), f, (%r2, 5)`),
//! and a function has its parameters in `.param` space or in registers (`.func (.reg .u32 r) f(.reg
//! .u32 x)`). Both mean the same (PTX ISA 9.0, 7.1). Strategy: a copy of the body in explicit form:
//! a variable, a store before the call and a load after it for everything that is not in memory;
//! loads at the beginning of a function and stores before each of its ends.
//!
//! Invariants: instructions keep their order, and an added one has the place and the guard of the
//! instruction it belongs to; labels precede what is added to their instruction. A vector is passed
//! component by component, a predicate as a byte that is 0 or 1.

use crate::body::{Body, Tag, Word};
use crate::module::Outline;
use crate::table::{FormId, Mod, Op};
use crate::tree::*;
use crate::ty::{Space, Ty};
use raddle_entity::PrimaryMap;
use smallvec::{SmallVec, smallvec};

/// Whether a parameter can be in memory.
fn fits_memory(formal: &Variable) -> bool {
    formal.dims.is_empty()
}

impl Body {
    /// The same body in explicit form: without vector registers, without arguments and parameters
    /// in registers, and with the meaning of old or short spellings written out; `None` if it has
    /// this form already.
    pub fn to_explicit_form(&self, outline: &Outline, func: FuncId) -> Option<Body> {
        let expanded = self.expand_implied(outline);
        let split = expanded.as_ref().unwrap_or(self).scalarized().or(expanded);
        split.as_ref().unwrap_or(self).explicit(outline, func).or(split)
    }

    fn explicit(&self, outline: &Outline, func: FuncId) -> Option<Body> {
        let f = &outline.funcs[func];
        let in_registers = |list: &[Variable]| list.iter().any(|p| p.space == Space::Reg);
        let calls = self.insts.iter().any(|(id, inst)| inst.op == Op::Call && !self.loose(id).is_empty());
        if !calls && !in_registers(&f.params) && !in_registers(&f.rets) {
            return None;
        }
        let mut new = Explicit { old: self, body: self.clone(), insts: Vec::new() };
        new.body.insts = PrimaryMap::new();
        let (rets, params) = new.formals(f.rets.as_slice(), f.params.as_slice());
        let first = self.insts.values().next().map_or(0, |inst| inst.offset);
        for &(place, ty, reg) in &params {
            new.load(ty, reg, place, None, first);
        }
        let mut starts = Vec::with_capacity(self.insts.len() + 1);
        for (id, &inst) in self.insts.iter() {
            starts.push(new.insts.len() as u32);
            match inst.op {
                Op::Call => new.call(outline, id),
                Op::Ret => {
                    for &(place, ty, reg) in &rets {
                        new.store(ty, Word::new(Tag::Reg, reg.as_u32()), place, inst.guard(), inst.offset);
                    }
                    new.insts.push(inst);
                }
                _ => new.insts.push(inst),
            }
        }
        // Falling off the end returns.
        starts.push(new.insts.len() as u32);
        let last = self.insts.values().last().map_or(0, |inst| inst.offset);
        for &(place, ty, reg) in &rets {
            new.store(ty, Word::new(Tag::Reg, reg.as_u32()), place, None, last);
        }
        let Explicit { mut body, insts, .. } = new;
        body.replace(insts, &starts);
        Some(body)
    }

    /// Replaces the instructions; `starts` has the new number of each old one, and of the end.
    pub(crate) fn replace(&mut self, insts: Vec<Inst>, starts: &[u32]) {
        self.insts = PrimaryMap::new();
        for inst in insts {
            self.insts.push(inst);
        }
        let moved = |at: u32| starts.get(at as usize).copied().unwrap_or(at);
        for label in self.labels.values_mut() {
            label.at = InstId::from_u32(moved(label.at.as_u32()));
        }
        for (at, _) in &mut self.marks {
            *at = moved(*at);
        }
    }

    /// Arguments and results of a call that are not variables: the number of the operand, and that
    /// of its member.
    fn loose(&self, call: InstId) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for operand in [0, 2] {
            let Some(Operand::Args(list)) = self.operand(call, operand) else { continue };
            let loose = |(n, &word): (usize, &Word)| (word.tag() != Tag::Symbol).then_some((operand, n));
            out.extend(self.list_words(list).iter().enumerate().filter_map(loose));
        }
        out
    }
}

/// The place of a value in parameter memory: variable and byte offset.
type ParamSlot = (SymId, u32);

/// A parameter, or a component of one, in a register: its place in memory, its type, the register.
type Formal = (ParamSlot, Ty, Reg);

/// The registers of a vector, or the scalar itself.
fn components(body: &Body, word: Word) -> SmallVec<[Word; 4]> {
    if word.tag() != Tag::Vec {
        return smallvec![word];
    }
    let at = word.payload() as usize;
    body.words[at + 1..][..body.words[at].0 as usize].iter().copied().collect()
}

/// A copy under construction.
struct Explicit<'a> {
    old: &'a Body,
    body: Body,
    insts: Vec<Inst>,
}

impl Explicit<'_> {
    /// Results and parameters in registers, which are the function's first registers.
    fn formals(&mut self, rets: &[Variable], params: &[Variable]) -> (Vec<Formal>, Vec<Formal>) {
        let mut next = 0;
        let mut list = |formals: &[Variable], referent: fn(u32) -> Referent| {
            let mut out = Vec::new();
            for (n, formal) in formals.iter().enumerate() {
                if formal.space != Space::Reg || formal.name.is_empty() {
                    continue;
                }
                if fits_memory(formal) {
                    let name = formal.name.clone();
                    let sym = self.body.syms.push(SymbolRef { name, referent: referent(n as u32) });
                    let component = |n| ((sym, n * formal.ty.bytes()), formal.ty, Reg::from_u32(next + n));
                    out.extend((0..u32::from(formal.width)).map(component));
                }
                next += u32::from(formal.width);
            }
            out
        };
        let rets = list(rets, Referent::Ret);
        (rets, list(params, Referent::Param))
    }

    /// Adds a call with stores before and loads after it.
    fn call(&mut self, outline: &Outline, id: InstId) {
        let mut inst = self.old.insts[id];
        let (guard, offset) = (inst.guard(), inst.offset);
        let old = self.old;
        let formals = match old.operands(id).as_slice() {
            [.., Operand::Proto(proto)] => Some((&old.protos[*proto].rets, &old.protos[*proto].params)),
            [_, Operand::Func(sym), ..] => match old.syms[*sym].referent {
                Referent::Func(callee) => Some((&outline.funcs[callee].rets, &outline.funcs[callee].params)),
                _ => None,
            },
            [.., Operand::Targets(targets)] => match old.targets[*targets].funcs.first().map(|&f| old.syms[f].referent)
            {
                Some(Referent::Func(callee)) => Some((&outline.funcs[callee].rets, &outline.funcs[callee].params)),
                _ => None,
            },
            _ => None,
        };
        let loose = old.loose(id);
        let Some((rets, params)) = formals.filter(|_| !loose.is_empty()) else { return self.insts.push(inst) };
        let formal = |(operand, n): (usize, usize)| (if operand == 0 { rets } else { params }).get(n);
        if !loose.iter().all(|&at| formal(at).is_some_and(fits_memory)) {
            return self.insts.push(inst);
        }
        let mut words: Vec<Word> = old.operand_words(id).to_vec();
        let mut loads = Vec::new();
        for operand in [0, 2] {
            let Some(Operand::Args(list)) = old.operand(id, operand) else { continue };
            let mut members = old.list_words(list).to_vec();
            for &(_, n) in loose.iter().filter(|at| at.0 == operand) {
                let Some(formal) = formal((operand, n)) else { continue };
                let (ty, width) = (formal.ty, formal.width);
                let name: Box<str> =
                    format!("{}_{}_{n}", if operand == 0 { "result" } else { "argument" }, id.as_u32()).into();
                let var = self.body.vars.push(Variable {
                    name: name.clone(),
                    space: Space::Param,
                    ty,
                    width,
                    align: None,
                    dims: SmallVec::new(),
                    ptr: None,
                });
                let sym = self.body.syms.push(SymbolRef { name, referent: Referent::Var(var) });
                for (k, word) in components(old, members[n]).into_iter().enumerate() {
                    let place = (sym, k as u32 * ty.bytes());
                    match (operand, word.tag()) {
                        (0, Tag::Reg) => loads.push((ty, Reg::from_u32(word.payload()), place)),
                        // An unused result.
                        (0, _) => {}
                        _ => self.store(ty, word, place, guard, offset),
                    }
                }
                members[n] = Word::new(Tag::Symbol, sym.as_u32());
            }
            let at = self.push(&[Word(members.len() as u32)]);
            self.push(&members);
            words[operand] = Word::new(Tag::Args, at);
        }
        inst.first = self.push(&words);
        self.insts.push(inst);
        // The guard of the call is loaded last, since the other loads need it.
        loads.sort_by_key(|&(_, reg, _)| guard.is_some_and(|guard| guard.reg == reg));
        for (ty, reg, place) in loads {
            self.load(ty, reg, place, guard, offset);
        }
    }

    fn push(&mut self, words: &[Word]) -> u32 {
        let at = self.body.words.len() as u32;
        self.body.words.extend_from_slice(words);
        at
    }

    fn load(&mut self, ty: Ty, reg: Reg, from: ParamSlot, guard: Option<Guard>, offset: u32) {
        let address = self.address(from);
        let to = Word::new(Tag::Reg, reg.as_u32());
        if ty != Ty::Pred {
            return self.inst((Op::Ld, &[Mod::Param], ty), &[to, address], guard, offset);
        }
        let (byte, zero) = (self.register(), Word::new(Tag::SmallInt, 0));
        self.inst((Op::Ld, &[Mod::Param], Ty::U8), &[byte, address], guard, offset);
        self.inst((Op::Setp, &[Mod::Ne], Ty::U32), &[to, byte, zero], guard, offset);
    }

    fn store(&mut self, ty: Ty, value: Word, to: ParamSlot, guard: Option<Guard>, offset: u32) {
        let address = self.address(to);
        if ty != Ty::Pred {
            return self.inst((Op::St, &[Mod::Param], ty), &[address, value], guard, offset);
        }
        let byte = self.register();
        let [zero, one] = [0, 1].map(|n| Word::new(Tag::SmallInt, n));
        self.inst((Op::Selp, &[], Ty::U32), &[byte, one, zero, value], guard, offset);
        self.inst((Op::St, &[Mod::Param], Ty::U8), &[address, byte], guard, offset);
    }

    /// A new 32-bit register.
    fn register(&mut self) -> Word {
        let first = Reg::from_u32(self.body.regs);
        self.body.regs += 1;
        self.body.groups.push(RegGroup { name: "truth".into(), ty: Ty::U32, width: 1, count: None, first });
        Word::new(Tag::Reg, first.as_u32())
    }

    fn address(&mut self, (sym, at): ParamSlot) -> Word {
        let at = self.push(&[Word(sym.as_u32()), Word(at), Word(0)]);
        Word::new(Tag::AddrSym, at)
    }

    /// Appends an instruction with an operation, modifiers and a type.
    fn inst(&mut self, what: (Op, &[Mod], Ty), operands: &[Word], guard: Option<Guard>, offset: u32) {
        let (op, mods, ty) = what;
        let known = |s: &Shape| s.op == op && *s.mods == *mods && *s.types == [ty];
        let known = self.body.shapes.iter().position(known);
        let shape = known.unwrap_or_else(|| {
            let form =
                FormId::all().find(|form| form.op() == op).unwrap_or_else(|| self.old.insts[InstId::from_u32(0)].form);
            let words = [op.name()].into_iter().chain(mods.iter().map(|m| m.name()));
            let dotted: String = words.chain([ty.name()]).collect::<Vec<_>>().join(".");
            let (mods, types) = (mods.iter().copied().collect(), smallvec![ty]);
            self.body.shapes.push(Shape { op, form, mods, types, dotted: dotted.into() });
            self.body.shapes.len() - 1
        });
        let form = self.body.shapes[shape].form;
        let first = self.push(operands);
        let (shape, guard) = (shape as u32, PackedGuard::new(guard));
        let count = operands.len() as u32;
        self.insts.push(Inst { op, form, shape, guard, first, count, offset });
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::FuncId;
    use raddle_diag::{Diags, FileId};

    /// The instructions of a function of a module, in plain form.
    fn printed(text: &str, n: u32) -> Vec<String> {
        let outline = crate::outline(text, FileId::FIRST, &mut Diags::new());
        let id = FuncId::from_u32(n);
        let body = crate::parse_body(text, FileId::FIRST, &outline, id, &mut Diags::new());
        let plain = body.to_explicit_form(&outline, id).unwrap();
        plain.insts.keys().map(|inst| plain.print_inst(inst)).collect()
    }

    #[test]
    fn a_body_without_instructions_has_results() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.func (.reg .u32 r) f(.reg .u32 a)\n{\n}\n";
        let mut diags = Diags::new();
        let outline = crate::outline(text, FileId::FIRST, &mut diags);
        let id = FuncId::from_u32(0);
        let body = crate::parse_body(text, FileId::FIRST, &outline, id, &mut diags);
        assert!(!diags.has_errors() && body.insts.is_empty());
        assert!(!body.to_explicit_form(&outline, id).unwrap().insts.is_empty());
    }

    #[test]
    fn vectors_go_component_by_component() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
             .func (.reg .v2 .u32 r) g(.reg .u16 h, .reg .v4 .u16 x)\n{\nmov.v2.u32 r, {1, 2};\nret;\n}\n\
             .visible .entry k()\n{\n.reg .v2 .u32 v;\n.reg .v4 .u16 w;\n.reg .u16 h;\ncall (v), g, (h, w);\nret;\n}\n";
        let print = |n| printed(text, n);
        let function = print(0);
        assert_eq!(function[0], "ld.param.u16 h, [h]");
        assert_eq!(function[2], "ld.param.u16 x1, [x+2]");
        assert_eq!(function[4], "ld.param.u16 x3, [x+6]");
        assert_eq!(function[6..9], ["st.param.u32 [r], r0", "st.param.u32 [r+4], r1", "ret"]);
        let kernel = print(1);
        assert_eq!(kernel[4], "st.param.u16 [argument_0_1+6], w3");
        assert_eq!(kernel[5], "call (result_0_0), g, (argument_0_0, argument_0_1)");
        assert_eq!(kernel[6..8], ["ld.param.u32 v0, [result_0_0]", "ld.param.u32 v1, [result_0_0+4]"]);
    }

    #[test]
    fn predicates_become_bytes() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
             .func (.reg .u32 r, .reg .pred q) g(.reg .pred x)\n{\nmov.pred q, x;\n}\n\
             .visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .u32 %r;\n@%p1 call (_, %p0), g, (%p1);\nret;\n}\n";
        let print = |n| printed(text, n);
        let function = [
            "ld.param.u8 truth, [x]",
            "setp.ne.u32 x, truth, 0",
            "mov.pred q, x",
            "st.param.u32 [r], r",
            "selp.u32 truth, 1, 0, q",
            "st.param.u8 [q], truth",
        ];
        assert_eq!(print(0), function);
        let kernel = [
            "@%p1 selp.u32 truth, 1, 0, %p1",
            "@%p1 st.param.u8 [argument_0_0], truth",
            "@%p1 call (result_0_0, result_0_1), g, (argument_0_0)",
            "@%p1 ld.param.u8 truth, [result_0_1]",
            "@%p1 setp.ne.u32 %p0, truth, 0",
            "ret",
        ];
        assert_eq!(print(1), kernel);
    }

    #[test]
    fn registers_and_literals_become_variables() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
             .func (.reg .u32 r) g(.reg .u32 x, .reg .f32 y)\n{\n.reg .pred %p;\nsetp.eq.u32 %p, x, 0;\nmov.u32 r, x;\n@%p ret;\nA:\nadd.u32 r, r, 1;\nbra A;\n}\n\
             .visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .pred %p;\nL:\n@%p call (%r1), g, (5, %r2);\nbra L;\n}\n";
        let mut diags = Diags::new();
        let outline = crate::outline(text, FileId::FIRST, &mut diags);
        let print = |n: u32| {
            let id = FuncId::from_u32(n);
            let mut diags = Diags::new();
            let body = crate::parse_body(text, FileId::FIRST, &outline, id, &mut diags);
            let plain = body.to_explicit_form(&outline, id).unwrap();
            let label = plain.labels.values().next().unwrap().at;
            (plain.insts.keys().map(|inst| plain.print_inst(inst)).collect::<Vec<_>>(), label.as_u32())
        };
        let (function, label) = print(0);
        assert_eq!(
            function,
            [
                "ld.param.u32 x, [x]",
                "ld.param.f32 y, [y]",
                "setp.eq.u32 %p, x, 0",
                "mov.u32 r, x",
                "@%p st.param.u32 [r], r",
                "@%p ret",
                "add.u32 r, r, 1",
                "bra A",
                "st.param.u32 [r], r"
            ]
        );
        assert_eq!(label, 6);
        let (kernel, label) = print(1);
        assert_eq!(
            kernel,
            [
                "@%p st.param.u32 [argument_0_0], 5",
                "@%p st.param.f32 [argument_0_1], %r2",
                "@%p call (result_0_0), g, (argument_0_0, argument_0_1)",
                "@%p ld.param.u32 %r1, [result_0_0]",
                "bra L"
            ]
        );
        assert_eq!(label, 0);
    }
}
