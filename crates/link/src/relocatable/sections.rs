//! Sections: which there are, and what is in them.

use raddle_cubin::elf::{SYM_SIZE, shf, sht};
use raddle_cubin::info::{Attribute, Value, code};
use raddle_cubin::model::{Payload, Section};

use super::mixed::{SLOT, has_own_shared};
use super::relocs::All;
use super::{Role, Writer};
use crate::lines::LineSections;
use crate::{attributes, notes};

/// Constant banks of objects.
const CONSTANT_B2: u32 = sht::CUDA_CONSTANT_B0 + 2;
const CONSTANT_B3: u32 = sht::CUDA_CONSTANT_B0 + 3;
const CONSTANT_B4: u32 = sht::CUDA_CONSTANT_B0 + 4;

impl Role {
    /// Has the section a symbol?
    pub(super) fn has_symbol(self) -> bool {
        use Role::*;
        matches!(
            self,
            ToolNote
                | CudaNote
                | Frame
                | DebugStrings
                | Line
                | Dwarf(_)
                | Callgraph
                | Prototypes
                | Slots
                | Const
                | GlobalInit
                | Global
                | Shared
        ) || matches!(self, Params(_) | Pool(_) | Text(_))
    }
}

impl Writer<'_, '_> {
    /// Decides on sections and their order; without relocations, as if there were none.
    pub(super) fn plan_sections(&mut self, relocs: Option<&All>) {
        use Role::*;
        let functions = 0..self.texts.len();
        let kernels = || functions.clone().filter(|&n| self.texts[n].function.entry.is_some());
        let mut out = vec![Null, SectionNames, SymbolNames, Symbols, Frame];
        let mut when = |wanted: bool, role: Role| {
            if wanted {
                out.push(role);
            }
        };
        when(self.lines.is_some(), Line);
        when(self.lines.as_ref().is_some_and(|l| !l.strings.is_empty()), DebugStrings);
        when(self.lines.is_some(), PtxLine);
        self.debug.roles().for_each(|role| when(true, role));
        when(self.format.notes && self.options.tool.is_some(), ToolNote);
        when(self.format.notes, CudaNote);
        when(true, Info);
        when(self.format.compat, Compat);
        functions.clone().for_each(|n| when(true, FunctionInfo(n)));
        when(true, Callgraph);
        when(!self.foreign.is_empty(), Prototypes);
        for &section in relocs.into_iter().flat_map(|all| all.keys()) {
            for addends in [false, true] {
                let there = relocs.is_some_and(|all| !self.relocs_of(all, section, addends).is_empty());
                when(there, Relocs(section, addends));
            }
        }
        when(!self.slot_users.is_empty(), Slots);
        when(!self.variables.constant.0.is_empty(), Const);
        functions.clone().for_each(|n| when(!self.texts[n].pool.is_empty(), Pool(n)));
        kernels().for_each(|n| when(!self.format.hopper_order, Params(n)));
        functions.clone().for_each(|n| when(true, Text(n)));
        when(!self.variables.global_init.0.is_empty(), GlobalInit);
        when(self.variables.shared.0 > 0, Shared);
        kernels().for_each(|n| when(has_own_shared(self.texts[n].function), OwnShared(n)));
        when(self.variables.global.0 > 0, Global);
        kernels().for_each(|n| when(self.format.hopper_order, Params(n)));
        self.indices = out.iter().enumerate().map(|(n, &role)| (role, n as u32)).collect();
        self.roles = out;
    }

    /// Its name.
    pub(super) fn section_name(&self, role: Role) -> String {
        let of = |prefix: &str, n: usize| format!("{prefix}{}", self.name(self.texts[n].def));
        match role {
            Role::Null => String::new(),
            Role::SectionNames => ".shstrtab".into(),
            Role::SymbolNames => ".strtab".into(),
            Role::Symbols => ".symtab".into(),
            Role::Frame => ".debug_frame".into(),
            Role::Line => ".debug_line".into(),
            Role::DebugStrings => ".debug_str".into(),
            Role::PtxLine => ".nv_debug_line_sass".into(),
            Role::Dwarf(number) => self.debug.name(number).into(),
            Role::ToolNote => ".note.nv.tkinfo".into(),
            Role::CudaNote => ".note.nv.cuinfo".into(),
            Role::Info => ".nv.info".into(),
            Role::Compat => ".nv.compat".into(),
            Role::FunctionInfo(n) => of(".nv.info.", n),
            Role::Callgraph => ".nv.callgraph".into(),
            Role::Prototypes => ".nv.prototype".into(),
            Role::Relocs(of, addends) => {
                format!("{}{}", if addends { ".rela" } else { ".rel" }, self.section_name(of.role()))
            }
            Role::Slots => ".nv.constant4".into(),
            Role::Const => ".nv.constant3".into(),
            Role::Pool(n) => of(".nv.constant2.", n),
            Role::Params(n) => of(".nv.constant0.", n),
            Role::Text(n) => of(".text.", n),
            Role::GlobalInit => ".nv.global.init".into(),
            Role::Global => ".nv.global".into(),
            Role::Shared => ".nv_debug.shared".into(),
            Role::OwnShared(n) => of(".nv.shared.", n),
        }
    }

    /// A section.
    pub(super) fn section(&self, role: Role, relocs: &All) -> Section {
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
            Role::Dwarf(number) => (sht::PROGBITS, 0, 1, 0, 0, bytes(self.debug.bytes(number))),
            Role::ToolNote => {
                let note = self.options.tool.as_ref().map_or(Vec::new(), notes::toolkit);
                (sht::NOTE, shf::NV_TKINFO, 4, 0, 0, Payload::Bytes(note))
            }
            Role::CudaNote => {
                let sm = self.options.virtual_sm.unwrap_or(self.options.target.sm);
                let link = if self.format.compat { INFO_LINK } else { 0 };
                (sht::NOTE, shf::NV_CUINFO | link, 4, self.index(Role::Compat), 0, Payload::Bytes(notes::cuda(sm)))
            }
            Role::Info => (sht::CUDA_INFO, 0, 4, 0, 0, Payload::Attributes(self.module_info())),
            Role::Compat => {
                let marks: Vec<_> = self.texts.iter().map(|t| &t.function.marks).collect();
                let attributes = attributes::compatibility(self.options.target, &marks);
                (sht::CUDA_COMPAT, 0, 4, 0, 0, Payload::Attributes(attributes))
            }
            Role::FunctionInfo(n) => {
                let symbols = attributes::Symbols {
                    params: self.section_numbers.get(&Role::Params(n)).copied().unwrap_or(0),
                    externals: self.externals(n),
                };
                let list = attributes::function(self.texts[n].function, symbols, &self.format, self.native);
                (sht::CUDA_INFO, INFO_LINK, 4, self.index(Role::Text(n)), 0, Payload::Attributes(list))
            }
            Role::Callgraph => (sht::CUDA_CALLGRAPH, 0, 4, 0, 8, Payload::Pairs(self.callgraph())),
            Role::Prototypes => (sht::CUDA_PROTOTYPE, 0, 4, 0, 8, Payload::Pairs(self.prototypes())),
            Role::Relocs(of, addends) => {
                let (kind, entry) = if addends { (sht::RELA, 24) } else { (sht::REL, 16) };
                let list = self.relocs_of(relocs, of, addends);
                (kind, INFO_LINK, 8, self.index(of.role()), entry, Payload::Relocations(list))
            }
            Role::Const => (CONSTANT_B3, ALLOC, self.variables.constant.1, 0, 0, bytes(&self.variables.constant.0)),
            Role::Slots => {
                let size = SLOT as usize * self.slot_users.len();
                (CONSTANT_B4, ALLOC, SLOT, 0, 0, Payload::Bytes(vec![0; size]))
            }
            Role::Pool(n) => {
                let align = u64::from(self.texts[n].function.constants.align).max(4);
                (CONSTANT_B2, ALLOC | INFO_LINK, align, self.index(Role::Text(n)), 0, bytes(&self.texts[n].pool))
            }
            Role::Params(n) => {
                let entry = self.texts[n].function.entry.as_ref();
                let ends =
                    entry.into_iter().flat_map(|e| &e.params).map(|p| usize::from(p.offset) + usize::from(p.size));
                let many = entry.is_some_and(|e| e.many_params);
                let size = usize::from(self.native.cbank.params_at(many)) + ends.max().unwrap_or(0);
                let payload = Payload::Bytes(vec![0; size]);
                (sht::CUDA_CONSTANT_B0, ALLOC | INFO_LINK, 4, self.index(Role::Text(n)), 0, payload)
            }
            Role::Text(n) => {
                let text = &self.texts[n];
                let symbol = self.numbers.get(&text.def).copied().unwrap_or(0);
                let registers = u32::from(text.function.registers);
                let info = if self.format.registers_in_header { registers << 24 | symbol } else { symbol };
                let barriers =
                    if self.format.notes { 0 } else { u64::from(text.function.barriers) << shf::BARRIERS_AT };
                (sht::PROGBITS, ALLOC | EXEC | barriers, 128, info, 0, bytes(&text.code))
            }
            Role::GlobalInit => {
                let (contents, align) = &self.variables.global_init;
                (sht::CUDA_GLOBAL_INIT, ALLOC | WRITE, *align, 0, 0, bytes(contents))
            }
            Role::Shared => {
                let (size, align) = self.variables.shared;
                (sht::CUDA_SHARED, ALLOC | WRITE, align, 0, 0, Payload::Reserve(size))
            }
            Role::OwnShared(n) => {
                let area = self.texts[n].function.shared;
                let (info, payload) = (self.index(Role::Text(n)), Payload::Reserve(area.size.into()));
                (sht::CUDA_SHARED, ALLOC | WRITE | INFO_LINK, area.align.max(1).into(), info, 0, payload)
            }
            Role::Global => {
                let (size, align) = self.variables.global;
                (sht::CUDA_GLOBAL, ALLOC | WRITE, align, 0, 0, Payload::Reserve(size))
            }
        };
        let link = match (role, kind) {
            (Role::Symbols, _) => self.index(Role::SymbolNames),
            (Role::CudaNote, _) => self.index(Role::ToolNote),
            (Role::Text(_), _) => self.index(Role::Symbols),
            (_, sht::REL | sht::RELA | sht::CUDA_INFO | sht::CUDA_CALLGRAPH | sht::CUDA_PROTOTYPE) => {
                self.index(Role::Symbols)
            }
            _ => 0,
        };
        let name = self.section_name(role);
        Section { name, kind, flags, address: 0, offset: 0, link, info, align, entry_size, payload }
    }

    /// `.nv.info`: registers, stack and frame of each function. The linker knows the stack.
    fn module_info(&self) -> Vec<Attribute> {
        let mut out = Vec::new();
        for text in &self.texts {
            let symbol = self.numbers.get(&text.def).copied().unwrap_or(0);
            let f = text.function;
            for (code, value) in
                [(code::REGCOUNT, f.registers.into()), (code::MAX_STACK_SIZE, 0), (code::FRAME_SIZE, f.frame_size)]
            {
                out.push(Attribute { code, value: Value::SymbolWord { symbol, value } });
            }
        }
        // Without kernels it is said of the module as well (ptxas 13.0.88 output).
        if self.texts.iter().all(|text| text.function.entry.is_none()) {
            out.push(Attribute { code: code::X5F, value: Value::Half(self.format.x5f) });
        }
        out
    }
}
