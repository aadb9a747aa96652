//! Decodes `mbarrier` and asynchronous operations.

use super::super::asynchrony::{Arrive, AsyncStore, Bulk, Count, MbarrierOp, Operation, Scope, Wait};
use super::super::code::*;
use super::{Decoded, Decoder};
use raddle_ptx::{Mod, Op, Operand, Referent, Space, SymId, Ty};

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn asynchronous(&mut self, op: Op) -> Decoded<bool> {
        let op = match op {
            Op::MbarrierInit => {
                let [at, count] = self.exactly()?;
                MbarrierOp::Init { at: self.object(at)?, count: self.source(count, Ty::U32)? }
            }
            Op::MbarrierInval => {
                let [at] = self.exactly()?;
                MbarrierOp::Inval { at: self.object(at)? }
            }
            Op::MbarrierExpectTx => {
                let [at, bytes] = self.exactly()?;
                MbarrierOp::Expect { at: self.object(at)?, bytes: self.source(bytes, Ty::U32)? }
            }
            Op::MbarrierCompleteTx => {
                let [at, bytes] = self.exactly()?;
                MbarrierOp::Complete { at: self.object(at)?, bytes: self.source(bytes, Ty::U32)? }
            }
            Op::MbarrierArrive | Op::MbarrierArriveDrop => self.arrive(op == Op::MbarrierArriveDrop)?,
            Op::MbarrierTestWait | Op::MbarrierTryWait => self.wait(op == Op::MbarrierTryWait)?,
            Op::MbarrierPendingCount => {
                let [d, token] = self.exactly()?;
                MbarrierOp::PendingCount { dst: self.target(d)?, token: self.source(token, Ty::B64)? }
            }
            Op::CpAsyncMbarrierArrive => {
                let [at] = self.exactly()?;
                MbarrierOp::CopyArrive { at: self.object(at)?, counted: self.has(Mod::Noinc) }
            }
            _ => return self.bulk(op),
        };
        self.operation(Operation::Mbarrier(op));
        Ok(true)
    }

    fn operation(&mut self, operation: Operation) {
        self.push(Kind::Asynchronous(Box::new(operation)));
    }

    /// Decodes bulk operations; returns false for others.
    fn bulk(&mut self, op: Op) -> Decoded<bool> {
        let operation = match op {
            Op::CpAsyncBulk | Op::CpReduceAsyncBulk => Operation::Bulk(self.bulk_copy(op == Op::CpReduceAsyncBulk)?),
            Op::CpAsyncBulkPrefetch => {
                let operands = self.operands();
                let [at, bytes, ..] = *operands.as_slice() else { return Err("operands".into()) };
                let at = self.address_in(at, Window::Global, false)?;
                Operation::Prefetch { at, bytes: self.source(bytes, Ty::U32)? }
            }
            Op::CpAsyncBulkCommitGroup => Operation::Commit,
            Op::CpAsyncBulkWaitGroup => {
                let [Operand::Imm(left)] = self.exactly()? else { return Err("operands".into()) };
                Operation::WaitGroups { left: left.bits as u32 as usize, read: self.has(Mod::Read) }
            }
            Op::StAsync | Op::RedAsync => Operation::Store(self.async_store(op == Op::RedAsync)?),
            Op::BarrierCluster => {
                if self.has(Mod::Aligned) {
                    self.aligned();
                }
                match self.has(Mod::Arrive) {
                    true => Operation::ClusterArrive { release: !self.has(Mod::Relaxed) },
                    false => Operation::ClusterWait,
                }
            }
            Op::Setmaxnreg => {
                let [Operand::Imm(count)] = self.exactly()? else { return Err("operands".into()) };
                self.aligned();
                Operation::SetRegisters(count.bits)
            }
            _ => return self.tensor(op),
        };
        self.operation(operation);
        Ok(true)
    }

    fn bulk_copy(&mut self, reduces: bool) -> Decoded<Bulk> {
        if let Some(m) = [Mod::IgnoreOob, Mod::CpMask].into_iter().find(|&m| self.has(m)) {
            return Err(format!(".{}", m.name()));
        }
        let operands = self.operands();
        let [to, from, bytes, ref rest @ ..] = *operands.as_slice() else { return Err("operands".into()) };
        let grouped = self.has(Mod::BulkGroup);
        let (target, source) = match (self.has(Mod::Global), grouped) {
            (true, true) => (Window::Global, Window::Shared),
            (true, false) if self.has(Mod::SharedCta) => (Window::Shared, Window::Global),
            (true, false) => (Window::Cluster, Window::Global),
            (false, _) => (Window::Cluster, Window::Shared),
        };
        let (to, from) = (self.address_in(to, target, false)?, self.address_in(from, source, false)?);
        let bytes = self.source(bytes, Ty::U32)?;
        let object = match rest.first() {
            Some(&object) if !grouped => Some(self.address_in(object, target, false)?),
            None if !grouped => return Err("operands".into()),
            _ => None,
        };
        let reduce = match reduces {
            true => {
                let ty = self.ty(0)?;
                Some((self.atom_op(ty)?, ty.bytes() as usize))
            }
            false => None,
        };
        let multicast = match (self.has(Mod::MulticastCluster), rest.get(1)) {
            (true, Some(&mask)) => Some(self.source(mask, Ty::U16)?),
            _ => None,
        };
        Ok(Bulk { to, from, bytes, reduce, object, multicast })
    }

    fn async_store(&mut self, reduces: bool) -> Decoded<AsyncStore> {
        let ty = self.ty(0)?;
        let [to, value, object] = self.exactly()?;
        let reduce = if reduces { Some(self.atom_op(ty)?) } else { None };
        // Without a state space the addresses are generic.
        let (to, object) = (self.address(to)?, self.address(object)?);
        let src = self.elements(value).into_iter().map(|x| self.source(x, ty)).collect::<Decoded<Vec<_>>>()?;
        Ok(AsyncStore { to, bytes: ty.bytes() as usize, src, reduce, object })
    }

    /// All threads of the warp come to this instruction before any of them executes it (`.aligned`).
    pub(super) fn aligned(&mut self) {
        let next = self.meetings.len() as u32;
        let place = format!("{} {}", self.function.start, self.code.len());
        let meeting = *self.meetings.entry(place).or_insert(next);
        let members = self.constant(u32::MAX.into());
        self.push(Kind::Warp(Box::new(WarpSync { op: SyncOp::Wait, members, meeting })));
    }

    /// Returns `%is_explicit_cluster`.
    pub(super) fn explicit_cluster(&self) -> PredSrc {
        PredSrc { pred: TRUE, negated: !self.layout.explicit_cluster }
    }

    /// Returns the row of the address of a symbol. In a cluster an address of shared memory has the
    /// rank of its block.
    pub(super) fn variable_address(&mut self, sym: SymId, address: u64) -> Row {
        let space = match self.body.syms[sym].referent {
            Referent::Var(var) => Some(self.body.vars[var].space),
            Referent::Global(global) => Some(self.layout.space(global)),
            _ => None,
        };
        if !self.layout.clustered || space != Some(Space::Shared) {
            return self.constant(address);
        }
        let row = self.scratch(64);
        self.function.inits.push((row, RowInit::Shared(address)));
        row
    }

    /// Decodes `fence.proxy.async`.
    pub(super) fn fence_proxy(&mut self) {
        let shared = self.has(Mod::SharedCta) || self.has(Mod::SharedCluster);
        let global = self.has(Mod::Global);
        self.operation(Operation::ProxyFence { shared: shared || !global, global: global || !shared });
    }

    /// Returns the address of an mbarrier object: generic without a state space.
    fn object(&mut self, operand: Operand) -> Decoded<Address> {
        self.address(operand)
    }

    /// Returns the scope of a release or acquire; none if it is relaxed. The default is the block
    /// (PTX ISA 9.0, 9.7.13.15.13).
    fn scope(&self) -> Option<Scope> {
        if self.has(Mod::Relaxed) {
            return None;
        }
        Some(if self.has(Mod::Cluster) { Scope::Cluster } else { Scope::Cta })
    }

    fn arrive(&mut self, drop: bool) -> Decoded<MbarrierOp> {
        let operands = self.operands();
        let [token, at, ref rest @ ..] = *operands.as_slice() else { return Err("operands".into()) };
        let token = if token == Operand::Sink { None } else { Some(self.target(token)?) };
        let at = self.object(at)?;
        let number = match rest {
            [] => None,
            [number] => Some(self.source(*number, Ty::U32)?),
            _ => return Err("operands".into()),
        };
        let (count, expect) = match number {
            Some(bytes) if self.has(Mod::ExpectTx) => (Count::One, Some(bytes)),
            Some(count) => (Count::Row(count), None),
            None => (Count::One, None),
        };
        let (no_complete, release) = (self.has(Mod::NoComplete), self.scope());
        Ok(MbarrierOp::Arrive(Arrive { at, count, expect, drop, no_complete, token, release }))
    }

    fn wait(&mut self, tries: bool) -> Decoded<MbarrierOp> {
        let operands = self.operands();
        // The time limit is a hint: the time that the system chooses is no longer.
        let [d, at, phase, ..] = *operands.as_slice() else { return Err("operands".into()) };
        let dst = match d {
            Operand::Sink => None,
            Operand::Reg(d) => Some(self.pred(d)?),
            _ => return Err("destination".into()),
        };
        let parity = self.has(Mod::Parity);
        let at = self.object(at)?;
        let phase = self.source(phase, if parity { Ty::U32 } else { Ty::B64 })?;
        Ok(MbarrierOp::Wait(Wait { at, phase, parity, tries, dst, acquire: self.scope() }))
    }
}
