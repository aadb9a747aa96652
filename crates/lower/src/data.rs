//! Moves, packing, special registers, address conversion.

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported, width_of};
use raddle_ir::{Cond, Op as I, Sign, Space, Special, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, SpecialReg, Ty};

/// Performance counters by number.
const PERFORMANCE: [Special; 8] =
    [Special::Pm0, Special::Pm1, Special::Pm2, Special::Pm3, Special::Pm4, Special::Pm5, Special::Pm6, Special::Pm7];

impl Lower<'_> {
    /// Lowers `mov`, `cvta`, `isspacep`.
    pub(crate) fn data(&mut self, inst: InstId) -> Result<(), Reason> {
        match self.input.body.op(inst) {
            Op::Mov => self.mov(inst),
            Op::Cvta => self.cvta(inst),
            _ => {
                if self.input.body.has(inst, Mod::SharedCluster) {
                    let a = self.tested_address(inst)?;
                    let p = self.emit(I::IsClusterShared, &[a], Width::P);
                    return self.set(inst, p);
                }
                let space = self.space_of(inst).unwrap_or(Space::Generic);
                if let Space::Const | Space::Param = space {
                    // Between the first byte of the bank and the largest possible end ("ptxas
                    // 13.0.88 output" checks up to the last byte in use).
                    let a = self.tested_address(inst)?;
                    let base = self.bank_window(space);
                    let at = self.emit(I::Sub, &[a, base], Width::B64);
                    let end = self.constant(if space == Space::Const { 0x1_0000 } else { 0x8000 }, Width::B64);
                    let p = self.icmp(Cond::Lt, Sign::U, at, end);
                    return self.set(inst, p);
                }
                if !matches!(space, Space::Global | Space::Shared | Space::Local) {
                    return not_yet();
                }
                let a = self.tested_address(inst)?;
                let p = self.emit(I::IsSpace(space), &[a], Width::P);
                self.set(inst, p)
            }
        }
    }

    /// Lowers `mov` (PTX ISA 9.0, 9.7.9.1 and 9.7.9.2).
    fn mov(&mut self, inst: InstId) -> Result<(), Reason> {
        let ty = self.input.body.types(inst)[0];
        let width = width_of(ty)?;
        match (self.input.body.operand(inst, 0), self.input.body.operand(inst, 1)) {
            (Some(Operand::Vec(to)), Some(Operand::Vec(from))) => {
                // All sources are read before the first result is written.
                let values: Result<Vec<Value>, Reason> =
                    self.input.body.list(from).into_iter().map(|p| self.value(p, ty)).collect();
                for (p, v) in self.input.body.list(to).into_iter().zip(values?) {
                    self.set_operand(Some(p), v)?;
                }
                Ok(())
            }
            (Some(Operand::Vec(to)), Some(Operand::Special(reg, None))) if reg.width() > 1 => {
                for (n, p) in self.input.body.list(to).into_iter().enumerate() {
                    let v = self.special(reg, Some(n as u8))?;
                    self.set_operand(Some(p), v)?;
                }
                Ok(())
            }
            (dst, Some(Operand::Vec(list))) => {
                let parts = self.input.body.list(list);
                let bits = width.bits() / parts.len().max(1) as u32;
                if bits == 8 {
                    let v = self.pack_bytes(&parts, width)?;
                    return self.set_operand(dst, v);
                }
                let Some(part) = Width::of_bits(bits) else { return unsupported("a vector of this length") };
                let mut values: Vec<Value> = Vec::with_capacity(parts.len());
                for p in parts {
                    let v = self.value(p, bits_type(part))?;
                    values.push(v);
                }
                let v = self.emit(I::Pack, &values, width);
                self.set_operand(dst, v)
            }
            (Some(Operand::Vec(list)), Some(src)) => {
                let parts = self.input.body.list(list);
                let bits = width.bits() / parts.len().max(1) as u32;
                let v = self.value(src, ty)?;
                if bits == 8 {
                    return self.unpack_bytes(&parts, v);
                }
                let Some(part) = Width::of_bits(bits) else { return unsupported("a vector of this length") };
                let values = self.emit_many(I::Unpack, &[v], &vec![part; parts.len()]);
                for (p, v) in parts.into_iter().zip(values) {
                    self.set_operand(Some(p), v)?;
                }
                Ok(())
            }
            (dst, Some(src)) => {
                let v = self.value(src, ty)?;
                self.set_operand(dst, v)
            }
            _ => unsupported("a missing operand"),
        }
    }

    /// A word of bytes, the first one lowest. A register of eight bits has 16 in the IR: those above
    /// are undefined.
    fn pack_bytes(&mut self, parts: &[Operand], width: Width) -> Result<Value, Reason> {
        let mask = self.constant(0xff, Width::B32);
        let mut word = None;
        for (n, &part) in parts.iter().enumerate() {
            let v = self.value(part, Ty::B8)?;
            let v = self.resize(v, Width::B32, Sign::U);
            let v = self.emit(I::And, &[v, mask], Width::B32);
            let at = self.constant(8 * n as u64, Width::B32);
            let v = self.emit(I::Shl, &[v, at], Width::B32);
            word = Some(match word {
                Some(low) => self.emit(I::Or, &[low, v], Width::B32),
                None => v,
            });
        }
        let word = word.unwrap_or(mask);
        Ok(self.resize(word, width, Sign::U))
    }

    /// The bytes of a word, the lowest one first.
    fn unpack_bytes(&mut self, parts: &[Operand], word: Value) -> Result<(), Reason> {
        let word = self.resize(word, Width::B32, Sign::U);
        let mask = self.constant(0xff, Width::B32);
        for (n, &part) in parts.iter().enumerate() {
            let at = self.constant(8 * n as u64, Width::B32);
            let v = self.emit(I::Shr(Sign::U), &[word, at], Width::B32);
            let v = self.emit(I::And, &[v, mask], Width::B32);
            let v = self.resize(v, Width::B16, Sign::U);
            self.set_operand(Some(part), v)?;
        }
        Ok(())
    }

    /// Lowers `cvta` (PTX ISA 9.0, 9.7.9.20). Global addresses are generic ones; those in the
    /// shared and local windows are not.
    fn cvta(&mut self, inst: InstId) -> Result<(), Reason> {
        let cluster = self.input.body.has(inst, Mod::SharedCluster).then_some(Space::Shared);
        let space = cluster.or(self.space_of(inst)).unwrap_or(Space::Generic);
        let to = self.input.body.has(inst, Mod::To);
        let ty = self.input.body.types(inst)[0];
        if ty.bits() != 64 {
            return unsupported("32-bit addresses");
        }
        let dst = self.input.body.operand(inst, 0);
        if !to && matches!(space, Space::Shared | Space::Local | Space::Const | Space::Param) {
            let low = match self.input.body.operand(inst, 1) {
                Some(Operand::Symbol(sym, offset)) => self.address_of(sym, offset)?,
                _ => {
                    let a = self.wide_operand(inst, 1)?;
                    self.resize(a, Width::B32, Sign::U)
                }
            };
            let generic = self.generic_address(space, low);
            return self.set_operand(dst, generic);
        }
        let a = self.wide_operand(inst, 1)?;
        let v = match space {
            Space::Global => a,
            // The windows are 16 MiB and aligned to 4 GiB (shared) or not (local).
            Space::Shared => {
                let low = self.resize(a, Width::B32, Sign::U);
                self.resize(low, Width::B64, Sign::U)
            }
            Space::Local => {
                let base = self.local_window();
                self.emit(I::Sub, &[a, base], Width::B64)
            }
            Space::Const | Space::Param => {
                let base = self.bank_window(space);
                self.emit(I::Sub, &[a, base], Width::B64)
            }
            _ => return not_yet(),
        };
        self.set_operand(dst, v)
    }

    fn local_window(&mut self) -> Value {
        let low = self.emit(I::Special(Special::LocalWindowLo), &[], Width::B32);
        let high = self.emit(I::Special(Special::LocalWindowHi), &[], Width::B32);
        self.emit(I::Pack, &[low, high], Width::B64)
    }

    /// Returns the generic address of constants or parameters.
    fn bank_window(&mut self, space: Space) -> Value {
        let window = if space == Space::Const { Special::ConstWindow } else { Special::ParamWindow };
        self.emit(I::Special(window), &[], Width::B64)
    }

    /// Returns the generic address of an address in a window.
    pub(crate) fn generic_address(&mut self, space: Space, low: Value) -> Value {
        if space == Space::Shared {
            let high = self.emit(I::Special(Special::SharedWindowHi), &[], Width::B32);
            return self.emit(I::Pack, &[low, high], Width::B64);
        }
        let base = if space == Space::Local { self.local_window() } else { self.bank_window(space) };
        let wide = self.resize(low, Width::B64, Sign::U);
        self.emit(I::Add, &[base, wide], Width::B64)
    }

    /// Returns the generic address of `isspacep`: the upper half of a 32-bit one is zero (ptxas
    /// 13.0.88 output).
    fn tested_address(&mut self, inst: InstId) -> Result<Value, Reason> {
        if let Some(Operand::Reg(reg)) = self.input.body.operand(inst, 1) {
            let value = self.read(reg.as_u32())?;
            if self.f.width(value) == Width::B32 {
                return Ok(self.resize(value, Width::B64, Sign::U));
            }
        }
        self.wide_operand(inst, 1)
    }

    /// Returns a 64-bit address operand.
    fn wide_operand(&mut self, inst: InstId, index: usize) -> Result<Value, Reason> {
        self.operand(inst, index, raddle_ptx::Ty::U64)
    }

    /// Returns the state space that an instruction names.
    pub(crate) fn space_of(&self, inst: InstId) -> Option<Space> {
        let accesses = matches!(self.input.body.op(inst), Op::Ld | Op::St);
        self.input.body.mods(inst).iter().find_map(|m| {
            Some(match m {
                Mod::Global => Space::Global,
                Mod::Shared | Mod::SharedCta => Space::Shared,
                Mod::Local => Space::Local,
                Mod::Const => Space::Const,
                // Addresses of a function's own parameters are those of local memory
                // ([`crate::places`]).
                Mod::Param if accesses && !self.input.outline.funcs[self.input.func].entry => Space::Local,
                Mod::Param | Mod::ParamEntry => Space::Param,
                _ => return None,
            })
        })
    }

    /// Returns the value of a special register.
    pub(crate) fn special(&mut self, reg: SpecialReg, component: Option<u8>) -> Result<Value, Reason> {
        use SpecialReg as R;
        let axis = |x, y, z| match component {
            Some(0) => Ok(Some(x)),
            Some(1) => Ok(Some(y)),
            Some(2) => Ok(Some(z)),
            // The fourth component is always zero (PTX ISA 9.0, 10.1).
            Some(3) => Ok(None),
            _ => unsupported("a vector register as a whole"),
        };
        let special = match reg {
            R::Tid => axis(Special::TidX, Special::TidY, Special::TidZ)?,
            R::Ntid => axis(Special::NtidX, Special::NtidY, Special::NtidZ)?,
            R::Ctaid => axis(Special::CtaidX, Special::CtaidY, Special::CtaidZ)?,
            R::Nctaid => axis(Special::NctaidX, Special::NctaidY, Special::NctaidZ)?,
            R::Laneid => Some(Special::LaneId),
            R::Warpid => Some(Special::WarpId),
            R::Nwarpid => Some(Special::NwarpId),
            R::Smid => Some(Special::SmId),
            R::Nsmid => Some(Special::NsmId),
            R::Gridid => Some(Special::GridId),
            R::LanemaskEq => Some(Special::LanemaskEq),
            R::LanemaskLe => Some(Special::LanemaskLe),
            R::LanemaskLt => Some(Special::LanemaskLt),
            R::LanemaskGe => Some(Special::LanemaskGe),
            R::LanemaskGt => Some(Special::LanemaskGt),
            R::Clock => Some(Special::Clock),
            R::ClockHi => Some(Special::ClockHi),
            R::Clock64 => Some(Special::Clock64),
            R::Globaltimer => Some(Special::GlobalTimer),
            R::GlobaltimerLo => Some(Special::GlobalTimerLo),
            R::GlobaltimerHi => Some(Special::GlobalTimerHi),
            R::DynamicSmemSize => Some(Special::DynamicSmem),
            R::TotalSmemSize => Some(Special::TotalSmem),
            R::AggrSmemSize => Some(Special::AggrSmem),
            // The first part begins where the whole begins ("ptxas 13.0.88 output").
            R::ReservedSmemOffsetBegin | R::ReservedSmemOffset0 => Some(Special::ReservedSmem),
            R::ReservedSmemOffsetEnd => Some(Special::ReservedSmemEnd),
            R::ReservedSmemOffsetCap => Some(Special::ReservedSmemCap),
            R::ReservedSmemOffset1 => Some(Special::ReservedSmemPart),
            R::CurrentGraphExec => Some(Special::GraphExec),
            R::Clusterid => axis(Special::ClusterIdX, Special::ClusterIdY, Special::ClusterIdZ)?,
            R::Nclusterid => axis(Special::NclusterIdX, Special::NclusterIdY, Special::NclusterIdZ)?,
            R::ClusterCtaid => axis(Special::ClusterCtaidX, Special::ClusterCtaidY, Special::ClusterCtaidZ)?,
            R::ClusterNctaid => axis(Special::ClusterNctaidX, Special::ClusterNctaidY, Special::ClusterNctaidZ)?,
            R::ClusterCtarank => Some(Special::ClusterCtaRank),
            R::ClusterNctarank => Some(Special::ClusterNctaRank),
            R::IsExplicitCluster => {
                let flag = self.emit(I::Special(Special::ExplicitCluster), &[], Width::B32);
                let one = self.constant(1, Width::B32);
                return Ok(self.icmp(Cond::Eq, Sign::U, flag, one));
            }
            R::Envreg(n) => return Ok(self.emit(I::EnvReg(n), &[], Width::B32)),
            R::Pm(n) => match PERFORMANCE.get(usize::from(n)) {
                Some(&counter) => Some(counter),
                None => return unsupported("a performance counter above 7"),
            },
            other => return unsupported(format!("special register {}", other.name())),
        };
        Ok(match special {
            Some(s) => self.emit(I::Special(s), &[], s.width()),
            None => self.constant(0, Width::B32),
        })
    }
}

/// Returns the untyped type of a width.
pub(crate) fn bits_type(width: Width) -> Ty {
    match width {
        Width::P => Ty::Pred,
        Width::B16 => Ty::B16,
        Width::B32 => Ty::B32,
        Width::B64 => Ty::B64,
        Width::B128 => Ty::B128,
    }
}
