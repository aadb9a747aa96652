//! `mov` between a scalar and a vector: which members fit together.
//!
//! ptxas 13.0.88 compares each member with the next one that is no sink ([`AGREE`]), so that
//! `{%u16, %b16, %f16}` passes: plain bits are between the others. It also looks for the type of a
//! vector of constants, and knows none for a component (`%tid.x`, `%v.x`) beside a constant.
//! `0f` and `0d` constants in one vector, which it takes in some orders only, are taken in all.
//! Predicates and addresses, which it lets through as members, stay errors here: they have no bits
//! of the member's width.

use crate::body::{Tag, special_of};
use crate::form::Want;
use crate::parse::{Opnd, Parser};
use crate::table::Kind;
use crate::ty::{Ty, TyClass};

/// What counts about a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// A register of plain bits, a special register.
    Bits,
    /// An integer register.
    Int,
    /// A floating-point register.
    Float,
    /// A register with two halves, `.f16x2`.
    Pair,
    /// A component of a vector or of a special register.
    Component,
    /// An integer constant.
    IntConstant,
    /// A floating-point constant, with its width.
    FloatConstant(u32),
}

use Sort::{Bits, Component, Float, FloatConstant, Int, IntConstant, Pair};

/// Pairs of neighbours of different sorts that ptxas 13.0.88 lets through, in either order; plain
/// bits and components go with all.
const AGREE: &[(Sort, Sort)] = &[
    (Int, IntConstant),
    (Float, FloatConstant(32)),
    (Float, FloatConstant(64)),
    (FloatConstant(32), FloatConstant(64)),
];

/// Whether two neighbours agree.
fn agree(a: Sort, b: Sort) -> bool {
    let any = |s| matches!(s, Bits | Component);
    a == b || any(a) || any(b) || AGREE.iter().any(|&pair| pair == (a, b) || pair == (b, a))
}

impl Parser<'_, '_, '_> {
    /// Checks `mov.b64 {%r0, %r1}, %rd0` and the like, with a list or a vector register: the
    /// members share the width of the type, and the other side is a scalar (ptxas 13.0.88).
    pub(crate) fn pack(&self, want: &Want, opnd: &Opnd) -> Result<(), String> {
        let Some(ty) = want.ty else { return Ok(()) };
        if ty.class() != TyClass::Bits {
            return Err(format!("vectors are packed and unpacked as .b16 to .b128, not as .{}", ty.name()));
        }
        if self.opnds.iter().filter(|o| self.is_many(o)).count() > 1 {
            return Err(String::from("a vector is packed into a scalar or unpacked from one, not both"));
        }
        if opnd.word.tag() == Tag::Reg {
            let bits = opnd.ty.bits() * u32::from(opnd.width);
            let fits = bits == ty.bits() && opnd.ty != Ty::Pred;
            return if fits { Ok(()) } else { Err(format!("{} does not make a .{}", self.describe(opnd), ty.name())) };
        }
        let n = opnd.count;
        let members = &self.items[opnd.first as usize..][..n as usize];
        if !matches!(n, 2 | 4) || ty.bits() % n != 0 {
            return Err(format!("a vector of {n} does not make a .{}", ty.name()));
        }
        let width = ty.bits() / n;
        for member in members {
            let ok = match member.word.tag() {
                Tag::Reg => member.ty.bits() == width && member.width == 1,
                Tag::RegPart => member.ty.bits() == width,
                Tag::SmallInt | Tag::Int | Tag::F32 | Tag::F64 => want.kind != Kind::Dest,
                Tag::Special => want.kind != Kind::Dest && member.width == 1 && member.ty.bits() == width,
                Tag::Sink => want.kind == Kind::Dest,
                _ => false,
            };
            if !ok {
                return Err(format!("expected members of {width} bits, found {}", self.describe(member)));
            }
        }
        self.agree(members, width)
    }

    /// Checks that the members of a vector have one type, as far as ptxas asks.
    fn agree(&self, members: &[Opnd], width: u32) -> Result<(), String> {
        let mut before: Option<(&Opnd, Sort)> = None;
        let (mut component, mut constant, mut typed) = (false, false, false);
        for member in members.iter().filter(|m| m.word.tag() != Tag::Sink) {
            let sort = sort(member);
            if let Some((other, _)) = before.filter(|(_, other)| !agree(*other, sort)) {
                let [one, other] = [other, member].map(|m| self.describe(m));
                return Err(format!("the members of a vector have one type, not {one} and {other}"));
            }
            before = Some((member, sort));
            component |= sort == Component;
            constant |= matches!(sort, IntConstant | FloatConstant(_));
            typed |= !matches!(sort, FloatConstant(n) if n != width);
        }
        match (before, component && constant, typed) {
            (None, ..) => Err(String::from("a vector needs one register at least")),
            (_, true, _) => Err(String::from("a component has no constant beside it in a vector")),
            (.., false) => Err(format!("a floating-point constant has not {width} bits")),
            (.., true) => Ok(()),
        }
    }
}

fn sort(member: &Opnd) -> Sort {
    match member.word.tag() {
        Tag::SmallInt | Tag::Int => IntConstant,
        Tag::F32 => FloatConstant(32),
        Tag::F64 => FloatConstant(64),
        Tag::RegPart => Component,
        Tag::Special if special_of(member.word).width() > 1 => Component,
        Tag::Special => Bits,
        _ if member.ty == Ty::F16x2 => Pair,
        _ => match member.ty.class() {
            TyClass::Unsigned | TyClass::Signed => Int,
            TyClass::Float => Float,
            _ => Bits,
        },
    }
}
