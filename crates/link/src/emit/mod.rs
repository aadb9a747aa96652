//! The model of the executable: sections, symbols, relocations in ptxas' order.
//!
//! Sections refer to symbols and symbols to sections, so both are planned first (as [`Role`] and [`Sym`], in file order)
//! and then made, each from its plan alone.

mod plan;
mod symbols;

use std::collections::BTreeMap;

use raddle_cubin::elf::{SYM_SIZE, shf, sht};
use raddle_cubin::info::{Attribute, Value, code};
use raddle_cubin::model::{Cubin, Header, Kind, Payload, Reloc, Section};
use raddle_cubin::unit::Function;
use raddle_target::Native;

use plan::{Patchable, Role, Sym};

use crate::layout::Layout;
use crate::lines::{self, LineSections};
use crate::options::{Debug, FinalizeOptions, Format, format};
use crate::patch::{Copy, Patched, Pending};
use crate::resolve::{Body, DefId, Program};
use crate::{LinkError, attributes, frame, notes, stack};

struct Emitter<'p, 'a> {
    program: &'p Program<'a>,
    layout: &'p Layout,
    patched: Patched,
    options: &'p FinalizeOptions<'p>,
    format: Format,
    native: &'p Native,
    roles: Vec<Role>,
    role_index: BTreeMap<Role, u32>,
    symbols: Vec<Sym>,
    symbol_index: BTreeMap<Sym, u32>,
    kernel_index: BTreeMap<DefId, usize>,
    first_global: u32,
    frame: frame::Frames,
    lines: Option<LineSections>,
}

pub(crate) fn run(
    program: &Program<'_>,
    layout: &Layout,
    patched: Patched,
    options: &FinalizeOptions<'_>,
    native: &Native,
) -> Result<Cubin, LinkError> {
    let lines = (options.debug != Debug::None).then(|| {
        let texts = patched.kernels.iter().map(|text| {
            let lines = |c: &Copy| Some((function(program, c.def)?.lines.as_ref()?, c.offset));
            let functions = text.copies.iter().filter_map(lines).collect();
            lines::Text { module: 0, functions, end: text.code.len() as u64 }
        });
        lines::run(texts, &[])
    });
    let format = format(options, native);
    let frames: Vec<(u64, u32)> = layout
        .kernels
        .iter()
        .zip(&patched.kernels)
        .map(|(k, t)| (t.code.len() as u64, function(program, k.def).map_or(0, |f| f.frame_size)))
        .collect();
    let mut e = Emitter {
        program,
        layout,
        patched,
        options,
        format,
        native,
        roles: Vec::new(),
        role_index: BTreeMap::new(),
        kernel_index: layout.kernels.iter().enumerate().map(|(k, l)| (l.def, k)).collect(),
        symbols: Vec::new(),
        symbol_index: BTreeMap::new(),
        first_global: 0,
        frame: frame::run(&frames),
        lines,
    };
    e.plan_sections();
    e.plan_symbols();
    let mut cubin = Cubin {
        header: Header {
            kind: Kind::Executable,
            os_abi: format.os_abi,
            abi_version: format.abi_version,
            version: format.version,
            flags: format.flags | if format.note_in_flags { e.index(Role::CudaNote) << 24 } else { 0 },
            entry: 0,
            program_headers: 0,
            program_header_size: 0,
            section_headers: 0,
            shstrtab: e.index(Role::SectionNames),
        },
        sections: e.roles.iter().map(|&r| e.section(r)).collect(),
        symbols: e.symbols.iter().map(|&s| e.symbol(s)).collect(),
        segments: Vec::new(),
    };
    cubin.lay_out(format.segments)?;
    Ok(cubin)
}

fn function<'a>(program: &Program<'a>, id: DefId) -> Option<&'a Function> {
    if let Body::Function(f) = program.def(id).body { Some(f) } else { None }
}

impl Emitter<'_, '_> {
    /// Index of a section, 0 when it is not there.
    fn index(&self, role: Role) -> u32 {
        self.role_index.get(&role).copied().unwrap_or(0)
    }

    /// Index of a symbol, 0 when it is not there.
    fn symbol_number(&self, symbol: Sym) -> u32 {
        self.symbol_index.get(&symbol).copied().unwrap_or(0)
    }

    fn kernel_def(&self, k: usize) -> DefId {
        self.layout.kernels[k].def
    }

    fn kernel_name(&self, k: usize) -> &str {
        self.program.def(self.kernel_def(k)).name
    }

    fn name(&self, role: Role) -> String {
        let of = |prefix: &str, k: usize| format!("{prefix}{}", self.kernel_name(k));
        match role {
            Role::Null => String::new(),
            Role::SectionNames => ".shstrtab".into(),
            Role::SymbolNames => ".strtab".into(),
            Role::Symbols => ".symtab".into(),
            Role::Frame => ".debug_frame".into(),
            Role::Line => ".debug_line".into(),
            Role::DebugStrings => ".debug_str".into(),
            Role::PtxLine => ".nv_debug_line_sass".into(),
            Role::ToolNote => ".note.nv.tkinfo".into(),
            Role::CudaNote => ".note.nv.cuinfo".into(),
            Role::Info => ".nv.info".into(),
            Role::Compat => ".nv.compat".into(),
            Role::KernelInfo(k) => of(".nv.info.", k),
            Role::Callgraph => ".nv.callgraph".into(),
            Role::RelocAction => ".nv.rel.action".into(),
            Role::Relocs(of, addends) => format!("{}{}", if addends { ".rela" } else { ".rel" }, self.name(of.role())),
            Role::Slots => ".nv.constant4".into(),
            Role::Const => ".nv.constant3".into(),
            Role::Pool(k) => of(".nv.constant2.", k),
            Role::Params(k) => of(".nv.constant0.", k),
            Role::Text(k) => of(".text.", k),
            Role::GlobalInit => ".nv.global.init".into(),
            Role::Shared(k) => of(".nv.shared.", k),
            Role::ReservedShared => ".nv.shared.reserved.0".into(),
            Role::Global => ".nv.global".into(),
        }
    }

    fn section(&self, role: Role) -> Section {
        use shf::{ALLOC, EXEC, INFO_LINK, WRITE};
        let bytes = |b: &[u8]| Payload::Bytes(b.to_vec());
        let lines = |part: fn(&LineSections) -> &[u8]| bytes(self.lines.as_ref().map_or(&[], part));
        let (kind, flags, align, info, entry_size, payload) = match role {
            Role::Null => (sht::NULL, 0, 0, 0, 0, Payload::Null),
            Role::SectionNames | Role::SymbolNames => (sht::STRTAB, 0, 1, 0, 0, Payload::Strings(Vec::new())),
            Role::Symbols => (sht::SYMTAB, 0, 8, self.first_global, SYM_SIZE as u64, Payload::Symbols),
            Role::Frame => (sht::PROGBITS, 0, 1, 0, 0, bytes(&self.frame.bytes)),
            Role::Line => (sht::PROGBITS, 0, 1, 0, 0, lines(|l| &l.source.bytes)),
            Role::DebugStrings => (sht::PROGBITS, 0, 1, 0, 0, lines(|l| &l.strings)),
            Role::PtxLine => (sht::PROGBITS, 0, 1, 0, 0, lines(|l| &l.ptx.bytes)),
            Role::ToolNote => {
                let note = self.options.tool.as_ref().map_or(Vec::new(), notes::toolkit);
                (sht::NOTE, shf::NV_TKINFO, 4, 0, 0, Payload::Bytes(note))
            }
            Role::CudaNote => {
                let sm = self.options.virtual_sm.unwrap_or(self.options.target.sm);
                let link = if self.format.compat { INFO_LINK } else { 0 };
                let flags = shf::NV_CUINFO | link;
                (sht::NOTE, flags, 4, self.index(Role::Compat), 0, Payload::Bytes(notes::cuda(sm)))
            }
            Role::Info => (sht::CUDA_INFO, 0, 4, 0, 0, Payload::Attributes(self.module_info())),
            Role::Compat => {
                let marks: Vec<_> = self.all_functions().map(|f| &f.marks).collect();
                let attributes = attributes::compatibility(self.options.target, &marks);
                (sht::CUDA_COMPAT, 0, 4, 0, 0, Payload::Attributes(attributes))
            }
            Role::KernelInfo(k) => {
                let attributes = self.kernel_info(k);
                (sht::CUDA_INFO, INFO_LINK, 4, self.index(Role::Text(k)), 0, Payload::Attributes(attributes))
            }
            Role::Callgraph => (sht::CUDA_CALLGRAPH, 0, 4, 0, 8, Payload::Pairs(self.callgraph())),
            Role::RelocAction => (sht::CUDA_RELOCINFO, 0, 8, 0, 8, bytes(&RELOC_ACTION)),
            Role::Relocs(of, addends) => {
                let (kind, entry) = if addends { (sht::RELA, 24) } else { (sht::REL, 16) };
                let relocations = self.relocations(&self.pending(of, addends));
                (kind, INFO_LINK, 8, self.index(of.role()), entry, relocations)
            }
            Role::Slots => (sht::PROGBITS, ALLOC, 8, 0, 0, Payload::Bytes(vec![0; 8 * self.patched.slots.len()])),
            Role::Const => (sht::PROGBITS, ALLOC, self.layout.constant.align, 0, 0, bytes(&self.patched.constant.0)),
            Role::Pool(k) => {
                let align =
                    function(self.program, self.kernel_def(k)).map_or(4, |f| u64::from(f.constants.align.max(4)));
                let pool = bytes(&self.patched.kernels[k].constants);
                (sht::PROGBITS, ALLOC | INFO_LINK, align, self.index(Role::Text(k)), 0, pool)
            }
            Role::Params(k) => {
                let bytes = Payload::Bytes(vec![0; self.param_end(k)]);
                (sht::PROGBITS, ALLOC | INFO_LINK, 4, self.index(Role::Text(k)), 0, bytes)
            }
            Role::Text(k) => {
                let symbol = self.symbol_number(Sym::Def(self.kernel_def(k)));
                let registers = u32::from(self.registers(k));
                let info = if self.format.registers_in_header { registers << 24 | symbol } else { symbol };
                let barriers = if self.format.notes { 0 } else { u64::from(self.barriers(k)) << 20 };
                (sht::PROGBITS, ALLOC | EXEC | barriers, 128, info, 0, bytes(&self.patched.kernels[k].code))
            }
            Role::GlobalInit => {
                (sht::PROGBITS, ALLOC | WRITE, self.layout.global_init.align, 0, 0, bytes(&self.patched.global_init.0))
            }
            Role::Shared(k) => {
                let shared = &self.layout.kernels[k].shared;
                let size = shared.size + u64::from(self.format.shared_base);
                let flags = ALLOC | WRITE | INFO_LINK;
                (sht::NOBITS, flags, shared.align.max(1), self.index(Role::Text(k)), 0, Payload::Reserve(size))
            }
            Role::ReservedShared => (sht::NOBITS, ALLOC | WRITE, 1, 0, 0, Payload::Reserve(0)),
            Role::Global => {
                let region = &self.layout.global;
                (sht::NOBITS, ALLOC | WRITE, region.align, 0, 0, Payload::Reserve(region.size))
            }
        };
        let link = match (role, kind) {
            (Role::Symbols, _) => self.index(Role::SymbolNames),
            (Role::CudaNote, _) => self.index(Role::ToolNote),
            (Role::Text(_), _) => self.index(Role::Symbols),
            (_, sht::REL | sht::RELA | sht::CUDA_INFO | sht::CUDA_CALLGRAPH) => self.index(Role::Symbols),
            _ => 0,
        };
        Section { name: self.name(role), kind, flags, address: 0, offset: 0, link, info, align, entry_size, payload }
    }

    fn relocations(&self, list: &[Pending]) -> Payload {
        let mut relocs: Vec<Reloc> = list
            .iter()
            .map(|p| Reloc {
                offset: p.offset,
                number: p.number,
                symbol: self.symbol_number(Sym::Def(p.symbol)),
                addend: p.addend,
            })
            .collect();
        // ptxas lists the last place first.
        relocs.sort_by_key(|r| std::cmp::Reverse(r.offset));
        Payload::Relocations(relocs)
    }

    /// Relocations of a section that go to its table with or without addends: sm_90 has all in the former, sm_8x only those
    /// whose addend is not 0 (ptxas 13.0.88 output).
    fn pending(&self, of: Patchable, addends: bool) -> Vec<Pending> {
        let frame = |(k, &offset): (usize, &u64)| Pending { offset, number: 2, symbol: self.kernel_def(k), addend: 0 };
        let address = |&(k, offset): &(usize, u64)| frame((k, &offset));
        let lines = |part: fn(&LineSections) -> &[(usize, u64)]| self.lines.as_ref().map_or(&[][..], part).iter();
        let mut out: Vec<Pending> = match of {
            Patchable::Text(k) => self.patched.kernels[k].pending.clone(),
            Patchable::Slots => self.patched.slots.clone(),
            Patchable::GlobalInit => self.patched.global_init.1.clone(),
            Patchable::Const => self.patched.constant.1.clone(),
            Patchable::Line => lines(|l| &l.source.addresses).map(address).collect(),
            Patchable::PtxLine => lines(|l| &l.ptx.addresses).map(address).collect(),
            Patchable::Frame => self.frame.addresses.iter().enumerate().map(frame).collect(),
        };
        out.retain(|p| (self.format.rela || p.addend != 0) == addends);
        out
    }

    /// Functions of kernel `k`'s text, the kernel first.
    fn functions(&self, k: usize) -> impl Iterator<Item = &Function> {
        self.patched.kernels[k].copies.iter().filter_map(|c| function(self.program, c.def))
    }

    fn all_functions(&self) -> impl Iterator<Item = &Function> {
        (0..self.layout.kernels.len()).flat_map(|k| self.functions(k))
    }

    fn registers(&self, k: usize) -> u16 {
        self.functions(k).map(|f| f.registers).max().unwrap_or(0)
    }

    fn barriers(&self, k: usize) -> u8 {
        self.functions(k).map(|f| f.barriers).max().unwrap_or(0)
    }

    /// Where the parameters of a kernel end in constant bank 0.
    fn param_end(&self, k: usize) -> usize {
        let entry = function(self.program, self.kernel_def(k)).and_then(|f| f.entry.as_ref());
        let ends = entry.into_iter().flat_map(|e| &e.params).map(|p| usize::from(p.offset) + usize::from(p.size));
        usize::from(self.native.cbank.params_at(entry.is_some_and(|e| e.many_params))) + ends.max().unwrap_or(0)
    }

    fn module_info(&self) -> Vec<Attribute> {
        if self.layout.kernels.is_empty() {
            // Without kernels the module carries the fact that kernels carry otherwise (ptxas 13.0.88 output).
            return vec![Attribute { code: code::X5F, value: Value::Half(self.format.x5f) }];
        }
        let mut out = Vec::new();
        let fact = |code, symbol: Sym, value: u32| {
            let symbol = self.symbol_number(symbol);
            Attribute { code, value: Value::SymbolWord { symbol, value } }
        };
        let kernels = 0..self.layout.kernels.len();
        for k in kernels.clone() {
            let def = self.kernel_def(k);
            out.push(fact(code::REGCOUNT, Sym::Def(def), self.registers(k).into()));
            for (c, copy) in self.patched.kernels[k].copies.iter().enumerate() {
                let Some(f) = function(self.program, copy.def) else { continue };
                for (p, part) in f.parts.iter().enumerate() {
                    out.push(fact(code::FRAME_SIZE, Sym::Part(k, c, p), part.frame_size));
                }
                let symbol = if c == 0 { Sym::Def(def) } else { Sym::Copy(k, c) };
                out.push(fact(code::FRAME_SIZE, symbol, f.frame_size));
            }
        }
        for k in kernels {
            let size = stack::size(self.program, &self.layout.kernels[k]);
            out.push(fact(code::MIN_STACK_SIZE, Sym::Def(self.kernel_def(k)), size));
        }
        out
    }

    /// The driver's functions whose addresses kernel `k` takes.
    fn externals(&self, k: usize) -> Vec<DefId> {
        let mut out = Vec::new();
        for copy in &self.patched.kernels[k].copies {
            let (Some(f), unit) = (function(self.program, copy.def), self.program.def(copy.def).unit) else { continue };
            for r in &f.relocations {
                if let Some(id) = self.program.lookup(unit, r.symbol)
                    && matches!(self.program.def(id).body, Body::External)
                    && !out.contains(&id)
                {
                    out.push(id);
                }
            }
        }
        out
    }

    fn kernel_info(&self, k: usize) -> Vec<Attribute> {
        let symbols = attributes::Symbols {
            params: self.symbol_number(Sym::Section(Role::Params(k))),
            externals: self.externals(k).into_iter().map(|id| self.symbol_number(Sym::Def(id))).collect(),
        };
        attributes::kernel(self.program, &self.patched.kernels[k], symbols, &self.format, self.native)
    }

    /// Edges to the driver's functions between the markers ptxas writes.
    fn callgraph(&self) -> Vec<[u32; 2]> {
        let mut out = vec![[0, -1i32 as u32]];
        for k in 0..self.layout.kernels.len() {
            let caller = self.symbol_number(Sym::Def(self.kernel_def(k)));
            out.extend(self.externals(k).into_iter().map(|id| [caller, self.symbol_number(Sym::Def(id))]));
        }
        out.extend([-2i32, -3, -4].map(|marker| [0, marker as u32]));
        out
    }
}

/// `.nv.rel.action`: relocation 0x73 takes 17 bits of an address to bit 37 and 5 bits to bit 54 (ptxas 13.0.88 output for
/// sm_8x, the same in every file).
pub(crate) const RELOC_ACTION: [u8; 16] = [0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 0x05, 0x36];
