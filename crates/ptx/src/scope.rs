//! Names inside a function body.
//!
//! Strategy: one map for names and one for register groups (`%r<40>` declares `%r0` to `%r39`
//! without a name for each); every entry has the depth of its block, and an undo list makes the
//! cost of leaving a block proportional to its declarations. Labels may be used before they are
//! defined, so their uses wait in a list until the block that defines them closes.

use crate::body::{Body, Tag, Word};
use crate::errors::{E0110, E0112};
use crate::report::Reporter;
use crate::tree::*;
use crate::ty::{Space, Ty};
use raddle_diag::quote;
use raddle_entity::{EntityRef, FxHashMap};

/// The meaning of a name inside a body.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Reg { reg: u32, ty: Ty, width: u8 },
    Group { first: u32, count: u32, ty: Ty, width: u8 },
    Sym { sym: SymId, space: Space },
    Func { sym: SymId },
    Label(LabelId),
    Proto(ProtoId),
    Targets(TargetsId),
}

/// The place for the number of the label.
pub(crate) enum LabelField {
    Word(u32),
    List(TargetsId, u32),
}

/// A use of a label that may be defined later.
pub(crate) struct Use<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: usize,
    pub(crate) place: LabelField,
}

/// A meaning and the depth of its declaration.
type Entry = (Name, u32);

/// The names that are visible at the current position of a body.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    names: FxHashMap<&'a str, Entry>,
    /// Register groups: `a` and `a<2>` may coexist.
    groups: FxHashMap<&'a str, Entry>,
    /// Whether some register group has a name that ends in a digit.
    digits: bool,
    /// Registers with individual names that end in a digit, like members of groups; also those of
    /// closed blocks.
    numbered: Vec<&'a str>,
    /// Meanings hidden by declarations in open blocks: the name, whether it is a group, its earlier
    /// meaning.
    undo: Vec<(&'a str, bool, Option<Entry>)>,
    /// For each open block: lengths of `undo` and `uses` when it opened.
    open: Vec<(usize, usize)>,
    uses: Vec<Use<'a>>,
}

impl<'a> Scopes<'a> {
    /// Number of open blocks.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Enters a block.
    pub(crate) fn enter(&mut self) {
        self.open.push((self.undo.len(), self.uses.len()));
    }

    /// Leaves the innermost block: resolves the labels used in it and drops its names.
    pub(crate) fn leave(&mut self, body: &mut Body, errs: &mut Reporter<'_>) {
        let Some((undo, uses)) = self.open.pop() else { return };
        self.settle(uses, false, body, errs);
        for (name, group, old) in self.undo.drain(undo..).rev() {
            let map = if group { &mut self.groups } else { &mut self.names };
            match old {
                Some(old) => map.insert(name, old),
                None => map.remove(name),
            };
        }
    }

    /// Resolves the remaining labels at the end of the body; undefined ones are errors.
    pub(crate) fn finish(&mut self, body: &mut Body, errs: &mut Reporter<'_>) {
        self.settle(0, true, body, errs);
    }

    /// Records a use of a label, to be resolved when its block closes.
    pub(crate) fn use_label(&mut self, one: Use<'a>) {
        self.uses.push(one);
    }

    /// Resolves label uses from `first` on that the closing block defines.
    fn settle(&mut self, first: usize, last: bool, body: &mut Body, errs: &mut Reporter<'_>) {
        let mut kept = first;
        for i in first..self.uses.len() {
            let Use { name, at, ref place } = self.uses[i];
            let label = match self.get(name) {
                Some(Name::Label(label)) => Some(label),
                _ if last => {
                    errs.error(E0112, at, at + name.len(), format!("unknown label {}", quote(name)));
                    let at = InstId::new(body.insts.len());
                    Some(body.labels.push(Label { name: name.into(), at, offset: 0 }))
                }
                _ => None,
            };
            match (label, place) {
                (Some(label), &LabelField::Word(at)) => body.words[at as usize] = Word::new(Tag::Label, label.as_u32()),
                (Some(label), &LabelField::List(list, n)) => body.targets[list].labels[n as usize] = label,
                (None, _) => {
                    self.uses.swap(kept, i);
                    kept += 1;
                }
            }
        }
        self.uses.truncate(kept);
    }

    /// The meaning of a name that is not a member of a register group.
    pub(crate) fn get(&self, name: &str) -> Option<Name> {
        self.names.get(name).map(|entry| entry.0)
    }

    /// Declares a parameter of the function, which the body may declare again.
    pub(crate) fn parameter(&mut self, name: &'a str, meaning: Name) {
        self.names.insert(name, (meaning, u32::MAX));
    }

    /// Declares a name in the innermost block; `at` is its place in the text.
    pub(crate) fn declare(&mut self, name: &'a str, meaning: Name, at: usize, errs: &mut Reporter<'_>) {
        let depth = self.open.len() as u32;
        let group = matches!(meaning, Name::Group { .. });
        let numbered = name.ends_with(|c: char| c.is_ascii_digit());
        match meaning {
            Name::Group { .. } => self.digits |= numbered,
            Name::Reg { .. } if numbered => self.numbered.push(name),
            _ => {}
        }
        let hides = self.hides_register(name, meaning, depth);
        let map = if group { &mut self.groups } else { &mut self.names };
        let old = map.insert(name, (meaning, depth));
        let member = matches!(meaning, Name::Reg { .. }) && self.member(name).is_some_and(|(_, at)| at == depth);
        if member || hides || old.is_some_and(|old| old.1 == depth) {
            let text = format!("{} is already defined in this block", quote(name));
            errs.error(E0110, at, at + name.len(), text);
        }
        if depth > 0 {
            self.undo.push((name, group, old));
        }
    }

    /// Whether a new group has a member with the name of a register in the block. Member 0 may have
    /// (ptxas 13.0.88).
    fn hides_register(&self, group: &str, meaning: Name, depth: u32) -> bool {
        // Where groups are declared, few registers have individual names.
        const MOST: usize = 256;
        let Name::Group { count, .. } = meaning else { return false };
        self.numbered.len() <= MOST
            && self.numbered.iter().any(|name| {
                let number = name.strip_prefix(group).filter(|digits| !digits.starts_with('0'));
                number.and_then(|digits| digits.parse().ok()).is_some_and(|n: u32| n < count)
                    && self.names.get(name).is_some_and(|entry| entry.1 == depth)
            })
    }

    /// Looks a register up: its id, type and vector width.
    pub(crate) fn register(&self, text: &str) -> Option<(Reg, Ty, u8)> {
        let member = self.member(text);
        if let Some((found, _)) = member
            && self.numbered.is_empty()
        {
            return Some(found);
        }
        match (self.names.get(text), member) {
            // The innermost declaration counts.
            (Some(&(Name::Reg { reg, ty, width }, depth)), member) if member.is_none_or(|m| m.1 < depth) => {
                Some((Reg::from_u32(reg), ty, width))
            }
            (_, member) => member.map(|m| m.0),
        }
    }

    /// Looks up a member of a register group, and the depth of the group's declaration.
    fn member(&self, text: &str) -> Option<((Reg, Ty, u8), u32)> {
        let bytes = text.as_bytes();
        let mut at = bytes.len();
        while at > 0 && bytes[at - 1].is_ascii_digit() {
            at -= 1;
        }
        while at < bytes.len() {
            let digits = &text[at..];
            let plain = digits.len() == 1 || !digits.starts_with('0');
            if plain
                && digits.len() < 10
                && let Some(&(Name::Group { first, count, ty, width }, depth)) = self.groups.get(&text[..at])
                && let Ok(n) = digits.parse::<u32>()
                && n < count
            {
                return Some(((Reg::from_u32(first + n), ty, width), depth));
            }
            if !self.digits {
                break;
            }
            at += 1;
        }
        None
    }
}
