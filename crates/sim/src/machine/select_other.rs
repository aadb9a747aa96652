//! Selects memory, warp and control-flow operations.

use super::exec_warp::special_is_known;
use super::operands::{Reading, Why, address, immediate, width};
use super::select_int::flag;
use super::uop::{
    Access, AtomOp, AtomType, BarMode, BraCond, From, Kind, MemSpace, PSrc, ReduxOp, ShflMode, Src, VoteMode,
};
use super::uop_builder::UopBuilder;
use super::{select_tensor, select_texture};
use crate::float::{BF16, F16, F32, F64};
use raddle_sass::row::SlotKind;
use raddle_sass::{Field, Inst, Mod, Op, SlotRole};

fn size(inst: &Inst) -> Result<(u8, bool), Why> {
    Ok(match inst.get(Field::Sz) {
        Some(Mod::U8) => (1, false),
        Some(Mod::S8) => (1, true),
        Some(Mod::U16) => (2, false),
        Some(Mod::S16) => (2, true),
        None | Some(Mod::None) => (4, false),
        Some(Mod::N64) => (8, false),
        Some(Mod::N128) => (16, false),
        other => return Err(format!("access size {other:?}")),
    })
}

fn strong(inst: &Inst) -> bool {
    inst.get(Field::Sem).is_some_and(|m| {
        matches!(m, Mod::StrongSm | Mod::StrongGpu | Mod::StrongSys | Mod::MmioGpu | Mod::MmioSys | Mod::Mmio)
    })
}

fn space(op: Op) -> MemSpace {
    match op {
        Op::Ldg | Op::Ldgmc | Op::Stg | Op::Atomg | Op::Redg | Op::Red => MemSpace::Global,
        Op::Lds | Op::Sts | Op::Atoms => MemSpace::Shared,
        Op::Ldl | Op::Stl => MemSpace::Local,
        _ => MemSpace::Generic,
    }
}

/// Checks for a predicate that disables parts of an access; only its neutral value is modelled.
fn no_predicate(d: &UopBuilder<'_>) -> Result<(), Why> {
    match super::operands::predicate(d.inst, SlotRole::Pp) {
        None => Ok(()),
        Some(p) if p.n == 7 => Ok(()),
        Some(_) => Err("predicated access".to_string()),
    }
}

/// Returns the operation, `None` if no unit has it.
pub fn select(d: &mut UopBuilder<'_>, code_len: usize) -> Result<Option<Kind>, Why> {
    let inst = d.inst;
    d.pqr(PSrc::TRUE);
    let kind = match inst.op() {
        Op::Ldgsts => {
            let (size, _) = size(inst)?;
            d.p[0] = super::operands::predicate(inst, SlotRole::Pp).unwrap_or(PSrc::TRUE);
            let (to, from) = (address(inst)?, super::operands::address_in(inst, SlotRole::Addr2)?);
            return Ok(Some(Kind::CopyAsync { to, from, size, partial: inst.has(Mod::Zfill) }));
        }
        Op::Ldgdepbar => Kind::CommitCopies,
        // Other waits of DEPBAR are among the scoreboards of its control field.
        Op::Depbar => match super::uop_builder::counted(inst) {
            Some((scoreboard, left)) => Kind::WaitCopies { scoreboard, left },
            None => Kind::Nop,
        },
        Op::Nop | Op::Pmtrig | Op::Endcollective | Op::Preexit | Op::Acqbulk => Kind::Nop,
        Op::Ld | Op::Ldg | Op::Lds | Op::Ldl => {
            no_predicate(d)?;
            let (size, signed) = size(inst)?;
            Kind::Load(Access { space: space(inst.op()), addr: address(inst)?, size, signed, strong: strong(inst) })
        }
        Op::St | Op::Stg | Op::Sts | Op::Stl => {
            data(d, 1, &[SlotRole::Rb, SlotRole::Rc])?;
            let (size, signed) = size(inst)?;
            Kind::Store(Access { space: space(inst.op()), addr: address(inst)?, size, signed, strong: strong(inst) })
        }
        Op::Atom | Op::Atomg | Op::Atoms | Op::Red | Op::Redg => atomic(d)?,
        Op::Ldgmc => load_reduce(d)?,
        Op::Ldc => ldc(d)?,
        Op::Uldc => uldc(d)?,
        Op::Membar => Kind::Fence { gpu: inst.get(Field::Scope) != Some(Mod::Cta) },
        Op::Cctl if inst.has(Mod::Rml2) => {
            let (space, addr) = (MemSpace::Generic, address(inst)?);
            Kind::Discard(Access { space, addr, size: 8, signed: false, strong: true })
        }
        Op::Errbar | Op::Cgaerrbar | Op::Cctl | Op::Cctll => Kind::CacheHint,
        Op::Qspc => {
            qspc_address(d)?;
            let space = match inst.get(Field::Space) {
                Some(Mod::S) => MemSpace::Shared,
                Some(Mod::L) => MemSpace::Local,
                Some(Mod::G) => MemSpace::Global,
                Some(Mod::D) => MemSpace::Cluster,
                other => return Err(format!("QSPC {other:?}")),
            };
            Kind::Qspc(space)
        }
        Op::S2r | Op::Cs2r | Op::S2ur => special(inst)?,
        Op::Shfl => {
            d.source(0, SlotRole::Ra, Reading::Int)?;
            either(d, 1, SlotRole::Rb, SlotRole::Imm)?;
            let second = if inst.slot(SlotRole::Imm2).is_some() || inst.slot(SlotRole::Rb).is_none() {
                SlotRole::Imm2
            } else {
                SlotRole::Imm
            };
            either(d, 2, SlotRole::Rc, second)?;
            Kind::Shfl(match inst.get(Field::Mode) {
                Some(Mod::Idx) => ShflMode::Idx,
                Some(Mod::Up) => ShflMode::Up,
                Some(Mod::Down) => ShflMode::Down,
                Some(Mod::Bfly) => ShflMode::Bfly,
                other => return Err(format!("SHFL {other:?}")),
            })
        }
        Op::Vote | Op::Voteu => {
            let mode = match inst.get(Field::Op) {
                Some(Mod::All) => VoteMode::All,
                Some(Mod::Any) => VoteMode::Any,
                Some(Mod::Eq) => VoteMode::Eq,
                other => return Err(format!("VOTE {other:?}")),
            };
            if inst.op() == Op::Vote { Kind::Vote(mode) } else { Kind::Voteu(mode) }
        }
        Op::Match => {
            let wide = flag(inst, Field::U64);
            d.source(0, SlotRole::Ra, if wide { Reading::Long } else { Reading::Int })?;
            Kind::Match { all: inst.has(Mod::All), wide }
        }
        Op::Redux => {
            d.source(0, SlotRole::Ra, Reading::Int)?;
            let op = match inst.get(Field::Op) {
                Some(Mod::None) => ReduxOp::And,
                Some(Mod::Or) => ReduxOp::Or,
                Some(Mod::Xor) => ReduxOp::Xor,
                Some(Mod::Sum) => ReduxOp::Sum,
                Some(Mod::Min) => ReduxOp::Min,
                Some(Mod::Max) => ReduxOp::Max,
                other => return Err(format!("REDUX {other:?}")),
            };
            Kind::Redux { op, signed: flag(inst, Field::S32) }
        }
        Op::R2ur => {
            d.source(0, SlotRole::Ra, Reading::Int)?;
            Kind::R2ur { or: inst.has(Mod::Or) }
        }
        Op::Elect => Kind::Elect,
        Op::Umov => {
            d.source(1, SlotRole::Rb, Reading::Int)?;
            if inst.slot(SlotRole::Rb).is_none() {
                d.s[1] = Src::imm(immediate(inst, SlotRole::Imm).ok_or("UMOV without a source")? as u32 as u64);
            }
            Kind::Umov
        }
        Op::B2r => {
            if !inst.has(Mod::Result) {
                return Err("B2R of a barrier".to_string());
            }
            Kind::B2rResult
        }
        Op::Bar => bar(d)?,
        _ => {
            if let Some(op) = select_texture::select(d)? {
                d.source(1, SlotRole::Rb, Reading::Int)?;
                return Ok(Some(Kind::Texture(op)));
            }
            if let Some(op) = select_tensor::select(d)? {
                return Ok(Some(Kind::Matrix(op)));
            }
            match select_tensor::select_transfer(d)? {
                Some(op) => Kind::Transfer(op),
                None => return flow(d, code_len),
            }
        }
    };
    Ok(Some(kind))
}

fn flow(d: &mut UopBuilder<'_>, code_len: usize) -> Result<Option<Kind>, Why> {
    let inst = d.inst;
    // The predicate operand of control flow is combined with the guard. ptxas 13.0.88 uses that of
    // branches, `BREAK` and `EXIT`.
    let gate = super::operands::predicate(inst, SlotRole::Pp).unwrap_or(PSrc::TRUE);
    let bar = || match inst.slot(SlotRole::Bar).map(|o| o.kind) {
        Some(raddle_sass::Kind::Barrier(n)) => Ok(n),
        _ => Err("no convergence barrier".to_string()),
    };
    d.p[0] = gate;
    let kind = match inst.op() {
        Op::Bra => {
            let cond = if inst.has(Mod::Div) || inst.has(Mod::Conv) {
                let (complement, n) = match inst.slot(SlotRole::Ra).map(|o| (o.not, o.kind)) {
                    Some((not, raddle_sass::Kind::UReg(n))) => (not, n),
                    _ => return Err("BRA.DIV without a mask".to_string()),
                };
                if inst.has(Mod::Div) { BraCond::Div(n, complement) } else { BraCond::Conv(n, complement) }
            } else if inst.has(Mod::U) {
                if let Some(p) = super::operands::predicate(inst, SlotRole::Pq) {
                    d.p[0] = p;
                }
                if inst.has(Mod::Any) {
                    d.p[0] = gate;
                    BraCond::Any
                } else {
                    BraCond::Plain
                }
            } else {
                BraCond::Plain
            };
            return Ok(Some(Kind::Bra { target: d.target(code_len)?, cond }));
        }
        Op::Brx | Op::Brxu | Op::Ret => {
            d.source(0, SlotRole::Ra, Reading::Long)?;
            let Some(raddle_sass::Kind::Rel(rel)) = inst.slot(SlotRole::Target).map(|o| o.kind) else {
                return Err("no branch target".to_string());
            };
            d.s[1] = Src::imm(rel as u64);
            if inst.op() == Op::Ret { Kind::Ret { absolute: inst.has(Mod::Abs) } } else { Kind::Brx }
        }
        Op::Call => {
            if inst.slot(SlotRole::Ra).is_some() {
                // A call by address is an indirect branch: the return address is in a register
                // already.
                d.source(0, SlotRole::Ra, Reading::Long)?;
                let rel = match inst.slot(SlotRole::Target).map(|o| o.kind) {
                    Some(raddle_sass::Kind::Rel(rel)) => rel,
                    _ => 0,
                };
                d.s[1] = Src::imm(rel as u64);
                return Ok(Some(Kind::CallBy { absolute: inst.has(Mod::Abs) }));
            }
            let target = if inst.has(Mod::Abs) { d.absolute_target(code_len)? } else { d.target(code_len)? };
            Kind::Call { target }
        }
        Op::Lepc => {
            // Its own address, or that of its target ("ptxas 13.0.88 output" for return addresses).
            let at = if inst.slot(SlotRole::Target).is_some() { d.target(code_len)? } else { d.pc };
            d.s[0] = Src::imm(16 * u64::from(at));
            Kind::Lepc
        }
        Op::Exit => Kind::Exit,
        Op::Bssy => Kind::Bssy { bar: bar()?, target: d.target(code_len)? },
        Op::Bsync => Kind::Bsync { bar: bar()? },
        // Its predicate selects the lanes that leave.
        Op::Break => return Ok(Some(Kind::Break { bar: bar()? })),
        Op::Bmov if inst.row().slots.iter().any(|s| matches!(s.kind, SlotKind::Named(..))) => {
            super::quad::select_active(inst, bar()?)?
        }
        Op::Bmov => {
            let to = inst.row().slots.first().is_some_and(|s| s.role == SlotRole::Bar);
            if to {
                d.source(1, SlotRole::Rb, Reading::Int)?;
                Kind::BmovTo { bar: bar()? }
            } else {
                Kind::BmovFrom { bar: bar()?, clear: inst.has(Mod::Clear) }
            }
        }
        Op::Warpsync => {
            // `.COLLECTIVE` opens a region that ends with `ENDCOLLECTIVE`; its target is where the
            // lanes continue, after that instruction in all ptxas 13.0.88 output.
            let all = inst.has(Mod::All);
            if !all {
                match immediate(inst, SlotRole::Imm) {
                    Some(v) => d.s[0] = Src::imm(v as u32 as u64),
                    None => {
                        let role = if inst.slot(SlotRole::Ra).is_some() { SlotRole::Ra } else { SlotRole::Rb };
                        d.source(0, role, Reading::Int)?;
                    }
                }
            }
            Kind::Warpsync { all }
        }
        Op::Yield => Kind::Yield,
        Op::Nanosleep => Kind::Nanosleep,
        Op::Bpt => Kind::Trap,
        _ => return Ok(None),
    };
    let gated = matches!(kind, Kind::Exit | Kind::Brx | Kind::Ret { .. } | Kind::CallBy { .. } | Kind::Call { .. });
    if gate != PSrc::TRUE && !gated {
        return Err("a predicate operand".to_string());
    }
    Ok(Some(kind))
}

/// A data operand: its register; zero for `RZ`.
fn data(d: &mut UopBuilder<'_>, i: usize, roles: &[SlotRole]) -> Result<(), Why> {
    for &role in roles {
        if d.inst.slot(role).is_some() {
            return d.source(i, role, Reading::Int);
        }
    }
    Err("no data operand".to_string())
}

/// A register operand or, if the form has none, an immediate.
fn either(d: &mut UopBuilder<'_>, i: usize, role: SlotRole, imm: SlotRole) -> Result<(), Why> {
    if d.inst.slot(role).is_some() {
        return d.source(i, role, Reading::Int);
    }
    let v = immediate(d.inst, imm).or(immediate(d.inst, SlotRole::Imm)).ok_or("no operand")?;
    d.s[i] = Src::imm(v as u32 as u64);
    Ok(())
}

fn const_operand(inst: &Inst) -> Option<raddle_sass::Kind> {
    inst.operands.iter().map(|o| o.kind).find(|k| matches!(k, raddle_sass::Kind::CBank { .. }))
}

fn ldc(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let inst = d.inst;
    if !matches!(inst.get(Field::Mode), None | Some(Mod::None)) {
        return Err("LDC with an index mode".to_string());
    }
    let (size, signed) = size(inst)?;
    let Some(raddle_sass::Kind::CBank { bank, base, handle: 63, offset }) = const_operand(inst) else {
        return Err("LDC in this form".to_string());
    };
    d.s[0] = Src::reg(base);
    d.s[1] = Src::imm(offset as u32 as u64);
    Ok(Kind::Ldc { size, signed, bank })
}

fn uldc(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let (size, signed) = size(d.inst)?;
    match const_operand(d.inst) {
        Some(raddle_sass::Kind::CBank { bank, offset, base: 255, handle: 63 }) => {
            let v = d.banks.read(bank, i64::from(offset as u16), usize::from(size));
            let v = v.ok_or_else(|| format!("c[{bank:#x}][{offset:#x}] lies outside the constant bank"))?;
            d.s[0] = Src::imm(super::exec_mem::extended(v, size, signed));
            Ok(Kind::Uldc { size: size.max(4) })
        }
        // `cx[URn]` refers to a bank by a handle, which no launch provides.
        Some(raddle_sass::Kind::CBank { bank, offset, base: 255, handle })
            if d.inst.row().slots.iter().any(|s| matches!(s.kind, SlotKind::CBankUniform(..))) =>
        {
            d.s[0] = Src { from: From::UReg(handle), ..Src::default() };
            d.s[1] = Src::imm(offset as u32 as u64);
            Ok(Kind::UldcAt { size, signed, bank })
        }
        _ => Err("ULDC in this form".to_string()),
    }
}

fn qspc_address(d: &mut UopBuilder<'_>) -> Result<(), Why> {
    let a = address(d.inst)?;
    d.s[0] = match (a.base, a.ubase) {
        (base, 63) if a.wide => Src::reg(base),
        (255, uniform) => Src { from: From::UReg(uniform), ..Src::default() },
        _ => return Err("QSPC of a sum of registers".to_string()),
    };
    d.s[1] = Src::imm(i64::from(a.offset) as u64);
    Ok(())
}

fn special(inst: &Inst) -> Result<Kind, Why> {
    let Some(raddle_sass::Kind::Special(sr)) =
        inst.operands.iter().map(|o| o.kind).find(|k| matches!(k, raddle_sass::Kind::Special(_)))
    else {
        return Err("no special register".to_string());
    };
    if !special_is_known(sr) {
        return Err(format!("special register {sr:#x}"));
    }
    Ok(match inst.op() {
        Op::S2r => Kind::S2r(sr),
        Op::S2ur => Kind::S2ur(sr),
        _ => Kind::Cs2r { sr, wide: inst.row().slots.first().is_some_and(|s| width(inst, s) == 2) },
    })
}

pub fn atomic(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let inst = d.inst;
    if inst.has(Mod::Popc) {
        // Counts the lanes that name the same word: each adds one.
        if super::operands::dest(inst, SlotRole::Rd, false) != 255 {
            return Err("ATOMS.POPC with a result".to_string());
        }
        d.s[1] = Src::imm(1);
        let access = Access { space: MemSpace::Shared, addr: address(inst)?, size: 4, signed: false, strong: true };
        return Ok(Kind::Atom { access, op: AtomOp::Add, ty: AtomType::U(4), vec: 1, returns: false });
    }
    data(d, 1, &[SlotRole::Rb])?;
    let cas = inst.slot(SlotRole::Rc).is_some();
    let op = if cas {
        d.source(2, SlotRole::Rc, Reading::Int)?;
        if inst.has(Mod::Cast) || inst.has(Mod::CastSpin) { AtomOp::Cast } else { AtomOp::Cas }
    } else {
        match inst.get(Field::Op) {
            Some(Mod::Add | Mod::Safeadd) => AtomOp::Add,
            Some(Mod::Min) => AtomOp::Min,
            Some(Mod::Max) => AtomOp::Max,
            Some(Mod::Inc) => AtomOp::Inc,
            Some(Mod::Dec) => AtomOp::Dec,
            Some(Mod::And) => AtomOp::And,
            Some(Mod::Or) => AtomOp::Or,
            Some(Mod::Xor) => AtomOp::Xor,
            Some(Mod::Exch) => AtomOp::Exch,
            other => return Err(format!("atomic operation {other:?}")),
        }
    };
    let (ty, size, vec) = atomic_type(inst)?;
    let access = Access { space: space(inst.op()), addr: address(inst)?, size, signed: false, strong: true };
    Ok(Kind::Atom { access, op, ty, vec, returns: inst.slot(SlotRole::Rd).is_some() })
}

/// `LDGMC`: a load that combines.
fn load_reduce(d: &UopBuilder<'_>) -> Result<Kind, Why> {
    let inst = d.inst;
    let (op, wide) = match inst.get(Field::Op) {
        Some(Mod::Add) => (AtomOp::Add, false),
        Some(Mod::F32add) => (AtomOp::Add, true),
        Some(Mod::Min) => (AtomOp::Min, false),
        Some(Mod::Max) => (AtomOp::Max, false),
        Some(Mod::And) => (AtomOp::And, false),
        Some(Mod::Or) => (AtomOp::Or, false),
        Some(Mod::Xor) => (AtomOp::Xor, false),
        other => return Err(format!("combination {other:?}")),
    };
    let (ty, size, vec) = atomic_type(inst)?;
    let access = Access { space: space(inst.op()), addr: address(inst)?, size, signed: false, strong: true };
    Ok(Kind::LoadReduce { access, op, ty, vec, wide })
}

/// The type of an atomic operation, bytes of an element, number of elements.
fn atomic_type(inst: &Inst) -> Result<(AtomType, u8, u8), Why> {
    Ok(match inst.get(Field::Ty) {
        Some(Mod::N32) => (AtomType::U(4), 4, 1),
        None | Some(Mod::None) => (AtomType::U(4), 4, 1),
        Some(Mod::S32) => (AtomType::S(4), 4, 1),
        Some(Mod::N64) => (AtomType::U(8), 8, 1),
        Some(Mod::S64) => (AtomType::S(8), 8, 1),
        Some(Mod::N128) => (AtomType::U(16), 16, 1),
        Some(Mod::F32FtzRn) => (AtomType::F(&F32, 1, true), 4, 1),
        Some(Mod::F32x2FtzRn) => (AtomType::F(&F32, 1, true), 4, 2),
        Some(Mod::F32x4FtzRn) => (AtomType::F(&F32, 1, true), 4, 4),
        Some(Mod::F32Rn) => (AtomType::F(&F32, 1, false), 4, 1),
        Some(Mod::F32x2Rn) => (AtomType::F(&F32, 1, false), 4, 2),
        Some(Mod::F32x4Rn) => (AtomType::F(&F32, 1, false), 4, 4),
        Some(Mod::F64Rn) => (AtomType::F(&F64, 1, false), 8, 1),
        Some(Mod::F16x2Rn) => (AtomType::F(&F16, 2, false), 4, 1),
        Some(Mod::F16x4Rn) => (AtomType::F(&F16, 2, false), 4, 2),
        Some(Mod::F16x8Rn) => (AtomType::F(&F16, 2, false), 4, 4),
        Some(Mod::Bf16x2Rn) => (AtomType::F(&BF16, 2, false), 4, 1),
        Some(Mod::Bf16x4Rn) => (AtomType::F(&BF16, 2, false), 4, 2),
        Some(Mod::Bf16x8Rn) => (AtomType::F(&BF16, 2, false), 4, 4),
        other => return Err(format!("atomic type {other:?}")),
    })
}

fn bar(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let inst = d.inst;
    let mode = if inst.has(Mod::Red) {
        match inst.get(Field::Op) {
            Some(Mod::Popc) => BarMode::Popc,
            Some(Mod::And) => BarMode::And,
            Some(Mod::Or) => BarMode::Or,
            other => return Err(format!("BAR.RED {other:?}")),
        }
    } else if inst.has(Mod::Arv) {
        BarMode::Arrive
    } else if inst.has(Mod::Sync) || inst.has(Mod::SyncDeferBlocking) {
        BarMode::Sync
    } else {
        return Err("barrier mode".to_string());
    };
    let mut count = false;
    let register = inst.slot(SlotRole::Rb).is_some();
    if let Some(v) = immediate(inst, SlotRole::Imm) {
        d.s[0] = Src::imm(v as u64);
        if register {
            d.source(1, SlotRole::Rb, Reading::Int)?;
            count = true;
        } else if let Some(n) = immediate(inst, SlotRole::Imm2).filter(|&n| n != 0) {
            d.s[1] = Src::imm(n as u64);
            count = true;
        }
    } else {
        d.source(0, SlotRole::Rb, Reading::Int)?;
        if matches!(d.s[0].from, From::Imm) {
            return Err("barrier operand".to_string());
        }
        // Without a separate count the register holds both.
        if let Some(n) = immediate(inst, SlotRole::Imm2).filter(|&n| n != 0) {
            d.s[1] = Src::imm(n as u64);
            count = true;
        }
    }
    Ok(Kind::Bar { mode, count })
}
