//! Converts an image to the model of its file.

use raddle_cubin::Cubin;
use raddle_cubin::elf::shf;
use raddle_cubin::info::{Attribute, Value, code};
use raddle_cubin::model::{Header, Kind, Payload, Reloc, Section};
use raddle_entity::{Executor, FxHashMap, map};
use raddle_target::Native;

use super::attributes;
use super::image::{self, Callee, Image, Patchable, Role, Sym, Text};
use super::lines::LineSections;
use super::symbols::Symbols;
use crate::LinkError;
use crate::notes::{self, RELOC_ACTION};
use crate::options::{FinalizeOptions, Format};

/// Bytes of an address in constant bank 4.
pub(super) const SLOT: u64 = 8;

/// Numbers sections and symbols, and makes every section on the threads of the executor.
///
/// # Errors
/// [`LinkError::Write`] for sizes beyond 64 bits.
pub(super) fn write(
    mut image: Image<'_>,
    options: &FinalizeOptions<'_>,
    format: &Format,
    native: &Native,
    executor: &dyn Executor,
) -> Result<Cubin, LinkError> {
    // Code is most of the file: it is moved, not copied.
    let mut code: Vec<Vec<u8>> = image.texts.iter_mut().map(|text| std::mem::take(&mut text.code)).collect();
    let image = &image;
    let roles = image.order(options, format);
    let indices: FxHashMap<Role, u32> = roles.iter().enumerate().map(|(i, &r)| (r, i as u32)).collect();
    let symbols = Symbols::of(image, &roles, &indices);
    let writer = Writer { image, options, format, native, indices, symbols };
    let header = Header {
        kind: image.kind,
        os_abi: format.os_abi,
        abi_version: format.abi_version,
        version: format.version,
        flags: format.flags | if format.note_in_flags { writer.index(Role::CudaNote) << 24 } else { 0 },
        entry: 0,
        program_headers: 0,
        // Objects for sm_8x specify the size although they have no program headers.
        program_header_size: if image.kind == Kind::Executable || format.hopper_order { 0 } else { 56 },
        section_headers: 0,
        shstrtab: writer.index(Role::SectionNames),
    };
    let mut sections = map(roles.len(), executor, |n| writer.section(roles[n]));
    for (&role, section) in roles.iter().zip(&mut sections) {
        if let Role::Text(n) = role {
            section.payload = Payload::Bytes(std::mem::take(&mut code[n]));
        }
    }
    let mut cubin = Cubin { header, sections, symbols: writer.symbols.list, segments: Vec::new() };
    let types: Vec<String> = image.types.iter().map(|&text| text.to_owned()).collect();
    cubin.lay_out_behind(&types, format.segments)?;
    Ok(cubin)
}

struct Writer<'i, 'a> {
    image: &'i Image<'a>,
    options: &'i FinalizeOptions<'i>,
    format: &'i Format,
    native: &'i Native,
    indices: FxHashMap<Role, u32>,
    symbols: Symbols<'a>,
}

impl<'a> Writer<'_, 'a> {
    /// The index of a section, 0 if it does not exist.
    fn index(&self, role: Role) -> u32 {
        self.indices.get(&role).copied().unwrap_or(0)
    }

    fn text(&self, n: usize) -> &Text<'a> {
        &self.image.texts[n]
    }

    fn section(&self, role: Role) -> Section {
        let (kind, mut flags) = role.kind(self.image.kind);
        let (mut info, link) = (role.about().map_or(0, |about| self.index(about)), role.link());
        match role {
            Role::Symbols => info = self.symbols.first_global,
            Role::CudaNote if self.format.compat => flags |= shf::INFO_LINK,
            Role::Text(n) => {
                let symbol = self.symbols.number(Sym::Def(self.text(n).def));
                let registers = u32::from(self.text(n).registers());
                info = if self.format.registers_in_header { registers << 24 | symbol } else { symbol };
                if !self.format.notes {
                    flags |= u64::from(self.text(n).barriers()) << shf::BARRIERS_AT;
                }
            }
            _ => {}
        }
        let (align, payload) = self.contents(role);
        Section {
            name: self.image.section_name(role),
            kind,
            flags,
            address: 0,
            offset: 0,
            link: link.map_or(0, |role| self.index(role)),
            info,
            align,
            entry_size: role.entry_size(),
            payload,
        }
    }

    /// Alignment and contents of a section.
    fn contents(&self, role: Role) -> (u64, Payload) {
        let bytes = |b: &[u8]| Payload::Bytes(b.to_vec());
        let lines = |part: fn(&LineSections) -> &[u8]| (1, bytes(self.image.lines.as_ref().map_or(&[], part)));
        let data = &self.image.data;
        match role {
            Role::Null => (0, Payload::Null),
            Role::SectionNames | Role::SymbolNames => (1, Payload::Strings(Vec::new())),
            Role::Symbols => (8, Payload::Symbols),
            Role::Frame => (1, bytes(&self.image.frame.bytes)),
            Role::Line => lines(|l| &l.source.bytes),
            Role::DebugStrings => lines(|l| &l.strings),
            Role::PtxLine => lines(|l| &l.ptx.bytes),
            Role::Debug(n) => (1, bytes(&self.image.debug[n].1)),
            Role::ToolNote => (4, Payload::Bytes(self.options.tool.as_ref().map_or(Vec::new(), notes::toolkit))),
            Role::CudaNote => {
                (4, Payload::Bytes(notes::cuda(self.options.virtual_sm.unwrap_or(self.options.target.sm))))
            }
            Role::Info => (4, Payload::Attributes(self.facts())),
            Role::Compat => {
                let functions = self.image.texts.iter().flat_map(|text| &text.functions);
                let marks: Vec<_> = functions.map(|(f, _)| &f.marks).collect();
                (4, Payload::Attributes(attributes::compatibility(self.options.target, &marks)))
            }
            Role::TextInfo(n) => {
                let params = self.symbols.number(Sym::Section(Role::Params(n)));
                let externals = self.text(n).externals.iter().map(|&sym| self.symbols.number(sym)).collect();
                let opaque = self.text(n).opaque.iter().map(|&(n, def)| (n, self.symbols.number(Sym::Def(def))));
                let symbols = attributes::Numbers { params, externals, opaque: opaque.collect() };
                let list = attributes::of_text(self.text(n), symbols, self.format, self.native);
                (4, Payload::Attributes(list))
            }
            Role::Callgraph => (4, Payload::Pairs(self.callgraph())),
            Role::Prototypes => {
                let mut pairs: Vec<[u32; 2]> = (self.image.prototypes.iter().flatten())
                    .map(|&(sym, text)| [self.symbols.number(sym), text])
                    .collect();
                pairs.sort_unstable();
                (4, Payload::Pairs(pairs))
            }
            Role::RelocAction => (8, bytes(&RELOC_ACTION)),
            Role::Relocs(of, addends) => (8, Payload::Relocations(self.relocations(of, addends))),
            Role::Slots => (SLOT, Payload::Bytes(vec![0; SLOT as usize * self.image.slots])),
            Role::Const => (data.constant.1, bytes(&data.constant.0)),
            Role::Pool(n) => {
                let align = self.text(n).functions.first().map_or(0, |(f, _)| f.constants.align);
                (u64::from(align).max(4), bytes(&self.text(n).pool))
            }
            Role::Params(n) => (4, Payload::Bytes(vec![0; self.param_end(n)])),
            // Added by the caller.
            Role::Text(_) => (128, Payload::Bytes(Vec::new())),
            Role::GlobalInit => (data.global_init.1, bytes(&data.global_init.0)),
            Role::Shared => (data.shared.1, Payload::Reserve(data.shared.0)),
            Role::OwnShared(n) => {
                let (size, align) = self.text(n).shared.unwrap_or_default();
                (align.max(1), Payload::Reserve(size))
            }
            Role::ReservedShared => (1, Payload::Reserve(0)),
            Role::Global => (data.global.1, Payload::Reserve(data.global.0)),
        }
    }

    fn relocations(&self, of: Patchable, addends: bool) -> Vec<Reloc> {
        let number = |p: &super::image::Pending<'a>| Reloc {
            offset: p.offset,
            number: p.number,
            symbol: self.symbols.number(p.symbol),
            addend: p.addend,
        };
        let mut out: Vec<Reloc> = self.image.pending(of, addends, self.format).map(number).collect();
        // ptxas lists the last offset first.
        out.sort_by_key(|r| std::cmp::Reverse(r.offset));
        out
    }

    /// The end of a kernel's parameters in constant bank 0, and of the words behind them.
    fn param_end(&self, n: usize) -> usize {
        let (text, end) = (self.text(n), image::param_end(self.text(n).entry(), self.native));
        if text.words.is_empty() { end } else { end.next_multiple_of(4) + 4 * text.words.len() }
    }

    /// `.nv.info`.
    fn facts(&self) -> Vec<Attribute> {
        let fact = |&(code, sym, value): &(u8, Sym<'a>, u32)| {
            let symbol = self.symbols.number(sym);
            Attribute { code, value: Value::SymbolWord { symbol, value } }
        };
        let mut out: Vec<Attribute> = self.image.facts.iter().map(fact).collect();
        let mut functions = self.image.texts.iter().flat_map(|text| &text.functions);
        if functions.any(|(f, _)| f.marks.samplers) {
            let at = out.iter().rposition(|a| a.code == code::FRAME_SIZE).map_or(0, |n| n + 1);
            out.insert(at, Attribute { code: code::TEXMODE_INDEPENDENT, value: Value::Mark(0) });
        }
        // In a module without kernels, the module has the attribute that kernels have otherwise
        // (ptxas 13.0.88 output).
        if self.image.texts.iter().all(|text| text.entry().is_none()) {
            out.push(Attribute { code: code::X5F, value: Value::Half(self.format.x5f) });
        }
        out
    }

    /// `.nv.callgraph`: four lists, each after its head. Those of objects are sorted.
    fn callgraph(&self) -> Vec<[u32; 2]> {
        let mut out = Vec::new();
        for (head, list) in [-1i32, -2, -3, -4].into_iter().zip(&self.image.calls) {
            out.push([0, head as u32]);
            let first = out.len();
            out.extend(list.iter().map(|&(from, to)| {
                let to = match to {
                    Callee::Function(sym) => self.symbols.number(sym),
                    Callee::Type(text) => text,
                };
                [self.symbols.number(from), to]
            }));
            if self.image.kind == Kind::Relocatable {
                out[first..].sort_unstable();
            }
        }
        out
    }
}
