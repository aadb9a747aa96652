//! Makes the tables of the output: symbols, attributes, call graph. Their entries are in the order
//! of nvlink 13.0.88's output.

use std::borrow::Cow;

use raddle_cubin::elf::{SHN_LORESERVE, SHN_XINDEX, st};
use raddle_cubin::info::code;
use raddle_cubin::model::SymbolPlace;
use raddle_cubin::raw::attributes;
use raddle_entity::FxHashMap;

use super::banks::Banks;
use super::features::Features;
use super::graph::{Edge, Graph, UNKNOWN, Usage};
use super::inherited;
use super::output_sections::{OutputSectionId, Sections};
use super::problem::Problem;
use super::read::NONE;
use super::relocs::Target;
use super::resolve::{Class, FunctionId, Program, State, SymbolId};

/// The name of the symbol for shared memory reserved for the system.
const RESERVED_SHARED: &str = ".nv.reservedSmem.offset0";

/// A string table without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Strings<'a> {
    pub bytes: Vec<u8>,
    places: FxHashMap<&'a str, u32>,
}

impl<'a> Strings<'a> {
    pub fn new() -> Self {
        Strings { bytes: vec![0], places: FxHashMap::from_iter([("", 0)]) }
    }

    pub fn place(&mut self, text: &'a str) -> u32 {
        let bytes = &mut self.bytes;
        *self.places.entry(text).or_insert_with(|| {
            let at = bytes.len() as u32;
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
            at
        })
    }
}

/// The symbol table of the output.
#[derive(Debug)]
pub(crate) struct Symbols<'a> {
    pub bytes: Vec<u8>,
    /// Section numbers that do not fit in 16 bits, by symbol; empty if there are none.
    pub wide: Vec<u8>,
    pub strings: Strings<'a>,
    /// The number of the first global symbol.
    pub first_global: u32,
    /// Numbers by symbol of the program, [`NONE`] for those left out.
    numbers: Vec<u32>,
    /// Numbers by section.
    sections: Vec<u32>,
    count: u32,
    is_wide: bool,
}

impl<'a> Symbols<'a> {
    /// The table with the null symbol.
    pub fn new(program: &Program<'a>, sections: &Sections<'a>) -> Symbols<'a> {
        let mut out = Symbols {
            bytes: Vec::with_capacity(24 * program.symbols.len()),
            wide: Vec::new(),
            strings: Strings::new(),
            first_global: 0,
            numbers: vec![NONE; program.symbols.len()],
            sections: vec![NONE; sections.list.len()],
            count: 0,
            is_wide: sections.list.len() >= usize::from(SHN_LORESERVE),
        };
        out.add("", 0, 0, SymbolPlace::Undefined, 0, 0);
        out
    }

    fn add(&mut self, name: &'a str, info: u8, other: u8, place: SymbolPlace, value: u64, size: u64) -> u32 {
        let name = self.strings.place(name);
        self.bytes.extend(name.to_le_bytes());
        self.bytes.extend([info, other]);
        let (small, wide) = match place {
            SymbolPlace::Undefined => (0, 0),
            SymbolPlace::Reserved(number) => (number, 0),
            SymbolPlace::Section(number) => match u16::try_from(number) {
                Ok(small) if small < SHN_LORESERVE => (small, 0),
                _ => (SHN_XINDEX, number),
            },
        };
        self.bytes.extend(small.to_le_bytes());
        self.bytes.extend(value.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        if self.is_wide {
            self.wide.extend(wide.to_le_bytes());
        }
        self.count += 1;
        self.count - 1
    }

    /// Adds symbol `id` of the program, once.
    #[expect(clippy::too_many_arguments, reason = "the fields of an entry")]
    pub fn symbol(
        &mut self,
        id: SymbolId,
        name: &'a str,
        info: u8,
        other: u8,
        place: SymbolPlace,
        value: u64,
        size: u64,
    ) {
        if self.numbers[id as usize] == NONE {
            self.numbers[id as usize] = self.add(name, info, other, place, value, size);
        }
    }

    /// Adds the symbol of section `number`, once. `names` are the names of the sections.
    pub fn section(&mut self, names: &'a [Cow<'a, str>], number: OutputSectionId) {
        if number != NONE && self.sections[number as usize] == NONE {
            let place = SymbolPlace::Section(number);
            self.sections[number as usize] = self.add(&names[number as usize], st::SECTION, 0, place, 0, 0);
        }
    }

    /// Ends the local symbols: later ones are global.
    pub fn locals_end(&mut self) {
        self.first_global = self.count;
    }

    /// The number of a relocation's referent.
    pub fn number(&self, target: Target) -> Option<u32> {
        let number = match target {
            Target::Symbol(symbol) => self.numbers[symbol as usize],
            Target::Section(section) => self.sections[section as usize],
        };
        (number != NONE).then_some(number)
    }

    /// Keeps the numbers alone, for relocations that are written later.
    pub fn finish(&mut self) -> Symbols<'static> {
        Symbols {
            bytes: Vec::new(),
            wide: Vec::new(),
            strings: Strings::default(),
            first_global: self.first_global,
            numbers: std::mem::take(&mut self.numbers),
            sections: std::mem::take(&mut self.sections),
            count: self.count,
            is_wide: self.is_wide,
        }
    }

    /// The number of a symbol of an object, 0 if it is not in the output.
    fn of_object(&self, program: &Program<'_>, object: u32, symbol: u32) -> u32 {
        program.lookup(object, symbol).and_then(|id| self.number(Target::Symbol(id))).unwrap_or(0)
    }

    fn function(&self, program: &Program<'_>, f: FunctionId) -> u32 {
        self.numbers[program.functions[f as usize].symbol as usize]
    }
}

/// Makes the symbol table. `names` are the names of the sections.
pub(crate) fn symbols<'a>(
    program: &Program<'a>,
    graph: &Graph<'a>,
    (sections, banks): (&Sections<'a>, &Banks),
    names: &'a [Cow<'a, str>],
) -> Symbols<'a> {
    let mut out = Symbols::new(program, sections);
    let section = |out: &mut Symbols<'a>, number: OutputSectionId| out.section(names, number);
    section(&mut out, sections.fixed.tool);
    section(&mut out, sections.fixed.cuda);
    for object in 0..program.objects.len() {
        let this = &program.objects[object];
        let base = program.first[object];
        let functions = (base..).zip(&this.functions).filter(|(f, _)| graph.live[*f as usize]);
        for (f, function) in functions {
            let symbol = program.functions[f as usize].symbol;
            if program.symbols[symbol as usize].local {
                function_symbol(&mut out, program, sections, symbol);
            }
            section(&mut out, sections.text[f as usize]);
            section(&mut out, sections.shared[f as usize]);
            let _ = function;
        }
        for &id in &program.maps[object] {
            let s = &program.symbols[id as usize];
            if s.object != object as u32 || out.numbers[id as usize] != NONE {
                continue;
            }
            match s.class {
                Class::Section => {
                    let number = sections.placements[object].get(s.section as usize).map_or(NONE, |p| p.0);
                    section(&mut out, number);
                    if number != NONE {
                        out.numbers[id as usize] = out.sections[number as usize];
                    }
                }
                // A function inside the section of another one.
                Class::Function if s.local && s.function != NONE && graph.live[s.function as usize] => {
                    function_symbol(&mut out, program, sections, id);
                }
                Class::Global | Class::Constant if s.local => variable_symbol(&mut out, program, sections, id),
                // A parameter, in the code of its kernel (nvlink 13.0.88 output).
                Class::Bound(kind) if s.local && s.function != NONE && banks.bound.word(id).is_some() => {
                    let place = SymbolPlace::Section(sections.text[s.function as usize]);
                    out.symbol(id, s.name, st::LOCAL << 4 | kind, s.other, place, 0, 0);
                }
                _ => {}
            }
        }
    }
    for number in 1..sections.list.len() as u32 {
        let s = &sections.list[number as usize];
        let is_named = s.flags & raddle_cubin::elf::shf::ALLOC != 0
            || sections.fixed.callgraph == number
            || [sections.fixed.action, sections.fixed.prototype].contains(&Some(number));
        if is_named {
            section(&mut out, number);
        }
    }
    out.locals_end();
    for object in 0..program.objects.len() {
        for functions in [true, false] {
            for &id in &program.maps[object] {
                let s = &program.symbols[id as usize];
                if s.local || out.numbers[id as usize] != NONE || functions != (s.class == Class::Function) {
                    continue;
                }
                match s.class {
                    Class::Function if s.function != NONE && graph.live[s.function as usize] => {
                        function_symbol(&mut out, program, sections, id);
                    }
                    Class::Function if graph.is_system(id) => {
                        let name = s.name;
                        out.numbers[id as usize] =
                            out.add(name, st::GLOBAL << 4 | st::FUNC, 0, SymbolPlace::Undefined, 0, 0);
                    }
                    Class::Global | Class::Constant => variable_symbol(&mut out, program, sections, id),
                    Class::Bound(kind) if banks.bound.word(id).is_some() => {
                        let name = s.name;
                        out.numbers[id as usize] =
                            out.add(name, st::GLOBAL << 4 | kind, 0, SymbolPlace::Undefined, 0, 0);
                    }
                    Class::System | Class::RowSize if s.class == Class::RowSize || s.name == RESERVED_SHARED => {
                        let (name, size) = (s.name, s.size);
                        out.numbers[id as usize] =
                            out.add(name, st::GLOBAL << 4 | st::OBJECT, 0, SymbolPlace::Undefined, 0, size);
                    }
                    _ => {}
                }
            }
        }
    }
    out
}

fn binding(s: &super::resolve::Symbol<'_>) -> u8 {
    match (s.local, s.state) {
        (true, _) => st::LOCAL,
        (_, State::Weak) => st::WEAK,
        _ => st::GLOBAL,
    }
}

/// Adds a function with its `st_other`: the mark of kernels and the visibility.
fn function_symbol<'a>(out: &mut Symbols<'a>, program: &Program<'a>, sections: &Sections<'a>, id: SymbolId) {
    let s = &program.symbols[id as usize];
    let place = SymbolPlace::Section(sections.text[s.function as usize]);
    out.symbol(id, s.name, binding(s) << 4 | st::FUNC, s.other, place, s.value, s.size);
}

/// Adds a variable; in executables `st_other` does not encode its memory.
fn variable_symbol<'a>(out: &mut Symbols<'a>, program: &Program<'a>, sections: &Sections<'a>, id: SymbolId) {
    let s = &program.symbols[id as usize];
    // Parameters and compiler-made constants have no symbol.
    if s.state == State::Undefined || s.function != NONE {
        return;
    }
    if let Some((section, value)) = sections.variable(program, id) {
        out.symbol(
            id,
            s.name,
            binding(s) << 4 | st::OBJECT,
            s.other & (st::OTHER_MANAGED | 3),
            SymbolPlace::Section(section),
            value,
            s.size,
        );
    }
}

fn word_attribute(out: &mut Vec<u8>, code: u8, words: &[u32]) {
    out.extend([4, code]);
    out.extend((4 * words.len() as u16).to_le_bytes());
    out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
}

/// `.nv.info`: attributes of the program, then those of each function, then the stack sizes of
/// kernels.
pub(crate) fn info(
    program: &Program<'_>,
    graph: &Graph<'_>,
    symbols: &Symbols<'_>,
    usage: &[Usage],
) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    let mut seen: Vec<&[u8]> = Vec::new();
    for (index, object) in program.objects.iter().enumerate() {
        let Some(section) = object.raw.sections.get(object.info as usize) else { continue };
        for attribute in attributes(section.bytes) {
            let broken =
                |_| Problem::Malformed { object: object.name.to_owned(), what: ".nv.info cannot be read".into() };
            let a = attribute.map_err(broken)?;
            let of_function =
                matches!(a.code, code::REGCOUNT | code::FRAME_SIZE | code::MAX_STACK_SIZE | code::MIN_STACK_SIZE);
            if a.code == code::SAMPLER_INIT {
                out.extend(inherited::renumbered(&a, |symbol| symbols.of_object(program, index as u32, symbol)));
            } else if !of_function && !seen.contains(&a.bytes) && seen.len() < 64 {
                seen.push(a.bytes);
                out.extend_from_slice(a.bytes);
            }
        }
    }
    let live = || (0..program.functions.len() as u32).filter(|&f| graph.live[f as usize]);
    for f in live() {
        let function = program.function(f);
        let number = symbols.function(program, f);
        let mut parts = Vec::new();
        for &(symbol, registers, frame) in &function.inner {
            if let Some(id) = program.lookup(program.functions[f as usize].object, symbol)
                && let Some(number) = symbols.number(Target::Symbol(id))
            {
                parts.push((number, registers, frame));
            }
        }
        let registers = if function.is_entry { usage[f as usize].registers } else { function.registers };
        word_attribute(&mut out, code::FRAME_SIZE, &[number, function.frame]);
        word_attribute(&mut out, code::REGCOUNT, &[number, registers]);
        for (number, registers, frame) in parts {
            word_attribute(&mut out, code::FRAME_SIZE, &[number, frame]);
            if registers > 0 {
                word_attribute(&mut out, code::REGCOUNT, &[number, registers]);
            }
        }
    }
    for f in live().filter(|&f| program.function(f).is_entry) {
        word_attribute(&mut out, code::MIN_STACK_SIZE, &[symbols.function(program, f), usage[f as usize].stack]);
    }
    Ok(out)
}

/// The inputs of a function's attributes besides its object.
#[derive(Clone, Copy)]
pub(crate) struct AttributeInputs<'p, 'a> {
    pub program: &'p Program<'a>,
    pub symbols: &'p Symbols<'a>,
    pub sections: &'p Sections<'a>,
    pub usage: &'p [Usage],
    /// Features by function, for kernels including those of all that they reach.
    pub features: &'p [Features],
}

/// `.nv.info.<name>`: the object's attributes, last first, with symbols renumbered, and attributes
/// inherited from callees.
pub(crate) fn function_info(
    facts: AttributeInputs<'_, '_>,
    f: FunctionId,
    externs: &[SymbolId],
) -> Result<Vec<u8>, Problem> {
    let AttributeInputs { program, symbols, sections, usage, features } = facts;
    let features = features.get(f as usize).copied().unwrap_or_default();
    let function = program.function(f);
    let owner = program.functions[f as usize].object;
    let object = &program.objects[owner as usize];
    let Some(section) = object.raw.sections.get(function.info as usize) else { return Ok(Vec::new()) };
    let malformed =
        || Problem::Malformed { object: object.name.to_owned(), what: format!("{} cannot be read", section.name) };
    let all: Result<Vec<_>, _> = attributes(section.bytes).collect();
    let all = all.map_err(|_| malformed())?;
    let usage =
        if function.is_entry { usage[f as usize] } else { Usage { barriers: function.barriers, ..Usage::default() } };
    let cycle = function.is_entry && usage.stack == UNKNOWN;
    let mut out = Vec::with_capacity(section.bytes.len() + 16);
    let mut has_barriers = false;
    for a in all.iter().rev() {
        match a.code {
            code::EXTERNS => {}
            code::CRS_STACK_SIZE if cycle => {}
            code::NUM_BARRIERS => {
                has_barriers = true;
                out.extend([a.format, a.code, usage.barriers as u8, 0]);
            }
            code::NUM_MBARRIERS | code::SPARSE_MMA_MASK | code::CTAIDZ_USED | code::RESERVED_SMEM_USED => {
                out.extend(features.attribute(a.code));
            }
            code::PARAM_CBANK => {
                let rest = a.word(1).ok_or_else(malformed)?;
                let bank0 = sections.bank0[f as usize];
                let number = if bank0 == NONE { None } else { symbols.number(Target::Section(bank0)) };
                word_attribute(&mut out, a.code, &[number.unwrap_or(0), rest]);
            }
            code::KPARAM_INFO => {
                out.extend(inherited::renumbered(a, |symbol| symbols.of_object(program, owner, symbol)));
            }
            _ => out.extend_from_slice(a.bytes),
        }
    }
    if cycle {
        word_attribute(&mut out, code::CRS_STACK_SIZE, &[UNKNOWN]);
    }
    if !has_barriers && usage.barriers > 0 {
        out.extend([2, code::NUM_BARRIERS, usage.barriers as u8, 0]);
    }
    let said = |code: u8| all.iter().any(|a| a.code == code);
    out.extend(features.codes().filter(|&code| !said(code)).flat_map(|code| features.attribute(code)));
    let numbers: Vec<u32> = externs.iter().filter_map(|&s| symbols.number(Target::Symbol(s))).collect();
    // The length of an attribute has 16 bits.
    for some in numbers.chunks(usize::from(u16::MAX) / 4) {
        word_attribute(&mut out, code::EXTERNS, some);
    }
    Ok(out)
}

/// The kernels whose address each function takes and the functions of the driver that it needs, for
/// kernels including those of callees.
///
/// # Errors
/// An attribute that refers to a symbol that does not exist.
pub(crate) fn externs(program: &Program<'_>, graph: &Graph<'_>, banks: &Banks) -> Result<Vec<Vec<SymbolId>>, Problem> {
    let mut out = inherited::kernels(program, graph, banks)?;
    let nodes: Vec<u32> = (0..graph.system.len()).map(|i| graph.system_node(program, i)).collect();
    for (&symbol, kernels) in graph.system.iter().zip(graph.reached_by(&banks.kernels, &nodes)) {
        for k in kernels {
            out[banks.kernels[k as usize] as usize].push(symbol);
        }
    }
    for edge in &graph.edges {
        if let Edge::Calls(a, b) = *edge
            && let (Some(f), None) = (program.defined_function(a), program.defined_function(b))
            && !program.function(f).is_entry
        {
            out[f as usize].push(b);
        }
    }
    Ok(out)
}

/// `.nv.callgraph` and `.nv.prototype`.
pub(crate) fn callgraph<'a>(program: &Program<'a>, graph: &Graph<'a>, symbols: &mut Symbols<'a>) -> (Vec<u8>, Vec<u8>) {
    let mut parts: [Vec<[u32; 2]>; 4] = Default::default();
    for edge in &graph.edges {
        let of = |s: SymbolId| symbols.numbers[s as usize];
        match *edge {
            Edge::Calls(a, b) => parts[0].push([of(a), of(b)]),
            Edge::Takes(a, b) => parts[3].push([of(a), of(b)]),
            Edge::Taken(a, text) => {
                let a = of(a);
                parts[1].push([a, symbols.strings.place(text)]);
            }
            Edge::Indirect(a, text) => {
                let a = of(a);
                parts[2].push([a, symbols.strings.place(text)]);
            }
        }
    }
    let mut graph_bytes = Vec::new();
    for (head, pairs) in parts.iter_mut().enumerate() {
        pairs.sort_unstable();
        graph_bytes.extend(0u32.to_le_bytes());
        graph_bytes.extend((-1 - head as i32).to_le_bytes());
        let known = pairs.iter().filter(|p| p[0] != NONE && p[1] != NONE);
        graph_bytes.extend(known.flatten().flat_map(|w| w.to_le_bytes()));
    }
    let mut types: Vec<[u32; 2]> = Vec::new();
    for (index, object) in program.objects.iter().enumerate() {
        for (section, s) in object.raw.sections.iter().enumerate() {
            if s.kind != raddle_cubin::elf::sht::CUDA_PROTOTYPE {
                continue;
            }
            for [symbol, text] in object.raw.pairs(section as u32) {
                let number = program.lookup(index as u32, symbol).map_or(NONE, |s| symbols.numbers[s as usize]);
                if number != NONE
                    && let Some(text) = object.raw.string(text)
                {
                    types.push([number, symbols.strings.place(text)]);
                }
            }
        }
    }
    types.sort_unstable();
    types.dedup();
    (graph_bytes, types.iter().flatten().flat_map(|w| w.to_le_bytes()).collect())
}
