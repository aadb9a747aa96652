//! Reads the instruction table `isa/*.txt`. The format is described in `isa/README.md`.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

use crate::operand::{self, Context};
use crate::slot::SlotT;

/// A value table: `enum NAME TOKEN...`.
#[derive(Debug, Clone, Default)]
pub struct Enum {
    /// `(raw value, token, registers)`; an empty token prints nothing, registers 0 = not stated.
    pub list: Vec<(u16, String, u8)>,
}

/// Up to three pieces `(lowest bit, width)`.
pub type Bits = Vec<(u8, u8)>;

/// A modifier field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldT {
    pub name: String,
    pub bits: Bits,
    pub values: String,
}

/// A part of the mnemonic.
#[derive(Debug, Clone)]
pub enum PartT {
    Fixed(String),
    Field(usize),
    Alias(String),
}

/// A row after expansion of its forms.
#[derive(Debug, Clone)]
pub struct RowT {
    pub op: String,
    pub opcode: u16,
    pub isas: u8,
    pub parts: Vec<PartT>,
    pub fields: Vec<FieldT>,
    pub slots: Vec<SlotT>,
    pub ones: Vec<u8>,
    pub class: String,
    pub effects: BTreeMap<String, String>,
    pub uniform_guard: bool,
    pub place: String,
}

/// The whole table.
#[derive(Debug, Default)]
pub struct Table {
    pub enums: BTreeMap<String, Enum>,
    pub rows: Vec<RowT>,
}

/// Letters of the `isas=` attribute, in the order of `Isa`.
const ISAS: [&str; 5] = ["80", "86", "89", "90", "90a"];

impl Table {
    /// Adds the rows of one file (`enums = false`) or its value tables.
    pub fn read(&mut self, file: &str, text: &str, enums: bool) -> Result<()> {
        let mut evidence = String::new();
        let mut joined = String::new();
        let mut start = 0;
        for (n, line) in text.lines().enumerate() {
            let line = line.split(" #").next().unwrap_or("").trim_end();
            let line = if line.starts_with('#') { "" } else { line };
            if joined.is_empty() {
                start = n + 1;
            }
            if let Some(head) = line.strip_suffix('\\') {
                joined.push_str(head);
                continue;
            }
            joined.push_str(line);
            let full = std::mem::take(&mut joined);
            let full = full.trim();
            if full.is_empty() {
                continue;
            }
            let place = format!("{file}:{start}");
            if let Some(rest) = full.strip_prefix("enum ") {
                if enums {
                    self.read_enum(rest).with_context(|| place.clone())?;
                }
            } else if enums {
                continue;
            } else if let Some(rest) = full.strip_prefix("evidence ") {
                evidence = rest.to_owned();
            } else {
                self.read_row(full, &evidence, &place).with_context(|| place.clone())?;
            }
        }
        Ok(())
    }

    fn read_enum(&mut self, rest: &str) -> Result<()> {
        let mut words = rest.split_whitespace();
        let name = words.next().context("enum without a name")?;
        let mut e = Enum::default();
        let mut next = 0u16;
        for w in words {
            let (w, n) = match w.split_once(':') {
                Some((v, t)) if v.chars().all(|c| c.is_ascii_digit()) => (t, v.parse()?),
                _ => (w, next),
            };
            next = n + 1;
            if w == "_" {
                continue;
            }
            let (tok, regs) = match w.rsplit_once('/') {
                Some((t, r)) => (t, r.parse()?),
                None => (w, 0),
            };
            e.list.push((n, if tok == "-" { String::new() } else { tok.to_owned() }, regs));
        }
        ensure!(self.enums.insert(name.to_owned(), e).is_none(), "enum {name} twice");
        Ok(())
    }

    fn values(&mut self, name: &str, field: &str, width: u8) -> Result<String> {
        if self.enums.contains_key(name) {
            return Ok(name.to_owned());
        }
        ensure!(name == field && width == 1, "no enum {name}");
        // A flag without its own enum: 1 prints the name in capitals.
        let flag = format!("flag_{name}");
        let list = vec![(0, String::new(), 0), (1, name.to_uppercase(), 0)];
        self.enums.entry(flag.clone()).or_insert(Enum { list });
        Ok(flag)
    }

    fn read_row(&mut self, line: &str, evidence: &str, place: &str) -> Result<()> {
        let cols: Vec<&str> = line.split('|').map(str::trim).collect();
        // `|` also appears in `|Ra|`: rejoin the operand column.
        ensure!(cols.len() >= 4, "a row has 4 columns");
        let head: Vec<&str> = cols[0].split_whitespace().collect();
        ensure!(head.len() == 2, "first column: MNEMONIC OPCODE[:FORMS]");
        let attrs_text = cols[cols.len() - 1];
        let raw: Vec<&str> = line.split('|').collect();
        let operands = raw[2..raw.len() - 1].join("|").trim().to_owned();
        let mut attrs: BTreeMap<&str, &str> = BTreeMap::new();
        for a in attrs_text.split_whitespace() {
            let (k, v) = a.split_once('=').unwrap_or((a, ""));
            ensure!(attrs.insert(k, v).is_none(), "attribute {k} twice");
        }
        ensure!(!evidence.is_empty() || attrs.contains_key("ev"), "a row names its evidence");
        let isas = read_isas(attrs.get("isa").copied().unwrap_or("80,86,89,90,90a"))?;
        let (code, forms) = match head[1].split_once(':') {
            Some((c, f)) => (c, f),
            None => (head[1], "="),
        };
        let code = u16::from_str_radix(code, 16)?;
        let ops = split_operands(&operands);
        let has_c = ops.iter().any(|o| word_operand(o, "C"));
        let lower_forms = forms.chars().any(|f| matches!(f, 'i' | 'c' | 'u'));
        for form in forms.chars() {
            let nibble = match form {
                '=' => code >> 9,
                'R' => 1,
                'i' => 2,
                'c' => 3,
                'I' => 4,
                'C' => 5,
                'U' => 6,
                'u' => 7,
                other => bail!("unknown form {other}"),
            };
            let opcode = if form == '=' { code } else { code & 0x1ff | nibble << 9 };
            let mut row = RowT {
                op: head[0].to_owned(),
                opcode,
                isas,
                parts: Vec::new(),
                fields: Vec::new(),
                slots: Vec::new(),
                ones: Vec::new(),
                class: attrs.get("class").context("no class=")?.to_string(),
                effects: BTreeMap::new(),
                uniform_guard: attrs.contains_key("uguard"),
                place: place.to_owned(),
            };
            if matches!(form, 'U' | 'u') {
                row.ones.push(91);
            }
            if let Some(v) = attrs.get("one") {
                for b in v.split(',') {
                    row.ones.push(b.parse()?);
                }
            }
            for k in ["sb", "reads", "writes", "atomic", "conv", "barrier", "branch", "var"] {
                if let Some(v) = attrs.get(k) {
                    row.effects.insert(k.to_owned(), (*v).to_owned());
                }
            }
            self.read_mnemonic(&mut row, cols[1])?;
            let imm = attrs.get("imm").copied().unwrap_or("s32");
            for o in &ops {
                let context = Context { enums: &self.enums, row: &row, form, lower_forms, has_c, imm };
                let slot = operand::read(&context, o).with_context(|| format!("operand {o}"))?;
                row.slots.push(slot);
            }
            self.rows.push(row);
        }
        for k in attrs.keys() {
            ensure!(
                [
                    "sb", "class", "ev", "isa", "uguard", "one", "imm", "reads", "writes", "atomic", "conv", "barrier",
                    "branch", "var"
                ]
                .contains(k),
                "unknown attribute {k}"
            );
        }
        Ok(())
    }

    fn read_field(&mut self, body: &str) -> Result<FieldT> {
        // name:bits[=enum]
        let (name, rest) = body.split_once(':').context("field without bits")?;
        let (bits, values) = match rest.split_once('=') {
            Some((b, v)) => (b, v),
            None => (rest, name),
        };
        let bits = read_bits(bits)?;
        let width = bits.iter().map(|b| b.1).sum();
        let values = self.values(values, name, width)?;
        for (v, t, _) in &self.enums[&values].list {
            ensure!(u32::from(*v) < 1 << width, "value {v} ({t}) does not fit field {name}");
        }
        Ok(FieldT { name: name.to_owned(), bits, values })
    }

    fn read_mnemonic(&mut self, row: &mut RowT, text: &str) -> Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(r) = rest.strip_prefix(' ') {
                rest = r;
            } else if let Some(r) = rest.strip_prefix(".{").or_else(|| rest.strip_prefix("{!")) {
                let hidden = rest.starts_with("{!");
                let (body, tail) = r.split_once('}').context("no }")?;
                let f = self.read_field(body)?;
                row.fields.push(f);
                if !hidden {
                    row.parts.push(PartT::Field(row.fields.len() - 1));
                }
                rest = tail;
            } else if let Some(r) = rest.strip_prefix(".<") {
                let (body, tail) = r.split_once('>').context("no >")?;
                row.parts.push(PartT::Alias(body.to_owned()));
                rest = tail;
            } else if let Some(r) = rest.strip_prefix('.') {
                let end = r.find(['.', ' ', '{']).unwrap_or(r.len());
                row.parts.push(PartT::Fixed(r[..end].to_owned()));
                rest = &r[end..];
            } else {
                bail!("mnemonic: {rest}");
            }
        }
        ensure!(row.fields.len() <= 16, "more than 16 fields");
        Ok(())
    }
}

/// `80,86,90a` as a bit set in the order of `Isa`.
pub fn read_isas(text: &str) -> Result<u8> {
    let mut isas = 0u8;
    for v in text.split(',') {
        let i = ISAS.iter().position(|x| *x == v).with_context(|| format!("unknown isa {v}"))?;
        isas |= 1 << i;
    }
    Ok(isas)
}

/// `16`, `16-23`, `16-23,64`.
pub fn read_bits(text: &str) -> Result<Bits> {
    let mut out = Vec::new();
    for piece in text.split(',') {
        let (lo, hi) = piece.split_once('-').unwrap_or((piece, piece));
        let (lo, hi): (u8, u8) = (lo.parse()?, hi.parse()?);
        ensure!(lo <= hi && hi < 128, "bits {piece}");
        out.push((lo, hi - lo + 1));
    }
    ensure!(out.len() <= 3, "more than three pieces");
    Ok(out)
}

/// Rust expression of a bit list.
pub fn bits_expr(bits: &Bits) -> String {
    match bits.as_slice() {
        [(lo, w)] => format!("Bits::new({lo}, {w})"),
        _ => {
            let mut p = [(0, 0); 3];
            p[..bits.len()].copy_from_slice(bits);
            format!("Bits({p:?})")
        }
    }
}

/// Splits at `, ` outside parentheses.
fn split_operands(text: &str) -> Vec<String> {
    text.split(", ").map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// Whether the operand is the form-dependent one of this name.
fn word_operand(text: &str, name: &str) -> bool {
    let t = text.trim_start_matches(['^', '-', '|', '~', '!']);
    let end = t.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(t.len());
    &t[..end] == name
}
