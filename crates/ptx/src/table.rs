//! The instruction table: names, forms, and the operands of each form.
//!
//! Problem: PTX has hundreds of instruction forms, each with its own modifiers, types, operands,
//! and the PTX version and architecture that introduced it. Strategy: `isa/ptx/*.txt` has one line
//! per form; `cargo xtask gen-ptx` generates the flat static arrays of the submodules, whose types
//! are defined here. Invariants: rows are grouped by operation in the order of [`Op`]; the
//! canonical order of modifiers and types is that of a row's slots.

mod names;
mod rows;

pub use names::{ALL_MODS, ALL_OPS, Mod, Op};
use names::{MOD_NAMES, OP_NAMES};
use rows::{ALTS, ARGS, GROUPS, NEVERS, REQS, ROW_OF_OP, ROWS, SLOTS, TARGET_SETS, TOKENS};

use crate::ty::{ALL_TYPES, Ty};
use raddle_target::{PtxVersion, Target, Variant};
use std::fmt;

/// A row of the instruction table: one form of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormId(pub u16);

/// One form, packed: ranges into the flat arrays.
pub(crate) struct Row {
    pub(crate) op: Op,
    pub(crate) slot: u16,
    pub(crate) slots: u8,
    pub(crate) arg: u16,
    pub(crate) args: u8,
    pub(crate) req: u8,
}

/// One dotted position of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) alt: u16,
    pub(crate) alts: u8,
    pub(crate) optional: bool,
    pub(crate) is_type: bool,
}

/// An alternative of a slot: a [`Mod`] or [`Ty`] number, and its requirement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alt {
    pub(crate) token: u16,
    pub(crate) req: u8,
}

/// An invalid combination of modifiers and types.
pub(crate) struct Never {
    pub(crate) op: Op,
    pub(crate) group: u16,
    pub(crate) groups: u8,
    pub(crate) req: u8,
    /// If set, the combination is invalid from this version and target on; else it is valid from
    /// there on.
    pub(crate) from: bool,
    /// The combination is always invalid.
    pub(crate) always: bool,
}

/// A part of a [`Never`]: one of these tokens, or none of them.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) token: u16,
    pub(crate) tokens: u8,
    pub(crate) negated: bool,
}

/// The requirement of a form or modifier.
pub(crate) struct Req {
    pub(crate) ptx: (u8, u8),
    /// A range of [`TARGET_SETS`]: one of them is enough; an empty range means every target.
    pub(crate) set: u16,
    pub(crate) sets: u8,
}

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetSet {
    /// This architecture and later ones.
    From(u16),
    /// Exactly the `a` variant.
    Exact(u16),
    /// The family: `f` and `a` variants from this number on.
    Family(u16),
}

/// The kind of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `d`: register that is written.
    Dest,
    /// `s`: register or immediate.
    Source,
    /// `r`: register that is read.
    Reg,
    /// `i`: immediate.
    Imm,
    /// `p`: predicate that is written.
    Pred,
    /// `q`: predicate, or a pair `p|q`, that is written.
    PredPair,
    /// `P`: predicate that is read, optionally negated.
    PredSource,
    /// `Q`: destination register, optionally with a predicate: `d|p`.
    RegPred,
    /// `m`: address in brackets.
    Addr,
    /// `M`: address in tensor memory, 32 bits wide.
    TensorAddr,
    /// `a`: source of `mov`: anything with a value or an address.
    Any,
    /// `b`: brackets with several parts, given by the form (tensor, texture).
    Bracket,
    /// `n`: vector with any number of elements.
    AnyVec,
    /// `V`: source with selector of a video instruction.
    Video,
    /// `D`: destination with selector of a video instruction.
    VideoDest,
    /// `x`: only `_`.
    SinkOnly,
    /// `L`: label.
    Label,
    /// `C`: the operands of a call.
    Call,
    /// `B`: the target list of `brx`.
    Targets,
}

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgTy {
    /// No type.
    None,
    /// The type of a type slot of the form.
    Slot(u8),
    /// Twice as wide as a type slot.
    Wide(u8),
    /// This type.
    Ty(Ty),
}

/// One operand of a form.
pub(crate) struct Arg {
    pub(crate) kind: Kind,
    pub(crate) ty: ArgTy,
    /// Elements of a vector; 0 for a scalar.
    pub(crate) vec: u8,
    pub(crate) flags: u8,
    /// Present only with this modifier.
    pub(crate) when: Option<Mod>,
}

/// The register may be wider than the type.
pub(crate) const RELAXED: u8 = 1;
/// `_` is allowed.
pub(crate) const SINK: u8 = 2;
/// May be omitted.
pub(crate) const OPTIONAL: u8 = 4;
/// A vector whose length is given by `.v2`, `.v4`, `.v8`.
pub(crate) const BY_MOD: u8 = 8;
/// Special registers may be read.
pub(crate) const SPECIAL: u8 = 16;

impl Op {
    /// The dotted opcode: `cp.async.bulk`.
    pub fn name(self) -> &'static str {
        OP_NAMES[self as usize]
    }

    /// Finds an instruction by its dotted opcode.
    pub fn by_name(name: &str) -> Option<Op> {
        OP_NAMES.binary_search(&name).ok().map(|i| ALL_OPS[i])
    }

    /// The forms of this instruction.
    pub(crate) fn forms(self) -> std::ops::Range<u16> {
        let i = self as usize;
        ROW_OF_OP[i]..ROW_OF_OP[i + 1]
    }
}

impl Mod {
    /// The modifier without its dot: `shared::cta`.
    pub fn name(self) -> &'static str {
        MOD_NAMES[self as usize]
    }

    /// Finds a modifier by its spelling without dot.
    pub fn by_name(name: &str) -> Option<Mod> {
        MOD_NAMES.binary_search(&name).ok().map(|i| ALL_MODS[i])
    }
}

impl FormId {
    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self.0 as usize]
    }

    /// Every row of the table, in order.
    pub fn all() -> impl Iterator<Item = FormId> {
        (0..ROWS.len() as u16).map(FormId)
    }

    /// The instruction of the row.
    pub fn op(self) -> Op {
        self.row().op
    }
}

impl Row {
    pub(crate) fn slots(&self) -> &'static [Slot] {
        &SLOTS[self.slot as usize..][..self.slots as usize]
    }

    pub(crate) fn args(&self) -> &'static [Arg] {
        &ARGS[self.arg as usize..][..self.args as usize]
    }
}

impl Slot {
    pub(crate) fn alts(&self) -> &'static [Alt] {
        &ALTS[self.alt as usize..][..self.alts as usize]
    }

    /// The alternatives as text: `.rn, .rz`.
    pub(crate) fn describe(&self) -> String {
        let names: Vec<String> = self.alts().iter().map(|alt| format!(".{}", alt.name(self.is_type))).collect();
        names.join(", ")
    }
}

impl Alt {
    pub(crate) fn name(&self, is_type: bool) -> &'static str {
        if is_type { ALL_TYPES[self.token as usize].name() } else { MOD_NAMES[self.token as usize] }
    }
}

/// Checks for invalid combinations.
pub(crate) fn check_nevers(
    op: Op,
    mods: &[Mod],
    types: &[Ty],
    version: PtxVersion,
    target: &Target,
) -> Result<(), Unmet> {
    let first = NEVERS.partition_point(|never| never.op < op);
    for never in NEVERS[first..].iter().take_while(|never| never.op == op) {
        let met = check_req(never.req, version, target);
        if !never.always && met.is_ok() != never.from {
            continue;
        }
        let groups = &GROUPS[never.group as usize..][..never.groups as usize];
        let mut found: Vec<String> = Vec::new();
        let mut missing: Vec<String> = Vec::new();
        let applies = groups.iter().all(|group| {
            let tokens = &TOKENS[group.token as usize..][..group.tokens as usize];
            match (tokens.iter().find(|&&token| carries(token, mods, types)), group.negated) {
                (Some(&token), false) => {
                    found.push(format!("'.{}'", token_name(token)));
                    true
                }
                (None, true) => {
                    missing.extend(tokens.iter().map(|&token| format!("'.{}'", token_name(token))));
                    true
                }
                _ => false,
            }
        });
        if !applies {
            continue;
        }
        if !never.always && !never.from {
            return met;
        }
        let found = found.join(" and ");
        return Err(Unmet::Never(match (found.is_empty(), missing.is_empty()) {
            (true, _) => format!("{} is missing", missing.join(" or ")),
            (false, true) => format!("{found} do not go together"),
            (false, false) => format!("{found} without {} does not exist", missing.join(" or ")),
        }));
    }
    Ok(())
}

fn carries(token: u16, mods: &[Mod], types: &[Ty]) -> bool {
    if token & 0x8000 == 0 {
        return mods.contains(&ALL_MODS[token as usize]);
    }
    let ty = ALL_TYPES[(token & 0xff) as usize];
    match (token >> 8 & 0x7f).checked_sub(1) {
        Some(place) => types.get(place as usize) == Some(&ty),
        None => types.contains(&ty),
    }
}

fn token_name(token: u16) -> &'static str {
    if token & 0x8000 == 0 { MOD_NAMES[token as usize] } else { ALL_TYPES[(token & 0xff) as usize].name() }
}

/// The reason why a form is not available.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unmet {
    /// It was introduced in this PTX version.
    Version(PtxVersion),
    /// It needs one of these targets.
    Target(String),
    /// The combination is invalid (on this version or target).
    Never(String),
}

/// Checks requirement number `req`.
pub(crate) fn check_req(req: u8, version: PtxVersion, target: &Target) -> Result<(), Unmet> {
    let row = &REQS[req as usize];
    let needed = PtxVersion::new(row.ptx.0, row.ptx.1);
    if version < needed {
        return Err(Unmet::Version(needed));
    }
    let sets = &TARGET_SETS[row.set as usize..][..row.sets as usize];
    if sets.is_empty() || sets.iter().any(|set| set.contains(target)) {
        return Ok(());
    }
    let names: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Err(Unmet::Target(names.join(", ")))
}

impl TargetSet {
    fn contains(self, target: &Target) -> bool {
        match self {
            TargetSet::From(sm) => target.sm >= sm,
            TargetSet::Exact(sm) => target.sm == sm && target.variant == Variant::Specific,
            TargetSet::Family(sm) => target.sm >= sm && target.sm / 10 == sm / 10 && target.variant != Variant::Base,
        }
    }
}

impl fmt::Display for TargetSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetSet::From(sm) => write!(f, "sm_{sm} or later"),
            TargetSet::Exact(sm) => write!(f, "sm_{sm}a"),
            TargetSet::Family(sm) => write!(f, "sm_{sm}f and its family"),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Mod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found() {
        assert!(OP_NAMES.is_sorted() && MOD_NAMES.is_sorted());
        for op in ALL_OPS {
            assert_eq!(Op::by_name(op.name()), Some(op));
        }
        for m in ALL_MODS {
            assert_eq!(Mod::by_name(m.name()), Some(m));
        }
    }

    #[test]
    fn every_operation_has_rows() {
        for op in ALL_OPS {
            assert!(!op.forms().is_empty(), "{op}");
            assert!(op.forms().all(|i| ROWS[i as usize].op == op));
        }
    }
}
