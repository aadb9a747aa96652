//! Resolves symbols to definitions, and selects members of libraries.
//!
//! | a symbol is | and also | result |
//! |---|---|---|
//! | defined | defined | an error that names both objects |
//! | weak | defined | the definition |
//! | weak | weak | the first, in the order of the inputs |
//! | common | defined or weak | the definition |
//! | common | common | one, with the larger size and alignment |
//! | undefined | any of these | that one |
//!
//! A member of a library is linked if it defines an undefined symbol (a weak reference does not
//! count); its references may need further members. Objects are then put into an order determined
//! by their contents, so that the order of the inputs matters only between weak definitions of one
//! name.

use raddle_cubin::elf::{SHN_COMMON, shf, st};
use raddle_cubin::model::SymbolPlace;
use raddle_entity::FxHashMap;

use super::problem::Problem;
use super::read::{NONE, Object, constant_bank, is_alignment};

/// Index into [`Program::symbols`].
pub(crate) type SymbolId = u32;
/// Index into [`Program::functions`].
pub(crate) type FunctionId = u32;

/// The kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Code.
    Function,
    /// A variable in global memory.
    Global,
    /// A variable in a constant bank.
    Constant,
    /// A variable in shared memory.
    Shared,
    /// A section.
    Section,
    /// A symbol that the linker or the driver defines: the unified function tables, reserved shared
    /// memory.
    System,
    /// A texture, sampler or surface, which the driver binds: the ELF type of its symbol.
    Bound(u8),
    /// The size of a row in the driver's table of textures, samplers or surfaces, by which code finds
    /// what a query asks for. The driver fills it in (nvlink 13.0.88 output).
    RowSize,
    /// A symbol of no known kind.
    Nothing,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Function => "function",
            Class::Global => "variable in global memory",
            Class::Constant => "variable in constant memory",
            Class::Shared => "variable in shared memory",
            Class::Bound(_) => "texture, sampler or surface",
            Class::Section | Class::System | Class::RowSize | Class::Nothing => "symbol of the system",
        }
    }
}

/// The state of a symbol's definition; later states take precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    /// Referenced only.
    Undefined,
    /// A common symbol, with size and alignment.
    Common,
    /// A weak definition.
    Weak,
    /// A strong definition.
    Strong,
}

/// A symbol of the program.
#[derive(Clone, Debug)]
pub(crate) struct Symbol<'a> {
    pub name: &'a str,
    pub class: Class,
    pub state: State,
    pub local: bool,
    /// Whether all references are weak.
    pub weak_use: bool,
    /// `st_other` of the definition.
    pub other: u8,
    /// The object with the definition, or with the first reference.
    pub object: u32,
    /// Section in that object, [`NONE`] for undefined and common symbols.
    pub section: u32,
    pub value: u64,
    pub size: u64,
    /// Alignment of common and shared variables.
    pub align: u64,
    /// The function whose section of code it names or is in.
    pub function: FunctionId,
}

/// A function of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionRef {
    pub object: u32,
    /// Its index in the object.
    pub index: u32,
    pub symbol: SymbolId,
    /// Whether another definition of the name is used.
    pub overridden: bool,
}

/// All objects with their symbols resolved.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub objects: Vec<Object<'a>>,
    pub symbols: Vec<Symbol<'a>>,
    /// Per object, by its symbol numbers.
    pub maps: Vec<Vec<SymbolId>>,
    pub functions: Vec<FunctionRef>,
    /// Number of the first function of each object.
    pub first: Vec<FunctionId>,
    /// Symbols that are visible to other objects, by name.
    pub names: FxHashMap<&'a str, SymbolId>,
    /// Members of libraries that were linked, in the order of their selection.
    pub taken: Vec<Taken<'a>>,
}

/// A member of a library with the reason why it was linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken<'a> {
    pub member: &'a str,
    /// The symbol that it defines and another object needs.
    pub symbol: &'a str,
    /// The first object that needs it.
    pub by: &'a str,
}

impl<'a> Program<'a> {
    /// Restores the names that variables had before a split, as local symbols.
    pub fn restore(&mut self, original: fn(&str) -> Option<&str>) {
        let variables = self.symbols.iter_mut().filter(|s| matches!(s.class, Class::Global | Class::Constant));
        for symbol in variables.filter(|s| s.state > State::Undefined) {
            if let Some(name) = original(symbol.name) {
                (symbol.name, symbol.local) = (name, true);
            }
        }
    }

    /// Makes definitions of these names local.
    pub fn make_local(&mut self, sorted: &[String]) {
        if sorted.is_empty() {
            return;
        }
        for symbol in self.symbols.iter_mut().filter(|s| s.state > State::Undefined) {
            symbol.local |= sorted.binary_search_by(|name| name.as_str().cmp(symbol.name)).is_ok();
        }
    }

    /// Whether `symbol` of `object` is in a function that another definition overrides.
    pub fn is_overridden(&self, object: u32, symbol: u32) -> bool {
        let this = &self.objects[object as usize];
        let Some(SymbolPlace::Section(section)) = this.raw.symbols.get(symbol as usize).map(|s| s.place) else {
            return false;
        };
        let owner = this.owner[section as usize];
        owner != NONE && self.functions[(self.first[object as usize] + owner) as usize].overridden
    }

    pub fn function(&self, id: FunctionId) -> &super::read::Function {
        let f = &self.functions[id as usize];
        &self.objects[f.object as usize].functions[f.index as usize]
    }

    pub fn function_name(&self, id: FunctionId) -> &'a str {
        self.symbols[self.functions[id as usize].symbol as usize].name
    }

    pub fn object_name(&self, object: u32) -> &'a str {
        self.objects[object as usize].name
    }

    /// The resolved symbol of a relocation, attribute or edge of `object`; `None` beyond its table.
    pub fn lookup(&self, object: u32, symbol: u32) -> Option<SymbolId> {
        self.maps[object as usize].get(symbol as usize).copied()
    }

    /// The function of a symbol, if it is defined here.
    pub fn defined_function(&self, symbol: SymbolId) -> Option<FunctionId> {
        let s = &self.symbols[symbol as usize];
        (s.class == Class::Function && s.function != NONE).then_some(s.function)
    }
}

/// Whether this ELF type of symbols is that of a texture, sampler or surface.
pub(crate) fn is_bound(kind: u8) -> bool {
    matches!(kind, st::CUDA_TEXTURE | st::CUDA_SAMPLER | st::CUDA_SURFACE)
}

fn class(symbol: &raddle_cubin::raw::Symbol<'_>) -> Class {
    match (symbol.kind, symbol.other & 0xe0) {
        (st::FUNC, _) => Class::Function,
        (st::SECTION, _) => Class::Section,
        (st::CUDA_OBJECT | st::OBJECT, st::OTHER_GLOBAL) => Class::Global,
        (st::CUDA_OBJECT | st::OBJECT, st::OTHER_SHARED) => Class::Shared,
        (st::CUDA_OBJECT | st::OBJECT, st::OTHER_CONSTANT) => Class::Constant,
        (st::OBJECT, _) if symbol.name.starts_with(".nv.") && symbol.name.ends_with("DescSize") => Class::RowSize,
        (st::CUDA_OBJECT | st::OBJECT, _) => Class::System,
        (kind, _) if is_bound(kind) => Class::Bound(kind),
        _ => Class::Nothing,
    }
}

fn state(symbol: &raddle_cubin::raw::Symbol<'_>) -> State {
    match symbol.place {
        SymbolPlace::Reserved(SHN_COMMON) => State::Common,
        SymbolPlace::Undefined | SymbolPlace::Reserved(_) => State::Undefined,
        SymbolPlace::Section(_) if symbol.binding == st::WEAK => State::Weak,
        SymbolPlace::Section(_) => State::Strong,
    }
}

/// Resolves all symbols.
pub(crate) fn run(mut objects: Vec<Object<'_>>) -> Result<Program<'_>, Vec<Problem>> {
    let taken = take_members(&mut objects);
    let weak = weak_winners(&objects);
    order(&mut objects);
    let mut program = Program {
        maps: Vec::with_capacity(objects.len()),
        symbols: Vec::with_capacity(objects.iter().map(|o| o.raw.symbols.len()).sum()),
        functions: Vec::with_capacity(objects.iter().map(|o| o.functions.len()).sum()),
        first: Vec::with_capacity(objects.len()),
        names: FxHashMap::default(),
        taken,
        objects,
    };
    let mut problems = Vec::new();
    for object in 0..program.objects.len() {
        enter(&mut program, object, &weak, &mut problems);
    }
    // The definition of a later object may have taken precedence.
    for (id, f) in program.functions.iter_mut().enumerate() {
        f.overridden = program.symbols[f.symbol as usize].function != id as u32;
    }
    if problems.is_empty() { Ok(program) } else { Err(problems) }
}

/// The object whose definition counts for each name with only weak ones: the first in the order of
/// the inputs.
fn weak_winners<'a>(objects: &[Object<'a>]) -> FxHashMap<&'a str, u32> {
    let mut out = FxHashMap::default();
    for object in objects {
        for symbol in &object.raw.symbols {
            if symbol.binding == st::WEAK && state(symbol) == State::Weak {
                out.entry(symbol.name).or_insert(object.input);
            }
        }
    }
    out
}

/// Drops unused members of libraries; returns the others with the reason.
fn take_members<'a>(objects: &mut Vec<Object<'a>>) -> Vec<Taken<'a>> {
    let mut reasons = Vec::new();
    if objects.iter().all(|o| !o.library) {
        return reasons;
    }
    let mut defined: FxHashMap<&str, bool> = FxHashMap::default();
    let mut providers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut wanted: Vec<(&str, usize)> = Vec::new();
    let mut taken: Vec<bool> = objects.iter().map(|o| !o.library).collect();
    for (index, object) in objects.iter().enumerate() {
        for symbol in object.raw.symbols.iter().filter(|s| s.binding != st::LOCAL && state(s) >= State::Weak) {
            if taken[index] {
                defined.insert(symbol.name, true);
            } else {
                providers.entry(symbol.name).or_insert(index);
            }
        }
    }
    let uses = |index: usize| {
        let symbols = objects[index].raw.symbols.iter();
        let used = symbols.filter(|s| s.binding == st::GLOBAL && s.place == SymbolPlace::Undefined);
        used.map(move |s| (s.name, index))
    };
    for index in (0..objects.len()).filter(|&i| taken[i]) {
        wanted.extend(uses(index));
    }
    while let Some((name, by)) = wanted.pop() {
        if defined.contains_key(name) {
            continue;
        }
        let Some(&index) = providers.get(name) else { continue };
        if !std::mem::replace(&mut taken[index], true) {
            let object = &objects[index];
            reasons.push(Taken { member: object.name, symbol: name, by: objects[by].name });
            for symbol in object.raw.symbols.iter().filter(|s| s.binding != st::LOCAL && state(s) >= State::Weak) {
                defined.insert(symbol.name, true);
            }
            wanted.extend(uses(index));
        }
    }
    let mut keep = taken.into_iter();
    objects.retain(|_| keep.next().unwrap_or(true));
    reasons
}

/// Sorts objects independently of the order of the inputs: by the least name they define for
/// others, then by their bytes.
fn order(objects: &mut Vec<Object<'_>>) {
    fn least<'a>(object: &Object<'a>) -> (bool, &'a str) {
        let strong = object.raw.symbols.iter().filter(|s| s.binding == st::GLOBAL && state(s) == State::Strong);
        strong.map(|s| s.name).min().map_or((true, ""), |name| (false, name))
    }
    let mut keyed: Vec<((bool, &str), Object<'_>)> = objects.drain(..).map(|o| (least(&o), o)).collect();
    keyed.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| contents(x).cmp(contents(y))));
    objects.extend(keyed.into_iter().map(|(_, o)| o));
}

fn contents<'o>(object: &'o Object<'_>) -> impl Iterator<Item = &'o [u8]> + 'o {
    object.raw.sections.iter().map(|s| s.bytes)
}

/// Adds the symbols of one object.
fn enter<'a>(program: &mut Program<'a>, object: usize, weak: &FxHashMap<&'a str, u32>, problems: &mut Vec<Problem>) {
    let Program { objects, symbols, maps, functions, first, names, taken: _ } = program;
    let this = &objects[object];
    let base = functions.len() as u32;
    first.push(base);
    let mut map = Vec::with_capacity(this.raw.symbols.len());
    for raw in &this.raw.symbols {
        let section = if let SymbolPlace::Section(s) = raw.place { s } else { NONE };
        let owner = this.owner.get(section as usize).copied().unwrap_or(NONE);
        let class = class(raw);
        let new = Symbol {
            name: raw.name,
            class,
            state: state(raw),
            local: raw.binding == st::LOCAL,
            weak_use: raw.binding == st::WEAK,
            other: raw.other,
            object: object as u32,
            section,
            value: raw.value,
            size: raw.size,
            align: if matches!(raw.place, SymbolPlace::Reserved(_)) || class == Class::Shared {
                raw.value.max(1)
            } else {
                1
            },
            function: if owner == NONE { NONE } else { base + owner },
        };
        if !is_alignment(new.align) && new.state >= State::Common {
            let what = format!("{} has alignment {:#x}", raw.name, new.align);
            problems.push(Problem::Malformed { object: this.name.to_owned(), what });
        }
        let is_seen = raw.binding != st::LOCAL && !raw.name.is_empty();
        let id = match names.get(raw.name).copied().filter(|_| is_seen) {
            Some(id) => {
                if let Err(problem) = merge(&mut symbols[id as usize], new, objects, weak) {
                    problems.push(problem);
                }
                id
            }
            None => {
                let id = symbols.len() as u32;
                if is_seen {
                    names.insert(raw.name, id);
                }
                symbols.push(new);
                id
            }
        };
        map.push(id);
    }
    for (index, f) in this.functions.iter().enumerate() {
        let symbol = map[f.symbol as usize];
        functions.push(FunctionRef { object: object as u32, index: index as u32, symbol, overridden: false });
    }
    maps.push(map);
}

/// Merges the symbol of another object into that of the program.
fn merge<'a>(
    old: &mut Symbol<'a>,
    new: Symbol<'a>,
    objects: &[Object<'a>],
    weak: &FxHashMap<&'a str, u32>,
) -> Result<(), Problem> {
    let name = |object: u32| objects[object as usize].name.to_owned();
    if old.class != new.class && old.class != Class::System && new.class != Class::System {
        return Err(Problem::Kinds {
            symbol: old.name.to_owned(),
            first: name(old.object),
            first_kind: old.class.name(),
            second: name(new.object),
            second_kind: new.class.name(),
        });
    }
    match (old.state, new.state) {
        (State::Strong, State::Strong) => {
            return Err(Problem::Duplicate {
                symbol: old.name.to_owned(),
                first: name(old.object),
                second: name(new.object),
            });
        }
        (State::Common, State::Common) => {
            old.size = old.size.max(new.size);
            old.align = old.align.max(new.align);
        }
        // Of weak definitions the first of the inputs counts, wherever it is in the sorted order.
        (State::Weak, State::Weak) if weak.get(new.name) == Some(&objects[new.object as usize].input) => *old = new,
        (State::Undefined, State::Undefined) => {
            old.weak_use &= new.weak_use;
            old.size = old.size.max(new.size);
        }
        (a, b) if b > a => {
            let weak_use = old.weak_use && new.weak_use;
            *old = Symbol { weak_use, ..new };
        }
        _ => old.weak_use &= new.weak_use,
    }
    Ok(())
}

/// The role of an object's section, by its type and flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Belongs to a function, or is generated anew.
    Other,
    /// Initialised or zeroed global memory.
    Global,
    /// A constant bank of the program.
    Bank(u8),
    /// Copied for debuggers.
    Debug,
}

/// The role of a section.
pub(crate) fn role(section: &raddle_cubin::raw::Section<'_>) -> Role {
    use raddle_cubin::elf::sht;
    match section.kind {
        sht::CUDA_GLOBAL | sht::CUDA_GLOBAL_INIT => Role::Global,
        kind if constant_bank(kind).is_some() && section.flags & shf::INFO_LINK == 0 => {
            constant_bank(kind).map_or(Role::Other, Role::Bank)
        }
        sht::PROGBITS if section.flags & shf::ALLOC == 0 => Role::Debug,
        _ => Role::Other,
    }
}
