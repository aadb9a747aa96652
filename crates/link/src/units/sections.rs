//! The order, names and headers of sections, as in ptxas 13.0.88's files.

use raddle_cubin::elf::{SYM_SIZE, shf, sht};
use raddle_cubin::model::Kind;

use super::image::{Image, Patchable, Pending, Role};
use crate::options::{FinalizeOptions, Format};

/// R_CUDA_32, and R_CUDA_UNUSED_CLEAR64: with addends in debug information.
pub(super) const OFFSET: u32 = 1;
pub(super) const CLEARED: u32 = 73;

impl<'a> Image<'a> {
    /// The sections in file order.
    pub(super) fn order(&self, options: &FinalizeOptions<'_>, format: &Format) -> Vec<Role> {
        use Role::*;
        let texts = 0..self.texts.len();
        let kernels = || texts.clone().filter(|&n| self.texts[n].entry().is_some());
        let executable = self.kind == Kind::Executable;
        let mut out = vec![Null, SectionNames, SymbolNames, Symbols, Frame];
        let mut when = |wanted: bool, role: Role| {
            if wanted {
                out.push(role);
            }
        };
        when(self.lines.is_some(), Line);
        when(self.lines.as_ref().is_some_and(|l| !l.strings.is_empty()), DebugStrings);
        when(self.lines.is_some(), PtxLine);
        (0..self.debug.len()).for_each(|n| when(true, Debug(n)));
        when(format.notes && options.tool.is_some(), ToolNote);
        when(format.notes, CudaNote);
        when(true, Info);
        when(format.compat, Compat);
        texts.clone().for_each(|n| when(true, TextInfo(n)));
        when(true, Callgraph);
        when(self.prototypes.is_some(), Prototypes);
        when(executable && format.rel_action, RelocAction);
        for &section in self.relocations.keys() {
            for addends in [false, true] {
                when(self.pending(section, addends, format).next().is_some(), Relocs(section, addends));
            }
        }
        when(self.slots > 0, Slots);
        when(!self.data.constant.0.is_empty(), Const);
        for n in texts.clone() {
            when(!self.texts[n].pool.is_empty(), Pool(n));
            // Executables have both banks of a kernel next to each other.
            when(executable && !format.hopper_order, Params(n));
        }
        kernels().for_each(|n| when(!executable && !format.hopper_order, Params(n)));
        texts.clone().for_each(|n| when(true, Text(n)));
        when(!self.data.global_init.0.is_empty(), GlobalInit);
        when(self.data.shared.0 > 0, Shared);
        texts.clone().for_each(|n| when(self.texts[n].shared.is_some(), OwnShared(n)));
        when(executable && format.hopper_order, ReservedShared);
        when(self.data.global.0 > 0, Global);
        kernels().for_each(|n| when(format.hopper_order, Params(n)));
        out
    }

    /// The relocations of a section in its table with or without addends: sm_90 has all in the
    /// former, sm_8x only those with a nonzero addend and most of an object's debug information
    /// (ptxas 13.0.88 output).
    pub(super) fn pending<'s>(
        &'s self,
        of: Patchable,
        addends: bool,
        format: &Format,
    ) -> impl Iterator<Item = &'s Pending<'a>> + use<'s, 'a> {
        let rela = format.rela;
        let list = self.relocations.get(&of).map_or(&[][..], |list| list);
        let with_addend = move |p: &&Pending<'a>| rela || p.addend != 0 || matches!(p.number, OFFSET | CLEARED);
        list.iter().filter(move |p| with_addend(p) == addends)
    }

    /// The name of a section.
    pub(super) fn section_name(&self, role: Role) -> String {
        let of = |prefix: &str, n: usize| format!("{prefix}{}", self.texts[n].name);
        match role {
            Role::Null => String::new(),
            Role::SectionNames => ".shstrtab".into(),
            Role::SymbolNames => ".strtab".into(),
            Role::Symbols => ".symtab".into(),
            Role::Frame => ".debug_frame".into(),
            Role::Line => ".debug_line".into(),
            Role::DebugStrings => ".debug_str".into(),
            Role::PtxLine => ".nv_debug_line_sass".into(),
            Role::Debug(n) => self.debug[n].0.clone(),
            Role::ToolNote => ".note.nv.tkinfo".into(),
            Role::CudaNote => ".note.nv.cuinfo".into(),
            Role::Info => ".nv.info".into(),
            Role::Compat => ".nv.compat".into(),
            Role::TextInfo(n) => of(".nv.info.", n),
            Role::Callgraph => ".nv.callgraph".into(),
            Role::Prototypes => ".nv.prototype".into(),
            Role::RelocAction => ".nv.rel.action".into(),
            Role::Relocs(of, addends) => {
                format!("{}{}", if addends { ".rela" } else { ".rel" }, self.section_name(of.role()))
            }
            Role::Slots => ".nv.constant4".into(),
            Role::Const => ".nv.constant3".into(),
            Role::Pool(n) => of(".nv.constant2.", n),
            Role::Params(n) => of(".nv.constant0.", n),
            Role::Text(n) => of(".text.", n),
            Role::GlobalInit => ".nv.global.init".into(),
            Role::Shared => ".nv_debug.shared".into(),
            Role::OwnShared(n) => of(".nv.shared.", n),
            Role::ReservedShared => ".nv.shared.reserved.0".into(),
            Role::Global => ".nv.global".into(),
        }
    }
}

impl Role {
    /// Type and flags. Objects have special types for sections that a linker merges.
    pub(super) fn kind(self, output: Kind) -> (u32, u64) {
        use shf::{ALLOC, EXEC, INFO_LINK, WRITE};
        let bank = |n: u32| if output == Kind::Executable { sht::PROGBITS } else { sht::CUDA_CONSTANT_B0 + n };
        let or = |plain: u32, own: u32| if output == Kind::Executable { plain } else { own };
        match self {
            Role::Null => (sht::NULL, 0),
            Role::SectionNames | Role::SymbolNames => (sht::STRTAB, 0),
            Role::Symbols => (sht::SYMTAB, 0),
            Role::Frame | Role::Line | Role::DebugStrings | Role::PtxLine | Role::Debug(_) => (sht::PROGBITS, 0),
            Role::ToolNote => (sht::NOTE, shf::NV_TKINFO),
            Role::CudaNote => (sht::NOTE, shf::NV_CUINFO),
            Role::Info => (sht::CUDA_INFO, 0),
            Role::TextInfo(_) => (sht::CUDA_INFO, INFO_LINK),
            Role::Compat => (sht::CUDA_COMPAT, 0),
            Role::Callgraph => (sht::CUDA_CALLGRAPH, 0),
            Role::Prototypes => (sht::CUDA_PROTOTYPE, 0),
            Role::RelocAction => (sht::CUDA_RELOCINFO, 0),
            Role::Relocs(_, addends) => (if addends { sht::RELA } else { sht::REL }, INFO_LINK),
            Role::Slots => (bank(4), ALLOC),
            Role::Const => (bank(3), ALLOC),
            Role::Pool(_) => (bank(2), ALLOC | INFO_LINK),
            Role::Params(_) => (bank(0), ALLOC | INFO_LINK),
            Role::Text(_) => (sht::PROGBITS, ALLOC | EXEC),
            Role::GlobalInit => (or(sht::PROGBITS, sht::CUDA_GLOBAL_INIT), ALLOC | WRITE),
            Role::Shared | Role::ReservedShared => (or(sht::NOBITS, sht::CUDA_SHARED), ALLOC | WRITE),
            Role::OwnShared(_) => (or(sht::NOBITS, sht::CUDA_SHARED), ALLOC | WRITE | INFO_LINK),
            Role::Global => (or(sht::NOBITS, sht::CUDA_GLOBAL), ALLOC | WRITE),
        }
    }

    /// The size of an entry in bytes.
    pub(super) fn entry_size(self) -> u64 {
        match self {
            Role::Symbols => SYM_SIZE as u64,
            Role::Relocs(_, true) => 24,
            Role::Relocs(_, false) => 16,
            Role::Callgraph | Role::Prototypes | Role::RelocAction => 8,
            _ => 0,
        }
    }

    /// The section in `sh_link`.
    pub(super) fn link(self) -> Option<Role> {
        match self {
            Role::Symbols => Some(Role::SymbolNames),
            Role::CudaNote => Some(Role::ToolNote),
            Role::Text(_) | Role::Relocs(..) | Role::Info | Role::TextInfo(_) | Role::Callgraph | Role::Prototypes => {
                Some(Role::Symbols)
            }
            _ => None,
        }
    }

    /// The section in `sh_info`.
    pub(super) fn about(self) -> Option<Role> {
        match self {
            Role::TextInfo(n) | Role::Pool(n) | Role::Params(n) | Role::OwnShared(n) => Some(Role::Text(n)),
            Role::Relocs(of, _) => Some(of.role()),
            Role::CudaNote => Some(Role::Compat),
            _ => None,
        }
    }

    /// Whether the section has a symbol.
    pub(super) fn has_symbol(self, output: Kind) -> bool {
        use Role::*;
        match self {
            ToolNote | CudaNote | Frame | Line | DebugStrings | Debug(_) | Callgraph | Prototypes | RelocAction
            | Slots | Const | GlobalInit | Shared | Global | Pool(_) | Params(_) | Text(_) => true,
            PtxLine | OwnShared(_) => output == Kind::Executable,
            _ => false,
        }
    }
}
