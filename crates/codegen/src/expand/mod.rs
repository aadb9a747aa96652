//! Expands operations without a machine instruction into operations that have one.
//!
//! Problem: integer division, and correctly rounded division and roots, are sequences of a few
//! dozen instructions. Strategy: the sequences are straight-line code in the text form of `ir` (the
//! `.ir` files of this folder), parsed once and copied in place of the operation; a few operations
//! around them handle sign, width and flushing.
//!
//! Invariant: results are exact for any result of the multi-function unit within its documented
//! error (D19).

mod asynchrony;
mod atomic;
mod fast;
mod matrix;
mod registers;
mod same;
mod split;
mod texture;
mod window;

use std::sync::LazyLock;

use raddle_ir::{
    Block, Cond, Cx, Fty, Ftz, Function, Inst, Kind, Op, OptLevel, Rnd, Sat, Sign, SourcePos, Terminator, TexKind,
    Value, Width,
};
use smallvec::SmallVec;

use crate::budgets;

/// A straight-line sequence: its inputs are the parameters of its first block, its results the
/// arguments of its jump.
struct Sequence(Option<Function>);

impl Sequence {
    fn read(text: &str) -> Self {
        Sequence(raddle_ir::text::parse(text).ok().and_then(|mut fs| fs.pop()))
    }
}

static DIV_U32: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_u32.ir")));
static DIV_U64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_u64.ir")));
static DIV_F32: LazyLock<[Sequence; 4]> = LazyLock::new(|| by_rounding(include_str!("div_f32.ir")));
static SQRT_F32: LazyLock<[Sequence; 4]> = LazyLock::new(|| by_rounding(include_str!("sqrt_f32.ir")));

static DIV_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_f64.ir")));
static SQRT_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("sqrt_f64.ir")));

static ROUND_DIV_F64: LazyLock<[Sequence; 3]> =
    LazyLock::new(|| directed(include_str!("round_div_f64.ir"), Width::B64));
static ROUND_SQRT_F64: LazyLock<[Sequence; 3]> =
    LazyLock::new(|| directed(include_str!("round_sqrt_f64.ir"), Width::B64));

/// Values of the `$` words in the sequences for directed rounding: what is added to the bits of a
/// magnitude that is too large (`DOWN`) or too small (`UP`), for positive and negative results.
const DIRECTIONS: [(Rnd, [(&str, u64); 4]); 3] = {
    const fn row(down: (u64, u64), up: (u64, u64)) -> [(&'static str, u64); 4] {
        [("$DOWN_PLUS", down.0), ("$DOWN_MINUS", down.1), ("$UP_PLUS", up.0), ("$UP_MINUS", up.1)]
    }
    [
        (Rnd::Rz, row((u64::MAX, u64::MAX), (0, 0))),
        (Rnd::Rm, row((u64::MAX, 0), (0, 1))),
        (Rnd::Rp, row((0, u64::MAX), (1, 0))),
    ]
};

/// The index of a rounding in [`DIRECTIONS`].
fn direction(r: Rnd) -> Option<usize> {
    DIRECTIONS.iter().position(|x| x.0 == r)
}

fn directed(text: &str, width: Width) -> [Sequence; 3] {
    DIRECTIONS.map(|(_, words)| {
        let fill = |text: String, (word, n): (&str, u64)| text.replace(word, &(n & width.mask()).to_string());
        Sequence::read(&words.into_iter().fold(text.to_owned(), fill))
    })
}

/// Values of the `$` words in the f32 sequences, by rounding: the limit that the lost part of a
/// quotient must exceed to round up, whether a tie rounds an odd result up, the result of overflow
/// (limit and overflow for positive and negative results), and what is added to a root that is too
/// large or too small.
const ROUNDINGS: [(Rnd, [(&str, u32); 7]); 4] = {
    const INF: u32 = f32::INFINITY.to_bits();
    const MAX: u32 = f32::MAX.to_bits();
    const fn row(limit: (u32, u32), odd: u32, most: (u32, u32), step: (u32, u32)) -> [(&'static str, u32); 7] {
        [
            ("$LIMIT_PLUS", limit.0),
            ("$LIMIT_MINUS", limit.1),
            ("$ODD", odd),
            ("$MOST_PLUS", most.0),
            ("$MOST_MINUS", most.1),
            ("$DOWN", step.0),
            ("$UP", step.1),
        ]
    }
    [
        (Rnd::Rn, row((1 << 31, 1 << 31), 1, (INF, INF), (0, 0))),
        (Rnd::Rz, row((u32::MAX, u32::MAX), 0, (MAX, MAX), (u32::MAX, 0))),
        (Rnd::Rm, row((u32::MAX, 0), 0, (MAX, INF), (u32::MAX, 0))),
        (Rnd::Rp, row((0, u32::MAX), 0, (INF, MAX), (0, 1))),
    ]
};

fn by_rounding(text: &str) -> [Sequence; 4] {
    ROUNDINGS.map(|(_, words)| {
        let fill = |text: String, (word, n): (&str, u32)| text.replace(word, &n.to_string());
        Sequence::read(&words.into_iter().fold(text.to_owned(), fill))
    })
}

fn rounded(list: &[Sequence; 4], r: Rnd) -> Option<&Sequence> {
    ROUNDINGS.iter().position(|x| x.0 == r).map(|n| &list[n])
}

/// Expands the operations of a function that have a sequence. Others stay; selection rejects what
/// it cannot do. Matrix products depend on the machine. Slow paths that a kernel contains several
/// times stay, too: they become calls of a subroutine ([`crate::leaf`]).
pub fn run(cx: &Cx<'_>, f: &mut Function) {
    let target = cx.target;
    registers::run(f);
    asynchrony::run(f, target);
    window::run(f, target);
    texture::run(f, target);
    let clusters = target.native.as_ref().is_some_and(|native| native.isa >= raddle_target::Isa::Sm90);
    atomic::run(f, clusters);
    matrix::run(f, target);
    let leaves = fast::run(f, calls_leaves(cx, f));
    sequences(f, &leaves);
}

/// Whether slow paths of a function may become subroutines. Those use registers that a called
/// function would have to save, and one that keeps the stack pointer where the stack grows.
fn calls_leaves(cx: &Cx<'_>, f: &Function) -> bool {
    let grows = || f.insts.values().any(|i| matches!(i.op, Op::StackAlloc(_)));
    // Lanes that run along with others must not be in a leaf, which uses any register, nor a warp that
    // has returned some.
    let passes = budgets::counts(f).next().is_some();
    let lends = || f.insts.values().any(|i| matches!(i.op, Op::Tex(tex) if tex.kind == TexKind::Quad));
    f.kind == Kind::Kernel && cx.options.opt >= OptLevel::O1 && !grows() && !lends() && !passes
}

/// Puts the sequences in the place of the subroutines that [`run`] has left.
pub(crate) fn inline(f: &mut Function) {
    sequences(f, &[]);
}

/// The operation whose full sequence a slow path of this one runs, if that can be a subroutine.
pub(crate) fn leaf(op: Op, width: Width) -> Option<Op> {
    let rounded = |r: Rnd| ROUNDINGS.iter().any(|x| x.0 == r);
    match op {
        Op::Div(_) | Op::Rem(_) if width == Width::B64 => Some(op),
        Op::Fdiv(t @ (Fty::F32 | Fty::F64), r, z) | Op::Frcp(t @ (Fty::F32 | Fty::F64), r, z) if rounded(r) => {
            Some(Op::Fdiv(t, r, z))
        }
        Op::Fsqrt(Fty::F32 | Fty::F64, r, _) if rounded(r) => Some(op),
        _ => None,
    }
}

/// The function of a subroutine: words of arguments in, words of the result out.
pub(crate) fn leaf_function(op: Op) -> Function {
    let (width, args) = match op {
        Op::Fdiv(t, ..) => (t.width(), 2),
        Op::Fsqrt(t, ..) => (t.width(), 1),
        _ => (Width::B64, 2),
    };
    let mut f = Function::new("leaf");
    f.kind = Kind::Called;
    let block = f.add_block();
    let place = SourcePos::default();
    let mut word = 0;
    let mut next = |f: &mut Function| {
        word += 1;
        f.append1(block, Op::Argument(word - 1), &[], Width::B32, place)
    };
    let args: Vec<Value> = (0..args)
        .map(|_| match width {
            Width::B64 => {
                let words = [next(&mut f), next(&mut f)];
                f.append1(block, Op::Pack, &words, width, place)
            }
            _ => next(&mut f),
        })
        .collect();
    let result = f.append1(block, op, &args, width, place);
    let words = match width {
        Width::B64 => {
            let halves = f.append(block, Op::Unpack, &[result], &[Width::B32; 2], place);
            f.insts[halves].results.to_vec()
        }
        _ => vec![result],
    };
    f.append(block, Op::Return, &words, &[], place);
    f.blocks[block].term = Some(Terminator::Exit);
    inline(&mut f);
    f
}

/// Expands all operations that have a sequence but these.
fn sequences(f: &mut Function, leaves: &[Op]) {
    for b in f.layout.clone() {
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut e = Expander { f, block: b, place: SourcePos::default() };
        for i in insts {
            if e.is_left(i, leaves) || !e.inst(i) {
                e.f.blocks[b].insts.push(i);
            }
        }
    }
}

struct Expander<'a> {
    f: &'a mut Function,
    block: Block,
    place: SourcePos,
}

impl Expander<'_> {
    /// Whether the instruction stays for a subroutine.
    fn is_left(&self, i: Inst, leaves: &[Op]) -> bool {
        let d = &self.f.insts[i];
        leaves.contains(&d.op) && d.results.first().is_some_and(|&v| leaf(d.op, self.f.width(v)) == Some(d.op))
    }

    /// Expands one instruction; returns false if it has no expansion.
    fn inst(&mut self, i: Inst) -> bool {
        let (op, args) = (self.f.insts[i].op, self.f.insts[i].args.clone());
        self.place = self.f.insts[i].place;
        let result = self.f.insts[i].results.first().copied();
        let Some(result) = result else { return false };
        let width = self.f.width(result);
        let value = match op {
            Op::Div(sign) | Op::Rem(sign) => self.integer(matches!(op, Op::Div(_)), sign, args[0], args[1], width),
            Op::Fdiv(Fty::F32, r, z) => self.float(&DIV_F32, r, z, &args),
            Op::Frcp(Fty::F32, r, z) => {
                let one = self.constant(u64::from(1f32.to_bits()), Width::B32);
                self.float(&DIV_F32, r, z, &[one, args[0]])
            }
            Op::Fsqrt(Fty::F32, r, z) => self.float(&SQRT_F32, r, z, &args),
            Op::Fdiv(Fty::F64, r, _) => self.double(&DIV_F64, &ROUND_DIV_F64, r, &args),
            Op::Frcp(Fty::F64, r, _) => {
                let one = self.constant(1f64.to_bits(), Width::B64);
                self.double(&DIV_F64, &ROUND_DIV_F64, r, &[one, args[0]])
            }
            Op::Fsqrt(Fty::F64, r, _) => self.double(&SQRT_F64, &ROUND_SQRT_F64, r, &args),
            _ => return false,
        };
        let Some(value) = value else { return false };
        self.replace(i, result, value);
        true
    }

    /// Renames `value` to `result`: the last instruction now defines it.
    fn replace(&mut self, old: Inst, result: Value, value: Value) {
        // A copy keeps all uses valid; it costs nothing in machine code.
        let zero = self.constant(0, self.f.width(value));
        let d = &mut self.f.insts[old];
        d.op = Op::Or;
        d.args = SmallVec::from_slice(&[value, zero]);
        debug_assert_eq!(d.results.first(), Some(&result));
        self.f.blocks[self.block].insts.push(old);
    }

    fn op(&mut self, op: Op, args: &[Value], width: Width) -> Value {
        self.f.append1(self.block, op, args, width, self.place)
    }

    fn constant(&mut self, bits: u64, width: Width) -> Value {
        self.op(Op::Const(bits & width.mask()), &[], width)
    }

    /// Copies a sequence; returns its results.
    fn call(&mut self, s: &Sequence, args: &[Value]) -> Option<SmallVec<[Value; 2]>> {
        let t = s.0.as_ref()?;
        let entry = t.entry();
        let mut map = vec![None; t.values.len()];
        for (&p, &a) in t.blocks[entry].params.iter().zip(args) {
            map[p.as_u32() as usize] = Some(a);
        }
        let lookup = |map: &[Option<Value>], v: Value| map[v.as_u32() as usize];
        for &i in &t.blocks[entry].insts {
            let d = &t.insts[i];
            let args: Option<Vec<Value>> = d.args.iter().map(|&v| lookup(&map, v)).collect();
            let widths: Vec<Width> = d.results.iter().map(|&v| t.width(v)).collect();
            let new = self.f.append(self.block, d.op, &args?, &widths, self.place);
            for (&old, &v) in d.results.iter().zip(&self.f.insts[new].results.clone()) {
                map[old.as_u32() as usize] = Some(v);
            }
        }
        match t.term(entry) {
            Terminator::Jump(to) => to.args.iter().map(|&v| lookup(&map, v)).collect(),
            _ => None,
        }
    }

    fn integer(&mut self, quotient: bool, sign: Sign, a: Value, b: Value, width: Width) -> Option<Value> {
        if width == Width::B16 {
            let extend = if sign == Sign::S { Op::Sext } else { Op::Zext };
            let (a, b) = (self.op(extend, &[a], Width::B32), self.op(extend, &[b], Width::B32));
            let v = self.integer(quotient, sign, a, b, Width::B32)?;
            return Some(self.op(Op::Trunc, &[v], Width::B16));
        }
        let sequence: &Sequence = if width == Width::B32 { &DIV_U32 } else { &DIV_U64 };
        if sign == Sign::U {
            let r = self.call(sequence, &[a, b])?;
            return Some(r[usize::from(!quotient)]);
        }
        // Magnitudes first, then the sign: negative for a quotient of different signs, and for the
        // remainder of a negative dividend.
        let (x, y) = (self.op(Op::Abs, &[a], width), self.op(Op::Abs, &[b], width));
        // The results before the rule for zero, which is applied last here.
        let r = self.call(sequence, &[x, y])?[2 + usize::from(!quotient)];
        let sign = if quotient { self.op(Op::Xor, &[a, b], width) } else { a };
        let zero = self.constant(0, width);
        let negative = self.op(Op::Icmp(Cond::Lt, Sign::S), &[sign, zero], Width::P);
        let n = self.op(Op::Neg, &[r], width);
        let v = self.op(Op::Select, &[negative, n, r], width);
        let by_zero = self.op(Op::Icmp(Cond::Eq, Sign::U), &[b, zero], Width::P);
        let ones = self.constant(u64::MAX, width);
        Some(self.op(Op::Select, &[by_zero, ones, v], width))
    }

    fn float(&mut self, list: &[Sequence; 4], r: Rnd, z: Ftz, args: &[Value]) -> Option<Value> {
        let sequence = rounded(list, r)?;
        if z == Ftz::No {
            return Some(self.call(sequence, args)?[0]);
        }
        let args: Vec<Value> = args.iter().map(|&a| self.flush(a)).collect();
        let v = self.call(sequence, &args)?[0];
        Some(self.flush(v))
    }

    /// Computes an f64 result to nearest, and adjusts it if another rounding is wanted.
    fn double(&mut self, nearest: &Sequence, moved: &[Sequence; 3], r: Rnd, args: &[Value]) -> Option<Value> {
        if r != Rnd::Rn && direction(r).is_none() {
            return None;
        }
        let v = self.call(nearest, args)?[0];
        match direction(r) {
            Some(direction) => self.moved(&moved[direction], v, args),
            None => Some(v),
        }
    }

    /// Adjusts a result to nearest to another rounding.
    fn moved(&mut self, by: &Sequence, nearest: Value, args: &[Value]) -> Option<Value> {
        let mut all: SmallVec<[Value; 3]> = SmallVec::from_slice(&[nearest]);
        all.extend_from_slice(args);
        Some(self.call(by, &all)?[0])
    }

    /// Flushes subnormal numbers to zeros of their sign.
    fn flush(&mut self, a: Value) -> Value {
        let one = self.constant(u64::from(1f32.to_bits()), Width::B32);
        self.op(Op::Fmul(Fty::F32, Rnd::Rn, Ftz::Yes, Sat::No), &[a, one], Width::B32)
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::CodegenOptions;

    use super::*;

    #[test]
    fn every_sequence_reads_and_is_straight() {
        let all = DIV_F32.iter().chain(SQRT_F32.iter()).chain([&*DIV_U32, &*DIV_U64, &*DIV_F64, &*SQRT_F64]);
        let all = all.chain(&*ROUND_DIV_F64).chain(&*ROUND_SQRT_F64).chain(fast::sequences());
        for s in all {
            let t = s.0.as_ref().expect("a sequence that does not read");
            for &i in &t.blocks[t.entry()].insts {
                let d = &t.insts[i];
                let widths = |vs: &[Value]| vs.iter().map(|&v| t.width(v)).collect::<Vec<_>>();
                assert!(raddle_ir::verify::well_typed(&d.op, &widths(&d.args), &widths(&d.results)), "{}", d.op);
            }
            assert!(matches!(t.term(t.entry()), Terminator::Jump(_)));
        }
    }

    #[test]
    fn an_expanded_function_verifies() {
        let text = "kernel k\nb0:\n v0: b32 = special.tid_x\n v1: b64 = zext v0\n v2: b32 = div.s v0, v0\n v3: b64 = rem.u v1, v1\n \
                    v4: b32 = fdiv.f32.rz.ftz v0, v2\n v5: b32 = fsqrt.f32.rn v4\n v6: b16 = trunc v5\n v7: b16 = rem.s v6, v6\n \
                    v8: b32 = frcp.f32.rp v5\n exit\nend\n";
        let mut f = raddle_ir::text::parse(text).unwrap().remove(0);
        run(&Cx::new(raddle_target::Target::by_name("sm_90").unwrap(), &CodegenOptions::default()), &mut f);
        raddle_ir::verify::verify(&f).unwrap();
        let left = f.layout.iter().flat_map(|&b| &f.blocks[b].insts).filter(|&&i| {
            matches!(f.insts[i].op, Op::Div(_) | Op::Rem(_) | Op::Fdiv(..) | Op::Frcp(..) | Op::Fsqrt(..))
        });
        assert_eq!(left.count(), 0);
    }
}
