//! Reasons why something is unsupported, and the types of PTX as the IR has them.

use raddle_ir::{Fty, Sign, Width};
use raddle_ptx::{Ty, TyClass};

/// Why an instruction is unsupported; empty for "not yet".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub String);

/// Returns "not supported yet".
pub(crate) fn not_yet<T>() -> Result<T, Reason> {
    Err(Reason(String::new()))
}

/// Returns "not supported", with the reason.
pub(crate) fn unsupported<T>(why: impl Into<String>) -> Result<T, Reason> {
    Err(Reason(why.into()))
}

/// Returns the width of a register or value of a type.
pub(crate) fn width_of(ty: Ty) -> Result<Width, Reason> {
    let width = match ty.class() {
        TyClass::Opaque => None,
        _ if ty.bits() == 4 => Some(Width::B16),
        _ => Width::of_bits(ty.bits()),
    };
    width.ok_or_else(|| Reason(format!("type .{}", ty.name())))
}

/// Returns the signedness of an integer type; `.bN` counts as unsigned.
pub(crate) fn sign_of(ty: Ty) -> Sign {
    if ty.is_signed() { Sign::S } else { Sign::U }
}

/// Returns the format of a floating-point type with arithmetic.
pub(crate) fn fty_of(ty: Ty) -> Result<Fty, Reason> {
    Ok(match ty {
        Ty::F16 => Fty::F16,
        Ty::F16x2 => Fty::F16x2,
        Ty::Bf16 => Fty::Bf16,
        Ty::Bf16x2 => Fty::Bf16x2,
        Ty::F32 => Fty::F32,
        Ty::F64 => Fty::F64,
        _ => return unsupported(format!("type .{}", ty.name())),
    })
}
