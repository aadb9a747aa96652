//! A kernel and everything it can reach, laid out and decoded, ready to run.

use super::asynchrony::WordLayout;
use super::code::{Ins, Kind};
use super::decode::{Decoder, Refused};
use super::layout::{Function, Layout};
use crate::failure::{self, Failure, FailureKind};
use crate::launch::{Arg, Dim3, Launch, ParamSlot};
use crate::mem::{AllocId, Handle, Memory, Segment};
use raddle_ptx::{Body, FuncId, GlobalId, InstId, Outline, Perf, Referent, Space, Symbol, Ty, VarId, Variable};
use rustc_hash::FxHashMap;

/// Least alignment of frames.
const FRAME: u32 = 16;

/// A kernel ready to run, with its module variables in memory.
pub struct Program<'a> {
    pub kernel: String,
    /// The module, for messages.
    text: &'a str,
    pub code: Vec<Ins>,
    /// The functions, the kernel first.
    pub functions: Vec<Function>,
    /// First address and size of static shared memory; dynamic shared memory follows.
    pub shared_base: u32,
    pub shared_static: u32,
    /// Most warps of a multiprocessor of the target (`%nwarpid`); 64 if the target is known by name
    /// only.
    pub warps_per_sm: u32,
    /// Allocations that are constant memory.
    pub constants: Vec<AllocId>,
    /// The parameters of the kernel, if it has any.
    pub parameters: Option<AllocId>,
    /// Byte offset in the module of each instruction of each function.
    offsets: Vec<Vec<u32>>,
    /// The layout of mbarrier objects of the target.
    pub objects: WordLayout,
    /// Bytes of local memory of a thread.
    pub local_bytes: usize,
    /// Blocks of a cluster.
    pub cluster: Dim3,
    /// Blocks of the grid.
    pub grid: Dim3,
    /// Required block size.
    pub reqntid: Option<[u32; 3]>,
}

/// Most blocks of a cluster (CUDA driver API, non-portable cluster sizes).
const CLUSTER: u64 = 16;

/// Returns the extent of a cluster, that of the grid in blocks, and whether clusters are explicit
/// (PTX ISA 9.0, 11.7).
fn clusters(perf: &Perf, launch: &Launch, outline: &Outline) -> Result<(Dim3, Dim3, bool), String> {
    let required = perf.reqnctapercluster.map(|[x, y, z]| Dim3::new(x, y, z));
    let cluster = match (launch.cluster, required) {
        (Some(given), Some(required)) if given != required => {
            return Err(format!("clusters of {given} block(s), the kernel requires {required}"));
        }
        (given, required) => given.or(required),
    };
    let Some(cluster) = cluster else {
        if perf.explicitcluster {
            return Err("the kernel requires a launch in clusters".into());
        }
        return Ok((Dim3::from(1), launch.grid, false));
    };
    if outline.target.is_none_or(|target| target.sm < 90) {
        return Err("clusters need a target of sm_90 or newer".into());
    }
    let most = perf.maxclusterrank.map_or(CLUSTER, u64::from).min(CLUSTER);
    if cluster.count() > most {
        return Err(format!("clusters of {cluster} blocks, at most {most} are possible"));
    }
    let grid = launch.grid;
    if perf.blocksareclusters {
        // The launch counts clusters.
        let grid = Dim3::new(grid.x * cluster.x, grid.y * cluster.y, grid.z * cluster.z);
        return Ok((cluster, grid, true));
    }
    let divides = |all: u32, part: u32| all.is_multiple_of(part);
    if !(divides(grid.x, cluster.x) && divides(grid.y, cluster.y) && divides(grid.z, cluster.z)) {
        return Err(format!("a grid of {grid} blocks is not a multiple of clusters of {cluster}"));
    }
    Ok((cluster, grid, true))
}

/// The parts of a module needed to load a kernel.
pub struct Source<'a> {
    pub text: &'a str,
    pub outline: &'a Outline,
    /// Bodies of the reachable functions of the module, the kernel first.
    pub bodies: Vec<(FuncId, Body)>,
    /// The SM whose tensor cores multiply matrices, if not that of the module.
    pub sm: Option<u32>,
}

impl<'a> Program<'a> {
    /// Lays out memory and decodes. Fails with all unsupported instructions.
    pub fn load(source: &Source<'a>, launch: &Launch, mem: &mut Memory) -> Result<Self, Failure> {
        let outline = source.outline;
        let fail = |kind| Failure::of_launch(&launch.kernel, kind);
        let Some((kernel, _)) = source.bodies.first() else {
            return Err(fail(FailureKind::Load("no kernel".into())));
        };
        let (cluster, grid, explicit) =
            clusters(&outline.funcs[*kernel].perf, launch, outline).map_err(|why| fail(FailureKind::Launch(why)))?;
        let shared_base = outline.target.map_or(0, |target| if target.sm >= 90 { 0x400 } else { 0 });
        let mut layout = Layout {
            outline,
            functions: source.bodies.iter().map(|(id, _)| *id).collect(),
            globals: FxHashMap::default(),
            body_vars: FxHashMap::default(),
            params: Vec::new(),
            clustered: cluster.count() > 1,
            explicit_cluster: explicit,
            sm: source.sm.unwrap_or_else(|| outline.target.map_or(0, |target| u32::from(target.sm))),
        };
        let mut place = Placement { shared_end: shared_base, constants: Vec::new(), dynamic: Vec::new() };
        let mut pending = Vec::new();
        for (id, global) in outline.globals.iter() {
            if let Some(handle) = handle_of(&global.var, mem) {
                layout.globals.insert(id, handle);
                continue;
            }
            let contents = raddle_ptx::parse_init(source.text, outline, id)
                .map_err(|e| fail(FailureKind::Load(format!("initial value of {}: {}", global.var.name, e.message))))?
                .unwrap_or_default();
            if let Some((address, alloc)) = place.variable(&global.var, &contents.bytes, mem) {
                layout.globals.insert(id, address);
                if let Some(alloc) = alloc {
                    pending.push((alloc, contents.addresses));
                }
            } else if global.var.space == Space::Shared {
                place.dynamic.push((Err(id), global.var.alignment()));
            }
        }
        for (func, body) in &source.bodies {
            for (id, var) in body.vars.iter() {
                let contents = raddle_ptx::parse_body_init(body, id)
                    .map_err(|e| fail(FailureKind::Load(format!("initial value of {}: {}", var.name, e.message))))?
                    .unwrap_or_default();
                if let Some((address, alloc)) = place.variable(var, &contents.bytes, mem) {
                    layout.body_vars.insert((*func, id), address);
                    pending.extend(alloc.map(|alloc| (alloc, contents.addresses)));
                } else if var.space == Space::Shared {
                    place.dynamic.push((Ok((*func, id)), var.alignment()));
                }
            }
        }
        // All arrays without a size share the dynamic part (PTX ISA 9.0, 5.1.7).
        let align = place.dynamic.iter().map(|(_, align)| *align).max().unwrap_or(1).clamp(16, 1024);
        let start = place.shared_end.next_multiple_of(align);
        let shared_static = if place.dynamic.is_empty() { place.shared_end } else { start } - shared_base;
        for (what, _) in &place.dynamic {
            match what {
                Ok(var) => layout.body_vars.insert(*var, u64::from(start)),
                Err(global) => layout.globals.insert(*global, u64::from(start)),
            };
        }
        for (alloc, addresses) in pending {
            for address in &addresses {
                let value = layout.initial(address).map_err(|why| fail(FailureKind::Load(why)))?;
                let seg = &mut mem.alloc_mut(alloc).seg;
                if seg.contains(address.offset, address.bytes as usize) {
                    seg.store(address.offset as usize, address.bytes as usize, u128::from(value), 0);
                }
            }
        }
        layout.params = parameters(&outline.funcs[*kernel].params, launch, mem)?;
        let mut program = Program {
            kernel: launch.kernel.clone(),
            code: Vec::new(),
            functions: Vec::new(),
            shared_base,
            shared_static,
            warps_per_sm: outline.target.and_then(|t| t.native).map_or(64, |n| n.limits.warps_per_sm),
            constants: place.constants,
            parameters: layout.params.first().and_then(|&first| mem.find(first, 1)).map(|found| found.0),
            offsets: Vec::new(),
            text: source.text,
            objects: if shared_base == 0 { WordLayout::Wide } else { WordLayout::Narrow },
            local_bytes: 0,
            reqntid: outline.funcs[*kernel].perf.reqntid,
            cluster,
            grid,
        };
        program.decode(source, &layout)?;
        let grows = program.code.iter().any(|ins| matches!(ins.kind, Kind::Stack(_)));
        if grows || program.functions.len() > 1 {
            program.local_bytes = program.local_bytes.max(launch.stack as usize);
        }
        Ok(program)
    }

    fn decode(&mut self, source: &Source, layout: &Layout) -> Result<(), Failure> {
        let mut meetings = FxHashMap::default();
        let mut unsupported = Vec::new();
        for (id, body) in &source.bodies {
            let func = &source.outline.funcs[*id];
            let place = |inst: &raddle_ptx::Inst| (func.text.start + inst.offset as usize) as u32;
            let plain = body.to_explicit_form(source.outline, *id);
            let body = plain.as_ref().unwrap_or(body);
            self.offsets.push(body.insts.values().map(place).collect());
            let function = Function {
                id: *id,
                name: func.name.to_string(),
                start: 0,
                rows: vec![64],
                preds: 1,
                inits: Vec::new(),
                frame_bytes: 0,
                frame_align: FRAME,
                params: Vec::new(),
                rets: Vec::new(),
                slots: Vec::new(),
                watched: FxHashMap::default(),
            };
            let decoder = Decoder::new(body, layout, func.entry, function, &mut self.code, &mut meetings);
            let (function, refused) = decoder.run();
            for Refused { inst, reason } in refused {
                let (line, text) = self.line_and_text(self.functions.len(), inst);
                unsupported.push(format!("{}, line {line}: {text} ({reason})", func.name));
            }
            self.functions.push(function);
        }
        if !unsupported.is_empty() {
            let list = unsupported.join("\n  ");
            return Err(Failure::of_launch(&self.kernel, FailureKind::Unsupported(format!("\n  {list}"))));
        }
        let frame =
            |(n, f): (usize, &Function)| f.frame_bytes as usize + if n == 0 { 0 } else { f.frame_align as usize };
        let frames: usize = self.functions.iter().enumerate().map(frame).sum();
        // Without recursion no call chain needs more; with it, the default stack of a device
        // thread.
        self.local_bytes = if self.functions.len() > 1 { frames.max(16 << 10) } else { frames };
        Ok(())
    }

    /// Returns function, line and text of a step.
    pub fn place(&self, pc: u32) -> failure::Location {
        let index = self.functions.partition_point(|f| f.start <= pc).saturating_sub(1);
        let function = &self.functions[index];
        let inst = self.code.get(pc as usize).map_or(InstId::from_u32(0), |ins| ins.inst);
        let (line, text) = self.line_and_text(index, inst);
        failure::Location::Ptx { function: function.name.clone(), line, text }
    }
}

impl Program<'_> {
    /// Returns line (from 1) and text of an instruction of a function.
    fn line_and_text(&self, function: usize, inst: InstId) -> (u32, String) {
        let offset = self.offsets.get(function).and_then(|all| all.get(inst.as_u32() as usize)).copied();
        let at = offset.map_or(0, |o| o as usize).min(self.text.len());
        let line = self.text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() as u32 + 1;
        let rest = self.text.get(at..).unwrap_or("");
        let end = rest.find(';').map_or(rest.len(), |i| i + 1);
        (line, rest[..end].split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// A variable of a body, or one of the module.
type Unsized = Result<(FuncId, VarId), GlobalId>;

/// Placement of variables in memory.
struct Placement {
    shared_end: u32,
    constants: Vec<AllocId>,
    /// Shared arrays without a size: a variable of a body or of the module, and its alignment.
    dynamic: Vec<(Unsized, u32)>,
}

impl Placement {
    /// Places a variable that has a size; returns its address, and its allocation if there is one;
    /// `None` for others and for spaces of the frame.
    fn variable(&mut self, var: &Variable, bytes: &[u8], mem: &mut Memory) -> Option<(u64, Option<AllocId>)> {
        let size = var.size().or_else(|| (!bytes.is_empty()).then_some(bytes.len() as u64))?;
        match var.space {
            Space::Shared => {
                let at = self.shared_end.next_multiple_of(var.alignment().clamp(1, 1024));
                self.shared_end = at.checked_add(u32::try_from(size).ok()?)?;
                Some((u64::from(at), None))
            }
            Space::Global | Space::Const => {
                let mut data = vec![0; usize::try_from(size).ok().filter(|&n| n < 1 << 32)?];
                let filled = bytes.len().min(data.len());
                data[..filled].copy_from_slice(&bytes[..filled]);
                let constant = var.space == Space::Const;
                let id = mem.add_segment(var.name.to_string(), Segment::defined(data), !constant);
                if constant {
                    self.constants.push(id);
                }
                Some((mem.base(id), Some(id)))
            }
            _ => None,
        }
    }
}

/// Places the arguments in memory; returns the address of each parameter.
fn parameters(params: &[Variable], launch: &Launch, mem: &mut Memory) -> Result<Vec<u64>, Failure> {
    let fail = |text: String| Failure::of_launch(&launch.kernel, FailureKind::Launch(text));
    let mut slots = Vec::new();
    let mut end = 0u32;
    for var in params {
        if opaque(var.meant_type()).is_some() {
            slots.push(ParamSlot { offset: end, size: 0 });
            continue;
        }
        let size = var.size().and_then(|size| u32::try_from(size).ok()).ok_or_else(|| fail("parameter size".into()))?;
        let offset = end.next_multiple_of(var.alignment().max(1));
        slots.push(ParamSlot { offset, size });
        end = offset + size;
    }
    let block = launch.pack(&slots, mem).map_err(|e| fail(e.to_string()))?;
    let id = mem.add("the kernel's parameters", block, false);
    let address = |(n, slot): (usize, &ParamSlot)| match (&launch.args[n], slot.size) {
        (Arg::Handle(kind, name), 0) => mem.textures.handle(*kind, name).unwrap_or(0),
        _ => mem.base(id) + u64::from(slot.offset),
    };
    Ok(slots.iter().enumerate().map(address).collect())
}

/// What an opaque type stands for.
fn opaque(ty: Ty) -> Option<Handle> {
    match ty {
        Ty::Texref => Some(Handle::Texture),
        Ty::Samplerref => Some(Handle::Sampler),
        Ty::Surfref => Some(Handle::Surface),
        _ => None,
    }
}

/// The handle of a variable of the module: that of the launch's texture with its name, 0 if there
/// is none. `None` for other variables.
fn handle_of(var: &Variable, mem: &Memory) -> Option<u64> {
    let kind = opaque(var.meant_type())?;
    Some(mem.textures.handle(kind, &var.name).unwrap_or(0))
}

/// Returns the functions that the kernel can reach: those named in its body, in a reached body, or
/// in an initial value.
pub fn reachable(
    text: &str,
    outline: &Outline,
    kernel: FuncId,
    mut parse: impl FnMut(FuncId) -> Body,
) -> Vec<(FuncId, Body)> {
    let mut found: Vec<(FuncId, Body)> = Vec::new();
    let mut wanted = Vec::new();
    if outline.funcs.values().any(|f| !f.entry) {
        // Errors in initial values are reported when they are placed in memory.
        let values = outline.globals.keys().filter_map(|id| raddle_ptx::parse_init(text, outline, id).ok().flatten());
        wanted.extend(values.flat_map(|value| value.addresses).filter_map(|a| match outline.symbol(&a.symbol) {
            Some(Symbol::Func(func)) => Some(outline.meant(func)),
            _ => None,
        }));
    }
    wanted.push(kernel);
    while let Some(func) = wanted.pop() {
        if found.iter().any(|(id, _)| *id == func) || outline.funcs[func].body.is_none() {
            continue;
        }
        let body = parse(func);
        for symbol in body.syms.values() {
            if let Referent::Func(callee) = symbol.referent {
                wanted.push(callee);
            }
        }
        found.push((func, body));
    }
    found
}
