//! The text form: printer and parser.
//!
//! Values, blocks, variables and symbols are numbered in the order of the text, so that printing a
//! parsed text gives the same text, and parsing a printed function gives the same function without
//! dead entities. Grammar, one item a line:
//!
//! ```text
//! kernel saxpy
//!   params 0:8 8:4
//!   bounds maxntid 256,1,1 maxnreg 32
//!   slot s0 shared 1024 align 4 "tile"
//!   sym g0 "table"
//! b0:
//!   v0: b32 = special.tid_x @12:340
//!   jump b1(v0)
//! b1(v1: b32):
//!   exit
//! end
//! ```
//!
//! A block that must keep its loop rolled is `b1(v1: b32) rolled:`. `@line:offset` is the source
//! location. Names are quoted and contain no quotes (PTX identifiers cannot).

use std::fmt::Write as _;

use raddle_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::func::{
    Block, BlockData, Bounds, Function, Kind, Param, Slot, SlotData, SourcePos, SourcePosData, Sym, Target, Terminator,
    Value, ValueData, ValueDef,
};
use crate::op::Op;
use crate::texture::TexBound;
use crate::types::{Space, Width};

struct Names {
    values: SecondaryMap<Value, u32>,
    blocks: SecondaryMap<Block, u32>,
}

impl Names {
    fn target(&self, t: &Target) -> String {
        let b = self.blocks[t.block];
        if t.args.is_empty() { format!("b{b}") } else { format!("b{b}({})", self.list(&t.args)) }
    }

    fn list(&self, values: &[Value]) -> String {
        values.iter().map(|&v| format!("v{}", self.values[v])).collect::<Vec<_>>().join(", ")
    }
}

/// Prints a function.
pub fn print(f: &Function) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_function(f, &mut out);
    out
}

fn write_function(f: &Function, out: &mut String) -> std::fmt::Result {
    let mut names =
        Names { values: SecondaryMap::with_default(u32::MAX), blocks: SecondaryMap::with_default(u32::MAX) };
    let mut next = 0;
    for (n, &b) in f.layout.iter().enumerate() {
        names.blocks[b] = n as u32;
        let data = &f.blocks[b];
        let results = data.insts.iter().flat_map(|&i| f.insts[i].results.iter());
        for &v in data.params.iter().chain(results) {
            names.values[v] = next;
            next += 1;
        }
    }
    let kind = if f.kind == Kind::Kernel { "kernel" } else { "function" };
    writeln!(out, "{kind} {}", f.name)?;
    if !f.params.is_empty() {
        write!(out, "  {}", if f.many_params { "many-params" } else { "params" })?;
        for p in &f.params {
            write!(out, " {}:{}", p.offset, p.size)?;
            match p.opaque {
                Some((bound, sym)) => write!(out, ":{}:{}", bound.name(), sym.index())?,
                None if p.pointee_align > 1 => write!(out, ":{}", p.pointee_align)?,
                None => {}
            }
        }
        writeln!(out)?;
    }
    if f.wmma {
        writeln!(out, "  wmma")?;
    }
    if f.samplers {
        writeln!(out, "  samplers")?;
    }
    if f.tensormap {
        writeln!(out, "  tensormap")?;
    }
    if f.bounds != Bounds::default() {
        write!(out, "  bounds")?;
        let triple = |t: [u32; 3]| format!("{},{},{}", t[0], t[1], t[2]);
        if let Some(t) = f.bounds.maxntid {
            write!(out, " maxntid {}", triple(t))?;
        }
        if let Some(t) = f.bounds.reqntid {
            write!(out, " reqntid {}", triple(t))?;
        }
        if let Some(n) = f.bounds.minnctapersm {
            write!(out, " minnctapersm {n}")?;
        }
        if let Some(n) = f.bounds.maxnreg {
            write!(out, " maxnreg {n}")?;
        }
        if let Some(t) = f.bounds.cluster {
            write!(out, " cluster {}", triple(t))?;
        }
        if let Some(n) = f.bounds.max_cluster_rank {
            write!(out, " maxclusterrank {n}")?;
        }
        if f.bounds.explicit_cluster {
            write!(out, " explicitcluster 1")?;
        }
        if f.bounds.blocks_are_clusters {
            write!(out, " blocksareclusters 1")?;
        }
        writeln!(out)?;
    }
    for (s, d) in f.slots.iter() {
        let dynamic = if d.dynamic { " dynamic" } else { "" };
        writeln!(out, "  slot {s} {} {} align {}{dynamic} \"{}\"", d.space.name(), d.size, d.align, d.name)?;
    }
    for (g, name) in f.symbols.iter() {
        let foreign = if f.foreign[g] { " foreign" } else { "" };
        let align = if f.symbol_aligns[g] == 0 { String::new() } else { format!(" align {}", f.symbol_aligns[g]) };
        writeln!(out, "  sym {g}{foreign}{align} \"{name}\"")?;
    }
    if f.foreign_addresses {
        writeln!(out, "  foreign addresses")?;
    }
    let place = |p: SourcePos| {
        let d = f.places[p];
        if d == SourcePosData::default() { String::new() } else { format!(" @{}:{}", d.line, d.offset) }
    };
    let typed = |v: &Value| format!("v{}: {}", names.values[*v], f.values[*v].width.name());
    for &b in &f.layout {
        let data = &f.blocks[b];
        write!(out, "b{}", names.blocks[b])?;
        if !data.params.is_empty() {
            write!(out, "({})", data.params.iter().map(typed).collect::<Vec<_>>().join(", "))?;
        }
        writeln!(out, "{}:", if f.rolled[b] { " rolled" } else { "" })?;
        for &i in &data.insts {
            let d = &f.insts[i];
            write!(out, "  ")?;
            if !d.results.is_empty() {
                write!(out, "{} = ", d.results.iter().map(typed).collect::<Vec<_>>().join(", "))?;
            }
            write!(out, "{}", d.op)?;
            if !d.args.is_empty() {
                write!(out, " {}", names.list(&d.args))?;
            }
            writeln!(out, "{}", place(d.place))?;
        }
        let at = place(f.term_places[b]);
        match &data.term {
            None => writeln!(out, "  unfinished")?,
            Some(Terminator::Exit) => writeln!(out, "  exit{at}")?,
            Some(Terminator::Jump(t)) => writeln!(out, "  jump {}{at}", names.target(t))?,
            Some(Terminator::Branch { cond, uniform, then, other }) => {
                let uniform = if *uniform { "uniform " } else { "" };
                let (c, t, o) = (names.values[*cond], names.target(then), names.target(other));
                writeln!(out, "  branch {uniform}v{c}, {t}, {o}{at}")?;
            }
            Some(Terminator::Switch { index, targets }) => {
                let list: Vec<_> = targets.iter().map(|t| format!("b{}", names.blocks[*t])).collect();
                writeln!(out, "  switch v{}, {}{at}", names.values[*index], list.join(", "))?;
            }
        }
    }
    writeln!(out, "end")
}

/// An error in a text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// The error message.
    pub what: String,
}

/// Parses functions. Lines that begin with `//` and empty lines are skipped.
///
/// # Errors
/// The first line that is not in the form that [`print()`] writes. Widths and dominance are left to
/// the verifier.
pub fn parse(text: &str) -> Result<Vec<Function>, ParseError> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(n, l)| (n + 1, l.trim()))
        .filter(|(_, l)| !l.is_empty() && !l.starts_with("//"))
        .collect();
    let mut out = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(&(line, first)) = rest.first() {
        let end = rest
            .iter()
            .position(|(_, l)| *l == "end")
            .ok_or_else(|| ParseError { line, what: "missing `end`".into() })?;
        let (kind, name) = match (first.strip_prefix("kernel "), first.strip_prefix("function ")) {
            (Some(name), _) => (Kind::Kernel, name),
            (None, Some(name)) => (Kind::Called, name),
            _ => return Err(ParseError { line, what: "expected `kernel NAME`".into() }),
        };
        let f = Function { kind, ..Function::new(name) };
        let mut reader = Reader { f, values: FxHashMap::default(), places: FxHashMap::default() };
        for pass in [Pass::Define, Pass::Fill] {
            let mut block = None;
            let mut cursor = 0;
            for &(line, text) in &rest[1..end] {
                reader.line(pass, text, &mut block, &mut cursor).map_err(|what| ParseError { line, what })?;
            }
        }
        out.push(reader.f);
        rest = &rest[end + 1..];
    }
    Ok(out)
}

/// The passes of the parser: definitions first, so that uses may come before them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Define,
    Fill,
}

struct Reader {
    f: Function,
    values: FxHashMap<u32, Value>,
    places: FxHashMap<(u32, u32), SourcePos>,
}

type Line<T> = Result<T, String>;

fn number<T: std::str::FromStr>(text: &str) -> Line<T> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a number"))
}

fn quoted(text: &str) -> Line<(&str, String)> {
    let open = text.find('"').ok_or("no name in quotes")?;
    let name = text[open + 1..].strip_suffix('"').ok_or("no closing quote")?;
    Ok((text[..open].trim(), name.to_owned()))
}

impl Reader {
    fn line(&mut self, pass: Pass, text: &str, block: &mut Option<Block>, cursor: &mut usize) -> Line<()> {
        if let Some(label) = text.strip_suffix(':').filter(|t| t.starts_with('b') && !t.contains('=')) {
            let n = self.label(pass, label)?;
            *block = Some(n);
            *cursor = 0;
            return Ok(());
        }
        let Some(b) = *block else {
            return if pass == Pass::Define { self.header(text) } else { Ok(()) };
        };
        let (text, place) = self.place(text)?;
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        // How a block without a terminator is printed.
        if text == "unfinished" {
            return Ok(());
        }
        if matches!(word, "exit" | "jump" | "branch" | "switch") {
            if pass == Pass::Fill {
                self.f.term_places[b] = place;
                self.f.blocks[b].term = Some(self.terminator(word, rest)?);
            }
            return Ok(());
        }
        let (results, call) = match text.split_once(" = ") {
            Some((r, c)) => (r, c),
            None => ("", text),
        };
        let (op, args) = call.split_once(' ').unwrap_or((call, ""));
        if pass == Pass::Define {
            let op = Op::parse(op).ok_or_else(|| format!("`{op}` is not an operation"))?;
            let mut widths = Vec::new();
            let mut numbers = Vec::new();
            for r in results.split(',').filter(|r| !r.trim().is_empty()) {
                let (n, w) = typed(r)?;
                numbers.push(n);
                widths.push(w);
            }
            let inst = self.f.append(b, op, &[], &widths, place);
            for (n, v) in numbers.into_iter().zip(self.f.insts[inst].results.clone()) {
                self.define(n, v)?;
            }
        } else {
            let inst = self.f.blocks[b].insts[*cursor];
            *cursor += 1;
            for a in args.split(',').filter(|a| !a.trim().is_empty()) {
                let v = self.value(a)?;
                self.f.insts[inst].args.push(v);
            }
        }
        Ok(())
    }

    fn label(&mut self, pass: Pass, label: &str) -> Line<Block> {
        let (label, rolled) = label.strip_suffix(" rolled").map_or((label, false), |label| (label, true));
        let (name, params) = match label.split_once('(') {
            Some((n, p)) => (n, p.strip_suffix(')').ok_or("no closing parenthesis")?),
            None => (label, ""),
        };
        let n: usize = number(&name[1..])?;
        if pass == Pass::Fill {
            return Ok(Block::new(n));
        }
        if n != self.f.blocks.len() {
            return Err(format!("expected b{}", self.f.blocks.len()));
        }
        let b = self.f.blocks.push(BlockData { params: Default::default(), insts: Vec::new(), term: None });
        self.f.layout.push(b);
        if rolled {
            self.f.rolled[b] = true;
        }
        for (k, p) in params.split(',').filter(|p| !p.trim().is_empty()).enumerate() {
            let (n, width) = typed(p)?;
            let v = self.f.values.push(ValueData { width, def: ValueDef::Param(b, k as u32) });
            self.f.blocks[b].params.push(v);
            self.define(n, v)?;
        }
        Ok(b)
    }

    fn define(&mut self, n: u32, v: Value) -> Line<()> {
        match self.values.insert(n, v) {
            Some(_) => Err(format!("v{n} is defined twice")),
            None => Ok(()),
        }
    }

    fn value(&self, text: &str) -> Line<Value> {
        let n: u32 = number(text.trim().strip_prefix('v').ok_or_else(|| format!("`{text}` is not a value"))?)?;
        self.values.get(&n).copied().ok_or_else(|| format!("v{n} is not defined"))
    }

    fn block(&self, text: &str) -> Line<Block> {
        let n: usize = number(text.trim().strip_prefix('b').ok_or_else(|| format!("`{text}` is not a block"))?)?;
        if n < self.f.blocks.len() { Ok(Block::new(n)) } else { Err(format!("b{n} is not defined")) }
    }

    fn target(&self, text: &str) -> Line<Target> {
        let Some((b, args)) = text.split_once('(') else { return Ok(Target::to(self.block(text)?)) };
        let args = args.trim().strip_suffix(')').ok_or("no closing parenthesis")?;
        let args = args.split(',').map(|a| self.value(a)).collect::<Line<_>>()?;
        Ok(Target { block: self.block(b)?, args })
    }

    fn terminator(&self, word: &str, rest: &str) -> Line<Terminator> {
        Ok(match word {
            "exit" => Terminator::Exit,
            "jump" => Terminator::Jump(self.target(rest)?),
            "branch" => {
                let (uniform, rest) = match rest.strip_prefix("uniform ") {
                    Some(r) => (true, r),
                    None => (false, rest),
                };
                let (cond, targets) = rest.split_once(',').ok_or("branch without targets")?;
                let cut = top_comma(targets).ok_or("branch with one target")?;
                let (then, other) = (self.target(&targets[..cut])?, self.target(&targets[cut + 1..])?);
                Terminator::Branch { cond: self.value(cond)?, uniform, then, other }
            }
            _ => {
                let (index, targets) = rest.split_once(',').ok_or("switch without targets")?;
                let targets = targets.split(',').map(|t| self.block(t)).collect::<Line<_>>()?;
                Terminator::Switch { index: self.value(index)?, targets }
            }
        })
    }

    fn place<'t>(&mut self, text: &'t str) -> Line<(&'t str, SourcePos)> {
        let Some((text, at)) = text.rsplit_once(" @") else { return Ok((text, SourcePos::default())) };
        let (line, offset) = at.split_once(':').ok_or("a place is `@line:offset`")?;
        let (line, offset) = (number(line)?, number(offset)?);
        let places = &mut self.f.places;
        let p = *self
            .places
            .entry((line, offset))
            .or_insert_with(|| places.push(SourcePosData { offset, line, ..SourcePosData::default() }));
        Ok((text, p))
    }

    fn header(&mut self, text: &str) -> Line<()> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "wmma" => self.f.wmma = true,
            "samplers" => self.f.samplers = true,
            "tensormap" => self.f.tensormap = true,
            "params" | "many-params" => {
                self.f.many_params = word == "many-params";
                for p in rest.split_whitespace() {
                    let words: Vec<&str> = p.split(':').collect();
                    let (offset, size, pointee_align, opaque) = match words[..] {
                        [offset, size] => (offset, size, 1, None),
                        [offset, size, align] => (offset, size, number(align)?, None),
                        [offset, size, bound, sym] => {
                            let bound = TexBound::parse(bound).ok_or("an unknown kind of parameter")?;
                            (offset, size, 1, Some((bound, Sym::from_u32(number(sym)?))))
                        }
                        _ => return Err("a parameter is `offset:size` or `offset:size:align`".into()),
                    };
                    let (offset, size) = (number(offset)?, number(size)?);
                    self.f.params.push(Param { offset, size, pointee_align, opaque });
                }
            }
            "bounds" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                for pair in words.chunks(2) {
                    let [key, value] = pair else { return Err("a bound is `name value`".into()) };
                    let bounds = &mut self.f.bounds;
                    match *key {
                        "maxntid" => bounds.maxntid = Some(triple(value)?),
                        "reqntid" => bounds.reqntid = Some(triple(value)?),
                        "minnctapersm" => bounds.minnctapersm = Some(number(value)?),
                        "maxnreg" => bounds.maxnreg = Some(number(value)?),
                        "cluster" => bounds.cluster = Some(triple(value)?),
                        "maxclusterrank" => bounds.max_cluster_rank = Some(number(value)?),
                        "blocksareclusters" => bounds.blocks_are_clusters = true,
                        "explicitcluster" => bounds.explicit_cluster = true,
                        _ => return Err(format!("`{key}` is not a bound")),
                    }
                }
            }
            "slot" => {
                let (rest, name) = quoted(rest)?;
                let words: Vec<&str> = rest.split_whitespace().collect();
                let (head, dynamic) = match words.as_slice() {
                    [h @ .., "dynamic"] => (h, true),
                    h => (h, false),
                };
                let [s, space, size, "align", align] = head else {
                    return Err("a slot is `sN SPACE SIZE align N`".into());
                };
                if *s != Slot::new(self.f.slots.len()).to_string() {
                    return Err("slots are numbered in order".into());
                }
                let space = Space::parse(space).ok_or("no such space")?;
                self.f.slots.push(SlotData { name, space, size: number(size)?, align: number(align)?, dynamic });
            }
            "sym" => {
                let (head, name) = quoted(rest)?;
                let (head, align) = match head.split_once(" align ") {
                    Some((head, align)) => (head, number(align)?),
                    None => (head, 0),
                };
                let foreign = head.strip_suffix(" foreign");
                if foreign.unwrap_or(head) != Sym::new(self.f.symbols.len()).to_string() {
                    return Err("symbols are numbered in order".into());
                }
                let sym = self.f.symbols.push(name);
                self.f.foreign[sym] = foreign.is_some();
                if align > 0 {
                    self.f.symbol_aligns[sym] = align;
                }
            }
            "foreign" => self.f.foreign_addresses = true,
            _ => return Err(format!("unexpected `{word}`")),
        }
        Ok(())
    }
}

fn typed(text: &str) -> Line<(u32, Width)> {
    let (v, w) = text.split_once(':').ok_or("a definition is `vN: width`")?;
    let n = number(v.trim().strip_prefix('v').ok_or("a definition is `vN: width`")?)?;
    Ok((n, Width::parse(w.trim()).ok_or_else(|| format!("`{w}` is not a width"))?))
}

fn triple(text: &str) -> Line<[u32; 3]> {
    let parts = text.split(',').map(number).collect::<Line<Vec<u32>>>()?;
    parts.try_into().map_err(|_| "expected three numbers".into())
}

/// Returns the position of the first comma outside parentheses.
fn top_comma(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|c| {
        match c {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        c == b',' && depth == 0
    })
}

#[cfg(test)]
mod tests;
