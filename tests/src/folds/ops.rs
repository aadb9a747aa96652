//! The operations: each is defined for all operands used here (PTX ISA 9.0, 9.7.1 to 9.7.8).

/// Kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A 16-bit register.
    H,
    /// A 32-bit register or a constant.
    R,
    /// A 32-bit register, not a constant.
    Only,
    /// A 64-bit register.
    D,
    /// A predicate.
    P,
    /// A nonzero constant, for a divisor.
    NonZero,
    /// An 8-bit constant: the table of a `lop3`.
    Byte,
    /// A constant below 32.
    Small,
}

/// An operation: its lines, with `%d` for the result and `%a`, `%b`, `%c` for sources; the kinds of
/// result and sources.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// `add.u32 %d, %a, %b`.
    pub text: &'static str,
    /// Kind of the result.
    pub result: Kind,
    /// Kinds of the sources.
    pub sources: &'static [Kind],
}

const fn op(text: &'static str, result: Kind, sources: &'static [Kind]) -> Op {
    Op { text, result, sources }
}

use Kind::{Byte, D, H, NonZero, Only, P, R, Small};

/// All operations.
pub const OPS: &[Op] = &[
    op("add.u32 %d, %a, %b", R, &[R, R]),
    op("add.s32 %d, %a, %b", R, &[R, R]),
    op("add.sat.s32 %d, %a, %b", R, &[R, R]),
    op("sub.u32 %d, %a, %b", R, &[R, R]),
    op("sub.s32 %d, %a, %b", R, &[R, R]),
    op("sub.sat.s32 %d, %a, %b", R, &[R, R]),
    op("mul.lo.u32 %d, %a, %b", R, &[R, R]),
    op("mul.lo.s32 %d, %a, %b", R, &[R, R]),
    op("mul.hi.u32 %d, %a, %b", R, &[R, R]),
    op("mul.hi.s32 %d, %a, %b", R, &[R, R]),
    op("mul24.lo.u32 %d, %a, %b", R, &[R, R]),
    op("mul24.hi.s32 %d, %a, %b", R, &[R, R]),
    op("mad.lo.u32 %d, %a, %b, %c", R, &[R, R, R]),
    op("mad.hi.s32 %d, %a, %b, %c", R, &[R, R, R]),
    op("mad.hi.u32 %d, %a, %b, %c", R, &[R, R, R]),
    op("sad.u32 %d, %a, %b, %c", R, &[R, R, R]),
    op("sad.s32 %d, %a, %b, %c", R, &[R, R, R]),
    op("div.u32 %d, %a, %b", R, &[R, NonZero]),
    op("rem.u32 %d, %a, %b", R, &[R, NonZero]),
    op("div.s32 %d, %a, %b", R, &[R, NonZero]),
    op("rem.s32 %d, %a, %b", R, &[R, NonZero]),
    op("min.u32 %d, %a, %b", R, &[R, R]),
    op("min.s32 %d, %a, %b", R, &[R, R]),
    op("max.u32 %d, %a, %b", R, &[R, R]),
    op("max.s32 %d, %a, %b", R, &[R, R]),
    op("neg.s32 %d, %a", R, &[R]),
    op("abs.s32 %d, %a", R, &[R]),
    op("and.b32 %d, %a, %b", R, &[R, R]),
    op("or.b32 %d, %a, %b", R, &[R, R]),
    op("xor.b32 %d, %a, %b", R, &[R, R]),
    op("not.b32 %d, %a", R, &[R]),
    op("cnot.b32 %d, %a", R, &[R]),
    op("lop3.b32 %d, %a, %b, %c, %e", R, &[R, R, R, Byte]),
    op("shl.b32 %d, %a, %b", R, &[R, R]),
    op("shl.b32 %d, %a, %b", R, &[R, Small]),
    op("shr.u32 %d, %a, %b", R, &[R, R]),
    op("shr.u32 %d, %a, %b", R, &[R, Small]),
    op("shr.s32 %d, %a, %b", R, &[R, R]),
    op("shr.s32 %d, %a, %b", R, &[R, Small]),
    op("shf.l.wrap.b32 %d, %a, %b, %c", R, &[R, R, R]),
    op("shf.r.wrap.b32 %d, %a, %b, %c", R, &[R, R, Small]),
    op("shf.l.clamp.b32 %d, %a, %b, %c", R, &[R, R, R]),
    op("shf.r.clamp.b32 %d, %a, %b, %c", R, &[R, R, Small]),
    op("bfe.u32 %d, %a, %b, %c", R, &[R, Small, Small]),
    op("bfe.s32 %d, %a, %b, %c", R, &[R, Small, Small]),
    op("bfe.u32 %d, %a, %b, %c", R, &[R, Only, Only]),
    op("bfi.b32 %d, %a, %b, %c, %e", R, &[R, R, Small, Small]),
    op("bfi.b32 %d, %a, %b, %c, %e", R, &[R, R, Only, Only]),
    op("bfind.u32 %d, %a", R, &[R]),
    op("bfind.s32 %d, %a", R, &[R]),
    op("bfind.shiftamt.s32 %d, %a", R, &[R]),
    op("bmsk.clamp.b32 %d, %a, %b", R, &[R, R]),
    op("bmsk.wrap.b32 %d, %a, %b", R, &[Small, R]),
    op("clz.b32 %d, %a", R, &[R]),
    op("popc.b32 %d, %a", R, &[R]),
    op("brev.b32 %d, %a", R, &[R]),
    op("prmt.b32 %d, %a, %b, %c", R, &[R, R, R]),
    op("prmt.b32 %d, %a, %b, 0x5410", R, &[R, R]),
    op("prmt.b32 %d, %a, %b, 0xba98", R, &[R, R]),
    op("prmt.b32.rc16 %d, %a, %b, %c", R, &[R, R, R]),
    op("dp4a.u32.s32 %d, %a, %b, %c", R, &[R, R, R]),
    op("dp2a.lo.s32.u32 %d, %a, %b, %c", R, &[R, R, R]),
    op("selp.b32 %d, %a, %b, %c", R, &[R, R, P]),
    op("selp.s32 %d, %a, %b, %c", R, &[R, R, P]),
    op("set.lt.u32.s32 %d, %a, %b", R, &[R, R]),
    op("set.ge.s32.u32 %d, %a, %b", R, &[R, R]),
    op("slct.s32.s32 %d, %a, %b, %c", R, &[R, R, R]),
    op("setp.lt.s32 %d, %a, %b", P, &[R, R]),
    op("setp.ge.u32 %d, %a, %b", P, &[R, R]),
    op("setp.eq.s32 %d, %a, %b", P, &[R, R]),
    op("setp.gt.and.s32 %d, %a, %b, %c", P, &[R, R, P]),
    op("and.pred %d, %a, %b", P, &[P, P]),
    op("xor.pred %d, %a, %b", P, &[P, P]),
    op("not.pred %d, %a", P, &[P]),
    op("add.cc.u32 %d, %a, %b; addc.u32 %d, %d, %c", R, &[R, R, R]),
    op("sub.cc.u32 %d, %a, %b; subc.u32 %d, %d, %c", R, &[R, R, R]),
    op("add.cc.u32 %d, %a, %b; addc.cc.u32 %d, %c, %d; addc.u32 %d, %d, 0", R, &[R, R, R]),
    op("mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, %d", R, &[R, R, R]),
    op("cvt.u16.u32 %d, %a", H, &[R]),
    op("cvt.u32.u16 %d, %a", R, &[H]),
    op("cvt.s32.s16 %d, %a", R, &[H]),
    op("cvt.s32.s8 %d, %a", R, &[R]),
    op("cvt.u32.u8 %d, %a", R, &[R]),
    op("cvt.sat.s8.s32 %d, %a", R, &[R]),
    op("cvt.sat.u16.s32 %d, %a", H, &[R]),
    op("add.u16 %d, %a, %b", H, &[H, H]),
    op("sub.s16 %d, %a, %b", H, &[H, H]),
    op("mul.lo.u16 %d, %a, %b", H, &[H, H]),
    op("mul.wide.s16 %d, %a, %b", R, &[H, H]),
    op("min.s16 %d, %a, %b", H, &[H, H]),
    op("max.u16 %d, %a, %b", H, &[H, H]),
    op("neg.s16 %d, %a", H, &[H]),
    op("xor.b16 %d, %a, %b", H, &[H, H]),
    op("shl.b16 %d, %a, %b", H, &[H, R]),
    op("shr.s16 %d, %a, %b", H, &[H, R]),
    op("setp.lt.s16 %d, %a, %b", P, &[H, H]),
    op("cvt.u64.u32 %d, %a", D, &[R]),
    op("cvt.s64.s32 %d, %a", D, &[R]),
    op("cvt.u32.u64 %d, %a", R, &[D]),
    op("mul.wide.u32 %d, %a, %b", D, &[R, R]),
    op("mul.wide.s32 %d, %a, %b", D, &[R, R]),
    op("mad.wide.s32 %d, %a, %b, %c", D, &[R, R, D]),
    op("add.u64 %d, %a, %b", D, &[D, D]),
    op("sub.s64 %d, %a, %b", D, &[D, D]),
    op("mul.lo.u64 %d, %a, %b", D, &[D, D]),
    op("mul.hi.s64 %d, %a, %b", D, &[D, D]),
    op("min.s64 %d, %a, %b", D, &[D, D]),
    op("max.u64 %d, %a, %b", D, &[D, D]),
    op("and.b64 %d, %a, %b", D, &[D, D]),
    op("xor.b64 %d, %a, %b", D, &[D, D]),
    op("neg.s64 %d, %a", D, &[D]),
    op("abs.s64 %d, %a", D, &[D]),
    op("shl.b64 %d, %a, %b", D, &[D, R]),
    op("shr.u64 %d, %a, %b", D, &[D, R]),
    op("shr.s64 %d, %a, %b", D, &[D, Small]),
    op("bfe.s64 %d, %a, %b, %c", D, &[D, Small, Small]),
    op("bfi.b64 %d, %a, %b, %c, %e", D, &[D, D, Small, Small]),
    op("popc.b64 %d, %a", R, &[D]),
    op("clz.b64 %d, %a", R, &[D]),
    op("bfind.u64 %d, %a", R, &[D]),
    op("setp.gt.s64 %d, %a, %b", P, &[D, D]),
    op("selp.b64 %d, %a, %b, %c", D, &[D, D, P]),
];
