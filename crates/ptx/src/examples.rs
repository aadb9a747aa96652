//! Generates instructions from the table, for comparison with ptxas (`cargo campaign probe-ptx`).
//!
//! Every form gives its plain spelling, one instruction for each alternative of each slot, all
//! combinations of its types, and one for each operand replaced by another one. All instructions
//! use the registers of [`PREAMBLE`].

use crate::form::{Choice, Want, resolve};
use crate::shapes::{coordinates, vector_len};
use crate::table::{FormId, Kind, Mod, OPTIONAL, Op, RELAXED, SINK, SPECIAL};
use crate::tree::Shape;
use crate::ty::Ty;
use raddle_target::{PtxVersion, TARGETS, Target};
use std::collections::BTreeSet;

/// Declarations that the examples use.
pub const PREAMBLE: &str = ".reg .pred %p<8>; .reg .b8 %c<300>; .reg .b16 %h<300>; .reg .b32 %r<300>; .reg .b64 %rd<300>; \
.reg .b128 %q<8>; .reg .f16 %hf<8>; .reg .f32 %f<300>; .reg .f64 %d<300>; .reg .u32 %u<8>; .reg .s32 %s<8>; .reg .u16 %uh<8>; \
.reg .u64 %ud<8>;";

/// The use of an operand by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Writes a register.
    Def,
    /// Reads a register or takes an immediate.
    Use,
    /// Reads a register.
    Reg,
    /// Takes an immediate.
    Imm,
    /// Writes a predicate.
    PredDef,
    /// Writes a predicate or a pair `p|q`.
    PredPairDef,
    /// Reads a predicate, which may be negated.
    PredUse,
    /// Writes a register, with an optional predicate after it: `d|p`.
    DefPred,
    /// An address in brackets.
    Addr,
    /// Writes a register or a part of it: a video instruction's destination.
    VideoDef,
    /// Reads a register or a part of it: a video instruction's source.
    VideoUse,
    /// Anything else: labels, calls, tensors, textures.
    Other,
}

/// The requirements of a form on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandRequirement {
    /// Its use.
    pub role: Role,
    /// Its type.
    pub ty: Option<Ty>,
    /// Elements of a vector, 0 for a scalar.
    pub vec: u8,
    /// Whether the register may be wider than the type.
    pub relaxed: bool,
    /// Whether `_` is allowed.
    pub sink: bool,
    /// Whether it may be omitted.
    pub optional: bool,
    /// Whether special registers may be read.
    pub special: bool,
}

/// One spelling of a form with the requirements on its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Operation, form, modifiers, types, canonical spelling.
    pub shape: Shape,
    /// The operands, in order.
    pub needs: Vec<OperandRequirement>,
}

/// Every distinct spelling of a form with its operands; the same spellings as [`spellings`].
pub fn examples(form: FormId) -> Vec<Example> {
    let Some(newest) = TARGETS.last() else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for text in dotted(form) {
        let Choice::Forms(forms) = resolve(&text, PtxVersion::new(9, 4), newest) else { continue };
        let Some(candidate) = forms.iter().find(|c| c.shape.form == form) else { continue };
        if seen.insert(candidate.shape.dotted.clone()) {
            let needs = candidate.wants.iter().map(need).collect();
            out.push(Example { shape: candidate.shape.clone(), needs });
        }
    }
    out
}

fn need(want: &Want) -> OperandRequirement {
    let role = match want.kind {
        Kind::Dest => Role::Def,
        Kind::Source | Kind::Any => Role::Use,
        Kind::Reg => Role::Reg,
        Kind::Imm => Role::Imm,
        Kind::Pred => Role::PredDef,
        Kind::PredPair => Role::PredPairDef,
        Kind::PredSource => Role::PredUse,
        Kind::RegPred => Role::DefPred,
        Kind::Addr => Role::Addr,
        Kind::Video => Role::VideoUse,
        Kind::VideoDest => Role::VideoDef,
        _ => Role::Other,
    };
    let flag = |flag| want.flags & flag != 0;
    let (relaxed, sink) = (flag(RELAXED), flag(SINK));
    let special = flag(SPECIAL) || want.kind == Kind::Any;
    OperandRequirement { role, ty: want.ty, vec: want.vec, relaxed, sink, optional: flag(OPTIONAL), special }
}

/// Every distinct instruction from the alternatives of a form, without semicolon.
pub fn spellings(form: FormId) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let lines = dotted(form).into_iter().filter_map(|text| with_operands(form, &text, None));
    lines.filter(|line| seen.insert(line.clone())).collect()
}

/// The dotted words of a form: its plain spelling, all combinations of types, each modifier alone,
/// and some pairs.
fn dotted(form: FormId) -> Vec<String> {
    let row = form.row();
    let slots = row.slots();
    let plain: Vec<Option<usize>> = slots.iter().map(|slot| (!slot.optional).then_some(0)).collect();
    let mut picks = vec![plain.clone()];
    let types: Vec<usize> = (0..slots.len()).filter(|&i| slots[i].is_type).collect();
    // All combinations of types.
    let mut combos = vec![plain.clone()];
    for &i in &types {
        let mut next = Vec::new();
        for combo in &combos {
            if slots[i].optional {
                next.push(combo.clone());
            }
            for alt in 0..slots[i].alts().len() {
                let mut combo = combo.clone();
                combo[i] = Some(alt);
                next.push(combo);
            }
        }
        combos = next;
    }
    picks.extend(combos.iter().cloned());
    // Each modifier with each first-slot type.
    let bases: Vec<_> = if combos.len() <= 80 { combos } else { vec![plain] };
    for base in &bases {
        for (i, slot) in slots.iter().enumerate().filter(|(_, slot)| !slot.is_type) {
            for alt in 0..slot.alts().len() {
                let mut pick = base.clone();
                pick[i] = Some(alt);
                picks.push(pick.clone());
                // Two modifiers at once, with the plain types.
                if base == &bases[0] {
                    for (j, other) in slots.iter().enumerate().skip(i + 1).filter(|(_, s)| !s.is_type && s.optional) {
                        for alt in 0..other.alts().len().min(4) {
                            let mut pick = pick.clone();
                            pick[j] = Some(alt);
                            picks.push(pick);
                        }
                    }
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    let word = |pick: Vec<Option<usize>>| {
        let mut text = form.op().name().to_owned();
        for (slot, alt) in slots.iter().zip(&pick) {
            if let Some(alt) = alt {
                text.push('.');
                text.push_str(slot.alts()[*alt].name(slot.is_type));
            }
        }
        text
    };
    picks.into_iter().map(word).filter(|text| seen.insert(text.clone())).collect()
}

/// Instructions with a form's plain spelling and one operand replaced, omitted or added.
pub fn misfits(form: FormId) -> Vec<String> {
    let mut text = form.op().name().to_owned();
    for slot in form.row().slots().iter().filter(|slot| !slot.optional) {
        text.push('.');
        text.push_str(slot.alts()[0].name(slot.is_type));
    }
    let others = [
        "%p1",
        "%c1",
        "%h1",
        "%r1",
        "%rd1",
        "%q1",
        "%hf1",
        "%f1",
        "%d1",
        "%u1",
        "%s1",
        "%uh1",
        "%ud1",
        "7",
        "-1",
        "1.0",
        "0f3F800000",
        "0d3FF0000000000000",
        "%tid.x",
        "%tid",
        "_",
        "!%p1",
        "[%rd1]",
        "[%r1]",
        "[%f1]",
        "[64]",
        "{%r1, %r2}",
        "{%r1}",
        "{%h1, %h2}",
        "%p1|%p2",
    ];
    let count = form.row().args().len();
    let mut out = Vec::new();
    for n in 0..count {
        for other in others {
            out.extend(with_operands(form, &text, Some((n, other))));
        }
        out.extend(with_operands(form, &text, Some((n, ""))));
    }
    out.extend(with_operands(form, &text, Some((count, "%r1"))));
    out.dedup();
    out
}

/// A dotted word with operands that fit the form; `replaced` substitutes or omits one of them.
fn with_operands(form: FormId, text: &str, replaced: Option<(usize, &str)>) -> Option<String> {
    let newest: &'static Target = TARGETS.last()?;
    let Choice::Forms(forms) = resolve(text, PtxVersion::new(9, 4), newest) else { return None };
    let candidate = forms.iter().find(|c| c.shape.form == form)?;
    if matches!(form.op(), Op::Call | Op::Bra | Op::Brx) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for (n, want) in candidate.wants.iter().enumerate() {
        match replaced {
            Some((at, "")) if at == n => {}
            Some((at, other)) if at == n => parts.push(other.to_owned()),
            _ if want.flags & OPTIONAL != 0 => {}
            _ => parts.push(operand(&candidate.shape, n, want)),
        }
    }
    if let Some((at, other)) = replaced
        && at >= candidate.wants.len()
    {
        parts.push(other.to_owned());
    }
    if parts.is_empty() {
        return Some(text.to_owned());
    }
    let line = format!("{text} {}", parts.join(", "));
    if candidate.shape.mods.contains(&Mod::Unified) {
        return Some(line.replace(".unified", "").replacen(']', "].unified", 1));
    }
    Some(line)
}

fn register(ty: Option<Ty>, n: usize) -> String {
    let prefix = match ty {
        None => "%r",
        Some(Ty::Pred) => "%p",
        Some(Ty::F32) => "%f",
        Some(Ty::F64) => "%d",
        Some(ty) => match ty.bits() {
            0..=8 => "%c",
            16 => "%h",
            32 => "%r",
            64 => "%rd",
            _ => "%q",
        },
    };
    let n = if prefix == "%p" || prefix == "%q" { n % 8 } else { n };
    format!("{prefix}{n}")
}

fn vector(ty: Option<Ty>, len: usize) -> String {
    let members: Vec<String> = (0..len).map(|n| register(ty, n)).collect();
    format!("{{{}}}", members.join(", "))
}

fn operand(shape: &Shape, n: usize, want: &Want) -> String {
    match want.kind {
        Kind::Dest | Kind::Source | Kind::Reg | Kind::Any if want.vec > 0 => vector(want.ty, want.vec as usize),
        Kind::Any | Kind::Dest | Kind::Source | Kind::Reg => register(want.ty, n),
        Kind::Imm => match shape.op {
            Op::Setmaxnreg => "24",
            Op::WgmmaMmaAsync if shape.mods.contains(&Mod::Sp) && n == 4 => "0",
            Op::CpAsync => "16",
            Op::Discard | Op::Applypriority | Op::FenceProxy | Op::TensormapCpFenceproxy => "128",
            Op::StBulk | Op::Mma => "0",
            _ => "1",
        }
        .to_owned(),
        Kind::Pred | Kind::PredPair | Kind::PredSource => register(Some(Ty::Pred), n),
        Kind::RegPred if shape.op == Op::Elect || matches!(shape.op, Op::Lop3) || shape.mods.contains(&Mod::All) => {
            format!("{}|%p1", register(want.ty, n))
        }
        Kind::RegPred | Kind::Video | Kind::VideoDest => register(want.ty, n),
        Kind::Addr => "[%rd1]".to_owned(),
        Kind::TensorAddr => "[%r1]".to_owned(),
        Kind::SinkOnly => "_".to_owned(),
        Kind::Bracket => bracket(shape),
        Kind::AnyVec => match vector_len(shape, n) {
            Some(len) => vector(want.ty, len),
            None => vector(want.ty, 1),
        },
        Kind::Label | Kind::Targets | Kind::Call => "L".to_owned(),
    }
}

/// The bracketed operand of tensor copies, textures and surfaces.
fn bracket(shape: &Shape) -> String {
    let ty = match shape.op {
        Op::Tex | Op::Tld4 => shape.types.last().copied(),
        _ => Some(Ty::B32),
    };
    let array = [Mod::A1d, Mod::A2d, Mod::Acube, Mod::A2dms].iter().any(|m| shape.mods.contains(m));
    match coordinates(shape) {
        0 => "[%rd1]".to_owned(),
        n if array && ty == Some(Ty::F32) => {
            let rest: Vec<String> = (1..n).map(|n| register(ty, n)).collect();
            format!("[%rd1, {{%r0, {}}}]", rest.join(", "))
        }
        n => format!("[%rd1, {}]", vector(ty, n)),
    }
}
