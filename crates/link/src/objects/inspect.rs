//! Queries about a link: uses of an undefined symbol, the reason why a symbol is live, the
//! placement of symbols.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines};

use super::Linked;
use super::problem::{Problem, Use};
use super::read::NONE;
use super::resolve::{Class, FunctionId, Program, State, SymbolId};

/// The most names that are compared to find a similar one.
const MOST_NAMES: usize = 5_000;

/// The problem for an undefined symbol; `uses` are object, section and offset, and the first is
/// shown.
///
/// With `detail` it includes the source line and a similar name, which take time to find.
pub(crate) fn undefined(program: &Program<'_>, symbol: SymbolId, uses: &[(u32, u32, u64)], detail: bool) -> Problem {
    let name = program.symbols[symbol as usize].name;
    let (object, section, offset) = uses.first().copied().unwrap_or((0, 0, 0));
    let this = &program.objects[object as usize];
    let owner = this.owner.get(section as usize).copied().unwrap_or(NONE);
    let user = match this.functions.get(owner as usize) {
        Some(f) => this.raw.symbols[f.symbol as usize].name,
        None => this.section_name(section),
    };
    let others: BTreeSet<&str> = uses.iter().map(|u| program.object_name(u.0)).filter(|n| *n != this.name).collect();
    Problem::Undefined {
        symbol: name.to_owned(),
        at: Box::new(Use {
            object: this.name.to_owned(),
            user: user.to_owned(),
            offset,
            line: if detail { line(program, object, section, offset) } else { None },
        }),
        others: others.into_iter().map(str::to_owned).collect(),
        similar: if detail { similar(program, name) } else { None },
    }
}

/// The source line at `offset` of a section, if the object has a line table.
fn line(program: &Program<'_>, object: u32, section: u32, offset: u64) -> Option<(String, u32)> {
    let this = &program.objects[object as usize];
    this.raw.sections.iter().find(|s| s.name == ".debug_line" && !s.bytes.is_empty())?;
    let cubin = Cubin::parse(this.file).ok()?;
    let table = LineTable::read(&cubin, section, Lines::Source).ok()?;
    let row = table.rows.iter().rev().find(|r| r.offset <= offset)?;
    Some((table.files.get(row.file? as usize)?.clone(), row.line))
}

/// A defined name that differs in one or two characters, and in at most a third of them.
fn similar(program: &Program<'_>, name: &str) -> Option<String> {
    let most = (name.len() / 3).min(2);
    let defined = program.symbols.iter().filter(|s| !s.local && s.state > State::Undefined);
    let found = defined.take(MOST_NAMES).filter(|s| s.name.len().abs_diff(name.len()) <= most);
    let near = found.map(|s| (distance(s.name.as_bytes(), name.as_bytes()), s.name)).filter(|d| d.0 <= most).min()?;
    Some(near.1.to_owned())
}

/// The edit distance; not computed for names above 128 bytes.
fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len() > 128 || b.len() > 128 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A symbol placed in the output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    /// Section of the output.
    pub section: String,
    /// Byte offset in the section.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// The symbol.
    pub symbol: String,
    /// The object that defines it.
    pub object: String,
}

/// The resources of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelUsage {
    /// The kernel.
    pub kernel: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Named barriers.
    pub barriers: u32,
    /// Bytes of stack; `None` if it is recursive.
    pub stack: Option<u32>,
    /// Bytes of shared memory, without those reserved for the system.
    pub shared: u64,
}

impl Linked<'_> {
    /// The resources of each kernel with all its callees, in the order of the kernels.
    pub fn kernels(&self) -> Vec<KernelUsage> {
        let kernel = |(index, &f): (usize, &u32)| {
            let u = self.plan.usage[f as usize];
            KernelUsage {
                kernel: self.program.function_name(f).to_owned(),
                registers: u.registers,
                barriers: u.barriers,
                stack: Some(u.stack).filter(|&s| s != super::graph::UNKNOWN),
                shared: self.plan.banks.shared[index].size,
            }
        };
        self.plan.banks.kernels.iter().enumerate().map(kernel).collect()
    }

    /// The objects in output order, without unused members of libraries.
    pub fn objects(&self) -> Vec<&str> {
        self.program.objects.iter().map(|o| o.name).collect()
    }

    /// Every function and variable of the output, by section and offset.
    pub fn placed(&self) -> Vec<Placed> {
        let mut out = Vec::new();
        for (id, s) in self.program.symbols.iter().enumerate() {
            let place = match s.class {
                Class::Function if s.function != NONE => {
                    Some((self.plan.sections.text[s.function as usize], s.value)).filter(|p| p.0 != NONE)
                }
                Class::Global | Class::Constant if s.state > State::Undefined && s.function == NONE => {
                    self.plan.sections.variable(&self.program, id as u32)
                }
                _ => None,
            };
            if let Some((section, offset)) = place {
                out.push(Placed {
                    section: self.plan.sections.list[section as usize].name.clone().into_owned(),
                    offset,
                    size: s.size,
                    symbol: s.name.to_owned(),
                    object: self.program.object_name(s.object).to_owned(),
                });
            }
        }
        out.sort_unstable();
        out
    }

    /// The functions that were removed, with their objects.
    pub fn removed(&self) -> Vec<(&str, &str)> {
        let dead = (0..self.program.functions.len()).filter(|&f| !self.plan.graph.live[f]);
        let named = |f: usize| {
            let function = self.program.functions[f];
            (self.program.function_name(f as u32), self.program.object_name(function.object))
        };
        dead.map(named).collect()
    }

    /// The reason why a function or variable is in the output: itself, the function that refers to
    /// it, and so on up to a kernel, or to a variable that holds its address (then the last one is
    /// not a kernel). A variable that no function uses is listed alone: the host may look it up.
    /// `None` if it is not in the output.
    ///
    /// # Errors
    /// [`Problem::NoSymbol`] if no function or variable has this name.
    pub fn why_live(&self, name: &str) -> Result<Option<Vec<&str>>, Problem> {
        let named = (0..self.program.functions.len() as u32).filter(|&f| self.program.function_name(f) == name);
        let mut found = false;
        for f in named {
            found = true;
            if self.plan.graph.live[f as usize] {
                return Ok(Some(self.chain(f)));
            }
        }
        let variables = (0..self.program.symbols.len() as u32).filter(|&id| {
            let s = &self.program.symbols[id as usize];
            s.name == name && matches!(s.class, Class::Global | Class::Constant | Class::Shared)
        });
        for id in variables {
            found = true;
            let s = &self.program.symbols[id as usize];
            let mut chain = vec![s.name];
            if let Some(user) = self.user(id) {
                chain.extend(self.chain(user));
            }
            let stays = s.class != Class::Shared && self.plan.sections.variable(&self.program, id).is_some();
            if stays && s.state > State::Undefined || chain.len() > 1 {
                return Ok(Some(chain));
            }
        }
        if found { Ok(None) } else { Err(Problem::NoSymbol(name.to_owned())) }
    }

    /// A function, the function that refers to it, and so on.
    fn chain(&self, function: FunctionId) -> Vec<&str> {
        let mut chain = vec![self.program.function_name(function)];
        let mut at = function;
        while let Some(&up) = self.plan.graph.because.get(at as usize)
            && up != NONE
            && up != at
        {
            chain.push(self.program.function_name(up));
            at = up;
        }
        chain
    }

    /// The first live function that refers to a symbol.
    fn user(&self, symbol: SymbolId) -> Option<FunctionId> {
        for (object, this) in self.program.objects.iter().enumerate() {
            for &(section, target) in &this.relocations {
                let owner = this.owner[target as usize];
                let function = self.program.first[object].saturating_add(owner);
                if owner == NONE || !self.plan.graph.live[function as usize] {
                    continue;
                }
                let mut used = this.raw.relocations(section);
                if used.any(|r| self.program.lookup(object as u32, r.symbol) == Some(symbol)) {
                    return Some(function);
                }
            }
        }
        None
    }

    /// The objects that define and use `name`, one line each.
    ///
    /// # Errors
    /// [`Problem::NoSymbol`] if no object has this name.
    pub fn trace(&self, name: &str) -> Result<Vec<String>, Problem> {
        let mut out = Vec::new();
        for object in &self.program.objects {
            for s in object.raw.symbols.iter().filter(|s| s.name == name) {
                use raddle_cubin::elf::{SHN_COMMON, st};
                use raddle_cubin::model::SymbolPlace;
                let what = match (s.place, s.binding) {
                    (SymbolPlace::Undefined, _) => "use of",
                    (SymbolPlace::Reserved(SHN_COMMON), _) => "common definition of",
                    (_, st::LOCAL) => "private definition of",
                    (_, st::WEAK) => "weak definition of",
                    _ => "definition of",
                };
                out.push(format!("{}: {what} {name}", object.name));
            }
        }
        if out.is_empty() { Err(Problem::NoSymbol(name.to_owned())) } else { Ok(out) }
    }

    /// A readable map of the output: objects, sections, symbols, removed functions, resources of
    /// kernels.
    pub fn map(&self) -> String {
        let mut out = String::from("Objects, in the order of the output\n");
        for object in self.objects() {
            let _ = writeln!(out, "  {object}");
        }
        if !self.program.taken.is_empty() {
            out.push_str(
                "\nMembers of libraries, with the symbol for which they were linked and the object that needs it\n",
            );
        }
        for t in &self.program.taken {
            let _ = writeln!(out, "  {}  {}  {}", t.member, t.symbol, t.by);
        }
        out.push_str("\nSections\n    offset       size  align  name\n");
        for s in self.plan.sections.list.iter().skip(1) {
            let _ = writeln!(out, "{:10x} {:10x} {:6}  {}", s.offset, s.size(), s.align, s.name);
        }
        out.push_str("\nSymbols\n    offset       size  symbol, section, object\n");
        for p in self.placed() {
            let _ = writeln!(out, "{:10x} {:10x}  {}  {}  {}", p.offset, p.size, p.symbol, p.section, p.object);
        }
        out.push_str(
            "\nShared memory, relative to the start of each kernel's\n    offset       size  symbol, object, kernel\n",
        );
        for (symbol, kernel, place) in self.plan.banks.shared_variables() {
            let s = &self.program.symbols[symbol as usize];
            let object = self.program.object_name(s.object);
            let kernel = kernel.map_or(String::new(), |k| format!("  in {}", self.program.function_name(k)));
            let _ = writeln!(out, "{place:10x} {:10x}  {}  {object}{kernel}", s.size, s.name);
        }
        out.push_str("\nKernels\n registers  barriers      stack     shared  name\n");
        for k in self.kernels() {
            let stack = k.stack.map_or("unknown".to_owned(), |s| s.to_string());
            let _ = writeln!(out, "{:10} {:9} {stack:>10} {:10}  {}", k.registers, k.barriers, k.shared, k.kernel);
        }
        out.push_str("\nRemoved\n");
        for (function, object) in self.removed() {
            let _ = writeln!(out, "  {function}  {object}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_edits() {
        assert_eq!((distance(b"abc", b"abc"), distance(b"abc", b"abd"), distance(b"abc", b"ac")), (0, 1, 1));
        assert_eq!(distance(&[b'a'; 300], b"a"), usize::MAX);
    }
}
