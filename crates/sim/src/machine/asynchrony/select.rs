//! Selects the operations of this family.

use super::super::async_op::{Amount, Arrive, AsyncOp, Bulk, Direction, Tensor, Weight};
use super::super::operand::Addr;
use super::super::operands::{Reading, Why, address, address_in, dest_pred, immediate};
use super::super::options::{AtomOp, AtomType};
use super::super::select_other::atomic;
use super::super::uop::Kind;
use super::super::uop_builder::UopBuilder;
use crate::float::{BF16, F16, F32, F64};
use raddle_sass::{Field, Inst, Isa, Mod, Op, SlotRole};

/// Returns the operation, `None` if it is none of this family.
pub fn select(d: &mut UopBuilder<'_>) -> Result<Option<AsyncOp>, Why> {
    let inst = d.inst;
    Ok(Some(match inst.op() {
        Op::Syncs => syncs(d)?,
        Op::Arrives => {
            let weight = match inst.get(Field::T) {
                _ if d.isa < Isa::Sm90 => Weight::Older,
                Some(Mod::Transcnt) => Weight::Transaction,
                _ => Weight::Arrival,
            };
            AsyncOp::CopiesArrive(shared(inst)?, weight)
        }
        Op::Atoms if inst.has(Mod::Arrive) => AsyncOp::OlderArrive(shared(inst)?),
        Op::Fence => AsyncOp::View { shared: inst.get(Field::S) == Some(Mod::S) },
        Op::Rpcmov => {
            let to = inst.slot(SlotRole::Rb).is_some();
            if to {
                d.source(1, SlotRole::Rb, Reading::Int)?;
            }
            let named = |o: &raddle_sass::Operand| matches!(o.kind, raddle_sass::Kind::Named(1));
            AsyncOp::Rpc { high: inst.operands.iter().any(named), to }
        }
        Op::Ublkcp | Op::Ublkred => {
            let global = |field| inst.get(field) != Some(Mod::S);
            let reduce = match inst.op() {
                Op::Ublkred => Some(reduction(inst)?),
                _ => None,
            };
            AsyncOp::Bulk(Bulk {
                to: uniform(inst, SlotRole::Addr)?,
                to_global: global(Field::Dst),
                from: uniform(inst, SlotRole::Addr2)?,
                from_global: reduce.is_none() && global(Field::Src),
                size: register(inst, SlotRole::Rc)?,
                multicast: inst.has(Mod::Multicast),
                reduce,
            })
        }
        Op::Ublkpf => AsyncOp::BulkPrefetch(uniform(inst, SlotRole::Addr)?, register(inst, SlotRole::Rc)?),
        Op::Utmaldg | Op::Utmastg | Op::Utmaredg | Op::Utmapf => AsyncOp::Tensor(tensor(inst)?),
        Op::Utmacctl => AsyncOp::Map { at: uniform(inst, SlotRole::Addr)?, invalidate: inst.has(Mod::Iv) },
        Op::Utmacmdflush => AsyncOp::Flush,
        Op::Cctl if inst.has(Mod::Ivall) => AsyncOp::Invalidate,
        Op::Stas => {
            d.source(1, SlotRole::Rb, Reading::Int)?;
            let size = match inst.get(Field::Sz) {
                Some(Mod::N64) => 8,
                Some(Mod::N128) => 16,
                _ => 4,
            };
            AsyncOp::Store(address(inst)?, size)
        }
        Op::Redas => match atomic(d)? {
            Kind::Atom { access, op, ty, .. } => AsyncOp::Reduce(access.addr, op, ty, access.size),
            _ => return Err("REDAS in this form".to_string()),
        },
        Op::UcgabarArv => AsyncOp::ClusterArrive,
        Op::UcgabarWait => AsyncOp::ClusterWait,
        Op::Usetmaxreg => {
            let count = immediate(inst, SlotRole::Imm).and_then(|n| u16::try_from(n).ok());
            let count = count.ok_or("USETMAXREG without a count")?;
            AsyncOp::Registers { count, grows: inst.has(Mod::TryAlloc) && dest_pred(inst, SlotRole::Pd) != 7 }
        }
        _ => return Ok(None),
    }))
}

/// An address in shared memory.
fn shared(inst: &Inst) -> Result<Addr, Why> {
    Ok(Addr { uwide: false, ..address(inst)? })
}

/// The first uniform register of an address operand.
fn uniform(inst: &Inst, role: SlotRole) -> Result<u8, Why> {
    Ok(address_in(inst, role)?.ubase)
}

fn register(inst: &Inst, role: SlotRole) -> Result<u8, Why> {
    match inst.slot(role).map(|o| o.kind) {
        Some(raddle_sass::Kind::UReg(n)) => Ok(n),
        _ => Err("no uniform register".to_string()),
    }
}

fn syncs(d: &mut UopBuilder<'_>) -> Result<AsyncOp, Why> {
    let inst = d.inst;
    let at = shared(inst)?;
    if inst.has(Mod::Exch) {
        d.source(1, SlotRole::Rb, Reading::Long)?;
        return Ok(AsyncOp::Init(at));
    }
    if inst.has(Mod::Cctl) {
        return Ok(AsyncOp::End(at));
    }
    d.source(1, SlotRole::Rb, Reading::Int)?;
    if inst.has(Mod::Phasechk) {
        return Ok(AsyncOp::Check { at, tries: inst.has(Mod::Trywait) });
    }
    // `A` and `T` count arrivals and transactions: none, one, or as many as the operand says.
    let (arrivals, bytes, completes) = match inst.get(Field::A) {
        None | Some(Mod::None) => (Amount::Is(1), Amount::Operand, false),
        Some(Mod::A1t0) => (Amount::Is(1), Amount::Is(0), false),
        Some(Mod::A0t1) => (Amount::Is(0), Amount::Is(1), false),
        Some(Mod::A0tr) => (Amount::Is(0), Amount::Operand, false),
        Some(Mod::A0tx) => (Amount::Is(0), Amount::Operand, true),
        Some(Mod::Art0) => (Amount::Operand, Amount::Is(0), false),
        other => return Err(format!("SYNCS.ARRIVE {other:?}")),
    };
    let (reduces, combines) = (inst.get(Field::M) == Some(Mod::Red), inst.get(Field::M) == Some(Mod::Tmask));
    if combines && bytes != Amount::Is(0) {
        return Err("SYNCS.ARRIVE.TMASK with transactions".to_string());
    }
    Ok(AsyncOp::Arrive(Arrive { at, arrivals, bytes, completes, drops: inst.has(Mod::Optout), reduces, combines }))
}

fn operation(inst: &Inst) -> Result<AtomOp, Why> {
    Ok(match inst.get(Field::Op) {
        Some(Mod::Add) => AtomOp::Add,
        Some(Mod::Min) => AtomOp::Min,
        Some(Mod::Max) => AtomOp::Max,
        Some(Mod::Inc) => AtomOp::Inc,
        Some(Mod::Dec) => AtomOp::Dec,
        Some(Mod::And) => AtomOp::And,
        Some(Mod::Or) => AtomOp::Or,
        Some(Mod::Xor) => AtomOp::Xor,
        other => return Err(format!("the reduction {other:?}")),
    })
}

fn reduction(inst: &Inst) -> Result<(AtomOp, AtomType, u8), Why> {
    let (ty, bytes) = match inst.get(Field::Ty) {
        None | Some(Mod::None) => (AtomType::U(4), 4),
        Some(Mod::S32) => (AtomType::S(4), 4),
        Some(Mod::U64) => (AtomType::U(8), 8),
        Some(Mod::S64) => (AtomType::S(8), 8),
        Some(Mod::F16Rn) => (AtomType::F(&F16, 1, false), 2),
        Some(Mod::Bf16Rn) => (AtomType::F(&BF16, 1, false), 2),
        // An H100 keeps subnormals in global memory, too, although the manual says that they are flushed
        // (PTX ISA 9.0, `cp.reduce.async.bulk`).
        Some(Mod::F32Rn) => (AtomType::F(&F32, 1, false), 4),
        Some(Mod::F32FtzRn) => (AtomType::F(&F32, 1, true), 4),
        Some(Mod::F64Rn) => (AtomType::F(&F64, 1, false), 8),
        other => return Err(format!("a reduction of {other:?}")),
    };
    Ok((operation(inst)?, ty, bytes))
}

fn tensor(inst: &Inst) -> Result<Tensor, Why> {
    let dimensions = match inst.get(Field::Dim) {
        Some(Mod::N1d) => 1,
        Some(Mod::N2d) => 2,
        Some(Mod::N3d) => 3,
        Some(Mod::N4d) => 4,
        Some(Mod::N5d) => 5,
        other => return Err(format!("a tensor of {other:?}")),
    };
    let direction = match inst.op() {
        Op::Utmaldg if inst.has(Mod::Multicast) => Direction::Load(Some(register(inst, SlotRole::Rc)?)),
        Op::Utmaldg => Direction::Load(None),
        Op::Utmastg => Direction::Store(None),
        Op::Utmaredg => Direction::Store(Some(operation(inst)?)),
        _ => Direction::Prefetch,
    };
    let columns = match (inst.has(Mod::Im2col), direction) {
        (false, _) => None,
        (true, Direction::Store(_)) => Some(None),
        (true, _) => Some(Some(register(inst, SlotRole::Rc)?)),
    };
    let (operands, map) = (uniform(inst, SlotRole::Addr)?, uniform(inst, SlotRole::Addr2)?);
    Ok(Tensor { map, operands, dimensions, columns, direction })
}
