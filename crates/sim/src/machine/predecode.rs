//! Converts decoded instructions to executable form: one [`Uop`] per word.
//!
//! The `select_*` files choose the [`super::uop::Kind`], by unit. Unsupported instructions become
//! [`super::uop::Kind::Unsupported`] with the reason, which is a failure only when executed.

use super::operands::{self, Banks, Why};
use super::uop::{Access, AtomOp, BarMode, From, Kind, PSrc, Program, RES_PRED, RES_UPRED, RES_UREG, Src, Uop};
use super::uop_builder::{UopBuilder, counted};
use super::watch::watch;
use super::{asynchrony, select_float, select_int, select_other, select_wgmma};
use raddle_sass::{Class, Inst, Isa, Op, SlotRole};

/// Converts decoded instructions to a program.
pub fn predecode(code: &[Result<Inst, String>], isa: Isa, banks: &Banks<'_>) -> Program {
    let mut program = Program::default();
    for (pc, inst) in code.iter().enumerate() {
        let uop = match inst {
            Ok(inst) => one(&mut program, inst, pc as u32, code.len(), isa, banks),
            Err(why) => Err(why.clone()),
        };
        let uop = uop.unwrap_or_else(|why| {
            program.unsupported.push((pc as u32, why));
            blank(Kind::Unsupported)
        });
        program.code.push(uop);
    }
    program.has_products = program.code.iter().any(|u| matches!(u.kind, Kind::Gmma(_)));
    strengthen(&mut program);
    watch(&mut program, isa);
    program
}

/// Longer than any fixed latency, in cycles.
const LONGEST: u8 = 64;
/// Most instructions between a load and the compare-and-swap that uses its result.
const REACH: usize = 64;

/// Marks the loads of compare-and-swap loops as strong: a load that only provides the compare value
/// is no race with other threads' exchanges, as a stale value makes the exchange fail. ptxas
/// 13.0.88 emits `LDS` and `ATOMS.CAST.SPIN` or `ATOMS.CAS` for atomic operations that shared
/// memory does not have.
fn strengthen(program: &mut Program) {
    for at in 0..program.code.len() {
        let Kind::Atom { access, op: AtomOp::Cas | AtomOp::Cast, .. } = program.code[at].kind else { continue };
        let From::Reg(compared) = program.code[at].s[1].from else { continue };
        let (mut register, first) = (compared, at.saturating_sub(REACH));
        // At -O0 the value is copied between registers.
        for n in (first..at).rev() {
            let u = &program.code[n];
            if !program.defs_of(u).iter().any(|d| d.res == u16::from(register)) {
                continue;
            }
            match (u.kind, u.s[1].from) {
                (Kind::Mov, From::Reg(copied)) => register = copied,
                (Kind::Load(from), _) if from.space == access.space && from.size == access.size => {
                    program.code[n].kind = Kind::Load(Access { strong: true, ..from });
                    break;
                }
                _ => break,
            }
        }
    }
}

fn blank(kind: Kind) -> Uop {
    Uop {
        unit: kind.unit(),
        kind,
        guard: PSrc::TRUE,
        uniform: false,
        writes_uniform: false,
        d: 255,
        e: 255,
        pd: 7,
        pe: 7,
        s: [Src::default(); 4],
        p: [PSrc::TRUE; 3],
        stall: 1,
        wait: 0,
        named: 0,
        counted: None,
        wr: 7,
        rd: 7,
        reuse: 0,
        spoils: 0,
        variable: false,
        early_pred: false,
        syncs: false,
        class: Class::ALL[0],
        top: 0,
        results: None,
        sources: None,
        uses: (0, 0),
        defs: (0, 0),
        tracked_reads: (0, 0),
        tracked_writes: (0, 0),
    }
}

/// Returns the operation of an instruction, if it is one of a family.
type Selector = fn(&mut UopBuilder<'_>) -> Result<Option<Kind>, Why>;

/// Returns the operation of the first family that has it.
fn select(d: &mut UopBuilder<'_>, code_len: usize) -> Result<Kind, Why> {
    let selectors: [Selector; 4] = [select_int::select, select_float::select, select_wgmma::select, |d| {
        Ok(asynchrony::select(d)?.map(Kind::Async))
    }];
    for selector in selectors {
        if let Some(kind) = selector(d)? {
            return Ok(kind);
        }
    }
    select_other::select(d, code_len)?.ok_or_else(|| format!("{:?}", d.inst.op()))
}

fn one(program: &mut Program, inst: &Inst, pc: u32, code_len: usize, isa: Isa, banks: &Banks<'_>) -> Result<Uop, Why> {
    let mut draft = UopBuilder { inst, pc, isa, banks, s: [Src::default(); 4], p: [PSrc::TRUE; 3] };
    let kind = select(&mut draft, code_len)?;
    let uniform = matches!(inst.slot(SlotRole::Rd).map(|o| o.kind), Some(raddle_sass::Kind::UReg(_)))
        || matches!(inst.slot(SlotRole::Pd).map(|o| o.kind), Some(raddle_sass::Kind::UPred(_)));
    let row = inst.row();
    let (uses, defs) = (program.uses.len() as u32, program.defs.len() as u32);
    operands::effects(inst, &mut program.uses, &mut program.defs);
    let (reads, writes) = (&program.uses[uses as usize..], &program.defs[defs as usize..]);
    let spoiled = reads.iter().filter(|s| s.reuse < 4 && writes.iter().any(|d| d.res == s.res));
    let spoils = spoiled.fold(0, |all, s| all | 1 << s.reuse) & inst.ctrl.reuse;
    let named = reads.iter().map(|s| s.res).chain(writes.iter().map(|d| d.res));
    let top = named.filter(|&r| r < RES_UREG).max().map_or(0, |r| r + 1);
    Ok(Uop {
        top,
        unit: kind.unit(),
        kind,
        guard: PSrc { n: inst.guard.pred, not: inst.guard.neg, uniform: row.uniform_guard },
        uniform,
        writes_uniform: writes.iter().any(|d| (RES_UREG..RES_PRED).contains(&d.res) || d.res >= RES_UPRED),
        d: operands::dest(inst, SlotRole::Rd, uniform),
        e: operands::dest(inst, SlotRole::Re, uniform),
        pd: operands::dest_pred(inst, SlotRole::Pd),
        pe: operands::dest_pred(inst, SlotRole::Pe),
        s: draft.s,
        p: draft.p,
        stall: stall(inst),
        wait: inst.ctrl.wait_mask | depbar(inst),
        named: depbar(inst),
        counted: counted(inst).filter(|&(_, left)| left > 0),
        wr: inst.ctrl.wr_bar.unwrap_or(7),
        rd: inst.ctrl.rd_bar.unwrap_or(7),
        reuse: inst.ctrl.reuse,
        spoils,
        variable: row.effects.variable.contains(isa),
        early_pred: inst.op() == Op::Atom,
        syncs: matches!(kind, Kind::Bar { mode, .. } if mode != BarMode::Arrive),
        class: row.class,
        results: inst.row().effects.results,
        sources: inst.row().effects.sources,
        uses: (uses, program.uses.len() as u32),
        defs: (defs, program.defs.len() as u32),
        tracked_reads: (0, 0),
        tracked_writes: (0, 0),
    })
}

/// Cycles until the next instruction may issue. A stall of 0 where the warp may yield is longer than
/// any that the field can say: ptxas 13.0.88 at -O0 writes it behind `HMMA`, whose result takes 24
/// cycles, and behind `USETMAXREG`, whose scoreboard it waits for at once.
fn stall(inst: &Inst) -> u8 {
    match (inst.ctrl.stall, inst.ctrl.yield_) {
        (0, true) => LONGEST,
        (stall, _) => stall,
    }
}

/// Scoreboards that a `DEPBAR` waits for, one bit each: its set and, with `.LE`, the one it names
/// if none may remain pending.
fn depbar(inst: &Inst) -> u8 {
    if inst.op() != Op::Depbar {
        return 0;
    }
    let set = inst.operands.iter().fold(0, |mask, o| match o.kind {
        raddle_sass::Kind::Set(set) => mask | set as u8 & 0x3f,
        _ => mask,
    });
    match counted(inst) {
        Some((scoreboard, 0)) => set | 1 << scoreboard,
        _ => set,
    }
}
