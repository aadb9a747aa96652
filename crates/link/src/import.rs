//! Imports cubins of other compilers as unit objects, to be linked with ours.
//!
//! There are two kinds of files. An *executable* has all references in its code filled in, so its
//! kernels can be imported only if they share nothing with other units: no variables in global or
//! constant memory, no address slots. A *relocatable* object (`ptxas -c`) describes by relocations
//! what its code refers to; any of its kernels can be imported. Facts come from the attributes;
//! attributes that are not understood are kept unchanged.
//!
//! Invariant: what a [`UnitObject`] cannot represent is an [`ImportError`]; nothing is dropped
//! silently.

use std::collections::BTreeMap;

use raddle_cubin::elf::{shf, st};
use raddle_cubin::info::{Attribute, Value, code, compat};
use raddle_cubin::lines::{LineError, LineTable, Lines as Which};
use raddle_cubin::model::{Cubin, Kind, Payload, Reloc, Symbol, SymbolPlace};
use raddle_cubin::unit::{
    ConstantPool, CoopGroup, DataObject, Definition, Entry, Function, IndirectBranch, InstructionMarks, LineRow, Lines,
    Linkage, Part, RelocKind, Relocation, SharedArea, SourceFile, SourcePlace, Space, SymbolId, UnitObject,
};
use raddle_cubin::view::Kernel;
use raddle_target::Target;

use crate::indexed;

/// The reason why a cubin cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// It is for another architecture.
    #[error("the object is for sm_{found}, not for {wanted}")]
    Target {
        /// SM number of the file.
        found: u16,
        /// The expected architecture.
        wanted: &'static str,
    },
    /// An executable with variables: its code cannot be moved.
    #[error("an executable with section {0} cannot be linked: assemble it as a relocatable object")]
    Fixed(String),
    /// A relocation that has no counterpart in a unit.
    #[error("{section}: relocation {number} at {offset:#x} is not supported")]
    Relocation {
        /// The section that contains it.
        section: String,
        /// ELF number of the relocation.
        number: u32,
        /// Byte offset in the section.
        offset: u64,
    },
    /// Facts that contradict each other.
    #[error("{0} is malformed")]
    Malformed(String),
    /// The line table cannot be read.
    #[error(transparent)]
    Lines(#[from] LineError),
}

/// Sections of an executable that tie its code to variables.
const TIED: &[&str] = &[".nv.constant3", ".nv.constant4", ".nv.global", ".nv.global.init"];

/// Imports a cubin: all its functions, and its variables except those that `known` reports as
/// described elsewhere.
///
/// # Errors
/// [`ImportError`] for a file of another architecture, or one with content that a unit cannot
/// represent.
pub fn import(cubin: &Cubin, target: &Target, known: &dyn Fn(&str) -> bool) -> Result<UnitObject, ImportError> {
    let wanted = target.name;
    let wrong = || ImportError::Target { found: cubin.header.sm(), wanted };
    let native = target.native.as_ref().filter(|_| cubin.header.sm() == target.sm).ok_or_else(wrong)?;
    let relocatable = cubin.header.kind == Kind::Relocatable;
    if !relocatable && let Some(section) = TIED.iter().find(|&&s| cubin.section(s).is_some()) {
        return Err(ImportError::Fixed((*section).to_owned()));
    }
    let mut unit = UnitObject::default();
    if relocatable {
        variables(cubin, known, &mut unit)?;
    }
    let (entries, callees): (Vec<_>, Vec<_>) = cubin.functions().into_iter().partition(|k| k.is_entry);
    for k in entries.into_iter().chain(callees) {
        let f = function(cubin, &k, native.shared_base, relocatable, &mut unit)?;
        unit.functions.push(f);
    }
    unit.verify().map_err(|e| ImportError::Malformed(e.to_string()))?;
    Ok(unit)
}

fn variables(cubin: &Cubin, known: &dyn Fn(&str) -> bool, unit: &mut UnitObject) -> Result<(), ImportError> {
    let malformed = |name: &str| ImportError::Malformed(format!("variable {name}"));
    for symbol in &cubin.symbols {
        // Branch tables belong to the function.
        if pool_of(cubin, symbol).is_some() {
            continue;
        }
        if !matches!(symbol.kind, st::OBJECT | st::CUDA_OBJECT) || symbol.name.is_empty() || known(&symbol.name) {
            continue;
        }
        let space = match symbol.other & 0xe0 {
            st::OTHER_GLOBAL => Space::Global,
            st::OTHER_SHARED => Space::Shared,
            st::OTHER_CONSTANT => Space::Const,
            _ => continue,
        };
        let section = match symbol.place {
            SymbolPlace::Section(index) => cubin.sections.get(index as usize).map(|s| (index, s)),
            _ => None,
        };
        // The parameters of a kernel have a symbol, too.
        if section.is_some_and(|(_, s)| s.flags & shf::ALLOC == 0 || s.name.starts_with(".nv.constant0")) {
            continue;
        }
        let name = unit.symbols.intern(&symbol.name);
        let linkage = match symbol.binding {
            _ if space == Space::Shared => Linkage::Unit,
            st::LOCAL => Linkage::Unit,
            st::WEAK => Linkage::Weak,
            _ => Linkage::Visible,
        };
        let managed = symbol.other & st::OTHER_MANAGED != 0;
        let definition = Definition::Extern(0);
        let mut data = DataObject { name, space, linkage, definition, align: 1, relocations: Vec::new(), managed };
        if let Some((number, s)) = section {
            let size = usize::try_from(symbol.size).map_err(|_| malformed(&symbol.name))?;
            // The value of a shared variable's symbol is its alignment: the linker lays them out.
            let align = if space == Space::Shared { symbol.value } else { alignment(symbol.value, s.align) };
            data.align = u32::try_from(align.max(1)).map_err(|_| malformed(&symbol.name))?;
            data.definition = match &s.payload {
                Payload::Bytes(bytes) if space != Space::Shared => {
                    let start = usize::try_from(symbol.value).map_err(|_| malformed(&symbol.name))?;
                    let range = start..start.checked_add(size).ok_or_else(|| malformed(&symbol.name))?;
                    Definition::Bytes(bytes.get(range).ok_or_else(|| malformed(&symbol.name))?.to_vec())
                }
                _ => Definition::Zero(symbol.size),
            };
            if space != Space::Shared {
                let inside = symbol.value..symbol.value.saturating_add(symbol.size);
                for r in cubin.relocations(number).filter(|r| inside.contains(&r.offset)) {
                    data.relocations.push(relocation(cubin, number, r, symbol.value, unit)?);
                }
            }
        } else if space != Space::Shared {
            // An undefined symbol.
            continue;
        } else {
            data.align = 16;
        }
        unit.data.push(data);
    }
    Ok(())
}

/// The function whose constant pool a symbol denotes.
fn pool_of<'a>(cubin: &'a Cubin, symbol: &Symbol) -> Option<&'a str> {
    match symbol.place {
        SymbolPlace::Section(index) => cubin.sections.get(index as usize)?.name.strip_prefix(".nv.constant2."),
        _ => None,
    }
}

/// The alignment implied by an offset, at most that of its section.
fn alignment(offset: u64, section: u64) -> u64 {
    let section = section.max(1);
    if offset == 0 { section } else { section.min(1 << offset.trailing_zeros()) }
}

/// Converts a relocation of section `section`; offsets are relative to `base`.
fn relocation(
    cubin: &Cubin,
    section: u32,
    r: &Reloc,
    base: u64,
    unit: &mut UnitObject,
) -> Result<Relocation, ImportError> {
    let name = || cubin.sections[section as usize].name.clone();
    let unsupported = || ImportError::Relocation { section: name(), number: r.number, offset: r.offset };
    let symbol = cubin.symbols.get(r.symbol as usize).ok_or_else(|| ImportError::Malformed(name()))?;
    let is_function = symbol.kind == st::FUNC;
    let is_kernel = is_function && symbol.other & st::OTHER_ENTRY != 0;
    let kind = match r.number {
        1 | 70 if is_function => RelocKind::CodeOffset32,
        2 => RelocKind::Abs64,
        UNIFIED if is_function => RelocKind::Abs64,
        UNIFIED_LO if is_function => RelocKind::Abs32Lo,
        UNIFIED_HI if is_function => RelocKind::Abs32Hi,
        DESCRIPTOR if is_kernel => RelocKind::Abs64,
        DESCRIPTOR_LO if is_kernel => RelocKind::Abs32Lo,
        DESCRIPTOR_HI if is_kernel => RelocKind::Abs32Hi,
        4 => RelocKind::Generic64,
        55 => RelocKind::SharedImm,
        56 => RelocKind::Abs32Lo,
        57 => RelocKind::Abs32Hi,
        58 | 75 if is_function => RelocKind::CallAbs,
        59 | 64 | 66 => match (symbol.kind, r.number) {
            (st::CUDA_TEXTURE, 59) => RelocKind::TextureWordImm,
            (st::CUDA_SAMPLER, 59) => RelocKind::SamplerWordImm,
            (st::CUDA_SURFACE, 59) => RelocKind::SurfaceWordImm,
            (_, 59) => RelocKind::ConstOffsetImm,
            (st::CUDA_TEXTURE, _) => RelocKind::TextureWord,
            (st::CUDA_SAMPLER, _) => RelocKind::SamplerWord,
            (st::CUDA_SURFACE, _) => RelocKind::SurfaceWord,
            _ => RelocKind::ConstOffset,
        },
        65 if symbol.kind == st::CUDA_TEXTURE => RelocKind::TextureIndex,
        65 if symbol.kind == st::CUDA_SURFACE => RelocKind::SurfaceIndex,
        74 => RelocKind::SharedOffset,
        // Bytes of addresses: plain, generic, of a kernel's descriptor, of a function.
        n @ 76..=83 => RelocKind::ABS_BYTES[n as usize - 76],
        n @ 84..=91 => RelocKind::GENERIC_BYTES[n as usize - 84],
        n @ 92..=99 if is_kernel => RelocKind::ABS_BYTES[n as usize - 92],
        n @ 104..=111 if is_function => RelocKind::ABS_BYTES[n as usize - 104],
        _ => return Err(unsupported()),
    };
    if symbol.name.is_empty() || symbol.kind == st::SECTION {
        return Err(unsupported());
    }
    let offset = r.offset.checked_sub(base).and_then(|o| u32::try_from(o).ok()).ok_or_else(unsupported)?;
    if let (RelocKind::ConstOffset, Some(function)) = (kind, pool_of(cubin, symbol)) {
        let addend = r.addend.saturating_add(symbol.value as i64);
        return Ok(Relocation { offset, kind: RelocKind::PoolOffset, symbol: unit.symbols.intern(function), addend });
    }
    if kind.bound().is_some() {
        // The addend of samplers on sm_80 is a place that the linker chooses anew.
        let user = name();
        let symbol = bound(symbol, user.trim_start_matches(".text."), unit);
        return Ok(Relocation { offset, kind, symbol, addend: 0 });
    }
    Ok(Relocation { offset, kind, symbol: unit.symbols.intern(&symbol.name), addend: r.addend })
}

/// The name of a texture, sampler or surface that code of `function` uses: a parameter has the
/// kernel's name before its own.
fn bound(symbol: &Symbol, function: &str, unit: &mut UnitObject) -> SymbolId {
    match symbol.binding {
        st::LOCAL => unit.symbols.intern(&format!("{function}.{}", symbol.name)),
        _ => unit.symbols.intern(&symbol.name),
    }
}

/// Names the parameters of a kernel that the driver binds.
fn bind_parameters(cubin: &Cubin, k: &Kernel<'_>, entry: &mut Entry, unit: &mut UnitObject) {
    for a in k.attributes {
        let (Value::Param(info) | Value::ParamV2(info)) = &a.value else { continue };
        if let Some(symbol) = cubin.symbols.get(info.index as usize).filter(|_| info.index != 0)
            && let Some(param) = entry.params.get_mut(usize::from(info.ordinal))
        {
            (param.offset, param.size, param.bound) = (0, 0, Some(bound(symbol, k.name, unit)));
        }
    }
}

/// R_CUDA_UNIFIED, R_CUDA_UNIFIED32_LO_32 and R_CUDA_UNIFIED32_HI_32: addresses of functions on
/// sm_90.
const UNIFIED: u32 = 102;
const UNIFIED_LO: u32 = 112;
const UNIFIED_HI: u32 = 113;
/// R_CUDA_FUNC_DESC_64, R_CUDA_FUNC_DESC32_LO_32 and R_CUDA_FUNC_DESC32_HI_32: the driver's
/// descriptor of a kernel. The distinction from its code is made again, for kernels, when units are
/// written.
const DESCRIPTOR: u32 = 35;
const DESCRIPTOR_LO: u32 = 62;
const DESCRIPTOR_HI: u32 = 63;
/// The addend of an indirect call on sm_90: R_CUDA_ABS56_16_34 to an undefined weak symbol, so 0.
const UNIFIED_OFFSET: &str = "__UFT_OFFSET";

/// Whether a relocation refers to an undefined weak symbol whose value is 0.
fn adds_nothing(cubin: &Cubin, r: &Reloc) -> bool {
    let symbol = cubin.symbols.get(r.symbol as usize);
    symbol.is_some_and(|s| s.name == UNIFIED_OFFSET && s.binding == st::WEAK && s.place == SymbolPlace::Undefined)
}

/// Sets the bank in the operand of an instruction: R_CUDA_CONST_FIELD19_40 and
/// R_CUDA_CONST_FIELD21_38 fill in the bank as well as the offset, and objects have 0 there (ptxas
/// 13.0.88 output).
fn constant_bank(code: &mut [u8], offset: u32, bank: u128) -> Option<()> {
    let word = code.get_mut(offset as usize..)?.first_chunk_mut::<16>()?;
    *word = (u128::from_le_bytes(*word) & !(0x1f << 54) | bank << 54).to_le_bytes();
    Some(())
}

fn function(
    cubin: &Cubin,
    k: &Kernel<'_>,
    shared_base: u32,
    relocatable: bool,
    unit: &mut UnitObject,
) -> Result<Function, ImportError> {
    let malformed = || ImportError::Malformed(k.name.to_owned());
    let name = unit.symbols.intern(k.name);
    let many_params = k.attributes.iter().any(|a| a.code == code::KPARAM_INFO_V2);
    let mut entry = k.is_entry.then(|| Entry { params: k.params.clone(), many_params, ..Entry::default() });
    if let Some(entry) = &mut entry {
        bind_parameters(cubin, k, entry, unit);
    }
    let linkage = if k.is_entry { Linkage::Visible } else { Linkage::Unit };
    let marks = marks(cubin, k, entry.as_mut());
    let mut f = Function::new(name, linkage, entry, k.code.to_vec());
    f.padded = true;
    f.marks = marks;
    f.registers = k.registers as u16;
    f.barriers = k.barriers as u8;
    f.frame_size = k.frame_size;
    f.stack_size = (!relocatable).then_some(k.stack_size);
    let mut relocations: Vec<&Reloc> = cubin.relocations(k.section).filter(|r| !adds_nothing(cubin, r)).collect();
    relocations.sort_by_key(|r| (r.offset, r.number));
    for r in relocations {
        let mut new = relocation(cubin, k.section, r, 0, unit)?;
        if matches!(new.kind, RelocKind::SharedImm | RelocKind::SharedOffset) {
            // Objects add the window's base in their code (ptxas 13.0.88 output).
            new.addend = new.addend.saturating_sub(shared_base.into());
        }
        if matches!(new.kind, RelocKind::TextureWordImm | RelocKind::SamplerWordImm | RelocKind::SurfaceWordImm) {
            indexed::load(&f.code, r.offset).ok_or_else(malformed)?.clear_start(&mut f.code);
        }
        let bank = match new.kind {
            RelocKind::ConstOffset => Some(3),
            RelocKind::PoolOffset => Some(2),
            _ => None,
        };
        if let Some(bank) = bank {
            constant_bank(&mut f.code, new.offset, bank).ok_or_else(malformed)?;
        }
        f.relocations.push(new);
    }
    let section = |prefix: &str| cubin.section_index(&format!("{prefix}{}", k.name));
    // Words of textures behind the parameters of an executable.
    if let Some(index) = section(".nv.constant0.")
        && let Some(r) = cubin.relocations(index).next()
    {
        let section = cubin.sections[index as usize].name.to_string();
        return Err(ImportError::Relocation { section, number: r.number, offset: r.offset });
    }
    if let Some(index) = section(".nv.shared.").filter(|_| !relocatable) {
        let s = &cubin.sections[index as usize];
        let size =
            s.size().checked_sub(shared_base.into()).and_then(|n| u32::try_from(n).ok()).ok_or_else(malformed)?;
        f.shared = SharedArea { size, align: s.align as u32, dynamic: true };
    }
    if let Some(index) = section(".nv.constant2.") {
        let s = &cubin.sections[index as usize];
        f.constants = ConstantPool { bytes: s.bytes().to_vec(), align: s.align as u32, relocations: Vec::new() };
        for r in cubin.relocations(index).filter(|_| relocatable) {
            f.constants.relocations.push(relocation(cubin, index, r, 0, unit)?);
        }
    }
    for (index, s) in cubin.symbols.iter().enumerate() {
        if s.place == SymbolPlace::Section(k.section) && s.kind == st::FUNC && index as u32 != k.symbol {
            let frame_size = cubin.symbol_fact(code::FRAME_SIZE, index as u32).unwrap_or(0);
            let (offset, size) = (u32::try_from(s.value), u32::try_from(s.size));
            let (Ok(offset), Ok(size)) = (offset, size) else { return Err(malformed()) };
            f.parts.push(Part { name: unit.symbols.intern(&s.name), offset, size, frame_size });
        }
    }
    // A self-recursive call needs no relocation.
    let calls_itself = cubin.sections.iter().any(|s| match &s.payload {
        Payload::Pairs(pairs) if s.name == ".nv.callgraph" => pairs.contains(&[k.symbol, k.symbol]),
        _ => false,
    });
    f.callees.extend(calls_itself.then_some(name));
    f.lines = lines(cubin, k)?;
    Ok(f)
}

/// Attributes that the linker computes from other facts of a unit, besides those read by [`marks`].
const COMPUTED: &[u8] = &[
    code::CUDA_API_VERSION,
    code::SW_WAR,
    code::SW_WAR_SM80,
    code::X5F,
    code::EXTERNS,
    code::PARAM_CBANK,
    code::CBANK_PARAM_SIZE,
    code::KPARAM_INFO,
    code::KPARAM_INFO_V2,
    code::NUM_BARRIERS,
    code::FRAME_SIZE,
    code::MIN_STACK_SIZE,
    code::MAX_STACK_SIZE,
    code::REGCOUNT,
];

fn marks(cubin: &Cubin, k: &Kernel<'_>, entry: Option<&mut Entry>) -> InstructionMarks {
    let mut read: Vec<u8> = COMPUTED.to_vec();
    let mut words = |wanted| -> Vec<u32> {
        read.push(wanted);
        let found = k.attributes.iter().find_map(|a| match &a.value {
            Value::Words(w) if a.code == wanted => Some(w.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    };
    let three = |w: Vec<u32>| <[u32; 3]>::try_from(w).ok();
    let (max_threads, required) = (three(words(code::MAX_THREADS)), three(words(code::REQNTID)));
    let (cluster, rank) = (three(words(code::CTA_PER_CLUSTER)), words(code::MAX_CLUSTER_RANK).first().copied());
    let coop = words(code::COOP_GROUP_INSTR_OFFSETS).into_iter().zip(words(code::COOP_GROUP_MASK_REGIDS));
    let coop_group = coop.map(|(offset, mask)| CoopGroup { offset, mask }).collect();
    let mut indirect_branches = Vec::new();
    let table = words(code::INDIRECT_BRANCH_TARGETS);
    let mut rest = &table[..];
    while let [offset, _, count, tail @ ..] = rest {
        let (targets, next) = tail.split_at(tail.len().min(*count as usize));
        indirect_branches.push(IndirectBranch { offset: *offset, targets: targets.to_vec() });
        rest = next;
    }
    let mut out = InstructionMarks {
        exits: words(code::EXIT_INSTR_OFFSETS),
        coop_group,
        warp_wide: words(code::INT_WARP_WIDE_INSTR_OFFSETS),
        syscalls: words(code::SYSCALL_OFFSETS),
        indirect_branches,
        mbarriers: words(code::MBARRIER_INSTR_OFFSETS).chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]).collect(),
        unused_load_bytes: words(code::UNUSED_LOAD_BYTE_OFFSET).chunks_exact(2).map(|w| [w[0], w[1]]).collect(),
        atom16: words(code::ATOM16_EMUL_INSTR_REG_MAP).chunks_exact(2).map(|w| [w[0], w[1]]).collect(),
        uses_convergence: !words(code::CRS_STACK_SIZE).is_empty(),
        ..InstructionMarks::default()
    };
    let mut has = |wanted| {
        read.push(wanted);
        k.attributes.iter().any(|a| a.code == wanted)
    };
    out.ctaid_z = has(code::CTAIDZ_USED);
    out.reserved_shared = has(code::RESERVED_SMEM_USED);
    out.uses_wmma = has(code::WMMA_USED);
    out.reg_reconfig = has(code::REG_RECONFIG);
    let explicit = has(code::EXPLICIT_CLUSTER);
    let mut half = |wanted| {
        read.push(wanted);
        k.attributes.iter().find_map(|a| match a.value {
            Value::Half(h) if a.code == wanted => Some(h),
            _ => None,
        })
    };
    out.mbarrier_count = half(code::NUM_MBARRIERS).unwrap_or(0);
    out.sparse_mma = half(code::SPARSE_MMA_MASK).unwrap_or(0);
    let max_registers = half(code::MAXREG_COUNT).filter(|&h| h != 255);
    if let Some(entry) = entry {
        (entry.max_threads, entry.required_threads, entry.cluster) = (max_threads, required, cluster);
        (entry.max_cluster_rank, entry.explicit_cluster, entry.max_registers) = (rank, explicit, max_registers);
    }
    out.opaque = k.attributes.iter().filter(|a| !read.contains(&a.code)).cloned().collect();
    let module: &[Attribute] = match cubin.section(".nv.compat").map(|s| &s.payload) {
        Some(Payload::Attributes(attributes)) => attributes,
        _ => &[],
    };
    for a in module {
        match (a.code, &a.value) {
            (compat::ISA_CLASS, Value::Byte(b, _)) => out.isa_class = *b,
            (compat::INST_TENSORMAP_V1, Value::Byte(b, _)) => out.tensormap = *b,
            _ => {}
        }
    }
    out
}

/// Imports the lines of the program's sources. Those of the PTX are left out, since the PTX is not
/// part of the link.
fn lines(cubin: &Cubin, k: &Kernel<'_>) -> Result<Option<Lines>, ImportError> {
    let table = LineTable::read(cubin, k.section, Which::Source)?;
    if table.rows.is_empty() {
        return Ok(None);
    }
    let mut out = Lines::default();
    let mut files: BTreeMap<u32, u32> = BTreeMap::new();
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    for (index, row) in table.rows.iter().enumerate() {
        let Some(file) = row.file else { continue };
        let file = *files.entry(file).or_insert_with(|| {
            let path = table.files.get(file as usize).cloned().unwrap_or_default();
            out.files.push(SourceFile { path, stamp: (0, 0) });
            out.files.len() as u32 - 1
        });
        let inlined = row.inlined.as_ref().and_then(|(name, at)| Some((name.clone(), *numbers.get(&(*at as usize))?)));
        out.places.push(SourcePlace { file, line: row.line, column: row.column, inlined });
        let place = out.places.len() as u32 - 1;
        numbers.insert(index, place);
        let Ok(offset) = u32::try_from(row.offset) else { continue };
        let new = LineRow { offset, place: Some(place), ptx_line: 0 };
        match out.rows.last_mut().filter(|last| last.offset == offset) {
            Some(last) => *last = new,
            None if (offset as usize) < k.code.len() => out.rows.push(new),
            None => {}
        }
    }
    Ok(Some(out))
}

/// The undefined symbols of an imported unit: functions and variables.
pub fn undefined(unit: &UnitObject) -> Vec<&str> {
    let defined: Vec<SymbolId> =
        unit.functions.iter().map(|f| f.name).chain(unit.data.iter().map(|d| d.name)).collect();
    let code = unit.functions.iter().flat_map(|f| f.relocations.iter().chain(&f.constants.relocations));
    let mut used: Vec<SymbolId> = code.chain(unit.data.iter().flat_map(|d| &d.relocations)).map(|r| r.symbol).collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().filter(|s| !defined.contains(s)).filter_map(|s| unit.symbols.name(s)).collect()
}
