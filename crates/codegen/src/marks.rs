//! Instructions that attributes of a kernel list, for drivers and tools ("ptxas 13.0.88 output").

use raddle_cubin::unit::{CoopGroup, InstructionMarks};
use raddle_sass::row::SlotRole;
use raddle_sass::{Inst, Kind, Mod, Op};

/// Marks the instruction at a byte offset.
pub(crate) fn instruction(inst: &Inst, at: u32, marks: &mut InstructionMarks) {
    match inst.op() {
        Op::Exit => marks.exits.push(at),
        Op::S2r => {
            if let Some(Kind::Special(axis @ 37..=39)) = inst.operands.last().map(|o| o.kind) {
                marks.s2r_ctaid.push(at);
                marks.ctaid_z |= axis == 39;
            }
        }
        Op::Shfl | Op::Match | Op::Warpsync | Op::Vote => {
            marks.coop_group.push(CoopGroup { offset: at, mask: u32::MAX });
        }
        Op::Usetmaxreg => marks.reg_reconfig = true,
        Op::Acqbulk | Op::Preexit => marks.grid_dependency = true,
        Op::Syncs | Op::Arrives => mbarrier(inst, at, marks),
        Op::Utmaldg | Op::Utmastg | Op::Utmaredg | Op::Utmapf => marks.tensormap |= 1,
        _ => {}
    }
    class(inst, marks);
}

/// Marks an instruction that not every device of a generation supports.
fn class(inst: &Inst, marks: &mut InstructionMarks) {
    let sparse = inst.has(Mod::Sp);
    let (mask, class) = match inst.op() {
        Op::Hmma if sparse => (0x10, 1),
        Op::Imma if sparse => (0x20, 1),
        Op::Qgmma => (if sparse { 1 } else { 0 }, 4),
        Op::Hgmma => (if sparse { 2 } else { 0 }, 4),
        Op::Igmma => (if sparse { 4 } else { 0 }, 4),
        Op::Bgmma => (0, 4),
        Op::F2fp if inst.has(Mod::UnpackB) => (0, 2),
        Op::Utmaldg | Op::Utmastg | Op::Utmaredg | Op::Utmapf | Op::Utmacctl => (0, 2),
        Op::Tex | Op::Tld | Op::Tld4 | Op::Txd | Op::Suld | Op::Sust | Op::Sured => (0, 2),
        Op::Bmma => (0, 4),
        Op::Dmma if !inst.has(Mod::N8x8x4) && !inst.has(Mod::N884) => (0, 4),
        _ => return,
    };
    marks.sparse_mma |= mask;
    marks.isa_class = marks.isa_class.max(class);
}

/// The numbers of the attribute for operations on mbarrier objects.
mod kind {
    pub const INIT: u32 = 0;
    pub const ARRIVE: u32 = 1;
    pub const ARRIVE_DROP: u32 = 3;
    pub const TEST_WAIT: u32 = 5;
    pub const ARRIVE_COPIES: u32 = 7;
    pub const INVAL: u32 = 8;
    pub const TRY_WAIT: u32 = 9;
    pub const EXPECT_TX: u32 = 11;
    pub const COMPLETE_TX: u32 = 12;
}

/// Lists an operation on an mbarrier object: its kind and the registers of its address. An arrival
/// with expected bytes is not listed.
fn mbarrier(inst: &Inst, at: u32, marks: &mut InstructionMarks) {
    let has = |m| inst.has(m);
    let kind = match () {
        () if inst.op() == Op::Arrives => kind::ARRIVE_COPIES,
        () if has(Mod::Exch) => kind::INIT,
        () if has(Mod::Cctl) => kind::INVAL,
        () if has(Mod::Trywait) => kind::TRY_WAIT,
        () if has(Mod::Phasechk) => kind::TEST_WAIT,
        () if has(Mod::A0tr) => kind::EXPECT_TX,
        () if has(Mod::A0tx) => kind::COMPLETE_TX,
        // It belongs to the arrival of copies that follows.
        () if has(Mod::A0t1) => return,
        () if has(Mod::Optout) => kind::ARRIVE_DROP,
        () if has(Mod::A1t0) || has(Mod::Art0) => kind::ARRIVE,
        () => return,
    };
    let Some(Kind::Addr { base, ubase, offset, .. }) = inst.slot(SlotRole::Addr).map(|o| o.kind) else { return };
    // The stride of ptxas 13.0.88 is `MBARRIER_STRIDE_X4` in every case seen.
    marks.mbarriers.push([at, base.into(), offset as u32, u32::from(ubase) << 16 | 1 << 8 | kind]);
    marks.mbarrier_count += u16::from(kind == kind::INIT);
}
