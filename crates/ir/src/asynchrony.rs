//! The operations of mbarrier objects, bulk and tensor copies, and clusters (PTX ISA 9.0, 9.7.9.25
//! to 9.7.9.27, 9.7.13.15).
//!
//! Addresses of shared memory are 32 bits: those of the thread's own CTA, or with the rank of
//! another CTA of the cluster in their uppermost byte. Global addresses and tensor maps have
//! generic addresses of 64 bits.

use crate::types::Width;
use crate::{token_struct, tokens};

tokens! {
    /// Whether an operation has an optional property.
    Is { /// It has not.
        No = "no", /// It has.
        Yes = "yes" }
}

impl From<bool> for Is {
    fn from(yes: bool) -> Is {
        if yes { Is::Yes } else { Is::No }
    }
}

tokens! {
    /// Operations on an mbarrier object. The first operand is its address.
    MbarOp {
        /// Makes an object that expects this many arrivals.
        Init = "init", /// Ends it.
        Inval = "inval", /// This many arrivals; the result, if any, is the state before.
        Arrive = "arrive", /// The same; the phase may not end with it.
        ArriveNoComplete = "nocomplete", /// Expects this many bytes more, then one arrival.
        ArriveTx = "arrivetx", /// Expects this many bytes more in the current phase.
        ExpectTx = "expect", /// This many bytes have arrived.
        CompleteTx = "complete", /// One arrival once the thread's copies so far have arrived; the object expects one more.
        ArriveCopies = "copies", /// The same arrival, which the object expects already.
        ArriveCopiesNoinc = "copiesnoinc", /// Whether the phase whose bit 31 this is has ended.
        TestWait = "test", /// The same; may wait for a time that the machine chooses.
        TryWait = "try",
    }
}

token_struct! {
    /// An operation on an mbarrier object.
    Mbar {
        /// Operation.
        op: MbarOp,
        /// Whether the arrivals are not expected in later phases.
        drop: Is,
        /// Whether the object may be another CTA's.
        cluster: Is,
        /// Whether a wait that succeeds is ordered with memory of the whole cluster.
        acquire: Is,
    }
}

impl Mbar {
    /// Whether the operands and results have the right widths.
    pub fn is_typed(self, args: &[Width], results: &[Width]) -> bool {
        use Width::{B32, B64, P};
        let operands = match self.op {
            MbarOp::Inval | MbarOp::ArriveCopies | MbarOp::ArriveCopiesNoinc => args == [B32],
            _ => args == [B32, B32],
        };
        let result = match self.op {
            MbarOp::Arrive | MbarOp::ArriveTx => results.is_empty() || results == [B64],
            MbarOp::ArriveNoComplete => results == [B64],
            MbarOp::TestWait | MbarOp::TryWait => results == [P],
            _ => results.is_empty(),
        };
        operands && result
    }
}

tokens! {
    /// The way of a bulk copy. Its size is in units of 16 bytes, in the lower half of an operand.
    BulkWay {
        /// Operands shared address, global address, size, mbarrier object.
        GlobalToShared = "g2s", /// The same; the upper half of the size has a bit for each CTA of the cluster that gets the bytes.
        Multicast = "multicast", /// Operands global address, shared address, size.
        SharedToGlobal = "s2g", /// Operands address in the cluster, own shared address, size, mbarrier object.
        SharedToShared = "s2s", /// To the second-level cache: operands global address, size.
        Prefetch = "prefetch" }
}
tokens! {
    /// What a copy does with the bytes at its destination.
    BulkOp { /// Replaces them.
        Copy = "", /// Adds to them.
        Add = "add", /// Minimum.
        Min = "min", /// Maximum.
        Max = "max", /// Wrap-around increment.
        Inc = "inc", /// Wrap-around decrement.
        Dec = "dec", /// And.
        And = "and", /// Or.
        Or = "or", /// Exclusive or.
        Xor = "xor" }
}
tokens! {
    /// Element type of a reduction.
    BulkTy { /// None: a copy of bytes.
        Bytes = "", /// Unsigned 32.
        U32 = "u32", /// Signed 32.
        S32 = "s32", /// Unsigned 64.
        U64 = "u64", /// Signed 64.
        S64 = "s64", /// Half.
        F16 = "f16", /// bfloat16.
        Bf16 = "bf16", /// Single.
        F32 = "f32", /// Double.
        F64 = "f64" }
}
token_struct! {
    /// A bulk copy or reduction.
    Bulk {
        /// Its way.
        way: BulkWay,
        /// What it does.
        op: BulkOp,
        /// Element type.
        ty: BulkTy,
        /// Whether a last operand of 64 bits is a cache policy.
        policy: Is,
    }
}

impl Bulk {
    /// Whether the operands have the right widths.
    pub fn is_typed(self, args: &[Width]) -> bool {
        use Width::{B32, B64};
        let Some(args) = without_policy(self.policy, args) else { return false };
        match self.way {
            BulkWay::GlobalToShared | BulkWay::Multicast => args == [B32, B64, B32, B32],
            BulkWay::SharedToGlobal => args == [B64, B32, B32],
            BulkWay::SharedToShared => args == [B32; 4],
            BulkWay::Prefetch => args == [B64, B32],
        }
    }
}

/// Returns the operands before the cache policy; `None` if it is missing.
fn without_policy(policy: Is, args: &[Width]) -> Option<&[Width]> {
    match (policy, args) {
        (Is::No, args) => Some(args),
        (Is::Yes, [args @ .., Width::B64]) => Some(args),
        (Is::Yes, _) => None,
    }
}

tokens! {
    /// Operations on tensors in global memory. The first operand is the address of the tensor map.
    TensorOp {
        /// To shared memory: then the shared address, the mbarrier object, coordinates[, in the
        /// lower half the offsets of im2col mode, in the upper half a bit for each CTA of the
        /// cluster that gets the box].
        Load = "load", /// From shared memory: then the shared address, coordinates.
        Store = "store", /// To the second-level cache: then coordinates[, offsets as of a load].
        Prefetch = "prefetch" }
}
token_struct! {
    /// A tensor copy or reduction.
    Tensor {
        /// Operation.
        op: TensorOp,
        /// Dimensions: 1 to 5.
        dims: u8,
        /// Whether several CTAs of the cluster get the box.
        multicast: Is,
        /// Whether it is in im2col mode: then dimensions are 3 to 5.
        im2col: Is,
        /// What it does at its destination.
        reduce: BulkOp,
        /// Whether a last operand of 64 bits is a cache policy.
        policy: Is,
    }
}

impl Tensor {
    /// Whether an operand has offsets and CTAs.
    pub fn has_offsets_or_ctas(self) -> bool {
        self.multicast == Is::Yes || self.im2col == Is::Yes && self.op != TensorOp::Store
    }

    /// Whether the operands have the right widths.
    pub fn is_typed(self, args: &[Width]) -> bool {
        let fixed = match self.op {
            TensorOp::Load => 2,
            TensorOp::Store => 1,
            TensorOp::Prefetch => 0,
        };
        let Some(args) = without_policy(self.policy, args) else { return false };
        let n = fixed + usize::from(self.dims) + usize::from(self.has_offsets_or_ctas());
        (if self.im2col == Is::Yes { 3..=5 } else { 1..=5 }).contains(&self.dims)
            && matches!(args, [Width::B64, rest @ ..] if rest.len() == n && rest.iter().all(|&w| w == Width::B32))
    }
}

tokens! {
    /// What is done with a tensor map in a cache.
    MapOp { /// It is loaded.
        Prefetch = "prefetch", /// It is forgotten, so that the next use reads memory.
        Invalidate = "invalidate" }
}
tokens! {
    /// Operations on the barrier of a cluster.
    ClusterOp { /// Arrival, after what precedes it.
        Arrive = "arrive", /// Arrival that orders nothing.
        ArriveRelaxed = "arriverelaxed", /// Wait for all threads of the cluster, before what follows.
        Wait = "wait" }
}
