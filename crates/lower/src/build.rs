//! The builder shared by all lowering files: the function being built, register values, operands.

use crate::Input;
use crate::callees::Callees;
use crate::cells::Cells;
use crate::in_memory::{Frame, InMemory};
use crate::lines::Locs;
use crate::param_accesses::Cell;
use crate::pending::Pending;
use crate::reason::{Reason, not_yet, unsupported, width_of};
use raddle_entity::packed_option::PackedOption;
use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{
    Block, Bounds, CacheRule, Cond, Cx, Function, Op as I, OptLevel, Param, Sign, Slot, SlotData, SourcePos,
    SourcePosData, Space, Sym, Unsupported,
};
use raddle_ir::{Value, Width};
use raddle_ptx::{Base, Body, FuncId, ImmKind, InstId, Linkage, Mod, Op, Operand, Referent, Reg, SymId, Ty};
use raddle_ptx::{Space as PtxSpace, Variable};
use raddle_target::{DriverConstants, Limits};
use smallvec::SmallVec;

/// Returns the operand that an instruction writes: the first one, if it writes any.
pub(crate) fn def_operand(body: &Body, inst: InstId) -> Option<Operand> {
    use Op::*;
    let writes = match body.op(inst) {
        St
        | Red
        | MultimemSt
        | MultimemRed
        | Bra
        | Brx
        | BarWarpSync
        | Membar
        | Fence
        | FenceProxy
        | Exit
        | Ret
        | Trap
        | Brkpt
        | Nanosleep
        | Griddepcontrol
        | CpAsync
        | CpAsyncCommitGroup
        | CpAsyncWaitGroup
        | CpAsyncWaitAll
        | Prefetch
        | Prefetchu
        | Stmatrix
        | WmmaStore
        | WgmmaFence
        | WgmmaCommitGroup
        | WgmmaWaitGroup
        | Discard
        | Applypriority
        | Pmevent
        | Setmaxnreg
        | Sust
        | Sured
        | Call
        | Stackrestore
        | MbarrierInit
        | MbarrierInval
        | MbarrierExpectTx
        | MbarrierCompleteTx
        | CpAsyncMbarrierArrive
        | CpAsyncBulk
        | CpReduceAsyncBulk
        | CpAsyncBulkPrefetch
        | CpAsyncBulkTensor
        | CpReduceAsyncBulkTensor
        | CpAsyncBulkPrefetchTensor
        | CpAsyncBulkCommitGroup
        | CpAsyncBulkWaitGroup
        | BarrierCluster
        | StAsync
        | RedAsync
        | TensormapReplace
        | TensormapCpFenceproxy => false,
        Bar | Barrier => body.has(inst, Mod::Red),
        _ => true,
    };
    if writes { body.operand(inst, 0) } else { None }
}

/// State of lowering one kernel or function.
pub(crate) struct Lower<'a> {
    pub input: &'a Input<'a>,
    pub f: Function,
    /// The block that instructions are appended to.
    pub block: Block,
    pub place: SourcePos,
    locs: Locs,
    /// The value of each register, then of the carry flag, then of the cells.
    current: Vec<PackedOption<Value>>,
    undo: Vec<(u32, PackedOption<Value>)>,
    /// The guard of the current instruction, if its results are to be selected by it.
    guard: Option<Value>,
    /// With `-g`: the registers that the current instruction has written.
    pub(crate) written: Option<Vec<u32>>,
    pub slots: FxHashMap<Referent, Slot>,
    pub(crate) symbols: FxHashMap<Referent, Sym>,
    param_offsets: Vec<u32>,
    /// Parameter memory of calls, and of a function that is no kernel.
    pub cells: Cells,
    /// Functions that can be inlined.
    pub callees: &'a Callees,
    /// Variables of inlined functions.
    pub callee_slots: FxHashMap<(FuncId, Slot), Slot>,
    /// Whether anything was inlined.
    pub inlined: bool,
    /// Products that may be contracted with a sum.
    pub contraction: Contraction,
    /// Registers of products of a warpgroup, and the waits for them.
    pub pending: Pending,
    /// The reason for products of a warpgroup to run one after another.
    pub serial_products: Option<Unsupported>,
    /// Cache operators of loads and of stores.
    pub caches: [CacheRule; 2],
    /// Whether the code is for a linker of objects.
    pub relocatable: bool,
    /// Whether lookups of a quad are code, not functions of the driver.
    pub quads: bool,
    /// For a device function: the placeholders of its parameters.
    pub inputs: Vec<(Cell, Value)>,
    /// For a device function: the block that returns, and the values of its return cells there.
    pub returns: Option<(Block, Vec<Value>)>,
    /// For a called function: the address of its result, if that is in the caller's memory.
    pub results_at: Option<Value>,
}

/// The products that may be contracted.
#[derive(Debug, Default)]
pub(crate) struct Contraction {
    pub on: bool,
    pub products: SecondaryMap<Value, bool>,
}

impl Contraction {
    /// Creates an empty set; the options say whether contraction is allowed.
    pub(crate) fn new(cx: &Cx<'_>) -> Self {
        Contraction { on: cx.options.fmad && cx.options.opt > OptLevel::O0, products: SecondaryMap::new() }
    }
}

impl<'a> Lower<'a> {
    /// Creates the state for a function. `bank` gives the start of parameters in their constant
    /// bank. A parameter's alignment holds there, not relative to the first one ("ptxas 13.0.88
    /// output": a kernel's only parameter, `.align 64`, is at base + 0x30 on sm_90).
    pub(crate) fn new(
        input: &'a Input<'a>,
        callees: &'a Callees,
        in_memory: InMemory,
        bank: Option<&DriverConstants>,
    ) -> Result<Self, Reason> {
        let func = &input.outline.funcs[input.func];
        let mut f = Function::new(&*func.name);
        f.samplers = input.outline.is_texmode_independent();
        let perf = &func.perf;
        f.bounds = Bounds {
            maxntid: perf.maxntid,
            reqntid: perf.reqntid,
            minnctapersm: perf.minnctapersm,
            maxnreg: perf.maxnreg,
            cluster: perf.reqnctapercluster,
            max_cluster_rank: perf.maxclusterrank,
            explicit_cluster: perf.explicitcluster,
            blocks_are_clusters: perf.blocksareclusters,
        };
        f.many_params = func.entry && func.param_bytes() > u64::from(Limits::FEW_PARAM_BYTES);
        let base = bank.map_or(0, |bank| u64::from(bank.params_at(f.many_params)));
        let mut end = base;
        let mut param_offsets = Vec::new();
        for p in &func.params {
            if let Some(bound) = crate::globals::bound_type(p.ty).filter(|_| func.entry) {
                let sym = f.symbols.push(format!("{}.{}", func.name, p.name));
                param_offsets.push(0);
                let offset = (end - base) as u32;
                f.params.push(Param { offset, size: 0, pointee_align: 1, opaque: Some((bound, sym)) });
                continue;
            }
            let size = p.size().ok_or_else(|| Reason(format!("parameter `{}` has no size", p.name)))?;
            let at = end.next_multiple_of(u64::from(p.alignment().max(1)));
            let offset = at - base;
            end = at.saturating_add(size);
            if end - base > u64::from(u16::MAX) {
                return unsupported("more than 65,535 bytes of parameters");
            }
            param_offsets.push(offset as u32);
            let pointee_align = p.ptr.and_then(|ptr| ptr.align).filter(|a| a.is_power_of_two()).unwrap_or(1);
            f.params.push(Param { offset: offset as u32, size: size as u32, pointee_align, opaque: None });
        }
        let cells = Cells::of(input.body, func.entry, in_memory);
        let locs = Locs::of(input, &mut f.lines);
        Ok(Lower {
            input,
            f,
            block: Block::from_u32(0),
            place: SourcePos::default(),
            locs,
            current: vec![PackedOption::default(); input.body.reg_count() as usize + 1 + cells.list.len()],
            undo: Vec::new(),
            guard: None,
            written: None,
            slots: FxHashMap::default(),
            symbols: FxHashMap::default(),
            param_offsets,
            cells,
            callees,
            callee_slots: FxHashMap::default(),
            inlined: false,
            contraction: Contraction::default(),
            pending: Pending::default(),
            serial_products: None,
            caches: [CacheRule::AsWritten; 2],
            relocatable: false,
            quads: true,
            inputs: Vec::new(),
            returns: None,
            results_at: None,
        })
    }

    /// Lowers one instruction that does not end a block. `guarded`: its guard, if any, must still
    /// be applied.
    pub(crate) fn inst(&mut self, inst: InstId, guarded: bool) -> Result<(), Reason> {
        self.place = self.place_of(inst);
        self.guard = None;
        if let Some(guard) = self.input.body.insts[inst].guard().filter(|_| guarded) {
            let p = self.read(guard.reg.as_u32())?;
            self.guard = Some(if guard.negated { self.emit(I::Not, &[p], Width::P) } else { p });
        }
        let result = self.dispatch(inst);
        self.guard = None;
        self.name_written(self.input.body.op(inst) == Op::WgmmaMmaAsync);
        result
    }

    /// With `-g`: names the values of the registers that were written since the last call.
    /// `pending`: they are not there yet, and until they are, the registers have no values.
    pub(crate) fn name_written(&mut self, pending: bool) {
        let written = self.written.as_mut().map(std::mem::take).unwrap_or_default();
        for (n, &reg) in written.iter().enumerate().filter(|(_, reg)| **reg < self.input.body.reg_count()) {
            let Some(mut value) = self.current[reg as usize].expand().filter(|_| !written[n + 1..].contains(&reg))
            else {
                continue;
            };
            if pending {
                value = self.emit(I::Undef, &[], self.f.width(value));
            }
            self.emit_many(I::Names(reg), &[value], &[]);
        }
    }

    fn dispatch(&mut self, inst: InstId) -> Result<(), Reason> {
        use Op::*;
        match self.input.body.op(inst) {
            Mov | Cvta | Isspacep => self.data(inst),
            Add | Sub | Mul | Mad | Fma | Min | Max | Abs | Neg | Div if self.is_float(inst) => self.float(inst),
            Rcp | Sqrt | Rsqrt | Ex2 | Lg2 | Sin | Cos | Tanh | Testp | Copysign => self.float(inst),
            Set | Setp | Slct => self.compare(inst),
            Cvt => self.cvt(inst),
            CvtPack => self.cvt_pack(inst),
            Fns => self.find_nth_set(inst),
            Vadd | Vsub | Vabsdiff | Vmin | Vmax | Vshl | Vshr | Vset | Vmad | Vadd2 | Vsub2 | Vabsdiff2 | Vmin2
            | Vmax2 | Vavrg2 | Vset2 | Vadd4 | Vsub4 | Vabsdiff4 | Vmin4 | Vmax4 | Vavrg4 | Vset4 => self.video(inst),
            Createpolicy | CreatepolicyCvt | Discard | Applypriority => self.policy(inst),
            Call => self.call(inst),
            Ld | Ldu | St | Atom | Red | Prefetch | Prefetchu | CpAsync | CpAsyncCommitGroup | CpAsyncWaitGroup
            | CpAsyncWaitAll | Ldmatrix | Stmatrix | MultimemLdReduce | MultimemRed | MultimemSt => self.memory(inst),
            Mma => self.mma(inst),
            Movmatrix => self.movmatrix(inst),
            WmmaLoad | WmmaStore | WmmaMma => self.wmma(inst),
            Tex | Tld4 | Txq | Suq | Istypep | Suld | Sust | Sured => self.texture(inst),
            WgmmaMmaAsync | WgmmaFence | WgmmaCommitGroup | WgmmaWaitGroup => self.wgmma(inst),
            Alloca | Stacksave | Stackrestore => self.stack(inst),
            Bar | Barrier | BarWarpSync | Membar | Fence | FenceProxy | FenceMbarrierInit | Pmevent | Shfl | Vote
            | Match | Redux | Activemask | Elect | Nanosleep | Griddepcontrol | Trap | Brkpt => self.sync(inst),
            MbarrierInit
            | MbarrierInval
            | MbarrierExpectTx
            | MbarrierCompleteTx
            | MbarrierArrive
            | MbarrierArriveDrop
            | MbarrierTestWait
            | MbarrierTryWait
            | MbarrierPendingCount
            | CpAsyncMbarrierArrive
            | CpAsyncBulk
            | CpReduceAsyncBulk
            | CpAsyncBulkPrefetch
            | CpAsyncBulkTensor
            | CpReduceAsyncBulkTensor
            | CpAsyncBulkPrefetchTensor
            | CpAsyncBulkCommitGroup
            | CpAsyncBulkWaitGroup => self.asynchronous(inst),
            Mapa | Getctarank | BarrierCluster | StAsync | RedAsync | Setmaxnreg => self.cluster(inst),
            TensormapReplace | TensormapCpFenceproxy => self.tensor_map(inst),
            _ => self.int(inst),
        }
    }

    fn is_float(&self, inst: InstId) -> bool {
        self.input.body.types(inst).first().is_some_and(|t| t.is_float())
    }

    /// Returns the source location of an instruction.
    pub(crate) fn place_of(&mut self, inst: InstId) -> SourcePos {
        let offset = self.input.body.insts[inst].offset;
        let line = match self.input.lines {
            Some(info) => (info.line)(self.input.func, offset),
            None => (self.input.line)(offset),
        };
        self.f.places.push(SourcePosData { offset, line, inner_line: 0, loc: self.locs.at(inst.as_u32()) })
    }

    // Registers.

    /// Returns the current length of the undo log.
    pub(crate) fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Undoes assignments back to a mark.
    pub(crate) fn restore(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((reg, old)) = self.undo.pop() {
                self.current[reg as usize] = old;
            }
        }
    }

    pub(crate) fn reg_width(&self, reg: u32) -> Result<Width, Reason> {
        if reg == self.input.body.reg_count() {
            return Ok(Width::P);
        }
        if let Some(cell) = reg.checked_sub(self.input.body.reg_count() + 1) {
            return self.cells.list.get(cell as usize).map(|c| c.width).ok_or(Reason(String::new()));
        }
        let group = self.input.body.reg_group(Reg::from_u32(reg));
        if group.width != 1 {
            return unsupported("vector registers");
        }
        width_of(group.ty)
    }

    /// Returns the current value of a register; undefined bits if it was never written.
    pub(crate) fn read(&mut self, reg: u32) -> Result<Value, Reason> {
        match self.current[reg as usize].expand() {
            Some(v) => Ok(v),
            None => {
                let width = self.reg_width(reg)?;
                let v = self.emit(I::Undef, &[], width);
                self.set_current(reg, v);
                Ok(v)
            }
        }
    }

    /// Assigns `value` to a register, whatever the guard.
    pub(crate) fn assign(&mut self, reg: u32, value: Value) {
        self.set_current(reg, value);
        if let Some(written) = &mut self.written {
            written.push(reg);
        }
    }

    fn set_current(&mut self, reg: u32, value: Value) {
        self.undo.push((reg, self.current[reg as usize]));
        self.current[reg as usize] = value.into();
    }

    fn write(&mut self, reg: u32, value: Value) -> Result<(), Reason> {
        let width = self.reg_width(reg)?;
        if self.f.width(value) != width {
            return unsupported(format!(
                "a {}-bit destination register for a {}-bit result",
                width.bits(),
                self.f.width(value).bits()
            ));
        }
        let value = match self.guard {
            Some(guard) => {
                let old = self.read(reg)?;
                self.emit(I::Select, &[guard, value, old], width)
            }
            None => value,
        };
        self.assign(reg, value);
        Ok(())
    }

    /// Returns the carry flag.
    pub(crate) fn carry(&mut self) -> Result<Value, Reason> {
        self.read(self.input.body.reg_count())
    }

    /// Sets the carry flag.
    pub(crate) fn set_carry(&mut self, value: Value) -> Result<(), Reason> {
        self.write(self.input.body.reg_count(), value)
    }

    /// Assigns the result of an instruction to its first operand.
    pub(crate) fn set(&mut self, inst: InstId, value: Value) -> Result<(), Reason> {
        self.set_operand(self.input.body.operand(inst, 0), value)
    }

    /// Assigns `value` to an operand: a register or a sink.
    pub(crate) fn set_operand(&mut self, operand: Option<Operand>, value: Value) -> Result<(), Reason> {
        match operand {
            Some(Operand::Reg(reg)) => self.write(reg.as_u32(), value),
            Some(Operand::Pair(Some(reg), None)) => self.write(reg.as_u32(), value),
            Some(Operand::Sink | Operand::Pair(None, None)) => Ok(()),
            Some(one @ Operand::Vec(_)) => match self.parts(Some(one))[..] {
                [Operand::Vec(_)] | [] => unsupported("this destination operand"),
                [part] => self.set_operand(Some(part), value),
                _ => unsupported("this destination operand"),
            },
            _ => unsupported("this destination operand"),
        }
    }

    /// Assigns two results to `d|p`; the second is dropped if there is only `d`.
    pub(crate) fn set_pair(&mut self, inst: InstId, first: Value, second: Value) -> Result<(), Reason> {
        match self.input.body.operand(inst, 0) {
            Some(Operand::Pair(d, p)) => {
                for (reg, value) in [(d, first), (p, second)] {
                    if let Some(reg) = reg {
                        self.write(reg.as_u32(), value)?;
                    }
                }
                Ok(())
            }
            other => self.set_operand(other, first),
        }
    }

    /// Assigns `value` to the destination, extended or truncated to the width of the register.
    pub(crate) fn set_resized(&mut self, operand: Option<Operand>, value: Value, sign: Sign) -> Result<(), Reason> {
        let value = match self.parts(operand)[..] {
            [Operand::Reg(reg)] => {
                let width = self.reg_width(reg.as_u32())?;
                self.resize(value, width, sign)
            }
            _ => value,
        };
        self.set_operand(operand, value)
    }

    // Instructions.

    /// Appends an instruction with one result.
    pub(crate) fn emit(&mut self, op: I, args: &[Value], width: Width) -> Value {
        self.f.append1(self.block, op, args, width, self.place)
    }

    /// Appends an instruction with any number of results.
    pub(crate) fn emit_many(&mut self, op: I, args: &[Value], results: &[Width]) -> SmallVec<[Value; 2]> {
        let inst = self.f.append(self.block, op, args, results, self.place);
        self.f.insts[inst].results.clone()
    }

    /// Appends a constant.
    pub(crate) fn constant(&mut self, bits: u64, width: Width) -> Value {
        self.emit(I::Const(bits & width.mask()), &[], width)
    }

    /// Appends an integer comparison.
    pub(crate) fn icmp(&mut self, cond: Cond, sign: Sign, a: Value, b: Value) -> Value {
        self.emit(I::Icmp(cond, sign), &[a, b], Width::P)
    }

    /// Converts a value to another width: truncated, or extended with zeros or the sign.
    pub(crate) fn resize(&mut self, value: Value, width: Width, sign: Sign) -> Value {
        let have = self.f.width(value);
        if have == width {
            value
        } else if have > width {
            self.emit(I::Trunc, &[value], width)
        } else {
            self.emit(if sign == Sign::S { I::Sext } else { I::Zext }, &[value], width)
        }
    }

    // Operands.

    /// Returns operand `index` as a value of a type, of exactly its width.
    pub(crate) fn operand(&mut self, inst: InstId, index: usize, ty: Ty) -> Result<Value, Reason> {
        match self.input.body.operand(inst, index) {
            Some(operand) => self.value(operand, ty),
            None => unsupported("a missing operand"),
        }
    }

    /// Returns the members of a list operand, or the operand itself.
    pub(crate) fn parts(&self, operand: Option<Operand>) -> SmallVec<[Operand; 8]> {
        match operand {
            Some(Operand::Vec(list)) => self.input.body.list(list),
            other => other.into_iter().collect(),
        }
    }

    /// Returns an operand as a value of a type, of exactly its width. A list of one is its member.
    pub(crate) fn value(&mut self, operand: Operand, ty: Ty) -> Result<Value, Reason> {
        let want = width_of(ty)?;
        let operand = match self.parts(Some(operand))[..] {
            [one] => one,
            _ => operand,
        };
        let value = match operand {
            Operand::Reg(reg) => self.read(reg.as_u32())?,
            Operand::NotPred(reg) => {
                let p = self.read(reg.as_u32())?;
                self.emit(I::Not, &[p], Width::P)
            }
            Operand::Imm(imm) => {
                let bits = literal(imm.bits, imm.kind, ty)?;
                if want == Width::B128 {
                    // The upper half is zero, also of negative numbers ("ptxas 13.0.88 output").
                    let halves = [bits, 0].map(|half| self.constant(half, Width::B64));
                    return Ok(self.emit(I::Pack, &halves, want));
                }
                return Ok(self.constant(bits, want));
            }
            Operand::Special(reg, component) => self.special(reg, component)?,
            Operand::Func(sym) => {
                let address = self.address_of(sym, 0)?;
                self.resize(address, want, Sign::U)
            }
            Operand::Symbol(sym, 0) if self.is_opaque(sym) => {
                let handle = self.bound_value(sym)?;
                self.resize(handle, want, Sign::U)
            }
            Operand::Symbol(sym, offset) => {
                let address = self.address_of(sym, offset)?;
                let is_function = matches!(self.input.body.syms[sym].referent, Referent::Func(_));
                if want < self.f.width(address) && !is_function {
                    return unsupported("a 32-bit address of global memory");
                }
                self.resize(address, want, Sign::U)
            }
            _ => return unsupported("this operand"),
        };
        let have = self.f.width(value);
        if have < want || (have == Width::P) != (want == Width::P) {
            return unsupported(format!("a {}-bit operand for .{}", have.bits(), ty.name()));
        }
        Ok(self.resize(value, want, Sign::U))
    }

    // Names.

    /// Returns the address of a name: 64 bits for global memory, 32 for the windows.
    pub(crate) fn address_of(&mut self, sym: SymId, offset: i64) -> Result<Value, Reason> {
        let (space, base) = self.base_of(sym)?;
        Ok(match (space, base) {
            (Space::Param, Named::Offset(at)) => self.constant((i64::from(at) + offset) as u64, Width::B32),
            (_, Named::Slot(slot)) => {
                let offset = i32::try_from(offset).map_err(|_| Reason("an offset that does not fit 32 bits".into()))?;
                self.emit(I::SlotAddr(slot, offset), &[], Width::B32)
            }
            (space, Named::Sym(sym)) => {
                let width = if space == Space::Const { Width::B32 } else { Width::B64 };
                self.emit(I::SymbolAddr(sym, offset), &[], width)
            }
            (_, Named::Frame(place, home)) => {
                let at = self.home_address(place, home)?;
                let by = self.constant(offset as u64, Width::B32);
                self.emit(I::Add, &[at, by], Width::B32)
            }
            (_, Named::Offset(_)) => return unsupported("this symbol as an operand"),
        })
    }

    /// Returns the state space of a name and its referent.
    pub(crate) fn base_of(&mut self, sym: SymId) -> Result<(Space, Named), Reason> {
        let body = self.input.body;
        let outline = self.input.outline;
        let referent = body.syms[sym].referent;
        if let Some(home) = self.cells.in_memory.get(referent) {
            return Ok((Space::Local, Named::Frame(referent, home)));
        }
        match referent {
            Referent::Param(n) if self.f.params.get(n as usize).is_some_and(|p| p.opaque.is_some()) => {
                unsupported("the memory of a texture, sampler or surface")
            }
            Referent::Param(n) => Ok((Space::Param, Named::Offset(self.param_offsets[n as usize]))),
            Referent::Ret(_) => not_yet(),
            Referent::Func(id) => Ok((Space::Global, Named::Sym(self.function_symbol(id)?))),
            Referent::Var(var) => {
                let var = &body.vars[var];
                self.variable(referent, var, Linkage::Local)
            }
            Referent::Global(id) => {
                let global = &outline.globals[id];
                self.variable(referent, &global.var, global.linkage)
            }
        }
    }

    fn variable(&mut self, referent: Referent, var: &Variable, linkage: Linkage) -> Result<(Space, Named), Reason> {
        if matches!(var.meant_type(), Ty::Texref | Ty::Samplerref | Ty::Surfref) {
            return unsupported(format!("variable `{}` of type .{}", var.name, var.ty.name()));
        }
        let space = match var.space {
            PtxSpace::Shared => Space::Shared,
            PtxSpace::Local => Space::Local,
            PtxSpace::Global => Space::Global,
            PtxSpace::Const => Space::Const,
            _ => return unsupported(format!("a variable in .{}", var.space.name())),
        };
        if matches!(space, Space::Global | Space::Const) {
            let name = || match referent {
                Referent::Var(id) => crate::globals::local_name(self.input.name(), var, id),
                _ => var.name.to_string(),
            };
            let f = &mut self.f;
            let sym = *self.symbols.entry(referent).or_insert_with(|| {
                let sym = f.symbols.push(name());
                // A linker may choose another definition, of another alignment, unless there is
                // exactly one, here.
                if matches!(linkage, Linkage::Local | Linkage::Visible) {
                    f.symbol_aligns[sym] = var.alignment().max(1);
                }
                sym
            });
            return Ok((space, Named::Sym(sym)));
        }
        let dynamic = space == Space::Shared && (linkage == Linkage::Extern || var.size().is_none());
        let size = if dynamic { 0 } else { var.size().unwrap_or(0) };
        let size = u32::try_from(size).map_err(|_| Reason(format!("`{}` is larger than 4 GiB", var.name)))?;
        let name = match referent {
            // For linkers of objects shared variables are symbols.
            Referent::Var(id) if space == Space::Shared && self.input.out_of_line.is_some() => {
                crate::globals::local_name(self.input.name(), var, id)
            }
            _ => var.name.to_string(),
        };
        let f = &mut self.f;
        let slot = *self.slots.entry(referent).or_insert_with(|| {
            let align = var.alignment().max(1);
            f.slots.push(SlotData { name, space, size, align, dynamic })
        });
        Ok((space, Named::Slot(slot)))
    }

    /// Returns the parts of an address operand: a base value, a name, and an offset.
    pub(crate) fn address_parts(&mut self, operand: Operand) -> Result<(Option<Value>, Option<SymId>, i64), Reason> {
        match operand {
            Operand::Addr(Base::Reg(reg), offset) => Ok((Some(self.read(reg.as_u32())?), None, offset)),
            Operand::Addr(Base::Sym(sym), offset) => Ok((None, Some(sym), offset)),
            Operand::Addr(Base::None, offset) => Ok((None, None, offset)),
            _ => unsupported("this address operand"),
        }
    }
}

/// The referent of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A parameter, by its offset.
    Offset(u32),
    /// A shared or local variable.
    Slot(Slot),
    /// Parameter memory that is local memory.
    Frame(Referent, Frame),
    /// A symbol outside the function.
    Sym(Sym),
}

/// Returns the bits of a literal in an instruction of a type (PTX ISA 9.0, 4.5).
fn literal(bits: u64, kind: ImmKind, ty: Ty) -> Result<u64, Reason> {
    Ok(match (kind, ty) {
        (ImmKind::Int, _) if !ty.is_float() => bits,
        (ImmKind::F32, Ty::F32 | Ty::B32) | (ImmKind::F64, Ty::F64 | Ty::B64) => bits,
        (ImmKind::F64, Ty::F32 | Ty::B32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (ImmKind::F32, Ty::F64 | Ty::B64) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        _ => return unsupported(format!("this literal for type .{}", ty.name())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_format_of_the_instruction() {
        assert_eq!(literal(1.5f64.to_bits(), ImmKind::F64, Ty::F32), Ok(u64::from(1.5f32.to_bits())));
        assert_eq!(literal(u64::from(1.5f32.to_bits()), ImmKind::F32, Ty::F64), Ok(1.5f64.to_bits()));
        assert_eq!(literal(7, ImmKind::Int, Ty::S32), Ok(7));
        assert!(literal(7, ImmKind::Int, Ty::F32).is_err());
    }
}
