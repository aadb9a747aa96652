//! Removes dead variables from the objects before they are linked.
//!
//! Problem: an object stores its variables in a few sections, and a linker moves whole sections.
//! nvlink keeps all of them, since the host may look up a variable by name. Strategy, for programs
//! whose host does not: find the live symbols, starting from kernels and the variables named by the
//! caller; functions propagate liveness through relocations and call graph, variables through the
//! relocations inside them. Then rewrite the objects with dead variables, with the rest of each
//! section compacted. The link proceeds as if the objects never had them.
//!
//! Invariants: an object keeps the numbers of its sections, symbols and relocations, so that
//! nothing else in it has to change: dead symbols have no name and no place, dead relocations are
//! removed from the end of their section. What cannot be separated stays: nonzero bytes that belong
//! to no variable, sections that are referred to as a whole.

use std::collections::BTreeMap;

use raddle_cubin::elf::{SHDR_SIZE, SYM_SIZE, align_up, sht, st, u64_at};
use raddle_cubin::model::SymbolPlace;
use raddle_entity::{Executor, map};

use super::LinkOptions;
use super::graph::{self, Edge};
use super::problem::Problem;
use super::read::{self, Input, NONE};
use super::resolve::{self, Class, Program, Role, State, SymbolId, role};

/// A rewritten object without its dead variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stripped {
    /// The number of the input.
    pub input: usize,
    /// The new contents.
    pub bytes: Vec<u8>,
    /// The names of the removed variables, in the order of the object.
    pub removed: Vec<String>,
}

/// Rewrites the inputs that have variables which neither a kernel reaches nor `keep` selects; in
/// the order of the inputs.
///
/// # Errors
/// As [`super::link`].
pub fn strip(
    inputs: &[Input<'_>],
    options: &LinkOptions<'_>,
    keep: &dyn Fn(&str) -> bool,
    executor: &dyn Executor,
) -> Result<Vec<Stripped>, Vec<Problem>> {
    let program = resolve::run(read::all(inputs, options.target, executor)?)?;
    let live = live(&program, keep)?;
    let numbers: Vec<usize> = (0..program.objects.len()).collect();
    let made = map(numbers.len(), executor, |object| Strip::new(&program, object, &live).run());
    let mut out: Vec<Stripped> = made.into_iter().flatten().collect();
    out.sort_by_key(|s| s.input);
    Ok(out)
}

/// Whether a section holds variables of the program.
fn is_data(section: &raddle_cubin::raw::Section<'_>) -> bool {
    matches!(role(section), Role::Global | Role::Bank(_))
}

/// A function, a variable, or all variables of a section of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Function(u32),
    Variable(SymbolId),
    Section(u32, u32),
}

/// The live variables, by symbol, and the sections that are live as a whole.
struct Live {
    symbols: Vec<bool>,
    sections: std::collections::BTreeSet<(u32, u32)>,
}

/// The variables of a section in order: first byte, end, symbol.
type Extents = Vec<(u64, u64, SymbolId)>;

fn extents(program: &Program<'_>, object: usize, section: u32) -> Extents {
    let this = &program.objects[object];
    let symbols = this.raw.symbols.iter().zip(&program.maps[object]);
    let inside = symbols.filter(|(s, _)| s.place == SymbolPlace::Section(section) && s.kind != st::SECTION);
    let mut out: Extents = inside.map(|(s, &id)| (s.value, s.value.saturating_add(s.size), id)).collect();
    out.sort_unstable();
    out
}

fn live(program: &Program<'_>, keep: &dyn Fn(&str) -> bool) -> Result<Live, Vec<Problem>> {
    let mut edges: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    let mut work: Vec<Node> = Vec::new();
    let node = |symbol: SymbolId| {
        let s = &program.symbols[symbol as usize];
        match s.class {
            Class::Function => program.defined_function(symbol).map(Node::Function),
            Class::Global | Class::Constant => Some(Node::Variable(symbol)),
            Class::Section if s.function != NONE => Some(Node::Function(s.function)),
            Class::Section if s.section != NONE => Some(Node::Section(s.object, s.section)),
            _ => None,
        }
    };
    let mut calls = Vec::new();
    for (object, this) in program.objects.iter().enumerate() {
        graph::edges(program, object as u32, &mut calls).map_err(|problem| vec![problem])?;
        for &(section, target) in &this.relocations {
            let Some(place) = this.raw.sections.get(target as usize) else { continue };
            if role(place) == Role::Debug {
                continue;
            }
            let owner = this.owner[target as usize];
            let variables = if is_data(place) { extents(program, object, target) } else { Extents::new() };
            if variables.windows(2).any(|v| v[1].0 < v[0].1 && v[1].0 != v[0].0) {
                // Variables inside variables are not separated.
                work.push(Node::Section(object as u32, target));
            }
            for r in this.raw.relocations(section) {
                let Some(to) = program.lookup(object as u32, r.symbol).and_then(node) else { continue };
                if owner != NONE {
                    edges.entry(Node::Function(program.first[object] + owner)).or_default().push(to);
                    continue;
                }
                let before = variables.partition_point(|v| v.0 <= r.offset);
                // Several names of one variable have equal offsets.
                let start = before.checked_sub(1).map_or(0, |last| variables[last].0);
                let users = variables[..before].iter().rev().take_while(|v| v.0 == start && r.offset < v.1);
                let users: Vec<SymbolId> = users.map(|v| v.2).collect();
                if users.is_empty() {
                    work.push(to);
                }
                for user in users {
                    edges.entry(Node::Variable(user)).or_default().push(to);
                }
            }
        }
    }
    for edge in calls {
        if let Edge::Calls(a, b) | Edge::Takes(a, b) = edge
            && let (Some(a), Some(b)) = (node(a), node(b))
        {
            edges.entry(a).or_default().push(b);
        }
    }
    let entries = (0..program.functions.len() as u32).filter(|&f| program.function(f).is_entry);
    work.extend(entries.map(Node::Function));
    for (id, s) in program.symbols.iter().enumerate() {
        if matches!(s.class, Class::Global | Class::Constant) && keep(s.name) {
            work.push(Node::Variable(id as SymbolId));
        }
    }
    let mut live = Live { symbols: vec![false; program.symbols.len()], sections: Default::default() };
    let mut functions = vec![false; program.functions.len()];
    while let Some(node) = work.pop() {
        let fresh = match node {
            Node::Function(f) => !std::mem::replace(&mut functions[f as usize], true),
            Node::Variable(id) => !std::mem::replace(&mut live.symbols[id as usize], true),
            Node::Section(object, section) => live.sections.insert((object, section)),
        };
        if !fresh {
            continue;
        }
        if let Node::Section(object, section) = node {
            work.extend(extents(program, object as usize, section).iter().map(|v| Node::Variable(v.2)));
        }
        work.extend(edges.get(&node).into_iter().flatten());
    }
    Ok(live)
}

/// An object that is being rewritten.
struct Strip<'p, 'a> {
    program: &'p Program<'a>,
    object: usize,
    live: &'p Live,
    bytes: Vec<u8>,
    /// By symbol of the object.
    dead: Vec<bool>,
}

impl<'p, 'a> Strip<'p, 'a> {
    fn new(program: &'p Program<'a>, object: usize, live: &'p Live) -> Self {
        let this = &program.objects[object];
        let dead = this.raw.symbols.iter().zip(&program.maps[object]).map(|(s, &id)| {
            let variable = matches!(program.symbols[id as usize].class, Class::Global | Class::Constant);
            let defined = match s.place {
                SymbolPlace::Section(section) => this.raw.sections.get(section as usize).is_some_and(is_data),
                SymbolPlace::Reserved(_) => program.symbols[id as usize].state == State::Common,
                SymbolPlace::Undefined => false,
            };
            variable && defined && s.kind != st::SECTION && !live.symbols[id as usize]
        });
        Strip { program, object, live, bytes: Vec::new(), dead: dead.collect() }
    }

    fn run(mut self) -> Option<Stripped> {
        let this = &self.program.objects[self.object];
        if !self.dead.contains(&true) {
            return None;
        }
        self.bytes = this.file.to_vec();
        let sections = 0..this.raw.sections.len() as u32;
        for section in sections.filter(|&s| is_data(&this.raw.sections[s as usize])) {
            match self.kept(section) {
                Some(kept) => self.section(section, &kept),
                // The variables in it cannot be separated.
                None => self.revive(section),
            }
        }
        let symtab = this.raw.sections.iter().position(|s| s.kind == sht::SYMTAB)? as u32;
        let table = self.contents(symtab);
        let mut removed = Vec::new();
        for (number, symbol) in this.raw.symbols.iter().enumerate().filter(|(number, _)| self.dead[*number]) {
            let at = table + SYM_SIZE * number;
            // No name, type or place; the binding is kept, since it determines the order of the
            // table.
            self.bytes[at..at + SYM_SIZE].fill(0);
            self.bytes[at + 4] = symbol.binding << 4;
            removed.push(symbol.name.to_owned());
        }
        (!removed.is_empty()).then_some(Stripped { input: this.input as usize, bytes: self.bytes, removed })
    }

    /// The ranges of a section that are kept, in order, with their new offsets; `None` if the
    /// section is unchanged.
    fn kept(&self, section: u32) -> Option<Vec<Range>> {
        let raw = &self.program.objects[self.object].raw.sections[section as usize];
        if self.live.sections.contains(&(self.object as u32, section)) {
            return None;
        }
        let all = extents(self.program, self.object, section);
        if all.is_empty() || all.iter().any(|v| v.1 > raw.size) {
            return None;
        }
        let mut covered = 0;
        for &(start, end, _) in &all {
            let gap = raw.bytes.get(covered.min(start) as usize..start as usize).unwrap_or(&[]);
            if gap.iter().any(|&b| b != 0) {
                return None;
            }
            covered = covered.max(end);
        }
        if raw.bytes.get(covered as usize..).is_some_and(|rest| rest.iter().any(|&b| b != 0)) {
            return None;
        }
        let mut out: Vec<Range> = Vec::new();
        for (start, end, _) in all.into_iter().filter(|v| self.live.symbols[v.2 as usize]) {
            match out.last_mut() {
                Some(last) if start < last.end => last.end = last.end.max(end),
                _ => out.push(Range { start, end, to: 0 }),
            }
        }
        let mut next = 0;
        for range in &mut out {
            let align =
                if range.start == 0 { raw.align } else { raw.align.min(1 << range.start.trailing_zeros().min(16)) };
            range.to = align_up(next, align.max(1))?;
            next = range.to.checked_add(range.end - range.start)?;
        }
        Some(out)
    }

    /// Compacts a section, with its symbols and relocations.
    fn section(&mut self, section: u32, kept: &[Range]) {
        let this = &self.program.objects[self.object];
        let (at, reserve) = (self.contents(section), this.raw.sections[section as usize].kind == sht::CUDA_GLOBAL);
        for range in kept.iter().filter(|_| !reserve) {
            let (from, to) = (at + range.start as usize, at + range.to as usize);
            self.bytes.copy_within(from..from + (range.end - range.start) as usize, to);
        }
        let size = kept.last().map_or(0, |range| range.to + (range.end - range.start));
        self.resize(section, size);
        let moved = |place: u64| {
            let range = kept.partition_point(|r| r.start <= place).checked_sub(1).map(|last| &kept[last])?;
            (place < range.end.max(range.start + 1)).then(|| range.to + (place - range.start))
        };
        let symtab = this.raw.sections.iter().position(|s| s.kind == sht::SYMTAB).unwrap_or(0) as u32;
        let table = self.contents(symtab);
        for (number, symbol) in this.raw.symbols.iter().enumerate() {
            if symbol.place == SymbolPlace::Section(section) && symbol.kind != st::SECTION && !self.dead[number] {
                let value = moved(symbol.value).unwrap_or(symbol.value);
                self.bytes[table + SYM_SIZE * number + 8..][..8].copy_from_slice(&value.to_le_bytes());
            }
        }
        for relocations in this.relocations_of(section) {
            let entry = if this.raw.sections[relocations as usize].kind == sht::RELA { 24 } else { 16 };
            let table = self.contents(relocations);
            let mut end = table;
            for (number, r) in this.raw.relocations(relocations).enumerate() {
                let Some(offset) = moved(r.offset) else { continue };
                let from = table + entry * number;
                self.bytes.copy_within(from..from + entry, end);
                self.bytes[end..end + 8].copy_from_slice(&offset.to_le_bytes());
                end += entry;
            }
            self.resize(relocations, (end - table) as u64);
        }
    }

    /// Keeps all variables of a section.
    fn revive(&mut self, section: u32) {
        for (number, symbol) in self.program.objects[self.object].raw.symbols.iter().enumerate() {
            if symbol.place == SymbolPlace::Section(section) {
                self.dead[number] = false;
            }
        }
    }

    fn header(&self, section: u32) -> usize {
        u64_at(&self.bytes, 40).unwrap_or(0) as usize + SHDR_SIZE * section as usize
    }

    /// The file offset of the contents of a section.
    fn contents(&self, section: u32) -> usize {
        u64_at(&self.bytes, self.header(section) + 24).unwrap_or(0) as usize
    }

    fn resize(&mut self, section: u32, size: u64) {
        let at = self.header(section);
        self.bytes[at + 32..at + 40].copy_from_slice(&size.to_le_bytes());
        if size == 0 {
            // An empty section becomes a null section.
            self.bytes[at + 4..at + 8].copy_from_slice(&sht::NULL.to_le_bytes());
        }
    }
}

/// A range of a section, and its new offset.
struct Range {
    start: u64,
    end: u64,
    to: u64,
}
