//! Reads an operand of a row. The grammar is in `isa/README.md`.
//!
//! ```text
//! ^ -|~! NAME :WIDTH @BITS=ENUM <<SHIFT (ATTRIBUTE;...) ?CONDITION
//! ```
//!
//! An operand is cut into these pieces from the outside ([`Pieces`]); then its name decides kind
//! and bits, which the signs and attributes refine.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

use crate::slot::{Kind, NO_BIT, Show, SlotT, Width};
use crate::table::{Bits, Enum, FieldT, RowT, read_bits};

/// What an operand depends on.
pub struct Context<'a> {
    pub enums: &'a BTreeMap<String, Enum>,
    /// The row, with its fields and the operands before this one.
    pub row: &'a RowT,
    /// The letter of the form that the row is for.
    pub form: char,
    /// Whether the line has forms with `B` in the place of `C`.
    pub lower_forms: bool,
    /// Whether the line has an operand `C`.
    pub has_c: bool,
    /// The kind of its immediates.
    pub imm: &'a str,
}

/// An operand in pieces.
#[derive(Debug, Default)]
struct Pieces<'t> {
    space_sep: bool,
    condition: Option<&'t str>,
    attributes: Vec<(&'t str, &'t str)>,
    neg: bool,
    not: bool,
    abs: bool,
    /// Name, width, bits; or an address.
    body: &'t str,
}

/// What the name of an operand says.
pub(crate) struct Named {
    pub kind: Kind,
    pub bits: Bits,
    pub role: &'static str,
    /// The lowest bit, which decides the places of signs.
    pub lowest: u8,
    /// Whether signs have their places by the lowest bit.
    pub is_register: bool,
    pub is_immediate: bool,
    pub is_written: bool,
    /// The bit of the operand cache.
    pub reuse: u8,
}

/// Registers: name, role, variant of `SlotKind`, width, lowest bit unless stated.
pub(crate) const REGISTERS: &[(&str, &str, &str, u8, u8)] = &[
    ("Rd", "Rd", "Reg", 8, 16),
    ("Re", "Re", "Reg", 8, NO_BIT),
    ("Ra", "Ra", "Reg", 8, 24),
    ("Rb", "Rb", "Reg", 8, 32),
    ("Rc", "Rc", "Reg", 8, 64),
    ("Rx", "Rx", "Reg", 8, NO_BIT),
    ("Ud", "Rd", "UReg", 6, 16),
    ("Ue", "Re", "UReg", 6, NO_BIT),
    ("Ua", "Ra", "UReg", 6, 24),
    ("Ub", "Rb", "UReg", 6, 32),
    ("Uc", "Rc", "UReg", 6, 64),
    ("Ux", "Rx", "UReg", 6, NO_BIT),
    ("Pd", "Pd", "Pred", 3, 81),
    ("Pe", "Pe", "Pred", 3, 84),
    ("Pp", "Pp", "Pred", 3, 87),
    ("Pq", "Pq", "Pred", 3, 77),
    ("Pr", "Pr", "Pred", 3, 68),
    ("UPd", "Pd", "UPred", 3, 81),
    ("UPe", "Pe", "UPred", 3, 84),
    ("UPp", "Pp", "UPred", 3, 87),
    ("UPq", "Pq", "UPred", 3, 77),
    ("UPr", "Pr", "UPred", 3, 68),
];

/// Latency classes of the pipes with an operand cache: only they print and use reuse bits.
const CACHED: [&str; 13] =
    ["alu", "viadd", "fma", "imadwide", "imadhi", "fp64", "fp16", "hfma2mma", "hmma", "hmma1", "imma", "dmma", "r2ur"];

/// Reads an operand.
///
/// # Errors
/// What is wrong with its text.
pub fn read(cx: &Context<'_>, text: &str) -> Result<SlotT> {
    let pieces = Pieces::of(text)?;
    let show = pieces.condition.map_or(Ok(Show::Always), |condition| cx.show(condition))?;
    let (named, mut width) = if pieces.is_address() {
        (cx.address(pieces.body)?, None)
    } else {
        let word = Word::of(pieces.body)?;
        (cx.named(&word)?, word.width)
    };
    let mut slot = SlotT {
        role: named.role.to_owned(),
        kind: named.kind.clone(),
        bits: named.bits.clone(),
        neg: NO_BIT,
        abs: NO_BIT,
        not: NO_BIT,
        tilde: None,
        reuse: named.reuse,
        sel: None,
        show,
        access: if named.is_written { "Def" } else { "Use" },
        width: Width::Fixed(1),
        space_sep: pieces.space_sep,
        suffix: String::new(),
        nonzero: false,
    };
    signs(&mut slot, &pieces, &named);
    for &(name, value) in &pieces.attributes {
        let of_registers = ["neg", "abs", "not", "sel", "x"].contains(&name);
        if named.is_immediate && !pieces.body.contains('[') && of_registers {
            continue; // An immediate has no modifiers; the register forms of the same line do.
        }
        match name {
            "w" => width = Some(value),
            _ => cx.attribute(&mut slot, name, value)?,
        }
    }
    if !CACHED.contains(&cx.row.class.as_str()) || slot.show == Show::Never {
        slot.reuse = NO_BIT;
    }
    if slot.sel.is_some() {
        space_out(&mut slot.kind);
    }
    slot.width = width.map_or(Ok(Width::Fixed(1)), |width| cx.width(width))?;
    Ok(slot)
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str) -> Result<Pieces<'t>> {
        let mut pieces = Pieces { space_sep: text.starts_with('^'), ..Pieces::default() };
        let mut rest = text.trim_start_matches('^');
        if let Some((head, condition)) = rest.rsplit_once('?').filter(|c| !c.1.starts_with('[')) {
            (rest, pieces.condition) = (head, Some(condition));
        }
        if let Some((head, attributes)) = rest.split_once('(') {
            rest = head;
            let attributes = attributes.strip_suffix(')').context("no )")?;
            pieces.attributes = attributes.split(';').map(|one| one.split_once('=').unwrap_or((one, ""))).collect();
        }
        loop {
            if let Some(after) = rest.strip_prefix('-') {
                (pieces.neg, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix(['!', '~']) {
                (pieces.not, rest) = (true, after);
            } else if rest.starts_with('|') {
                (pieces.abs, rest) = (true, rest.trim_matches('|'));
                ensure!(!rest.contains('|'), "write the width inside the bars");
            } else {
                pieces.body = rest;
                return Ok(pieces);
            }
        }
    }

    fn is_address(&self) -> bool {
        ["[", "desc[", "desc?[", "gdesc["].iter().any(|start| self.body.starts_with(start))
    }
}

/// `NAME[:WIDTH][@BITS[=ENUM][<<SHIFT]]`.
struct Word<'t> {
    name: &'t str,
    width: Option<&'t str>,
    bits: Option<&'t str>,
    values: Option<&'t str>,
    shift: u8,
}

impl<'t> Word<'t> {
    fn of(text: &'t str) -> Result<Word<'t>> {
        let (head, mut bits) = text.split_once('@').map_or((text, None), |(head, bits)| (head, Some(bits)));
        let (name, width) = head.split_once(':').map_or((head, None), |(name, width)| (name, Some(width)));
        let mut shift = 0;
        if let Some((before, count)) = bits.and_then(|bits| bits.split_once("<<")) {
            (bits, shift) = (Some(before), count.parse()?);
        }
        let mut values = None;
        if let Some((before, name)) = bits.and_then(|bits| bits.split_once('=')) {
            (bits, values) = (Some(before), Some(name));
        }
        Ok(Word { name, width, bits, values, shift })
    }

    /// The bits that it states, or `width` bits from `lowest` on.
    fn place(&self, lowest: u8, width: u8) -> Result<Bits> {
        match self.bits {
            Some(text) => {
                let bits = read_bits(text)?;
                let single = bits.len() == 1 && !text.contains('-') && width > 1;
                Ok(if single { vec![(bits[0].0, width)] } else { bits })
            }
            None if lowest != NO_BIT => Ok(vec![(lowest, width)]),
            None => bail!("no bits"),
        }
    }
}

impl Context<'_> {
    fn show(&self, condition: &str) -> Result<Show> {
        Ok(match condition {
            "" => Show::NotTrue,
            "0" => Show::NotZero,
            "never" => Show::Never,
            "twice" => Show::Twice,
            other if other.starts_with('=') => Show::NotImm(other[1..].parse()?),
            other => {
                let (name, values) = other.split_once('=').unwrap_or((other, "1"));
                let mut set = 0u32;
                for value in values.split(',') {
                    set |= 1 << value.parse::<u32>()?;
                }
                Show::Field(self.field(name)?, set)
            }
        })
    }

    pub(crate) fn field(&self, name: &str) -> Result<usize> {
        self.row.fields.iter().position(|f| f.name == name).with_context(|| format!("no field {name}"))
    }

    /// Kind, bits and role of an operand that is not an address.
    fn named(&self, word: &Word<'_>) -> Result<Named> {
        if let "B" | "C" = word.name {
            return self.by_form(word);
        }
        if let Some(&(name, role, variant, width, lowest)) = REGISTERS.iter().find(|row| row.0 == word.name) {
            let bits = word.place(lowest, width)?;
            let lowest = bits.first().map_or(0, |bit| bit.0);
            let is_register = matches!(variant, "Reg" | "UReg");
            return Ok(Named {
                kind: Kind::Register(variant, bits.clone()),
                bits,
                role,
                lowest,
                is_register,
                is_immediate: false,
                is_written: matches!(role, "Rd" | "Re" | "Pd" | "Pe"),
                reuse: match name {
                    "Ra" => 0,
                    "Rb" => 1,
                    "Rc" => 2,
                    _ => NO_BIT,
                },
            });
        }
        self.other(word)
    }

    /// `B` and `C`, which are registers, immediates or constants by the form of the row.
    fn by_form(&self, word: &Word<'_>) -> Result<Named> {
        let is_b = word.name == "B";
        let role = if is_b { "Rb" } else { "Rc" };
        // The operand that the form replaces, and its place.
        let replaced = match self.form {
            'R' => false,
            'I' | 'C' | 'U' => is_b,
            'i' | 'c' | 'u' => !is_b || !self.has_c,
            _ => bail!("B and C need forms"),
        };
        let lower = matches!(self.form, 'i' | 'c' | 'u');
        let lowest = if replaced || is_b && !lower { 32 } else { 64 };
        let mut named = Named {
            kind: Kind::File("PredFile"),
            bits: Bits::new(),
            role,
            lowest,
            is_register: true,
            is_immediate: false,
            is_written: false,
            reuse: NO_BIT,
        };
        match self.form {
            _ if !replaced => {
                named.bits = word.place(lowest, 8)?;
                named.kind = Kind::Register("Reg", named.bits.clone());
                // The bit belongs to the operand's logical position, wherever its form places it.
                named.reuse = if is_b && (self.has_c || !self.lower_forms) { 1 } else { 2 };
            }
            'I' | 'i' => {
                named.bits = word.place(lowest, 32)?;
                named.kind = self.immediate(&named.bits)?;
                (named.is_register, named.is_immediate) = (false, true);
            }
            'U' | 'u' => {
                named.bits = word.place(lowest, 6)?;
                named.kind = Kind::Register("UReg", named.bits.clone());
            }
            _ => {
                (named.bits, named.kind) = constant_bank(14, 2);
                return Ok(Named { lowest: 32, ..named });
            }
        }
        named.lowest = named.bits.first().map_or(0, |bit| bit.0);
        Ok(named)
    }

    /// The kind of an immediate in place of a register.
    fn immediate(&self, bits: &Bits) -> Result<Kind> {
        let bits = bits.clone();
        Ok(match self.imm {
            "s32" => Kind::Integer("SImm", bits, 0),
            "u32" => Kind::Integer("UImm", bits, 0),
            "f32" => Kind::Number("F32", bits),
            "f64" => Kind::Number("F64", bits),
            "h1" => Kind::Number("F16", bits),
            "h2" => Kind::F16x2(bits, None),
            "b2" => Kind::Number("Bf16x2", bits),
            other => {
                let (kind, field) = other.split_once(':').with_context(|| format!("imm={other}"))?;
                ensure!(kind == "h2", "imm={other}");
                let (field, value) = field.split_once('=').context("imm=h2:FIELD=VALUE")?;
                Kind::F16x2(bits, Some((self.field(field)?, value.to_owned())))
            }
        })
    }

    /// Operands that are not registers.
    fn other(&self, word: &Word<'_>) -> Result<Named> {
        let any = || word.place(NO_BIT, 1);
        let plain = |role, bits: Bits, kind| Named {
            kind,
            lowest: bits.first().map_or(0, |bit| bit.0),
            bits,
            role,
            is_register: false,
            is_immediate: false,
            is_written: false,
            reuse: NO_BIT,
        };
        let number = |role, variant, bits: Bits| plain(role, bits.clone(), Kind::Number(variant, bits));
        let integer = |role, variant, bits: Bits| Named {
            is_immediate: true,
            ..plain(role, bits.clone(), Kind::Integer(variant, bits, word.shift))
        };
        Ok(match word.name {
            "Imm" => integer("Imm", "UImm", any()?),
            "Imm2" => integer("Imm2", "UImm", any()?),
            "Imm3" => integer("Imm3", "UImm", any()?),
            "SImm" => integer("Imm", "SImm", any()?),
            "Bar" => number("Bar", "Barrier", word.place(NO_BIT, 4)?),
            "Sb" => number("Misc", "Scoreboard", word.place(NO_BIT, 3)?),
            "Set" => number("Misc", "Set", any()?),
            "Rel" => {
                let bits = any()?;
                plain("Target", bits.clone(), Kind::Distance { bits, shift: word.shift, raw: false })
            }
            "Sr" => {
                let bits = word.place(72, 8)?;
                plain("Misc", bits.clone(), Kind::Special { bits, old: false })
            }
            "Nm" => {
                let bits = any()?;
                let values = word.values.context("Nm@BITS=ENUM")?;
                ensure!(self.enums.contains_key(values), "no enum {values}");
                plain("Misc", bits.clone(), Kind::Named(bits, values.to_owned()))
            }
            "PR" => plain("Misc", Bits::new(), Kind::File("PredFile")),
            "UPR" => plain("Misc", Bits::new(), Kind::File("UPredFile")),
            "ULC" => {
                let (bits, kind) = constant_bank(16, 0);
                plain("Misc", bits, kind)
            }
            "LC" => constant_bank_at("CBankIndexed", 8, plain),
            "UXC" => constant_bank_at("CBankUniform", 6, plain),
            other => bail!("unknown operand {other}"),
        })
    }

    /// Applies an attribute.
    fn attribute(&self, slot: &mut SlotT, name: &str, value: &str) -> Result<()> {
        match name {
            "neg" => slot.neg = value.parse()?,
            "abs" => slot.abs = value.parse()?,
            "not" => slot.not = value.parse()?,
            "def" => slot.access = "Def",
            "use" => slot.access = "Use",
            "both" => slot.access = "Both",
            "addr2" => slot.role = "Addr2".to_owned(),
            "role" => slot.role = value.to_owned(),
            "reuse" => slot.reuse = value.parse()?,
            "x" => slot.tilde = Some(self.field(value)?),
            "sel" => {
                let (values, bits) = value.split_once(':').context("sel=ENUM:BITS")?;
                ensure!(self.enums.contains_key(values), "no enum {values}");
                slot.sel = Some(FieldT { name: "sel".to_owned(), bits: read_bits(bits)?, values: values.to_owned() });
            }
            "spaced" => space_out(&mut slot.kind),
            "nz" => slot.nonzero = true,
            "old" => match &mut slot.kind {
                Kind::Special { old, .. } => *old = true,
                _ => bail!("old is for special registers"),
            },
            "raw" => match &mut slot.kind {
                Kind::Distance { raw, .. } => *raw = true,
                _ => bail!("raw is for branch distances"),
            },
            "suffix" => slot.suffix = value.to_owned(),
            "inv" => match &mut slot.kind {
                Kind::Register(variant @ "Pred", _) => *variant = "PredInv",
                Kind::Register(variant @ "UPred", _) => *variant = "UPredInv",
                _ => bail!("inv is for predicates"),
            },
            other => bail!("unknown operand attribute {other}"),
        }
        Ok(())
    }

    /// A number, or the width by a field, with a table of its own after a slash.
    fn width(&self, text: &str) -> Result<Width> {
        if text.chars().all(|c| c.is_ascii_digit()) {
            return Ok(Width::Fixed(text.parse()?));
        }
        if text == "args" {
            return Ok(Width::Texture);
        }
        let (name, values) = text.split_once('/').unwrap_or((text, ""));
        let field = self.field(name)?;
        let values = if values.is_empty() { &self.row.fields[field].values } else { values };
        let list = &self.enums.get(values).with_context(|| format!("no enum {values}"))?.list;
        let mut counts = vec![1u8; usize::from(list.iter().map(|x| x.0).max().unwrap_or(0)) + 1];
        for (value, _, registers) in list {
            counts[usize::from(*value)] = *registers;
        }
        Ok(Width::Field(field, counts))
    }
}

/// A word of a constant bank, whose offset has this many bits.
fn constant_bank(width: u8, scale: u8) -> (Bits, Kind) {
    let (offset, bank) = (vec![(54 - width, width)], vec![(54, 5)]);
    let bits = [offset.clone(), bank.clone()].concat();
    (bits, Kind::ConstantBank { offset, bank, scale, spaced: false })
}

/// A word of a constant bank at a register of this width.
fn constant_bank_at(variant: &'static str, width: u8, plain: impl Fn(&'static str, Bits, Kind) -> Named) -> Named {
    let places: [Bits; 3] = [vec![(38, 16)], vec![(54, 5)], vec![(24, width)]];
    plain("Misc", places.concat(), Kind::ConstantBankAt(variant, places))
}

/// Prints a selectable constant with a blank between its brackets.
fn space_out(kind: &mut Kind) {
    if let Kind::ConstantBank { scale: 2, spaced, .. } = kind {
        *spaced = true;
    }
}

/// Sets the bits of the signs that the operand has.
fn signs(slot: &mut SlotT, pieces: &Pieces<'_>, named: &Named) {
    let by_place = |a: u8, c: u8, b: u8| match named.lowest {
        24 => a,
        64 => c,
        _ => b,
    };
    if pieces.not && !named.is_immediate {
        slot.not = if named.is_register { by_place(72, 75, 63) } else { named.lowest + 3 };
    }
    if pieces.neg && named.is_register {
        slot.neg = by_place(72, 75, 63);
    }
    if pieces.abs && named.is_register {
        slot.abs = by_place(73, 74, 62);
    }
}
