//! The unit that runs each operation.

use super::kind::Kind;

/// The unit that runs an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Integer, logic, moves.
    Int,
    /// Floating point and conversions.
    Float,
    /// Memory.
    Mem,
    /// Lanes, special registers, uniform bridge.
    Warp,
    /// Matrices.
    Tensor,
    /// Asynchronous operations and clusters.
    Async,
    /// Matrices of warpgroups.
    Warpgroup,
    /// Control flow.
    Flow,
    /// Named barriers.
    Bar,
    /// No effect.
    Nop,
}

impl Kind {
    /// Returns the unit that runs it.
    pub fn unit(&self) -> Unit {
        use Kind::*;
        match self {
            Nop | CacheHint => Unit::Nop,
            Iadd3 { .. }
            | Imad { .. }
            | ImadWide { .. }
            | ImadHi { .. }
            | Lea { .. }
            | Lop3 { .. }
            | Shf { .. }
            | Isetp { .. }
            | Sel
            | Mov
            | Prmt { .. }
            | Viadd { .. }
            | Iabs
            | MinMax { .. }
            | MinMax3 { .. }
            | AddMinMax { .. }
            | Sgxt { .. }
            | Bmsk { .. }
            | Popc
            | Flo { .. }
            | Brev
            | Idp { .. }
            | Vabsdiff { .. }
            | Vabsdiff4 { .. }
            | Plop3 { .. }
            | P2r { .. }
            | R2p { .. }
            | I2i { .. }
            | I2ip { .. } => Unit::Int,
            Fadd(_)
            | Fmul(..)
            | Ffma(..)
            | Fmnmx { .. }
            | Fsel { .. }
            | Fsetp { .. }
            | Fset { .. }
            | Fchk
            | Mufu { .. }
            | Dadd(_)
            | Dmul(_)
            | Dfma(_)
            | Dsetp { .. }
            | Hadd2(_)
            | Hmul2(_)
            | Hfma2(_)
            | Hmnmx2 { .. }
            | Hset2 { .. }
            | Hsetp2 { .. }
            | F2f { .. }
            | F2fpPack { .. }
            | F2fpUnpack { .. }
            | F2fpTf32 { .. }
            | F2i { .. }
            | F2ip { .. }
            | I2f { .. }
            | Frnd { .. } => Unit::Float,
            CopyAsync { .. }
            | CommitCopies
            | WaitCopies { .. }
            | Load(_)
            | Store(_)
            | Atom { .. }
            | LoadReduce { .. }
            | Ldc { .. }
            | Fence { .. }
            | Qspc(_)
            | Uldc { .. }
            | UldcAt { .. }
            | Discard(_)
            | Texture(_) => Unit::Mem,
            S2r(_)
            | Cs2r { .. }
            | Shfl(_)
            | Vote(_)
            | Match { .. }
            | Redux { .. }
            | R2ur { .. }
            | Elect
            | Voteu(_)
            | S2ur(_)
            | Umov
            | Uiadd64
            | Up2ur { .. }
            | Ur2up { .. }
            | MovLanes(_)
            | Fswzadd(..)
            | B2rResult => Unit::Warp,
            Matrix(_) | Transfer(_) => Unit::Tensor,
            Async(_) => Unit::Async,
            Gmma(_) | GmmaArrive | GmmaWait(_) => Unit::Warpgroup,
            Bar { .. } => Unit::Bar,
            Bra { .. }
            | Brx
            | Call { .. }
            | Ret { .. }
            | CallBy { .. }
            | Exit
            | Bssy { .. }
            | Bsync { .. }
            | Break { .. }
            | BmovFrom { .. }
            | BmovTo { .. }
            | ActiveFrom { .. }
            | ActiveTo { .. }
            | Warpsync { .. }
            | Yield
            | Nanosleep
            | Lepc
            | Trap
            | Unsupported => Unit::Flow,
        }
    }
}
