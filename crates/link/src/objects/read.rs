//! Reads input files as objects: the sections of each function, and the attributes of the
//! functions.

use raddle_cubin::ReadError;
use raddle_cubin::elf::{shf, sht, st};
use raddle_cubin::info::code;
use raddle_cubin::model::{Kind, SymbolPlace};
use raddle_cubin::raw::{Raw, attributes};
use raddle_entity::{Executor, map};
use raddle_target::Target;

use super::features::Features;
use super::problem::Problem;

impl Function {
    /// Bytes of stack without callees: its frame and the largest of the functions inside its
    /// section.
    pub fn stack(&self) -> u32 {
        self.frame.saturating_add(self.inner.iter().map(|i| i.2).max().unwrap_or(0))
    }
}

/// The number for no section or no symbol.
pub(crate) const NONE: u32 = u32::MAX;

/// A file to link.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The name in messages: the path, followed by the member of an archive or fatbin.
    pub name: &'a str,
    /// A relocatable cubin.
    pub bytes: &'a [u8],
    /// Member of a library: linked only if a definition in it is needed.
    pub library: bool,
}

/// A function with its own section of code, as its object describes it.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its section of code.
    pub text: u32,
    /// Its symbol in the object.
    pub symbol: u32,
    pub is_entry: bool,
    /// `.nv.info.<name>`, [`NONE`] if there is none.
    pub info: u32,
    /// `.nv.constant0.<name>` and `.nv.constant2.<name>`.
    pub constants: [u32; 2],
    /// `.nv.shared.<name>`.
    pub shared: u32,
    pub registers: u32,
    /// Bytes of its own frame.
    pub frame: u32,
    pub barriers: u32,
    pub features: Features,
    /// Its register limit, `None` if there is none.
    pub limit: Option<u32>,
    /// Functions inside its section: symbol, registers, bytes of frame.
    pub inner: Vec<(u32, u32, u32)>,
}

/// An object.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    pub name: &'a str,
    /// Its number among the inputs.
    pub input: u32,
    /// The file.
    pub file: &'a [u8],
    pub raw: Raw<'a>,
    pub library: bool,
    pub functions: Vec<Function>,
    /// The function that each section belongs to; [`NONE`] for others.
    pub owner: Vec<u32>,
    /// Relocation sections with the sections they apply to, in file order.
    pub relocations: Vec<(u32, u32)>,
    /// The same by the section they apply to.
    relocated_by: Vec<[u32; 2]>,
    /// `.nv.info`, [`NONE`] if there is none.
    pub info: u32,
}

/// Reads all inputs. Every problem is reported, in the order of the inputs.
pub(crate) fn all<'a>(
    inputs: &[Input<'a>],
    wanted: Option<&'static Target>,
    executor: &dyn Executor,
) -> Result<Vec<Object<'a>>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut objects = Vec::with_capacity(inputs.len());
    for (number, read) in map(inputs.len(), executor, |i| object(&inputs[i], wanted)).into_iter().enumerate() {
        match read {
            Ok(object) => objects.push(Object { input: number as u32, ..object }),
            Err(problem) => problems.push(problem),
        }
    }
    if let (Some(first), None) = (objects.first(), wanted) {
        let sm = first.raw.header.sm();
        for object in objects.iter().filter(|o| !raddle_target::links_into(o.raw.header.sm(), sm)) {
            problems.push(Problem::Architecture {
                object: object.name.to_owned(),
                found: object.raw.header.sm(),
                wanted: format!("sm_{sm}"),
                reason: first.name.to_owned(),
            });
        }
    }
    if problems.is_empty() { Ok(objects) } else { Err(problems) }
}

/// Whether an alignment is possible for a section or variable: hostile files have 2^63.
pub(crate) fn is_alignment(align: u64) -> bool {
    align.is_power_of_two() && align <= 1 << 16
}

/// The first SM whose objects contain a second form of the code for a finalizer.
const FINALIZED: u16 = 100;

/// The ABI versions of containers that can be linked: that of CUDA 12 and the current one.
/// Differences are handled where they are read: the barriers of code (here), the architecture of
/// the PTX and the notes that only the new one has (`mod.rs`).
const CONTAINERS: [u8; 2] = [7, 8];

fn object<'a>(input: &Input<'a>, wanted: Option<&'static Target>) -> Result<Object<'a>, Problem> {
    let named = || input.name.to_owned();
    let raw = Raw::parse(input.bytes).map_err(|error| match error {
        ReadError::Extensible => Problem::Kind { object: named(), error },
        error => Problem::Unreadable { object: named(), error },
    })?;
    if raw.header.kind == Kind::Executable {
        return Err(Problem::Executable { object: named() });
    }
    if !CONTAINERS.contains(&raw.header.abi_version) {
        return Err(Problem::Container { object: named(), version: raw.header.abi_version });
    }
    let sm = raw.header.sm();
    if let Some(target) = wanted.filter(|target| !raddle_target::links_into(sm, target.sm)) {
        let (wanted, reason) = (target.name.to_owned(), "--arch".to_owned());
        return Err(Problem::Architecture { object: named(), found: sm, wanted, reason });
    }
    if sm >= FINALIZED {
        return Err(Problem::Finalizer { object: named(), sm });
    }
    if let Some(s) = raw.sections.iter().find(|s| !is_alignment(s.align)) {
        return Err(Problem::Malformed {
            object: named(),
            what: format!("section {} has alignment {:#x}", s.name, s.align),
        });
    }
    // nvlink 13.0.88 drops the relocations of parts that it has placed in a relocatable output:
    // their places are lost. Its own last link then gives wrong code for branch tables in
    // functions.
    let is_placed = |s: &raddle_cubin::raw::Section<'_>| {
        s.size > 0 && (s.kind == sht::CUDA_SHARED || constant_bank(s.kind) == Some(2) && s.flags & shf::INFO_LINK != 0)
    };
    let by_nvlink = |s: &raddle_cubin::raw::Section<'_>| {
        s.name == ".note.nv.tkinfo" && s.bytes.windows(8).any(|text| text == b"\0nvlink\0")
    };
    if raw.sections.iter().any(is_placed) && raw.sections.iter().any(by_nvlink) {
        return Err(Problem::Placed { object: named() });
    }
    let mut out = Object {
        name: input.name,
        input: 0,
        file: input.bytes,
        library: input.library,
        functions: Vec::new(),
        owner: vec![NONE; raw.sections.len()],
        relocations: Vec::new(),
        relocated_by: vec![[NONE; 2]; raw.sections.len()],
        info: NONE,
        raw,
    };
    out.find_functions();
    out.find_sections()?;
    out.read_info()?;
    Ok(out)
}

impl<'a> Object<'a> {
    fn malformed(&self, what: impl Into<String>) -> Problem {
        Problem::Malformed { object: self.name.to_owned(), what: what.into() }
    }

    /// Name of section `index`.
    pub fn section_name(&self, index: u32) -> &'a str {
        self.raw.sections.get(index as usize).map_or("?", |s| s.name)
    }

    /// The relocation sections that apply to `section`.
    pub fn relocations_of(&self, section: u32) -> impl Iterator<Item = u32> + use<'a> {
        self.relocated_by[section as usize].into_iter().filter(|&s| s != NONE)
    }

    /// Finds one function per section of code: the symbol its section is named after.
    fn find_functions(&mut self) {
        let count = self.raw.sections.iter().filter(|s| s.flags & shf::EXEC != 0).count();
        self.functions.reserve_exact(count);
        for (index, symbol) in self.raw.symbols.iter().enumerate() {
            let SymbolPlace::Section(text) = symbol.place else { continue };
            let section = &self.raw.sections[text as usize];
            if symbol.kind != st::FUNC
                || section.flags & shf::EXEC == 0
                || section.name.strip_prefix(".text.") != Some(symbol.name)
                || self.owner[text as usize] != NONE
            {
                continue;
            }
            self.owner[text as usize] = self.functions.len() as u32;
            self.functions.push(Function {
                text,
                symbol: index as u32,
                is_entry: symbol.other & st::OTHER_ENTRY != 0,
                info: NONE,
                constants: [NONE; 2],
                shared: NONE,
                registers: section.info >> 24,
                frame: 0,
                barriers: ((section.flags & shf::BARRIERS) >> shf::BARRIERS_AT) as u32,
                features: Features::default(),
                limit: None,
                inner: Vec::new(),
            });
        }
    }

    /// Finds the owners of the other sections: their `sh_info` is the section of code.
    fn find_sections(&mut self) -> Result<(), Problem> {
        for index in 0..self.raw.sections.len() {
            let section = self.raw.sections[index];
            let number = index as u32;
            if matches!(section.kind, sht::REL | sht::RELA) {
                let by = &mut self.relocated_by[section.info as usize];
                match by.iter_mut().find(|slot| **slot == NONE) {
                    Some(slot) => *slot = number,
                    None => return Err(self.malformed(format!("section {} is relocated three times", section.info))),
                }
                self.relocations.push((number, section.info));
                continue;
            }
            if section.kind == sht::CUDA_INFO && section.flags & shf::INFO_LINK == 0 {
                if std::mem::replace(&mut self.info, number) != NONE {
                    return Err(self.malformed("two sections .nv.info"));
                }
                continue;
            }
            let owned = section.kind == sht::CUDA_INFO
                || section.kind == sht::CUDA_SHARED
                || constant_bank(section.kind).is_some();
            if !owned || section.flags & shf::INFO_LINK == 0 {
                if section.flags & shf::EXEC != 0 && self.owner[index] == NONE {
                    return Err(self.malformed(format!("no function for section {}", section.name)));
                }
                continue;
            }
            let owner = self.owner.get(section.info as usize).copied().unwrap_or(NONE);
            let slot = self.functions.get_mut(owner as usize).and_then(|f| {
                match (section.kind, constant_bank(section.kind)) {
                    (sht::CUDA_INFO, _) => Some(&mut f.info),
                    (_, Some(0)) => Some(&mut f.constants[0]),
                    (_, Some(2)) => Some(&mut f.constants[1]),
                    (sht::CUDA_SHARED, _) => Some(&mut f.shared),
                    _ => None,
                }
            });
            match slot {
                Some(slot) if *slot == NONE => *slot = number,
                _ => return Err(self.malformed(format!("section {} belongs to no function", section.name))),
            }
            self.owner[index] = owner;
        }
        Ok(())
    }

    fn read_info(&mut self) -> Result<(), Problem> {
        let broken = |section: &str| format!("section {section} cannot be read");
        if let Some(section) = self.raw.sections.get(self.info as usize).copied() {
            for attribute in attributes(section.bytes) {
                let attribute = attribute.map_err(|_| self.malformed(broken(section.name)))?;
                let (Some(symbol), Some(value)) = (attribute.word(0), attribute.word(1)) else { continue };
                let Some(SymbolPlace::Section(text)) = self.raw.symbols.get(symbol as usize).map(|s| s.place) else {
                    continue;
                };
                let Some(f) = self.functions.get_mut(self.owner[text as usize] as usize) else { continue };
                let own = f.symbol == symbol;
                match attribute.code {
                    code::REGCOUNT if own => f.registers = value,
                    code::REGCOUNT => inner(&mut f.inner, symbol).1 = value,
                    code::FRAME_SIZE if own => f.frame = value,
                    code::FRAME_SIZE => inner(&mut f.inner, symbol).2 = value,
                    _ => {}
                }
            }
        }
        for index in 0..self.functions.len() {
            let Some(section) = self.raw.sections.get(self.functions[index].info as usize).copied() else { continue };
            for attribute in attributes(section.bytes) {
                let attribute = attribute.map_err(|_| self.malformed(broken(section.name)))?;
                self.functions[index].features.read(&attribute);
                let half = || attribute.value().first_chunk::<2>().map_or(0, |b| u32::from(u16::from_le_bytes(*b)));
                match attribute.code {
                    code::NUM_BARRIERS => self.functions[index].barriers = half() & 0xff,
                    code::MAXREG_COUNT => self.functions[index].limit = Some(half()).filter(|&n| n < 255),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn inner(list: &mut Vec<(u32, u32, u32)>, symbol: u32) -> &mut (u32, u32, u32) {
    // Attributes of one symbol are adjacent: the last entry is that of the symbol, or there is
    // none.
    if list.last().is_none_or(|l| l.0 != symbol) {
        list.push((symbol, 0, 0));
    }
    let last = list.len() - 1;
    &mut list[last]
}

/// The bank of a constant section of an object, by its type.
pub(crate) fn constant_bank(kind: u32) -> Option<u8> {
    (sht::CUDA_CONSTANT_B0..sht::CUDA_CONSTANT_B0 + 18).contains(&kind).then(|| (kind - sht::CUDA_CONSTANT_B0) as u8)
}
