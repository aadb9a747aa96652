//! `gen-ptx`: `isa/ptx/*.txt` to the static arrays of `crates/ptx/src/table`.
//!
//! A line is a definition, `def NAME = ALT|ALT`, or a form: `OPCODE SLOT... = OPERAND... ; REQUIREMENT`. Lines that
//! begin with a blank continue the line before; `#` opens a comment. `isa/ptx/README.md` describes slots, operands and
//! requirements. The forms of one instruction stay in the order of the text, instructions are sorted by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

const TYPES: &str = "pred b1 b4 b8 b16 b32 b64 b128 u2 u4 u8 u16 u32 u64 s2 s4 s8 s16 s32 s64 u16x2 s16x2 u8x4 s8x4 \
    f16 f16x2 bf16 bf16x2 tf32 f32 f32x2 f64 e4m3 e5m2 e2m3 e3m2 e2m1 e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 e4m3x4 \
    e5m2x4 e2m3x4 e3m2x4 e2m1x4 ue8m0 ue8m0x2 ue4m3 ue5m3 s2f6x2 b8x16 b6x16_p32 b4x16_p64 b4x16 texref samplerref \
    surfref";

/// Writes both files; with `check` only compares.
pub fn run(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has a parent folder")?;
    for (name, text) in generate(&root.join("isa/ptx"))? {
        let path = root.join("crates/ptx/src/table").join(name);
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        if old == text {
            continue;
        }
        ensure!(!check, "{} is stale: run `cargo xtask gen-ptx`", path.display());
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[derive(Clone, Default)]
struct Slot {
    alts: Vec<(String, String)>,
    optional: bool,
    is_type: bool,
}

struct Row {
    op: String,
    slots: Vec<Slot>,
    args: Vec<String>,
    req: String,
}

/// The generated files: name and text.
fn generate(folder: &Path) -> Result<Vec<(&'static str, String)>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    paths.sort_by_key(std::fs::DirEntry::file_name);
    let mut defs = BTreeMap::new();
    let mut lines = Vec::new();
    for entry in paths.iter().filter(|e| e.path().extension().is_some_and(|x| x == "txt")) {
        let text = std::fs::read_to_string(entry.path())?;
        for (number, line) in logical_lines(&text) {
            let place = format!("{}:{number}", entry.path().display());
            match line.strip_prefix("def ") {
                Some(def) => {
                    let (name, alts) = def.split_once('=').context(place)?;
                    defs.insert(name.trim().to_owned(), alts.trim().to_owned());
                }
                None => lines.push((place, line)),
            }
        }
    }
    let (nevers, lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, line)| line.starts_with("never "));
    let nevers =
        nevers.iter().map(|(place, line)| never(line, &defs).context(place.clone())).collect::<Result<Vec<_>>>()?;
    let mut rows =
        lines.iter().map(|(place, line)| row(line, &defs).context(place.clone())).collect::<Result<Vec<_>>>()?;
    rows.sort_by(|a, b| a.op.cmp(&b.op));
    let mut names = BTreeSet::new();
    for slot in rows.iter().flat_map(|r| &r.slots).filter(|s| !s.is_type) {
        names.extend(slot.alts.iter().map(|a| a.0.clone()));
    }
    let mods: Vec<String> = names.into_iter().collect();
    let ops: Vec<String> = rows.iter().map(|r| r.op.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    Ok(vec![("names.rs", names_file(&ops, &mods)?), ("rows.rs", rows_file(&ops, &mods, &rows, &nevers)?)])
}

fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some((_, last)) if line.starts_with(' ') => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push((i + 1, line.trim().to_owned())),
        }
    }
    lines
}

type Defs = BTreeMap<String, String>;

fn alternatives(text: &str, defs: &Defs) -> Result<Vec<(String, String)>> {
    let mut out = Vec::new();
    for alt in text.split('|') {
        let (name, req) = alt.split_once('@').unwrap_or((alt, ""));
        match name.strip_prefix('$') {
            Some(def) => {
                let text = defs.get(def).with_context(|| format!("no definition ${def}"))?;
                for (name, own) in alternatives(text, defs)? {
                    out.push((name, if req.is_empty() { own } else { req.to_owned() }));
                }
            }
            None => out.push((name.to_owned(), req.to_owned())),
        }
    }
    Ok(out)
}

fn row(line: &str, defs: &Defs) -> Result<Row> {
    let (body, req) = line.split_once(';').unwrap_or((line, ""));
    let (head, args) = body.split_once(" =").unwrap_or((body, ""));
    let mut words = head.split_whitespace();
    let op = words.next().context("an opcode")?.to_owned();
    let mut slots = Vec::new();
    for word in words {
        let optional = word.ends_with('?');
        let word = word.trim_end_matches('?');
        let is_type = match word.as_bytes()[0] {
            b'.' => false,
            b':' => true,
            _ => bail!("a slot begins with . or :, not '{word}'"),
        };
        slots.push(Slot { alts: alternatives(&word[1..], defs)?, optional, is_type });
    }
    Ok(Row { op, slots, args: args.split_whitespace().map(str::to_owned).collect(), req: req.trim().to_owned() })
}

/// A combination that no form of some instructions takes.
struct Never {
    ops: Vec<String>,
    /// Groups of alternatives: one of each plain group and none of the negated ones.
    groups: Vec<(bool, Vec<String>)>,
    req: String,
    from: bool,
}

/// `never OP,OP : a|b !c|d :f32 ; unless 8.8/100` (or `; from 6.4/70`).
fn never(line: &str, defs: &Defs) -> Result<Never> {
    let (body, req) =
        line.trim_start_matches("never ").split_once(" ; ").unwrap_or((line.trim_start_matches("never "), ""));
    let (ops, groups) = body.split_once(" : ").context("a colon behind the instructions")?;
    let mut out = Never {
        ops: ops.trim().split(',').map(str::to_owned).collect(),
        groups: Vec::new(),
        req: String::new(),
        from: false,
    };
    for group in groups.split_whitespace() {
        let negated = group.starts_with('!');
        let alts = alternatives(group.trim_start_matches('!'), defs)?;
        // A definition of types is used as `:$name`.
        let mut names = Vec::new();
        for (name, _) in alts {
            match name.strip_prefix(":$") {
                Some(def) => {
                    let text = defs.get(def).with_context(|| format!("no definition ${def}"))?;
                    names.extend(alternatives(text, defs)?.into_iter().map(|(name, _)| format!(":{name}")));
                }
                None => names.push(name),
            }
        }
        out.groups.push((negated, names));
    }
    match req.trim().split_once(' ') {
        Some(("unless", req)) => out.req = req.trim().to_owned(),
        Some(("from", req)) => (out.req, out.from) = (req.trim().to_owned(), true),
        None if req.trim().is_empty() => {}
        _ => bail!("'unless' or 'from', not '{req}'"),
    }
    Ok(out)
}

/// `cp.async` becomes `CpAsync`, `shared::cta` `SharedCta`, `1d` `N1d`.
fn variant(name: &str) -> String {
    match name {
        "nan" => return "NanLower".into(),
        "NaN" => return "NaN".into(),
        _ => {}
    }
    let mut out = String::new();
    for word in name.split([':', '.', '_']).filter(|w| !w.is_empty()) {
        if out.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit()) {
            out.push('_');
        }
        let mut chars = word.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("N{out}") } else { out }
}

const HEADER: &str = "Generated by `cargo xtask gen-ptx` from `isa/ptx`; do not edit.";

fn names_file(ops: &[String], mods: &[String]) -> Result<String> {
    let mut out = format!("//! Names of instructions and modifiers. {HEADER}\n\n");
    let op_doc = "/// An instruction: its opcode, with the part of the dotted name that selects another section of the manual\n\
        /// (`cp.async.bulk.tensor`). What else follows is a [`Mod`] or a [`Ty`](crate::Ty).";
    enumeration(&mut out, "Op", op_doc, ops)?;
    enumeration(&mut out, "Mod", "/// A dotted token of an instruction that is not a type.", mods)?;
    format_rust(&out)
}

fn enumeration(out: &mut String, name: &str, doc: &str, names: &[String]) -> Result<()> {
    let reason = "the variants are the PTX names themselves";
    writeln!(out, "{doc}\n#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]\n#[repr(u16)]")?;
    writeln!(out, "#[expect(missing_docs, reason = \"{reason}\")]\npub enum {name} {{")?;
    for n in names {
        writeln!(out, "{},", variant(n))?;
    }
    writeln!(out, "}}\n\n/// PTX spelling of every [`{name}`], in the order of the enum: byte order of the spelling.")?;
    writeln!(out, "pub(crate) static {}_NAMES: [&str; {}] = {names:?};\n", name.to_uppercase(), names.len())?;
    writeln!(out, "/// Every [`{name}`], in the order of the enum.")?;
    let all: Vec<String> = names.iter().map(|n| format!("{name}::{}", variant(n))).collect();
    writeln!(out, "pub static ALL_{}S: [{name}; {}] = [{}];\n", name.to_uppercase(), names.len(), all.join(", "))?;
    Ok(())
}

/// Requirements and target sets, numbered as they come.
#[derive(Default)]
struct Reqs {
    rows: Vec<String>,
    sets: Vec<String>,
    known: BTreeMap<String, usize>,
}

impl Reqs {
    fn id(&mut self, text: &str) -> Result<usize> {
        if let Some(&id) = self.known.get(text) {
            return Ok(id);
        }
        let (version, targets) = text.split_once('/').unwrap_or((text, ""));
        let version = if version.is_empty() { "1.0" } else { version };
        let (major, minor) = version.split_once('.').with_context(|| format!("a version, not '{version}'"))?;
        let (major, minor): (u8, u8) = (major.parse()?, minor.parse()?);
        let first = self.sets.len();
        for set in targets.split('+').filter(|s| !s.is_empty()) {
            let digits = set.trim_end_matches(['a', 'f']);
            let sm: u16 = digits.parse().with_context(|| format!("a target, not '{set}'"))?;
            let kind = match &set[digits.len()..] {
                "" => "From",
                "a" => "Exact",
                "f" => "Family",
                other => bail!("unknown target suffix '{other}'"),
            };
            self.sets.push(format!("TargetSet::{kind}({sm})"));
        }
        let count = self.sets.len() - first;
        self.rows.push(format!("Req {{ ptx: ({major}, {minor}), set: {first}, sets: {count} }}"));
        self.known.insert(text.to_owned(), self.rows.len() - 1);
        Ok(self.rows.len() - 1)
    }
}

/// Flat storage that gives equal runs the same place.
#[derive(Default)]
struct Pool {
    items: Vec<String>,
    runs: BTreeMap<Vec<String>, usize>,
}

impl Pool {
    fn run(&mut self, run: Vec<String>) -> usize {
        if let Some(&at) = self.runs.get(&run) {
            return at;
        }
        let at = self.items.len();
        self.items.extend(run.iter().cloned());
        self.runs.insert(run, at);
        at
    }
}

fn rows_file(ops: &[String], mods: &[String], rows: &[Row], nevers: &[Never]) -> Result<String> {
    let types: Vec<&str> = TYPES.split_whitespace().collect();
    let mut reqs = Reqs::default();
    reqs.id("")?;
    let (mut alts, mut slots, mut args) = (Pool::default(), Pool::default(), Pool::default());
    let mut lines = Vec::new();
    let mut starts = Vec::new();
    for row in rows {
        while starts.len() < ops.len() && ops[starts.len()] <= row.op {
            starts.push(lines.len());
        }
        let place = || format!("row of '{}'", row.op);
        let mut slot_run = Vec::new();
        for slot in &row.slots {
            let mut run = Vec::new();
            for (name, req) in &slot.alts {
                let token =
                    if slot.is_type { types.iter().position(|t| t == name) } else { mods.binary_search(name).ok() };
                let token = token.with_context(|| format!("no type '{name}'")).with_context(place)?;
                run.push(format!("Alt {{ token: {token}, req: {} }}", reqs.id(req).with_context(place)?));
            }
            let (count, at) = (run.len(), alts.run(run));
            let (optional, is_type) = (slot.optional, slot.is_type);
            slot_run.push(format!("Slot {{ alt: {at}, alts: {count}, optional: {optional}, is_type: {is_type} }}"));
        }
        let mut arg_run = Vec::new();
        for arg in &row.args {
            arg_run.push(argument(arg).with_context(place)?);
        }
        let (ns, na) = (slot_run.len(), arg_run.len());
        let (slot, arg, req) = (slots.run(slot_run), args.run(arg_run), reqs.id(&row.req).with_context(place)?);
        let op = variant(&row.op);
        lines.push(format!("r(Op::{op}, {slot}, {ns}, {arg}, {na}, {req})"));
    }
    starts.push(lines.len());
    let (mut tokens, mut groups, mut rules) = (Pool::default(), Pool::default(), Vec::new());
    for never in nevers {
        let mut run = Vec::new();
        for (negated, names) in &never.groups {
            let mut numbers = Vec::new();
            for name in names {
                let number = match name.strip_prefix(':') {
                    Some(ty) => {
                        let (place, ty) = ty.split_once('=').unwrap_or(("", ty));
                        let place = if place.is_empty() { 0 } else { place.parse::<usize>()? + 1 };
                        let ty = types.iter().position(|t| *t == ty).with_context(|| format!("no type '{ty}'"))?;
                        0x8000 | place << 8 | ty
                    }
                    None => {
                        mods.binary_search(name).ok().with_context(|| format!("no modifier '{name}' in any row"))?
                    }
                };
                numbers.push(number.to_string());
            }
            let (count, at) = (numbers.len(), tokens.run(numbers));
            run.push(format!("Group {{ token: {at}, tokens: {count}, negated: {negated} }}"));
        }
        let (count, at) = (run.len(), groups.run(run));
        let (req, from) = (reqs.id(&never.req)?, never.from);
        for op in &never.ops {
            ensure!(ops.contains(op), "no instruction '{op}'");
            let op_name = variant(op);
            let free = never.req.is_empty();
            rules.push((op.clone(), format!(
                "Never {{ op: Op::{op_name}, group: {at}, groups: {count}, req: {req}, from: {from}, always: {free} }}"
            )));
        }
    }
    rules.sort_by(|a, b| a.0.cmp(&b.0));
    let rules: Vec<String> = rules.into_iter().map(|(_, text)| text).collect();
    let mut out = format!("//! Forms of instructions. {HEADER}\n\n");
    out.push_str(
        "use super::{Alt, Arg, ArgTy, Group, Kind, Mod, Never, Op, Req, Row, Slot, TargetSet};\nuse crate::ty::Ty;\n\n",
    );
    out.push_str("const fn r(op: Op, slot: u16, slots: u8, arg: u16, args: u8, req: u8) -> Row {\n");
    out.push_str("Row { op, slot, slots, arg, args, req }\n}\n\n");
    array(&mut out, "ROWS", "Row", "Every form, grouped by instruction.", &lines)?;
    let starts: Vec<String> = starts.iter().map(ToString::to_string).collect();
    array(&mut out, "ROW_OF_OP", "u16", "First row of every instruction, and the number of rows.", &starts)?;
    array(&mut out, "SLOTS", "Slot", "Slots of all rows; equal runs are shared.", &slots.items)?;
    array(&mut out, "ALTS", "Alt", "Alternatives of all slots; equal runs are shared.", &alts.items)?;
    array(&mut out, "ARGS", "Arg", "Operands of all rows; equal runs are shared.", &args.items)?;
    array(&mut out, "NEVERS", "Never", "Combinations that do not exist, grouped by instruction.", &rules)?;
    array(&mut out, "GROUPS", "Group", "Groups of the combinations.", &groups.items)?;
    array(
        &mut out,
        "TOKENS",
        "u16",
        "Tokens of the groups: modifiers, or types with the top bit and place.",
        &tokens.items,
    )?;
    array(&mut out, "REQS", "Req", "Requirements.", &reqs.rows)?;
    array(&mut out, "TARGET_SETS", "TargetSet", "Targets of the requirements.", &reqs.sets)?;
    format_rust(&out)
}

fn array(out: &mut String, name: &str, ty: &str, doc: &str, items: &[String]) -> Result<()> {
    writeln!(out, "/// {doc}\npub(super) static {name}: [{ty}; {}] = [{}];\n", items.len(), items.join(", "))?;
    Ok(())
}

fn argument(text: &str) -> Result<String> {
    let (text, when) = text.split_once('@').unwrap_or((text, ""));
    let kind = match text.as_bytes()[0] {
        b'd' => "Dest",
        b's' => "Source",
        b'r' => "Reg",
        b'i' => "Imm",
        b'p' => "Pred",
        b'q' => "PredPair",
        b'P' => "PredSource",
        b'Q' => "RegPred",
        b'm' => "Addr",
        b'M' => "TensorAddr",
        b'a' => "Any",
        b'b' => "Bracket",
        b'n' => "AnyVec",
        b'V' => "Video",
        b'D' => "VideoDest",
        b'L' => "Label",
        b'C' => "Call",
        b'B' => "Targets",
        b'x' => "SinkOnly",
        _ => bail!("unknown operand kind in '{text}'"),
    };
    let mut rest = &text[1..];
    let (mut vec, mut flags) = (0u8, Vec::new());
    if let Some(r) = rest.strip_prefix('v') {
        flags.push("BY_MOD");
        rest = r;
    } else if let Some(r) = rest.strip_prefix('{') {
        let (n, r) = r.split_once('}').context("a closing brace")?;
        vec = n.parse()?;
        rest = r;
    }
    let flag_at = rest.find(['~', '_', '?', '*']).unwrap_or(rest.len());
    let ty = match &rest[..flag_at] {
        "" => "ArgTy::None".to_owned(),
        t if t.starts_with(':') => {
            // A type name may hold an underscore: take the longest known one.
            let name = TYPES.split_whitespace().filter(|n| rest[1..].starts_with(n)).max_by_key(|n| n.len());
            format!("ArgTy::Ty(Ty::{})", variant(name.with_context(|| format!("no type in '{text}'"))?))
        }
        t if t.starts_with('w') => format!("ArgTy::Wide({})", t[1..].parse::<u8>()?),
        t => format!("ArgTy::Slot({})", t.parse::<u8>().with_context(|| format!("operand '{text}'"))?),
    };
    for c in rest[flag_at..].chars() {
        flags.push(match c {
            '~' => "RELAXED",
            '_' => "SINK",
            '?' => "OPTIONAL",
            '*' => "SPECIAL",
            _ => bail!("unknown flag in '{text}'"),
        });
    }
    let bits: u8 = flags
        .iter()
        .map(|f| match *f {
            "RELAXED" => 1,
            "SINK" => 2,
            "OPTIONAL" => 4,
            "BY_MOD" => 8,
            _ => 16,
        })
        .sum();
    let when = if when.is_empty() { "None".to_owned() } else { format!("Some(Mod::{})", variant(when)) };
    Ok(format!("Arg {{ kind: Kind::{kind}, ty: {ty}, vec: {vec}, flags: {bits}, when: {when} }}"))
}

fn format_rust(text: &str) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=120,use_small_heuristics=Max"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt")?;
    let mut stdin = child.stdin.take().context("rustfmt's input")?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, text.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("the writer died"))??;
    ensure!(output.status.success(), "rustfmt failed");
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_ptx_table_is_fresh() {
        super::run(true).unwrap();
    }
}
