//! Random expressions in which every operation is defined.

use crate::rng::Rng;

/// Types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `u8`.
    U8,
    /// `i8`.
    I8,
    /// `u16`.
    U16,
    /// `i16`.
    I16,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
    /// `u64`.
    U64,
    /// `i64`.
    I64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// All types.
pub const TYPES: [Ty; 10] = [Ty::U8, Ty::I8, Ty::U16, Ty::I16, Ty::U32, Ty::I32, Ty::U64, Ty::I64, Ty::F32, Ty::F64];

impl Ty {
    /// Its name in the sources.
    pub fn name(self) -> &'static str {
        ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"][self as usize]
    }

    /// Whether it is a float.
    pub fn float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    fn signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// The unsigned type used for its arithmetic, and its width in bits.
    fn unsigned(self) -> (&'static str, u32) {
        if matches!(self, Self::U64 | Self::I64) { ("u64", 64) } else { ("u32", 32) }
    }
}

/// A variable that can be read, and written unless it is an input.
pub type Variable = (&'static str, Ty);

/// Scalars of a thread's state `t`: each is set before the first phase.
pub const PLACES: [Variable; 24] = [
    ("t->c0", Ty::U8),
    ("t->c1", Ty::I8),
    ("t->h0", Ty::U16),
    ("t->h1", Ty::I16),
    ("t->a", Ty::U32),
    ("t->b", Ty::U32),
    ("t->c", Ty::U32),
    ("t->d", Ty::I32),
    ("t->e", Ty::I32),
    ("t->x", Ty::U64),
    ("t->y", Ty::U64),
    ("t->z", Ty::I64),
    ("t->p", Ty::F32),
    ("t->q", Ty::F32),
    ("t->g", Ty::F64),
    ("t->s.a", Ty::U32),
    ("t->s.b", Ty::U16),
    ("t->s.c", Ty::I8),
    ("t->s.d", Ty::F32),
    ("t->bits.u5", Ty::U32),
    ("t->bits.i7", Ty::I32),
    ("t->bits.u11", Ty::U32),
    ("t->bits.i9", Ty::I32),
    ("t->bits.u1", Ty::U32),
];

const INTEGERS: [u64; 16] = [
    0,
    1,
    2,
    3,
    7,
    16,
    31,
    32,
    255,
    0x7fff,
    0x8000_0000,
    0x7fff_ffff,
    0xffff_ffff,
    0x5555_5555,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fffe,
];

const FLOATS: [&str; 10] = ["0.0", "1.0", "-1.0", "0.5", "3.0", "-7.25", "1048576.0", "0.1", "1e-30", "16777216.0"];

/// The variables that expressions may read.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Variables by name.
    pub places: Vec<(String, Ty)>,
    /// Arrays of eight elements by name.
    pub arrays: Vec<(String, Ty)>,
}

/// Generates expressions.
pub struct Exprs<'a> {
    /// The random numbers.
    pub rng: &'a mut Rng,
    /// The variables in scope.
    pub scope: &'a Scope,
}

impl Exprs<'_> {
    /// An expression of exactly a type.
    pub fn of(&mut self, ty: Ty, depth: u32) -> String {
        match ty {
            Ty::F32 | Ty::F64 => self.float(ty, depth),
            _ => self.integer(ty, depth),
        }
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.rng.chance(1, 5) {
            let op = *self.rng.pick(&["&&", "||"]);
            return format!("({} {op} {})", self.condition(depth - 1), self.condition(depth - 1));
        }
        let ty = *self.rng.pick(&TYPES);
        let op = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({} {op} {})", self.of(ty, depth.saturating_sub(1)), self.of(ty, depth.saturating_sub(1)))
    }

    /// A variable or an element of its type, or of another one, converted.
    fn leaf(&mut self, ty: Ty) -> String {
        if self.rng.chance(1, 4) {
            let (name, element) = self.rng.pick(&self.scope.arrays).clone();
            let index = format!("{name}[(u32){} & 7u]", self.rng.pick(&["t->a", "t->c0", "lane", "t->e"]));
            return convert(&index, element, ty);
        }
        let same: Vec<&(String, Ty)> = self.scope.places.iter().filter(|place| place.1 == ty).collect();
        if !same.is_empty() && self.rng.chance(2, 3) {
            let name = same[self.rng.below(same.len())].0.clone();
            return format!("({}){name}", ty.name());
        }
        let (name, other) = self.rng.pick(&self.scope.places).clone();
        convert(&name, other, ty)
    }

    fn integer(&mut self, ty: Ty, depth: u32) -> String {
        if depth == 0 || self.rng.chance(1, 6) {
            if self.rng.chance(1, 4) {
                let value = if self.rng.chance(1, 4) { self.rng.next() } else { *self.rng.pick(&INTEGERS) };
                return format!("({}){value}ull", ty.name());
            }
            return self.leaf(ty);
        }
        let name = ty.name();
        let (wide, bits) = ty.unsigned();
        let deep = depth - 1;
        match self.rng.below(14) {
            0..=4 => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({name})(({wide}){} {op} ({wide}){})", self.of(ty, deep), self.of(ty, deep))
            }
            5 => {
                let (a, n) = (self.of(ty, deep), self.of(Ty::U32, deep));
                format!("({name})(({wide}){a} << ({n} & {}u))", bits - 1)
            }
            6 => {
                let (a, n) = (self.of(ty, deep), self.of(Ty::U32, deep));
                let a = if ty.signed() { a } else { format!("({wide}){a}") };
                format!("({name})({a} >> ({n} & {}u))", bits - 1)
            }
            7 => {
                let what = *self.rng.pick(&["div", "rem"]);
                let sign = if ty.signed() { 's' } else { 'u' };
                format!("({name}){sign}{what}{bits}({}, {})", self.of(ty, deep), self.of(ty, deep))
            }
            8 => format!("({name}){}", self.condition(deep)),
            9 => format!("({name})({} ? {} : {})", self.condition(deep), self.of(ty, deep), self.of(ty, deep)),
            10 => format!("({name})~{}", self.of(ty, deep)),
            11 => {
                let what = *self.rng.pick(&["rotl", "umulhi"]);
                format!("({name}){what}{bits}({}, {})", self.of(ty, deep), self.of(ty, deep))
            }
            12 => {
                let other = *self.rng.pick(&TYPES);
                convert(&self.of(other, deep), other, ty)
            }
            _ => {
                let what = *self.rng.pick(&["popc", "clz", "brev"]);
                format!("({name}){what}{bits}({})", self.of(ty, deep))
            }
        }
    }

    fn float(&mut self, ty: Ty, depth: u32) -> String {
        let suffix = if ty == Ty::F32 { "f" } else { "" };
        if depth == 0 || self.rng.chance(1, 6) {
            if self.rng.chance(1, 4) {
                return format!("{}{suffix}", self.rng.pick(&FLOATS));
            }
            return self.leaf(ty);
        }
        let deep = depth - 1;
        let bits = if ty == Ty::F32 { 32 } else { 64 };
        match self.rng.below(10) {
            0..=4 => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("fix{bits}({} {op} {})", self.of(ty, deep), self.of(ty, deep))
            }
            5 => format!("({} ? {} : {})", self.condition(deep), self.of(ty, deep), self.of(ty, deep)),
            6 => format!("fix{bits}(fma{bits}({}, {}, {}))", self.of(ty, deep), self.of(ty, deep), self.of(ty, deep)),
            7 => format!("root{bits}({})", self.of(ty, deep)),
            8 => format!("(- {})", self.of(ty, deep)),
            _ => {
                let other = *self.rng.pick(&TYPES);
                convert(&self.of(other, deep), other, ty)
            }
        }
    }
}

/// A conversion that is defined for every value.
pub fn convert(text: &str, from: Ty, to: Ty) -> String {
    match (from.float(), to) {
        (true, Ty::F32) => format!("fix32((f32){text})"),
        (true, Ty::F64) | (false, _) => format!("({}){text}", to.name()),
        (true, Ty::U64 | Ty::I64) => format!("({})whole64((f64){text})", to.name()),
        (true, _) => format!("({})whole32((f64){text})", to.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_a_function_of_the_seed() {
        let scope = Scope { places: vec![("x".into(), Ty::U32)], arrays: vec![("t->n".into(), Ty::U32)] };
        let draw = |seed| {
            let mut rng = Rng::new(seed, 0);
            let mut exprs = Exprs { rng: &mut rng, scope: &scope };
            TYPES.map(|ty| exprs.of(ty, 3)).join("; ")
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn floats_become_integers_through_helpers_only() {
        assert_eq!(convert("v", Ty::F32, Ty::I8), "(i8)whole32((f64)v)");
        assert_eq!(convert("v", Ty::U64, Ty::F32), "(f32)v");
        assert_eq!(convert("v", Ty::F64, Ty::F32), "fix32((f32)v)");
    }
}
