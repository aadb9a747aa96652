//! Resolves dotted text to forms of the table.
//!
//! Problem: the dotted part of every instruction must be checked; there are millions of
//! instructions, but only a few hundred distinct spellings. Strategy: every spelling is resolved
//! once into a [`Choice`], a short list of candidate forms with concrete operand signatures, and
//! memoised by its text; the operands then select the candidate. Resolving tries each row of the
//! operation and assigns a slot to every dotted token.

use crate::body::Body;
use crate::order;
use crate::table::*;
use crate::tree::Shape;
use crate::ty::{ALL_TYPES, Ty, TyClass};
use raddle_entity::FxHashMap;
use raddle_target::{PtxVersion, Target};
use smallvec::SmallVec;

/// A dotted token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Mod(Mod),
    Ty(Ty),
}

/// An operand of a candidate, with a concrete type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Want {
    pub(crate) kind: Kind,
    pub(crate) ty: Option<Ty>,
    /// Elements of a vector, 0 for a scalar.
    pub(crate) vec: u8,
    pub(crate) flags: u8,
}

/// A form that fits the dotted part.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) shape: Shape,
    pub(crate) wants: SmallVec<[Want; 8]>,
    /// The least number of operands.
    pub(crate) least: u8,
    /// The requirement of this form that the module does not meet.
    pub(crate) unmet: Option<Unmet>,
}

/// The meaning of a spelling.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// The forms that fit, in table order.
    Forms(SmallVec<[Candidate; 1]>),
    /// The opcode is unknown.
    UnknownOp(Box<str>),
    /// A dotted part is unknown: its range in the spelling.
    UnknownMod(usize, usize),
    /// No form has this combination: a message, and the range of the wrong part.
    NoForm(Box<str>, usize, usize),
}

/// A cache of resolved spellings, reused for all bodies of a module.
#[derive(Default)]
pub struct Scratch {
    known: FxHashMap<Box<str>, u32>,
    choices: Vec<Choice>,
    version: Option<PtxVersion>,
    target: Option<&'static Target>,
    pub(crate) shape_of: FxHashMap<(u32, u16), u32>,
}

impl Scratch {
    /// Creates an empty cache.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// Clears what depends on the version or target of another module, and on the last body.
    pub(crate) fn start(&mut self, version: PtxVersion, target: &'static Target) {
        if self.version != Some(version) || self.target.map(|t| t.name) != Some(target.name) {
            self.known.clear();
            self.choices.clear();
            self.version = Some(version);
            self.target = Some(target);
        }
        self.shape_of.clear();
    }

    /// The number of the meaning of a spelling.
    pub(crate) fn resolve(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.known.get(text) {
            return id;
        }
        let (Some(version), Some(target)) = (self.version, self.target) else { return 0 };
        let id = self.choices.len() as u32;
        self.choices.push(resolve(text, version, target));
        self.known.insert(text.into(), id);
        id
    }

    pub(crate) fn choice(&self, id: u32) -> &Choice {
        &self.choices[id as usize]
    }

    /// The shape number of a candidate in this body, adding it on first use.
    pub(crate) fn shape(&mut self, body: &mut Body, choice: u32, index: usize) -> u32 {
        if let Some(&shape) = self.shape_of.get(&(choice, index as u16)) {
            return shape;
        }
        let Choice::Forms(forms) = &self.choices[choice as usize] else { return 0 };
        let shape = &forms[index].shape;
        // Two spellings of one instruction share a shape, so that a body does not depend on how it
        // was written.
        let at = body.shapes.iter().position(|s| s == shape).unwrap_or_else(|| {
            body.shapes.push(shape.clone());
            body.shapes.len() - 1
        }) as u32;
        self.shape_of.insert((choice, index as u16), at);
        at
    }
}

/// Splits a spelling into the opcode and the ranges of its dotted parts.
fn split(text: &str) -> (Option<Op>, SmallVec<[(usize, usize); 16]>) {
    let mut parts: SmallVec<[(usize, usize); 16]> = SmallVec::new();
    let mut at = 0;
    for part in text.split('.') {
        parts.push((at, at + part.len()));
        at += part.len() + 1;
    }
    // Finds the longest known opcode: at most five parts.
    for n in (1..=parts.len().min(5)).rev() {
        if let Some(op) = Op::by_name(&text[..parts[n - 1].1]) {
            parts.drain(..n);
            return (Some(op), parts);
        }
    }
    (None, parts)
}

pub(crate) fn resolve(text: &str, version: PtxVersion, target: &'static Target) -> Choice {
    let (op, parts) = split(text);
    let Some(op) = op else {
        return Choice::UnknownOp(text.split('.').next().unwrap_or("").into());
    };
    let mut tokens: SmallVec<[Token; 16]> = SmallVec::new();
    for &(start, end) in &parts {
        let word = &text[start..end];
        let token = Ty::by_name(word).map(Token::Ty).or_else(|| Mod::by_name(word).map(Token::Mod));
        match token {
            Some(token) => tokens.push(token),
            None => return Choice::UnknownMod(start, end),
        }
    }
    let mut forms = SmallVec::new();
    let mut best: Option<Miss> = None;
    for form in op.forms().map(FormId) {
        match fit(form, &tokens) {
            Ok(slots) => forms.push(candidate(form, &slots, version, target)),
            Err(miss) => {
                if best.as_ref().is_none_or(|b| miss.score > b.score) {
                    best = Some(miss);
                }
            }
        }
    }
    if !forms.is_empty() {
        return Choice::Forms(forms);
    }
    let miss = best.unwrap_or(Miss { score: 0, extra: None, missing: None });
    match (miss.extra, miss.missing) {
        (Some(i), _) => {
            let (start, end) = parts[i];
            let text = format!("'.{}' does not fit '{op}' here", &text[start..end]);
            Choice::NoForm(text.into(), start, end)
        }
        (None, Some(slot)) => {
            let text = format!("'{op}' needs one of {}", slot.describe());
            Choice::NoForm(text.into(), 0, op.name().len())
        }
        (None, None) => Choice::NoForm(format!("no form of '{op}' fits").into(), 0, op.name().len()),
    }
}

/// The extent to which a form matched.
struct Miss {
    score: usize,
    extra: Option<usize>,
    missing: Option<&'static Slot>,
}

/// The chosen alternative of each slot.
type Taken = SmallVec<[Option<Alt>; 16]>;

fn fit(form: FormId, tokens: &[Token]) -> Result<Taken, Miss> {
    let row = form.row();
    let slots = row.slots();
    let mut taken: Taken = SmallVec::from_elem(None, slots.len());
    let mut next_type = 0;
    // The slot of the last modifier of each ordered group; the parts of the opcode read so far.
    let mut last_of: [usize; order::GROUPS] = [0; order::GROUPS];
    let (mut parts, mut part_slot) = (0, 0);
    let mut extra = None;
    let mut score = 0;
    for (i, &token) in tokens.iter().enumerate() {
        let (number, is_type) = match token {
            Token::Mod(m) => (m as u16, false),
            Token::Ty(t) => (t as u16, true),
        };
        let group = match token {
            Token::Mod(m) => order::group(m),
            Token::Ty(_) => None,
        };
        let part = matches!(token, Token::Mod(m) if order::is_part(row.op, m));
        let first = if part { part_slot } else { group.map_or(0, |g| last_of[g]) };
        let mut found = false;
        let mut repeated = false;
        for (s, slot) in slots.iter().enumerate().skip(first) {
            if slot.is_type != is_type || (is_type && s < next_type) {
                continue;
            }
            let alt = slot.alts().iter().find(|alt| alt.token == number);
            match (alt, taken[s]) {
                (Some(&alt), None) => {
                    taken[s] = Some(alt);
                    if is_type {
                        next_type = s + 1;
                    }
                    if let Some(group) = group {
                        last_of[group] = s;
                    }
                    if part {
                        part_slot = s;
                    }
                    found = true;
                    break;
                }
                (Some(_), Some(old)) if old.token == number => {
                    repeated = matches!(token, Token::Mod(m) if order::repeatable(m));
                }
                // Types are ordered: a required type slot must not be skipped.
                (None, None) if is_type && !slot.optional => break,
                _ => {}
            }
        }
        let early = !part || parts == i;
        parts += usize::from(part);
        if (found || repeated) && early {
            score += 2;
        } else if extra.is_none() {
            extra = Some(i);
        }
    }
    let missing = slots.iter().zip(&taken).find(|(slot, t)| !slot.optional && t.is_none()).map(|(slot, _)| slot);
    if extra.is_none() && missing.is_none() {
        return Ok(taken);
    }
    score = score * 2 + usize::from(extra.is_none());
    Err(Miss { score, extra, missing })
}

fn candidate(form: FormId, taken: &Taken, version: PtxVersion, target: &'static Target) -> Candidate {
    let row = form.row();
    let mut shape =
        Shape { op: row.op, form, mods: SmallVec::new(), types: SmallVec::new(), dotted: row.op.name().into() };
    let mut unmet = check_req(row.req, version, target).err();
    let mut dotted = row.op.name().to_owned();
    // Types by slot number among type slots, missing ones included.
    let mut slot_types: SmallVec<[Option<Ty>; 4]> = SmallVec::new();
    for (slot, alt) in row.slots().iter().zip(taken) {
        if slot.is_type {
            slot_types.push(alt.map(|alt| ALL_TYPES[alt.token as usize]));
        }
        let Some(alt) = alt else { continue };
        dotted.push('.');
        dotted.push_str(alt.name(slot.is_type));
        if slot.is_type {
            shape.types.push(ALL_TYPES[alt.token as usize]);
        } else {
            shape.mods.push(ALL_MODS[alt.token as usize]);
        }
        if unmet.is_none() {
            unmet = check_req(alt.req, version, target).err();
        }
    }
    shape.dotted = dotted.into();
    if unmet.is_none() {
        unmet = check_nevers(shape.op, &shape.mods, &shape.types, version, target).err();
    }
    let by_mod = shape.mods.iter().find_map(|m| match m {
        Mod::V2 => Some(2),
        Mod::V4 => Some(4),
        Mod::V8 => Some(8),
        _ => None,
    });
    // Registers may not be wider than types that only instructions have.
    let mask = if shape.types.iter().copied().all(fundamental) { !0 } else { !RELAXED };
    let mut wants = SmallVec::new();
    let mut least = 0;
    for arg in row.args() {
        if arg.when.is_some_and(|m| !shape.mods.contains(&m)) {
            continue;
        }
        let slot = |i: u8| slot_types.get(i as usize).copied().flatten();
        let ty = match arg.ty {
            ArgTy::None => None,
            ArgTy::Slot(i) => slot(i),
            ArgTy::Wide(i) => slot(i).map(wide),
            ArgTy::Ty(ty) => Some(ty),
        };
        let vec = if arg.flags & BY_MOD != 0 { by_mod.unwrap_or(0) } else { arg.vec };
        wants.push(Want { kind: arg.kind, ty, vec, flags: arg.flags & mask });
        if arg.flags & OPTIONAL == 0 {
            least += 1;
        }
    }
    Candidate { shape, wants, least, unmet }
}

/// Whether registers can have this type, unlike formats that only instructions have.
fn fundamental(ty: Ty) -> bool {
    use Ty::{B8, B16, B32, B64, B128, F16, F16x2, F32, F64, S8, S16, S32, S64, U8, U16, U32, U64};
    matches!(ty, B8 | B16 | B32 | B64 | B128 | F16 | F16x2 | F32 | F64 | S8 | S16 | S32 | S64 | U8 | U16 | U32 | U64)
}

/// The type twice as wide, of the same class.
fn wide(ty: Ty) -> Ty {
    match ty {
        Ty::U8 => Ty::U16,
        Ty::S8 => Ty::S16,
        Ty::U16 => Ty::U32,
        Ty::S16 => Ty::S32,
        Ty::U32 => Ty::U64,
        Ty::S32 => Ty::S64,
        other => other,
    }
}

/// Whether a register of type `reg` is allowed for an operand of type `ty` (PTX ISA 9.0, 9.4; ptxas
/// 13.0.88).
pub(crate) fn compatible(reg: Ty, ty: Ty, relaxed: bool) -> bool {
    if reg == ty {
        return true;
    }
    if reg == Ty::Pred || ty == Ty::Pred {
        return false;
    }
    let same_size = reg.bits() == ty.bits() || (ty.bits() < 8 && reg.bits() == 8);
    if !(same_size || (relaxed && reg.bits() > ty.bits())) {
        return false;
    }
    match (reg.class(), ty.class()) {
        (TyClass::Bits, _) => same_size || !reg.is_float(),
        (_, TyClass::Bits) => true,
        (TyClass::Signed | TyClass::Unsigned, TyClass::Signed | TyClass::Unsigned) => true,
        // Registers have few floating-point types; packed and alternate formats are stored in .bN
        // registers.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(text: &str) -> Choice {
        resolve(text, PtxVersion::new(9, 0), Target::by_name("sm_90a").unwrap())
    }

    fn dotted(text: &str) -> String {
        match choice(text) {
            Choice::Forms(forms) => forms[0].shape.dotted.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn order_of_modifiers_is_free_and_canonical() {
        assert_eq!(dotted("atom.global.gpu.relaxed.add.u32"), "atom.relaxed.gpu.global.add.u32");
        assert_eq!(dotted("atom.relaxed.gpu.global.add.u32"), "atom.relaxed.gpu.global.add.u32");
        assert_eq!(dotted("add.f32.ftz.rn"), "add.rn.ftz.f32");
        assert_eq!(dotted("cvt.f32.rn.s32"), "cvt.rn.f32.s32");
        assert_eq!(dotted("add.sat.sat.s32"), "add.sat.s32");
    }

    #[test]
    fn misfits_are_named() {
        assert!(matches!(choice("frob.u32"), Choice::UnknownOp(_)));
        assert!(matches!(choice("add.frob.u32"), Choice::UnknownMod(4, 8)));
        assert!(matches!(choice("add.sat.u32"), Choice::NoForm(..)));
        assert!(matches!(choice("add"), Choice::NoForm(..)));
        assert!(matches!(choice("add.rn.rz.f32"), Choice::NoForm(..)));
    }

    #[test]
    fn requirements_depend_on_the_module() {
        let sm80 = Target::by_name("sm_80").unwrap();
        let Choice::Forms(forms) = resolve("add.bf16", PtxVersion::new(9, 0), sm80) else { panic!() };
        assert!(matches!(forms[0].unmet, Some(Unmet::Target(_))));
    }

    #[test]
    fn registers_fit_as_the_manual_says() {
        assert!(compatible(Ty::B32, Ty::F32, false) && compatible(Ty::F32, Ty::B32, false));
        assert!(compatible(Ty::U32, Ty::S32, false) && !compatible(Ty::F32, Ty::U32, false));
        assert!(!compatible(Ty::B64, Ty::U32, false) && compatible(Ty::B64, Ty::U32, true));
        assert!(!compatible(Ty::F64, Ty::U8, true) && !compatible(Ty::B16, Ty::U32, true));
        assert!(compatible(Ty::B16, Ty::Bf16, false) && !compatible(Ty::F16, Ty::Bf16, false));
    }
}
