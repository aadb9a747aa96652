//! Linear forms: integer values as a sum of factors times atoms, plus a constant.
//!
//! Problem: whether two memory accesses overlap, and how far apart they are, can be decided only
//! when their addresses are in one form, whatever adds, shifts and extensions computed them.
//!
//! Strategy: one walk in reverse postorder gives each 32- and 64-bit value its [`Form`] from the
//! forms of its operands, if it is defined by an addition, subtraction, multiplication or shift by
//! a constant, extension, truncation or window arithmetic. Everything else (loads, block
//! parameters, products of unknowns) is an atom.
//!
//! **Invariants.** A form always equals its value modulo two to the value's width: a sum in 32 bits
//! is not carried through an extension unless it provably stays in range. Forms do not say which
//! memory an address may point to; see [`crate::alias`].

use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::{Function, Inst, Mem, Op, Sign, Slot, Space, Special, Sym, Value, ValueDef, Width};
use smallvec::SmallVec;

/// Most terms of a form; a value with more is an atom.
const MAX_TERMS: usize = 6;

/// The unknown part of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// The address of a shared or local variable in its window.
    Slot(Slot),
    /// The address of a symbol.
    Symbol(Sym),
    /// The generic address of the local window.
    LocalWindow,
    /// The generic address of the shared window; its low 32 bits are zero.
    SharedWindow,
    /// A value of the same width.
    Value(Value),
    /// A 32-bit value zero-extended to 64 bits.
    Zext(Value),
    /// A 32-bit value sign-extended to 64 bits.
    Sext(Value),
}

/// An atom with its factor, which is not zero.
pub type Term = (Atom, i64);

/// A sum of terms and a constant, modulo two to the width of the value.
#[derive(Clone, Debug, PartialEq, Eq, Default, Hash)]
pub struct Form {
    /// The terms, sorted by atom, each atom once.
    pub terms: SmallVec<[Term; 2]>,
    /// The constant part.
    pub offset: i64,
}

impl Form {
    fn atom(atom: Atom) -> Form {
        Form { terms: SmallVec::from_slice(&[(atom, 1)]), offset: 0 }
    }

    fn constant(offset: i64) -> Form {
        Form { terms: SmallVec::new(), offset }
    }

    /// `self + factor * other`.
    fn plus(&self, other: &Form, factor: i64) -> Form {
        let mut terms = SmallVec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (atom, n) = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.0 == y.0 => (x.0, x.1.wrapping_add(y.1.wrapping_mul(factor))),
                (Some(x), Some(y)) if x.0 < y.0 => **x,
                (Some(x), None) => **x,
                (_, Some(y)) => (y.0, y.1.wrapping_mul(factor)),
                (None, None) => break,
            };
            a.next_if(|x| x.0 == atom);
            b.next_if(|y| y.0 == atom);
            if n != 0 {
                terms.push((atom, n));
            }
        }
        Form { terms, offset: self.offset.wrapping_add(other.offset.wrapping_mul(factor)) }
    }

    /// The form modulo 2^32, of atoms that are 32 bits wide.
    fn low(&self) -> Form {
        let terms = self.terms.iter().map(|&(atom, n)| (atom, i64::from(n as i32))).filter(|t| t.1 != 0).collect();
        Form { terms, offset: i64::from(self.offset as i32) }
    }

    /// The variable it points into, if that is the only one and its factor is 1.
    pub fn slot(&self) -> Option<Slot> {
        let mut slots = self.terms.iter().filter_map(|t| match t.0 {
            Atom::Slot(s) => Some((s, t.1)),
            _ => None,
        });
        match (slots.next(), slots.next()) {
            (Some((s, 1)), None) => Some(s),
            _ => None,
        }
    }

    /// All variables in it.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.terms.iter().filter_map(|t| if let Atom::Slot(s) = t.0 { Some(s) } else { None })
    }
}

/// The forms of a function's values.
pub struct Forms {
    index: SecondaryMap<Value, u32>,
    forms: Vec<Form>,
}

impl Forms {
    /// Computes the forms of all reachable values.
    pub fn of(f: &Function, cfg: &Cfg) -> Forms {
        let mut forms = Forms { index: SecondaryMap::new(), forms: vec![Form::default()] };
        forms.index.resize(f.values.len());
        for &b in &cfg.rpo {
            for &i in &f.blocks[b].insts {
                if let Some(form) = forms.derive(f, i).filter(|form| form.terms.len() <= MAX_TERMS) {
                    forms.index[f.insts[i].results[0]] = forms.forms.len() as u32;
                    forms.forms.push(form);
                }
            }
        }
        forms
    }

    /// Returns the form of a value.
    pub fn get(&self, v: Value) -> Form {
        match self.index[v] {
            0 => Form::atom(Atom::Value(v)),
            n => self.forms[n as usize].clone(),
        }
    }

    /// Returns the form of a value, if it is not just the value itself.
    pub fn known(&self, v: Value) -> Option<&Form> {
        match self.index[v] {
            0 => None,
            n => Some(&self.forms[n as usize]),
        }
    }

    /// Calls `visit` for each use of a value that may point into a variable: with the instruction,
    /// the operand's number and its form, or with `None` for a use by a terminator. An instruction
    /// whose result points into the same variable does not count as a use: the uses of its result
    /// are visited.
    pub fn for_each_slot_use(
        &self,
        f: &Function,
        cfg: &Cfg,
        mut visit: impl FnMut(Slot, Option<(Inst, usize, &Form)>),
    ) {
        for &b in &cfg.rpo {
            for &i in &f.blocks[b].insts {
                let d = &f.insts[i];
                let derived = d.results.first().and_then(|&r| self.known(r));
                for (n, &v) in d.args.iter().enumerate() {
                    let Some(form) = self.known(v) else { continue };
                    let followed = |slot| derived.is_some_and(|form| form.slots().any(|s| s == slot));
                    form.slots().filter(|&slot| !followed(slot)).for_each(|slot| visit(slot, Some((i, n, form))));
                }
            }
            f.term(b).for_each_use(|v| {
                self.known(v).into_iter().flat_map(Form::slots).for_each(|slot| visit(slot, None));
            });
        }
    }

    /// Reduces a 64-bit form modulo 2^32: extensions become the values they extend.
    pub fn low(&self, form: &Form) -> Form {
        let mut out = Form::constant(form.offset);
        for &(atom, n) in &form.terms {
            let part = match atom {
                Atom::Zext(v) | Atom::Sext(v) => self.get(v),
                Atom::SharedWindow => Form::default(),
                // A value of another width in a 32-bit form means its low half.
                Atom::Slot(_) | Atom::Symbol(_) | Atom::LocalWindow | Atom::Value(_) => Form::atom(atom),
            };
            out = out.plus(&part, n);
        }
        out.low()
    }

    fn derive(&self, f: &Function, i: Inst) -> Option<Form> {
        let d = &f.insts[i];
        if d.results.len() != 1 {
            return None;
        }
        let width = f.width(d.results[0]);
        if !matches!(width, Width::B32 | Width::B64) {
            return None;
        }
        let arg = |n: usize| self.get(d.args[n]);
        let constant = |n: usize| d.args.get(n).and_then(|&v| f.constant(v)).map(|bits| signed(bits, width));
        let form = match d.op {
            Op::Const(bits) => Form::constant(signed(bits, width)),
            Op::SlotAddr(slot, offset) => Form { offset: i64::from(offset), ..Form::atom(Atom::Slot(slot)) },
            Op::SymbolAddr(sym, offset) => Form { offset, ..Form::atom(Atom::Symbol(sym)) },
            Op::Add => arg(0).plus(&arg(1), 1),
            Op::Sub => arg(0).plus(&arg(1), -1),
            Op::Neg => Form::default().plus(&arg(0), -1),
            Op::Or => {
                // Disjoint bits: the constant is below the alignment of the rest.
                let (a, c) = match (constant(0), constant(1)) {
                    (_, Some(c)) => (arg(0), c),
                    (Some(c), _) => (arg(1), c),
                    _ => return None,
                };
                if c < 0 || c >= 1 << self.alignment(f, &a).min(62) {
                    return None;
                }
                Form { offset: a.offset.wrapping_add(c), ..a }
            }
            Op::Mul => match (constant(0), constant(1)) {
                (_, Some(c)) => Form::default().plus(&arg(0), c),
                (Some(c), _) => Form::default().plus(&arg(1), c),
                _ => return None,
            },
            Op::Mad => match (constant(0), constant(1)) {
                (_, Some(c)) => arg(2).plus(&arg(0), c),
                (Some(c), _) => arg(2).plus(&arg(1), c),
                _ => return None,
            },
            Op::Shl => {
                let by = f.constant(d.args[1]).filter(|&by| by < u64::from(width.bits()))?;
                Form::default().plus(&arg(0), 1i64.wrapping_shl(by as u32))
            }
            Op::MulWide(sign) | Op::MadWide(sign) if width == Width::B64 => {
                let bits = |n: usize| f.constant(d.args[n]);
                let (v, c) = match (bits(0), bits(1)) {
                    (_, Some(c)) => (d.args[0], c),
                    (Some(c), _) => (d.args[1], c),
                    _ => return None,
                };
                let c = if sign == Sign::S { i64::from(c as i32) } else { c as i64 };
                let sum = if d.args.len() == 3 { arg(2) } else { Form::default() };
                sum.plus(&self.extended(f, v, sign), c)
            }
            Op::Zext if f.width(d.args[0]) == Width::B32 => self.extended(f, d.args[0], Sign::U),
            Op::Sext if f.width(d.args[0]) == Width::B32 => self.extended(f, d.args[0], Sign::S),
            Op::Trunc if width == Width::B32 => {
                if f.width(d.args[0]) != Width::B64 {
                    return None;
                }
                self.low(&arg(0))
            }
            Op::Pack if width == Width::B64 && d.args.len() == 2 => {
                let special = |n: usize| match f.def(d.args[n]) {
                    Some((_, Op::Special(s))) => Some(s),
                    _ => None,
                };
                match (special(0), special(1)) {
                    (Some(Special::LocalWindowLo), Some(Special::LocalWindowHi)) => Form::atom(Atom::LocalWindow),
                    (_, Some(Special::SharedWindowHi)) => {
                        Form::atom(Atom::SharedWindow).plus(&self.extended(f, d.args[0], Sign::U), 1)
                    }
                    (_, None) if f.constant(d.args[1]) == Some(0) => self.extended(f, d.args[0], Sign::U),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(if width == Width::B32 { form.low() } else { form })
    }

    /// The form of a 32-bit value extended to 64 bits.
    fn extended(&self, f: &Function, v: Value, sign: Sign) -> Form {
        if let Some(bits) = f.constant(v) {
            return Form::constant(if sign == Sign::S { i64::from(bits as i32) } else { bits as i64 });
        }
        // Windows are 16 MiB: an address a little after the beginning of a variable does not wrap.
        if let Some(form) = self.known(v)
            && let [(Atom::Slot(_), 1)] = form.terms[..]
            && (0..1 << 30).contains(&form.offset)
        {
            return form.clone();
        }
        Form::atom(if sign == Sign::S { Atom::Sext(v) } else { Atom::Zext(v) })
    }

    /// Returns how many low bits of a form are known to be zero.
    pub fn alignment(&self, f: &Function, form: &Form) -> u32 {
        let constant = if form.offset == 0 { 63 } else { form.offset.trailing_zeros() };
        form.terms.iter().fold(constant, |bits, &(atom, n)| {
            let base = match atom {
                Atom::Slot(s) => f.slots[s].align.max(1).trailing_zeros(),
                Atom::SharedWindow => 32,
                Atom::Symbol(g) => f.symbol_aligns[g].max(1).trailing_zeros(),
                Atom::LocalWindow => 0,
                Atom::Value(v) | Atom::Zext(v) | Atom::Sext(v) => self.zeros(f, v),
            };
            bits.min(base.saturating_add(n.trailing_zeros()))
        })
    }

    /// How many low bits of a value are known to be zero: from a mask with a constant, from a
    /// parameter's declared alignment, or from a wider form.
    fn zeros(&self, f: &Function, v: Value) -> u32 {
        let ValueDef::Result(i, _) = f.values[v].def else { return 0 };
        let d = &f.insts[i];
        match d.op {
            Op::Load(mem) => pointee_align(f, mem, d.args[0]).trailing_zeros(),
            Op::And => d.args.iter().filter_map(|&a| f.constant(a)).map(u64::trailing_zeros).max().unwrap_or(0).min(31),
            _ => self.known(v).map_or(0, |form| match form.terms[..] {
                // Not recursive: the terms' factors only.
                [] => 0,
                _ => {
                    let constant = if form.offset == 0 { 63 } else { form.offset.trailing_zeros() };
                    let of = |t: &Term| {
                        t.1.trailing_zeros()
                            + match t.0 {
                                Atom::Slot(s) => f.slots[s].align.max(1).trailing_zeros(),
                                _ => 0,
                            }
                    };
                    form.terms.iter().map(of).fold(constant, u32::min)
                }
            }),
        }
    }
}

/// The declared alignment of the pointee of a loaded kernel parameter; 1 if there is none.
fn pointee_align(f: &Function, mem: Mem, address: Value) -> u32 {
    let whole = mem.space == Space::Param && mem.count == 1 && mem.ty.width() == Width::B64;
    let at = f.constant(address).map(|at| i64::from(at as i32) + i64::from(mem.offset)).filter(|_| whole);
    let param = at.and_then(|at| f.params.iter().find(|p| i64::from(p.offset) == at && p.size == mem.ty.bytes()));
    param.map_or(1, |p| p.pointee_align.max(1))
}

/// A constant of this width as a signed number.
fn signed(bits: u64, width: Width) -> i64 {
    if width == Width::B32 { i64::from(bits as u32 as i32) } else { bits as i64 }
}
