//! `tensormap.replace` and `tensormap.cp_fenceproxy` (PTX ISA 9.0, 9.7.9.27.1.3 and 9.7.9.28).
//!
//! A tensor map is 128 bytes of memory whose fields are read, changed and written; where they lie
//! is "ptxas 13.0.88 output".

use crate::build::Lower;
use crate::memory::order_of;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{
    Atom, AtomOp, Aty, Cache, Mem, Mty, Op as I, Order, Prefetch, Scope, Sign, Space, Special, Value, Width,
};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

/// Dimensions of a tensor, at most.
const DIMENSIONS: u64 = 5;
/// The word with the small fields.
const WORD: i32 = 8;
/// Its bit that says that elements are tf32; their type is that of f32.
const TF32: u32 = 1 << 16;
/// Its bit that is cleared with the swizzle mode.
const SWIZZLE_ATOM: u32 = 1 << 22;
/// Element types from here on are tf32 and tf32.ftz, this many after f32 and f32.ftz.
const FIRST_TF32: (u32, u32) = (11, 4);

impl Lower<'_> {
    /// Lowers an instruction of this family.
    pub(crate) fn tensor_map(&mut self, inst: InstId) -> Result<(), Reason> {
        if self.input.body.op(inst) == Op::TensormapReplace { self.replace_field(inst) } else { self.publish(inst) }
    }

    fn replace_field(&mut self, inst: InstId) -> Result<(), Reason> {
        self.f.tensormap = true;
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let (space, base, offset) = self.address(inst, 0)?;
        let map = Map { space, base, offset };
        let ordinal = match (body.operand(inst, 1), body.operand(inst, 2)) {
            (Some(Operand::Imm(n)), Some(_)) if n.bits < DIMENSIONS => Some(n.bits as i32),
            (_, None) => None,
            _ => return unsupported("this dimension"),
        };
        let last = if ordinal.is_some() { 2 } else { 1 };
        let number = |l: &mut Self| l.operand(inst, last, Ty::B32);
        let less_one = |l: &mut Self| {
            let n = l.operand(inst, last, Ty::B32)?;
            let one = l.constant(1, Width::B32);
            Ok::<_, Reason>(l.emit(I::Sub, &[n, one], Width::B32))
        };
        let literal = || match body.operand(inst, last) {
            Some(Operand::Imm(n)) => u32::try_from(n.bits).map_err(|_| Reason("this literal".into())),
            _ => unsupported("a field value that is not a literal"),
        };
        match (ordinal, ()) {
            (None, ()) if has(Mod::GlobalAddress) => {
                let v = self.operand(inst, last, Ty::B64)?;
                self.put(&map, Mty::B64, 0, v);
            }
            (None, ()) if has(Mod::Rank) => {
                let v = number(self)?;
                self.put_bits(&map, WORD, v, 4, 3);
            }
            (Some(n), ()) if has(Mod::BoxDim) => {
                let v = less_one(self)?;
                let (word, bit) = if n == 0 { (0x34, 24) } else { (0x38, 8 * (n - 1)) };
                self.put_bits(&map, word, v, bit as u32, 8);
            }
            (Some(n), ()) if has(Mod::GlobalDim) => {
                let v = less_one(self)?;
                self.put(&map, Mty::B32, 0x20 + 4 * n, v);
            }
            (Some(n), ()) if has(Mod::ElementStride) => {
                let v = less_one(self)?;
                self.put_bits(&map, 0x34, v, 3 * n as u32, 3);
            }
            (Some(n), ()) if has(Mod::GlobalStride) && n < 4 => {
                let v = self.operand(inst, last, Ty::B64)?;
                let four = self.constant(4, Width::B32);
                let v = self.emit(I::Shr(Sign::U), &[v, four], Width::B64);
                let words = self.emit_many(I::Unpack, &[v], &[Width::B32, Width::B32]);
                self.put(&map, Mty::B32, 0x0c + 4 * n, words[0]);
                self.put_bits(&map, 0x1c, words[1], 4 * n as u32, 4);
            }
            (Some(_), ()) if has(Mod::GlobalStride) => return unsupported("a tensor has four strides, 0 to 3"),
            (None, ()) if has(Mod::Elemtype) => {
                let n = literal()?;
                let (ty, tf32) = if n >= FIRST_TF32.0 { (n - FIRST_TF32.1, TF32) } else { (n, 0) };
                self.put_literal(&map, 0xf << 7 | TF32, ty << 7 & 0xf << 7 | tf32);
            }
            (None, ()) if has(Mod::InterleaveLayout) => self.put_literal(&map, 3 << 11, literal()? << 11 & 3 << 11),
            (None, ()) if has(Mod::SwizzleMode) => {
                self.put_literal(&map, 3 << 13 | SWIZZLE_ATOM, literal()? << 13 & 3 << 13);
            }
            (None, ()) if has(Mod::FillMode) => self.put_literal(&map, 1 << 15, literal()? << 15 & 1 << 15),
            _ => return not_yet(),
        }
        Ok(())
    }

    /// Writes a field of whole words.
    fn put(&mut self, map: &Map, ty: Mty, at: i32, v: Value) {
        self.emit_many(I::Store(map.word(ty, at)), &[map.base, v], &[]);
    }

    /// Replaces the bits of a mask in a word.
    fn put_masked(&mut self, map: &Map, at: i32, mask: u32, bits: Value) {
        let old = self.emit(I::Load(map.word(Mty::B32, at)), &[map.base], Width::B32);
        let keep = self.constant(u64::from(!mask), Width::B32);
        let kept = self.emit(I::And, &[old, keep], Width::B32);
        let new = self.emit(I::Or, &[kept, bits], Width::B32);
        self.put(map, Mty::B32, at, new);
    }

    /// Writes the low `count` bits of a value to a word, from a bit on.
    fn put_bits(&mut self, map: &Map, at: i32, v: Value, bit: u32, count: u32) {
        let mask = ((1 << count) - 1) << bit;
        let amount = self.constant(bit.into(), Width::B32);
        let moved = self.emit(I::Shl, &[v, amount], Width::B32);
        let mask_value = self.constant(mask.into(), Width::B32);
        let bits = self.emit(I::And, &[moved, mask_value], Width::B32);
        self.put_masked(map, at, mask, bits);
    }

    fn put_literal(&mut self, map: &Map, mask: u32, bits: u32) {
        let bits = self.constant(bits.into(), Width::B32);
        self.put_masked(map, WORD, mask, bits);
    }

    /// Lowers `tensormap.cp_fenceproxy`: each lane writes four of the 128 bytes, atomically.
    fn publish(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        if !matches!(body.operand(inst, 2), Some(Operand::Imm(n)) if n.bits == 128) {
            return unsupported("another size than 128");
        }
        let (to, from) = (self.flat(inst, 0, Space::Global)?, self.flat(inst, 1, Space::Shared)?);
        let (_, scope) = order_of(body.mods(inst), Order::Release);
        let lane = self.emit(I::Special(Special::LaneId), &[], Width::B32);
        let four = self.constant(4, Width::B32);
        let by = self.emit(I::Mul, &[lane, four], Width::B32);
        let from = self.emit(I::Add, &[from, by], Width::B32);
        let source = Map { space: Space::Shared, base: from, offset: 0 };
        let word = self.emit(I::Load(source.word(Mty::B32, 0)), &[from], Width::B32);
        let by = self.resize(by, Width::B64, Sign::U);
        let to = self.emit(I::Add, &[to, by], Width::B64);
        let scope = if scope == Scope::Sys { Scope::Sys } else { Scope::Gpu };
        let (op, ty) = (AtomOp::Exch, Aty::U32);
        let atom = Atom { op, ty, space: Space::Global, order: Order::Release, scope, offset: 0 };
        self.emit(I::Atom(atom), &[to, word], Width::B32);
        Ok(())
    }
}

/// A tensor map in memory.
struct Map {
    space: Space,
    base: Value,
    offset: i32,
}

impl Map {
    fn word(&self, ty: Mty, at: i32) -> Mem {
        Mem {
            space: self.space,
            ty,
            count: 1,
            order: Order::Weak,
            scope: Scope::None,
            cache: Cache::None,
            prefetch: Prefetch::None,
            offset: self.offset.wrapping_add(at),
        }
    }
}
