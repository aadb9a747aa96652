//! Layout and encoding: block addresses, branch distances, words, and the object's facts.

use raddle_cubin::info::{Attribute, Value as AttributeValue, code};
use raddle_cubin::unit::{
    ConstantPool, DataObject, DebugPlaces, Definition, Entry, Function as UnitFunction, IndirectBranch, Linkage, Param,
    RelocKind, Relocation, SharedArea, Space, SymbolId, Symbols, UnitObject,
};
use raddle_entity::SecondaryMap;
use raddle_ir::unit::Init;
use raddle_ir::{CodegenOptions, Stop, TexBound, Unit};
use raddle_sass::row::SlotRole;
use raddle_sass::{Inst, Isa, Kind, Mod, Op, encode};

use crate::code::{CodeBlock, Item, WORD};
use crate::debug::Places;
use crate::lines::LineRows;
use crate::marks;
use crate::mir::{MBlock, MFunction, MTarget};

/// Returns the addresses of blocks in bytes from the start of the function.
fn addresses(blocks: &[CodeBlock]) -> SecondaryMap<MBlock, Option<u32>> {
    let mut at: SecondaryMap<MBlock, Option<u32>> = SecondaryMap::new();
    let mut pc = 0;
    for b in blocks {
        at[b.label] = Some(pc);
        pc += b.items.len() as u32 * WORD;
    }
    at
}

fn nowhere(b: MBlock) -> Stop {
    Stop::Internal { pass: "layout", what: format!("block {b} has no address") }
}

/// Whether it is the return of a leaf.
fn returns_within(i: &Inst) -> bool {
    i.op() == Op::Ret && i.has(Mod::Rel)
}

/// Fills in branch distances, once the layout is final. A branch through a table and the return of
/// a leaf count from the start of the function.
///
/// # Errors
/// [`Stop::Internal`] for a branch to a block without code.
pub fn resolve(blocks: &mut [CodeBlock]) -> Result<(), Stop> {
    let at = addresses(blocks);
    let mut pc = 0i64;
    for b in blocks.iter_mut() {
        for item in &mut b.items {
            pc += i64::from(WORD);
            let to = match item.target {
                Some(t) => at[t].ok_or_else(|| nowhere(t))?,
                None if item.inst.op() == Op::Brx || returns_within(&item.inst) => 0,
                None => continue,
            };
            for o in &mut item.inst.operands {
                if matches!(o.kind, Kind::Rel(_)) {
                    o.kind = Kind::Rel(i64::from(to) - pc);
                }
            }
        }
    }
    offsets(blocks)
}

/// Fills in the return addresses of leaves, which count from the start of the function.
fn offsets(blocks: &mut [CodeBlock]) -> Result<(), Stop> {
    let wanted = |item: &Item| item.reloc.is_some_and(|r| r.of == MTarget::Offset);
    let items = blocks.iter().flat_map(|b| &b.items).enumerate();
    let found: Vec<_> = items.filter(|x| wanted(x.1)).map(|(n, _)| return_address(blocks, n)).collect();
    let mut items = blocks.iter_mut().flat_map(|b| &mut b.items).filter(|item| wanted(item));
    for to in found {
        let (Some(item), Some(to)) = (items.next(), to) else { return Err(no_call(0)) };
        item.reloc = None;
        let slots = item.inst.row().slots.iter().zip(&mut item.inst.operands);
        slots.filter(|(slot, _)| slot.role == SlotRole::Rb).for_each(|(_, o)| o.kind = Kind::Imm(to));
    }
    Ok(())
}

/// Returns the constant pool of a function, with its tables filled in, and the targets of its
/// indirect branches.
fn tables(name: SymbolId, size: u32, blocks: &[CodeBlock]) -> Result<(ConstantPool, Vec<IndirectBranch>), Stop> {
    let at = addresses(blocks);
    let mut pool = ConstantPool { bytes: vec![0; size as usize], align: 4, relocations: Vec::new() };
    let mut branches = Vec::new();
    let mut pc = 0;
    for b in blocks {
        for item in &b.items {
            if let (Op::Brx, Some(table)) = (item.inst.op(), &b.table) {
                let targets =
                    table.targets.iter().map(|&t| at[t].ok_or_else(|| nowhere(t))).collect::<Result<_, _>>()?;
                branches.push(IndirectBranch { offset: pc, targets });
            }
            pc += WORD;
        }
    }
    let entries =
        blocks.iter().filter_map(|b| b.table.as_ref()).zip(&branches).flat_map(|(table, branch)| {
            branch.targets.iter().enumerate().map(|(n, &to)| (table.at + 4 * n as u32, to))
        });
    for (offset, to) in entries {
        pool.relocations.push(Relocation {
            offset,
            kind: RelocKind::CodeOffset32,
            symbol: name,
            addend: i64::from(to),
        });
    }
    Ok((pool, branches))
}

/// Returns the return address of the next call after instruction `n`, in bytes from the start of
/// the function.
fn return_address(blocks: &[CodeBlock], n: usize) -> Option<i64> {
    let mut behind = blocks.iter().flat_map(|b| &b.items).enumerate().skip(n);
    behind.find(|(_, item)| item.inst.op() == Op::Call).map(|(at, _)| (at as i64 + 1) * i64::from(WORD))
}

fn no_call(at: u32) -> Stop {
    Stop::Internal { pass: "emit", what: format!("return-address relocation at {at:#x} without a call after it") }
}

/// Returns the code in nvdisasm's syntax, one instruction a line with its address.
pub fn text(blocks: &[CodeBlock]) -> String {
    let mut out = String::new();
    let mut pc = 0u64;
    for b in blocks {
        out.push_str(&format!(".{}:\n", b.label));
        for item in &b.items {
            out.push_str(&format!("  /*{pc:04x}*/ {};\n", raddle_sass::print(&item.inst, pc)));
            pc += u64::from(WORD);
        }
    }
    out
}

/// Describes a parameter.
fn param(p: &raddle_ir::Param, ir: &raddle_ir::Function, symbols: &mut Symbols) -> Param {
    let mut out = Param::new(p.offset as u16, p.size as u16);
    if let Some((bound, sym)) = p.opaque {
        let kind = match bound {
            TexBound::Texture => 0,
            TexBound::Sampler => 1,
            TexBound::Surface => 2,
        };
        (out.space, out.bound) = (Param::BOUND[kind].0, Some(symbols.intern(&ir.symbols[sym])));
    }
    out
}

/// Encodes a function and collects its facts for the object.
///
/// # Errors
/// [`Stop::Internal`] if an instruction does not match its row.
pub fn object(
    unit: &Unit,
    f: &MFunction,
    blocks: &[CodeBlock],
    registers: u16,
    isa: Isa,
    uses_convergence: bool,
    options: &CodegenOptions,
) -> Result<UnitObject, Stop> {
    let ir = &unit.function;
    let mut out = UnitObject::default();
    let name = out.symbols.intern(&ir.name);
    let entry = Entry {
        params: ir.params.iter().map(|p| param(p, ir, &mut out.symbols)).collect(),
        many_params: ir.many_params,
        max_threads: ir.bounds.maxntid,
        required_threads: ir.bounds.reqntid,
        min_ctas: ir.bounds.minnctapersm,
        max_registers: ir.bounds.maxnreg.map(|n| n.min(255) as u16),
        cluster: ir.bounds.cluster,
        max_cluster_rank: ir.bounds.max_cluster_rank,
        explicit_cluster: ir.bounds.explicit_cluster,
    };
    let mut code = Vec::new();
    let mut lines = options.lineinfo.then(|| LineRows::new(ir));
    let mut places = unit.debug.as_ref().map(|names| (names, Places::new(ir)));
    let entry = (!f.called).then_some(entry);
    let mut function = UnitFunction::new(name, linkage(unit.linkage), entry, Vec::new());
    for (n, item) in blocks.iter().flat_map(|b| &b.items).enumerate() {
        let at = code.len() as u32;
        let word = encode(isa, &item.inst).map_err(|e| Stop::Internal {
            pass: "encode",
            what: format!("{}: {e}", raddle_sass::print(&item.inst, u64::from(at))),
        })?;
        code.extend_from_slice(&word.to_le_bytes());
        if let Some(lines) = &mut lines {
            lines.instruction(at, item.place);
        }
        if let Some((_, places)) = &mut places {
            places.instruction(at, item.place);
        }
        marks::instruction(&item.inst, at, &mut function.marks);
        if let Some(r) = item.reloc {
            let (symbol, addend) = match r.of {
                MTarget::Sym(sym) => (out.symbols.intern(&ir.symbols[sym]), r.addend),
                MTarget::Slot(slot) => (out.symbols.intern(&ir.slots[slot].name), r.addend),
                MTarget::Pool => (name, r.addend),
                MTarget::Offset => return Err(no_call(at)),
                MTarget::Behind => (name, return_address(blocks, n).ok_or_else(|| no_call(at))?),
            };
            function.relocations.push(Relocation { offset: at, kind: r.kind, symbol, addend });
        }
    }
    function.code = code;
    function.lines = lines.map(LineRows::finish);
    function.indirect.clone_from(&unit.indirect);
    function.aliases = unit.aliases.iter().map(|name| out.symbols.intern(name)).collect();
    function.registers = registers;
    function.barriers = f.barriers;
    // The stack that alignment may take beyond what callers guarantee.
    let aligning = f.aligns.map_or(0, |align| align - crate::convention::STACK_ALIGN);
    function.frame_size = f.frame_bytes() + aligning;
    let code_size = function.code.len() as u32;
    function.unwind = f.called.then(|| crate::unwind::steps(blocks, f));
    function.debug = places.map(|(names, places)| {
        let registers = crate::names::ranges(blocks, f, &names.registers);
        DebugPlaces { registers, ..places.finish(names, f, code_size, function.frame_size) }
    });
    function.spill_bytes = f.spills;
    // A linker of objects allocates shared variables.
    let dynamic = !options.relocatable && ir.slots.values().any(|s| s.dynamic);
    function.shared = SharedArea { size: f.shared.0, align: f.shared.1, dynamic };
    function.marks.uses_convergence = uses_convergence;
    function.marks.uses_wmma = ir.wmma;
    if ir.bounds.blocks_are_clusters {
        let mark = Attribute { code: code::BLOCKS_ARE_CLUSTERS, value: AttributeValue::Mark(0) };
        function.marks.opaque.push(mark);
    }
    function.marks.samplers = ir.samplers;
    function.marks.tensormap |= u8::from(ir.tensormap) << 1;
    (function.constants, function.marks.indirect_branches) = tables(name, f.pool, blocks)?;
    out.functions.push(function);
    add_data(&mut out, &unit.data);
    for (name, text) in &unit.types {
        let name = out.symbols.intern(name);
        out.types.push((name, text.clone()));
    }
    out.verify().map_err(|e| Stop::Internal { pass: "emit", what: e.to_string() })?;
    Ok(out)
}

/// Adds variables to an object.
pub fn add_data(out: &mut UnitObject, data: &[raddle_ir::unit::Data]) {
    for d in data {
        let name = out.symbols.intern(&d.name);
        let relocations = d
            .relocs
            .iter()
            .map(|r| Relocation {
                offset: r.offset,
                kind: match (r.byte, r.generic) {
                    (None, true) => RelocKind::Generic64,
                    (None, false) => RelocKind::Abs64,
                    (Some(byte), true) => RelocKind::GENERIC_BYTES[usize::from(byte % 8)],
                    (Some(byte), false) => RelocKind::ABS_BYTES[usize::from(byte % 8)],
                },
                symbol: out.symbols.intern(&r.symbol),
                addend: r.addend,
            })
            .collect();
        out.data.push(DataObject {
            name,
            space: space(d.space),
            linkage: linkage(d.linkage),
            definition: match &d.init {
                Init::Bytes(b) => Definition::Bytes(b.clone()),
                Init::Zero(n) => Definition::Zero(*n),
                Init::Extern(n) => Definition::Extern(*n),
            },
            align: d.align,
            relocations,
            managed: d.managed,
        });
    }
}

fn space(space: raddle_ir::Space) -> Space {
    match space {
        raddle_ir::Space::Const => Space::Const,
        raddle_ir::Space::Shared => Space::Shared,
        _ => Space::Global,
    }
}

/// Converts the linkage of a function or variable.
pub fn linkage(l: raddle_ir::unit::Linkage) -> Linkage {
    match l {
        raddle_ir::unit::Linkage::Module => Linkage::Module,
        raddle_ir::unit::Linkage::Visible => Linkage::Visible,
        raddle_ir::unit::Linkage::Weak => Linkage::Weak,
        raddle_ir::unit::Linkage::Common => Linkage::Common,
    }
}
