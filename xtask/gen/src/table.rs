//! Reads the instruction table `isa/*.txt`. The format is described in `isa/README.md`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail, ensure};

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

/// A parsed operand slot.
#[derive(Debug, Clone)]
pub struct SlotT {
    pub role: String,
    /// Rust expression of the `SlotKind`.
    pub kind: String,
    /// All its bits.
    pub bits: Bits,
    pub neg: u8,
    pub abs: u8,
    pub not: u8,
    /// Field whose value 1 turns negation into complement.
    pub tilde: Option<usize>,
    pub reuse: u8,
    pub sel: Option<FieldT>,
    /// Rust expression of the `Show`.
    pub show: String,
    pub access: String,
    /// Rust expression of the `Width`.
    pub width: String,
    pub space_sep: bool,
    /// Token always printed after the operand.
    pub suffix: String,
    /// `RZ` and `URZ` are illegal.
    pub nonzero: bool,
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

const NO_BIT: u8 = 255;

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
                let slot = self
                    .read_operand(&row, o, form, lower_forms, has_c, imm)
                    .with_context(|| format!("operand {o}"))?;
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

    #[expect(clippy::too_many_lines, reason = "one operand grammar, read from left to right")]
    fn read_operand(
        &mut self,
        row: &RowT,
        text: &str,
        form: char,
        lower_forms: bool,
        has_c: bool,
        imm: &str,
    ) -> Result<SlotT> {
        let mut t = text;
        let space_sep = t.starts_with('^');
        t = t.trim_start_matches('^');
        let mut show = "Show::Always".to_owned();
        // Trailing ?cond
        if let Some((head, cond)) = t.rsplit_once('?').filter(|c| !c.1.starts_with('[')) {
            t = head;
            show = match cond {
                "" => "Show::NotTrue".to_owned(),
                "0" => "Show::NotZero".to_owned(),
                c if c.starts_with('=') => format!("Show::NotImm({})", c[1..].parse::<i64>()?),
                "never" => "Show::Never".to_owned(),
                "twice" => "Show::Twice".to_owned(),
                c => {
                    let (name, vals) = c.split_once('=').unwrap_or((c, "1"));
                    let i = field_index(row, name)?;
                    let mut m = 0u32;
                    for v in vals.split(',') {
                        m |= 1 << v.parse::<u32>()?;
                    }
                    format!("Show::Field({i}, {m})")
                }
            };
        }
        // Attributes in parentheses.
        let mut attrs: Vec<(&str, &str)> = Vec::new();
        if let Some((head, a)) = t.split_once('(') {
            t = head;
            let a = a.strip_suffix(')').context("no )")?;
            for kv in a.split(';') {
                attrs.push(kv.split_once('=').unwrap_or((kv, "")));
            }
        }
        let mut width = None;
        let (mut neg, mut abs, mut not) = (false, false, false);
        loop {
            if let Some(r) = t.strip_prefix('-') {
                neg = true;
                t = r;
            } else if let Some(r) = t.strip_prefix('!').or_else(|| t.strip_prefix('~')) {
                not = true;
                t = r;
            } else if t.starts_with('|') {
                abs = true;
                t = t.trim_matches('|');
                if let Some((h, w)) = t.split_once('|') {
                    ensure!(h.len() + w.len() + 1 == t.len());
                    bail!("write the width inside the bars");
                }
            } else {
                break;
            }
        }
        let mut slot = SlotT {
            role: String::new(),
            kind: String::new(),
            bits: Vec::new(),
            neg: NO_BIT,
            abs: NO_BIT,
            not: NO_BIT,
            tilde: None,
            reuse: NO_BIT,
            sel: None,
            show,
            access: "Use".to_owned(),
            width: String::new(),
            space_sep,
            suffix: String::new(),
            nonzero: false,
        };
        let mut phys = 0u8;
        let mut is_reg = false;
        let mut is_imm = false;
        if t.starts_with('[') || t.starts_with("desc[") || t.starts_with("desc?[") || t.starts_with("gdesc[") {
            self.read_address(row, t, &mut slot)?;
            is_imm = true;
        } else {
            // name[:width][@bits][<<shift]
            let (t2, at) = match t.split_once('@') {
                Some((a, b)) => (a, Some(b)),
                None => (t, None),
            };
            let (name, w) = match t2.split_once(':') {
                Some((a, b)) => (a, Some(b)),
                None => (t2, None),
            };
            width = w;
            let (at, shift) = match at {
                Some(a) => match a.split_once("<<") {
                    Some((b, s)) => (Some(b), s.parse::<u8>()?),
                    None => (Some(a), 0),
                },
                None => (None, 0),
            };
            let (at, named) = match at {
                Some(a) => match a.split_once('=') {
                    Some((b, e)) => (Some(b), Some(e)),
                    None => (Some(a), None),
                },
                None => (None, None),
            };
            // Form-dependent operands.
            let mut name = name.to_owned();
            let mut default_at = None;
            if name == "B" || name == "C" {
                let other = match form {
                    'R' => false,
                    'I' | 'C' | 'U' => name == "B",
                    'i' | 'c' | 'u' => name == "C" || !has_c,
                    _ => bail!("B and C need forms"),
                };
                slot.role = if name == "B" { "Rb" } else { "Rc" }.to_owned();
                let lower = matches!(form, 'i' | 'c' | 'u');
                default_at = Some(if other {
                    32
                } else if name == "B" {
                    if lower { 64 } else { 32 }
                } else {
                    64
                });
                name = if !other {
                    "R_".to_owned()
                } else {
                    match form {
                        'I' | 'i' => "IMM",
                        'U' | 'u' => "U_",
                        _ => "CB",
                    }
                    .to_owned()
                };
            }
            let pos = |d: u8, w: u8| -> Result<Bits> {
                match at {
                    Some(a) => {
                        let b = read_bits(a)?;
                        Ok(if b.len() == 1 && !a.contains('-') && w > 1 { vec![(b[0].0, w)] } else { b })
                    }
                    None if d != NO_BIT => Ok(vec![(d, w)]),
                    None => bail!("no bits"),
                }
            };
            let std_pos = |n: &str| -> u8 {
                match n {
                    "Rd" | "Ud" => 16,
                    "Ra" | "Ua" => 24,
                    "Rb" | "Ub" => 32,
                    "Rc" | "Uc" => 64,
                    "Pd" | "UPd" => 81,
                    "Pe" | "UPe" => 84,
                    "Pp" | "UPp" => 87,
                    "Pq" | "UPq" => 77,
                    "Pr" | "UPr" => 68,
                    _ => default_at.unwrap_or(NO_BIT),
                }
            };
            if slot.role.is_empty() {
                slot.role = match name.as_str() {
                    "Rd" | "Ud" => "Rd",
                    "Re" | "Ue" => "Re",
                    "Ra" | "Ua" => "Ra",
                    "Rb" | "Ub" => "Rb",
                    "Rc" | "Uc" => "Rc",
                    "Rx" | "Ux" => "Rx",
                    "Pd" | "UPd" => "Pd",
                    "Pe" | "UPe" => "Pe",
                    "Pp" | "UPp" => "Pp",
                    "Pq" | "UPq" => "Pq",
                    "Pr" | "UPr" => "Pr",
                    "Imm" | "SImm" => "Imm",
                    "Imm2" => "Imm2",
                    "Imm3" => "Imm3",
                    "Bar" => "Bar",
                    "Rel" => "Target",
                    "Sr" | "Sb" | "Set" | "Nm" | "PR" | "UPR" | "LC" | "ULC" | "UXC" => "Misc",
                    other => bail!("unknown operand {other}"),
                }
                .to_owned();
            }
            match name.as_str() {
                "Rd" | "Re" | "Ra" | "Rb" | "Rc" | "Rx" | "R_" => {
                    slot.bits = pos(std_pos(&name), 8)?;
                    slot.kind = format!("SlotKind::Reg({})", bits_expr(&slot.bits));
                    is_reg = true;
                }
                "Ud" | "Ue" | "Ua" | "Ub" | "Uc" | "Ux" | "U_" => {
                    slot.bits = pos(std_pos(&name), 6)?;
                    slot.kind = format!("SlotKind::UReg({})", bits_expr(&slot.bits));
                    is_reg = true;
                }
                "Pd" | "Pe" | "Pp" | "Pq" | "Pr" => {
                    slot.bits = pos(std_pos(&name), 3)?;
                    slot.kind = format!("SlotKind::Pred({})", bits_expr(&slot.bits));
                }
                "UPd" | "UPe" | "UPp" | "UPq" | "UPr" => {
                    slot.bits = pos(std_pos(&name), 3)?;
                    slot.kind = format!("SlotKind::UPred({})", bits_expr(&slot.bits));
                }
                "Bar" => {
                    slot.bits = pos(NO_BIT, 4)?;
                    slot.kind = format!("SlotKind::Barrier({})", bits_expr(&slot.bits));
                }
                "Imm" | "Imm2" | "Imm3" => {
                    slot.bits = pos(NO_BIT, 1)?;
                    slot.kind = format!("SlotKind::UImm({}, {shift})", bits_expr(&slot.bits));
                    is_imm = true;
                }
                "SImm" => {
                    slot.bits = pos(NO_BIT, 1)?;
                    slot.kind = format!("SlotKind::SImm({}, {shift})", bits_expr(&slot.bits));
                    is_imm = true;
                }
                "IMM" => {
                    slot.bits = pos(default_at.unwrap_or(NO_BIT), 32)?;
                    let b = bits_expr(&slot.bits);
                    slot.kind = match imm {
                        "s32" => format!("SlotKind::SImm({b}, 0)"),
                        "u32" => format!("SlotKind::UImm({b}, 0)"),
                        "f32" => format!("SlotKind::F32({b})"),
                        "f64" => format!("SlotKind::F64({b})"),
                        "h1" => format!("SlotKind::F16({b})"),
                        "h2" => format!("SlotKind::F16x2({b}, None)"),
                        "b2" => format!("SlotKind::Bf16x2({b})"),
                        other => {
                            let (kind, f) = other.split_once(':').with_context(|| format!("imm={other}"))?;
                            ensure!(kind == "h2", "imm={other}");
                            let (f, v) = f.split_once('=').context("imm=h2:FIELD=VALUE")?;
                            format!("SlotKind::F16x2({b}, Some(({}, {v})))", field_index(row, f)?)
                        }
                    };
                    is_imm = true;
                }
                "CB" => {
                    slot.bits = vec![(40, 14), (54, 5)];
                    slot.kind = "SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false)".to_owned();
                    is_reg = true;
                }
                "LC" => {
                    slot.bits = vec![(38, 16), (54, 5), (24, 8)];
                    slot.kind =
                        "SlotKind::CBankIndexed(Bits::new(38, 16), Bits::new(54, 5), Bits::new(24, 8))".to_owned();
                }
                "ULC" => {
                    slot.bits = vec![(38, 16), (54, 5)];
                    slot.kind = "SlotKind::CBank(Bits::new(38, 16), Bits::new(54, 5), 0, false)".to_owned();
                }
                "UXC" => {
                    slot.bits = vec![(38, 16), (54, 5), (24, 6)];
                    slot.kind =
                        "SlotKind::CBankUniform(Bits::new(38, 16), Bits::new(54, 5), Bits::new(24, 6))".to_owned();
                }
                "Rel" => {
                    slot.bits = pos(NO_BIT, 1)?;
                    slot.kind = format!("SlotKind::Rel({}, {shift}, false)", bits_expr(&slot.bits));
                }
                "Sr" => {
                    slot.bits = pos(72, 8)?;
                    slot.kind = format!("SlotKind::Special({}, false)", bits_expr(&slot.bits));
                }
                "Sb" => {
                    slot.bits = pos(NO_BIT, 3)?;
                    slot.kind = format!("SlotKind::Scoreboard({})", bits_expr(&slot.bits));
                }
                "Set" => {
                    slot.bits = pos(NO_BIT, 1)?;
                    slot.kind = format!("SlotKind::Set({})", bits_expr(&slot.bits));
                }
                "Nm" => {
                    slot.bits = pos(NO_BIT, 1)?;
                    let e = named.context("Nm@BITS=ENUM")?;
                    ensure!(self.enums.contains_key(e), "no enum {e}");
                    slot.kind = format!("SlotKind::Named({}, &V_{})", bits_expr(&slot.bits), e.to_uppercase());
                }
                "PR" => slot.kind = "SlotKind::PredFile".to_owned(),
                "UPR" => slot.kind = "SlotKind::UPredFile".to_owned(),
                other => bail!("unknown operand {other}"),
            }
            phys = slot.bits.first().map_or(0, |b| b.0);
            if name == "CB" {
                phys = 32;
            }
            if matches!(name.as_str(), "Rd" | "Ud" | "Re" | "Ue" | "Pd" | "Pe" | "UPd" | "UPe") {
                slot.access = "Def".to_owned();
            }
            // The reuse bit belongs to the operand's logical position, wherever its form places the bits.
            slot.reuse = match slot.role.as_str() {
                "Ra" if is_reg && name != "Ua" => 0,
                "Rb" if name == "R_" && !has_c && lower_forms => 2,
                "Rb" if matches!(name.as_str(), "R_" | "Rb") => 1,
                "Rc" if matches!(name.as_str(), "R_" | "Rc") => 2,
                _ => NO_BIT,
            };
        }
        if not && !is_imm {
            slot.not = if is_reg {
                if phys == 24 {
                    72
                } else if phys == 64 {
                    75
                } else {
                    63
                }
            } else {
                phys + 3
            };
        }
        if is_reg {
            if neg {
                slot.neg = if phys == 24 {
                    72
                } else if phys == 64 {
                    75
                } else {
                    63
                };
            }
            if abs {
                slot.abs = if phys == 24 {
                    73
                } else if phys == 64 {
                    74
                } else {
                    62
                };
            }
        }
        for (k, v) in attrs {
            if is_imm && !t.contains('[') && ["neg", "abs", "not", "sel", "x"].contains(&k) && slot.role != "Addr" {
                continue; // An immediate has no modifiers; the register forms of the same line do.
            }
            match k {
                "neg" => slot.neg = v.parse()?,
                "abs" => slot.abs = v.parse()?,
                "not" => slot.not = v.parse()?,
                "def" => slot.access = "Def".to_owned(),
                "use" => slot.access = "Use".to_owned(),
                "both" => slot.access = "Both".to_owned(),
                "addr2" => slot.role = "Addr2".to_owned(),
                "role" => slot.role = v.to_owned(),
                "reuse" => slot.reuse = v.parse()?,
                "x" => slot.tilde = Some(field_index(row, v)?),
                "sel" => {
                    let (e, bits) = v.split_once(':').context("sel=ENUM:BITS")?;
                    ensure!(self.enums.contains_key(e), "no enum {e}");
                    slot.sel = Some(FieldT { name: "sel".to_owned(), bits: read_bits(bits)?, values: e.to_owned() });
                }
                "w" => width = Some(v),
                "spaced" => {
                    slot.kind = slot.kind.replace("Bits::new(54, 5), 2, false)", "Bits::new(54, 5), 2, true)");
                }
                "nz" => slot.nonzero = true,
                "old" => slot.kind = slot.kind.replace("false)", "true)"),
                "raw" => slot.kind = slot.kind.replace("false)", "true)"),
                "suffix" => slot.suffix = v.to_owned(),
                "inv" => {
                    slot.kind = slot.kind.replace("Pred(", "PredInv(");
                }
                other => bail!("unknown operand attribute {other}"),
            }
        }
        // Only the datapaths behind the operand cache print and use reuse bits.
        let cached = [
            "alu", "viadd", "fma", "imadwide", "imadhi", "fp64", "fp16", "hfma2mma", "hmma", "hmma1", "imma", "dmma",
            "r2ur",
        ];
        if !cached.contains(&row.class.as_str()) || slot.show == "Show::Never" {
            slot.reuse = NO_BIT;
        }
        // A selectable constant is printed with a blank between its brackets.
        if slot.sel.is_some() {
            slot.kind = slot.kind.replace("Bits::new(54, 5), 2, false)", "Bits::new(54, 5), 2, true)");
        }
        // A named field width, or a number.
        slot.width = match width {
            None => "Width::Fixed(1)".to_owned(),
            Some(w) if w.chars().all(|c| c.is_ascii_digit()) => format!("Width::Fixed({w})"),
            Some(f) => {
                let (f, table) = f.split_once('/').unwrap_or((f, ""));
                let i = field_index(row, f)?;
                let values = if table.is_empty() { row.fields[i].values.clone() } else { table.to_owned() };
                let e = self.enums.get(&values).with_context(|| format!("no enum {values}"))?;
                let size = e.list.iter().map(|x| x.0).max().unwrap_or(0);
                let mut counts = vec![1u8; usize::from(size) + 1];
                for (v, _, r) in &e.list {
                    counts[usize::from(*v)] = *r;
                }
                format!("Width::Field({i}, &{counts:?})")
            }
        };
        Ok(slot)
    }

    /// `[Ra+i@40-63]`, `[Ra.64+Uc+i@40-63]`, `desc[Uc][Ra.64+i@40-63]`, `[Ua]`, `[Ra.{field}+...]`.
    fn read_address(&mut self, row: &RowT, text: &str, slot: &mut SlotT) -> Result<()> {
        if let Some(u) = text.strip_prefix("gdesc[").and_then(|b| b.strip_suffix(']')) {
            let bits = vec![(ureg_pos(u)?, 6)];
            slot.role = if row.slots.iter().any(|s| s.role == "Addr") { "Addr2" } else { "Addr" }.to_owned();
            slot.kind = format!("SlotKind::GDesc({})", bits_expr(&bits));
            slot.bits = bits;
            return Ok(());
        }
        let zero = || vec![(0u8, 0u8)];
        let (mut desc, mut base, mut ubase, mut offset) = (zero(), zero(), zero(), zero());
        let mut suffix = "AddrSuffix::Plain".to_owned();
        let mut body = text;
        let hidden = text.starts_with("desc?[");
        if let Some(r) = text.strip_prefix("desc[").or_else(|| text.strip_prefix("desc?[")) {
            let (u, r) = r.split_once(']').context("no ]")?;
            desc = vec![(ureg_pos(u)?, 6)];
            body = r;
        }
        let inner =
            body.strip_prefix('[').and_then(|b| b.strip_suffix(']')).ok_or_else(|| anyhow!("address {text}"))?;
        for part in inner.split('+') {
            if let Some(b) = part.strip_prefix("i@") {
                offset = read_bits(b)?;
            } else if part.starts_with('U') {
                ubase = vec![(ureg_pos(part)?, 6)];
            } else if part.starts_with('R') {
                let (r, s) = match part.split_once('.') {
                    Some((r, s)) => (r, s),
                    None => (part, ""),
                };
                let p = match r {
                    "Rd" => 16,
                    "Ra" => 24,
                    "Rb" => 32,
                    "Rc" => 64,
                    other => bail!("base {other}"),
                };
                base = vec![(p, 8)];
                suffix = match s {
                    "" => suffix,
                    "64" => "AddrSuffix::Wide".to_owned(),
                    "U32" => "AddrSuffix::U32".to_owned(),
                    "S" => "AddrSuffix::Signed".to_owned(),
                    f => {
                        let f = f.strip_prefix('{').and_then(|f| f.strip_suffix('}')).context("suffix")?;
                        let i = field_index(row, f)?;
                        let e = &self.enums[&row.fields[i].values];
                        let size = e.list.iter().map(|x| x.0).max().unwrap_or(0);
                        let mut texts = vec![String::new(); usize::from(size) + 1];
                        for (v, t, _) in &e.list {
                            texts[usize::from(*v)] = if t.is_empty() { String::new() } else { format!(".{t}") };
                        }
                        format!("AddrSuffix::Field({i}, &{texts:?})")
                    }
                };
            } else {
                bail!("address part {part}");
            }
        }
        slot.role = if row.slots.iter().any(|s| s.role == "Addr") { "Addr2" } else { "Addr" }.to_owned();
        slot.kind = format!(
            "SlotKind::Addr {{ offset: {}, base: {}, ubase: {}, desc: {}, hidden: {hidden}, suffix: {suffix} }}",
            bits_expr(&offset),
            bits_expr(&base),
            bits_expr(&ubase),
            bits_expr(&desc)
        );
        for b in [offset, base, ubase, desc] {
            slot.bits.extend(b.into_iter().filter(|x| x.1 != 0));
        }
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

fn ureg_pos(u: &str) -> Result<u8> {
    Ok(match u {
        "Ud" => 16,
        "Ua" => 24,
        "Ub" => 32,
        "Uc" => 64,
        other => match other.strip_prefix("U@") {
            Some(p) => p.parse()?,
            None => bail!("uniform register {other}"),
        },
    })
}

fn field_index(row: &RowT, name: &str) -> Result<usize> {
    row.fields.iter().position(|f| f.name == name).with_context(|| format!("no field {name}"))
}

/// `16`, `16-23`, `16-23,64`.
fn read_bits(text: &str) -> Result<Bits> {
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
