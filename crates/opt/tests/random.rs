//! Random integer functions compute the same before and after the passes.
//!
//! Functions are one block of pure operations on parameters and special registers; every value that
//! is left at the end is passed to an effect. Both versions are run by the evaluator below on
//! several inputs.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use raddle_ir::{Block, Cache, Mem, Mty, Prefetch, Scope};
use raddle_ir::{
    CodegenOptions, Cond, Cx, Function, Op, OptLevel, Order, Sign, Space, Special, Value, Width, text, verify,
};
use raddle_opt::eval::eval;
use raddle_target::Target;

/// xorshift64*.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns a number that is often small, a power of two, or next to a limit.
    fn number(&mut self, w: Width) -> u64 {
        let n = match self.below(6) {
            0 => self.next(),
            1 => 1 << self.below(w.bits() as usize),
            2 => (1u64 << self.below(w.bits() as usize)) - 1,
            3 => (self.below(20) as u64).wrapping_neg(),
            4 => [8, 16, 24, 31, 32, 33, 48, 63][self.below(8)],
            _ => self.below(40) as u64,
        };
        n & w.mask()
    }
}

const SIGNS: [Sign; 2] = [Sign::U, Sign::S];
const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge];

fn load(offset: i32, ty: Mty) -> Op {
    Op::Load(Mem {
        space: Space::Param,
        ty,
        count: 1,
        order: Order::Weak,
        scope: Scope::None,
        cache: Cache::None,
        prefetch: Prefetch::None,
        offset,
    })
}

/// Returns a random function.
fn function(rng: &mut Rng) -> Function {
    let mut maker = Maker::new(rng);
    for _ in 0..40 {
        let v = maker.operation();
        maker.keep(v);
        if maker.f.width(v) == Width::P && maker.rng.below(2) == 0 {
            let opposite = maker.emit(Op::Not, &[v], Width::P);
            maker.keep(opposite);
        }
    }
    maker.finish()
}

/// A random function of one block, while it is made.
struct Maker<'r> {
    rng: &'r mut Rng,
    f: Function,
    block: Block,
    /// The constant zero of 32 bits.
    zero: Value,
    /// Values that operations may use, oldest first.
    pool: HashMap<Width, Vec<Value>>,
}

impl<'r> Maker<'r> {
    /// Begins a function: with parameters, a special register, and what is computed from them.
    fn new(rng: &'r mut Rng) -> Self {
        let mut f = Function::new("k");
        let block = f.add_block();
        let zero = f.append1(block, Op::Const(0), &[], Width::B32, Default::default());
        let mut maker = Maker { rng, f, block, zero, pool: HashMap::new() };
        for n in 0..3 {
            for (offset, ty, w) in [(16 * n, Mty::B32, Width::B32), (16 * n + 8, Mty::B64, Width::B64)] {
                let v = maker.emit(load(offset, ty), &[zero], w);
                maker.keep(v);
            }
        }
        let byte = maker.emit(load(48, Mty::S8), &[zero], Width::B32);
        let tid = maker.emit(Op::Special(Special::TidX), &[], Width::B32);
        let half = maker.emit(Op::Trunc, &[byte], Width::B16);
        let less = maker.emit(Op::Icmp(Cond::Lt, Sign::S), &[tid, byte], Width::P);
        [byte, tid, half, less].into_iter().for_each(|v| maker.keep(v));
        maker
    }

    fn emit(&mut self, op: Op, args: &[Value], w: Width) -> Value {
        self.f.append1(self.block, op, args, w, Default::default())
    }

    fn constant(&mut self, bits: u64, w: Width) -> Value {
        self.emit(Op::Const(bits), &[], w)
    }

    /// Lets operations use a value.
    fn keep(&mut self, v: Value) {
        self.pool.entry(self.f.width(v)).or_default().push(v);
    }

    /// Returns a value; prefers recent ones and constants.
    fn value(&mut self, w: Width) -> Value {
        if self.rng.below(3) == 0 && w != Width::P {
            let bits = self.rng.number(w);
            return self.constant(bits, w);
        }
        let list = &self.pool[&w];
        let from = if self.rng.below(2) == 0 { list.len().saturating_sub(4) } else { 0 };
        list[from + self.rng.below(list.len() - from)]
    }

    /// Appends an operation and returns its result.
    fn operation(&mut self) -> Value {
        let w = self.rng.pick(&[Width::B16, Width::B32, Width::B32, Width::B64]);
        let sign = self.rng.pick(&SIGNS);
        match self.rng.below(16) {
            0..=5 => self.arithmetic(w, sign),
            6 | 7 => self.shift(w, sign),
            8 => {
                let x = self.value(w);
                let op = self.rng.pick(&[Op::Not, Op::Neg]);
                self.emit(op, &[x], w)
            }
            9 => self.wide(sign),
            10 => {
                let pairs = [(Width::B16, Width::B32), (Width::B32, Width::B64), (Width::B16, Width::B64)];
                let (from, to) = self.rng.pick(&pairs);
                let x = self.value(from);
                let op = self.rng.pick(&[Op::Zext, Op::Sext]);
                self.emit(op, &[x], to)
            }
            11 => {
                let pairs = [(Width::B32, Width::B16), (Width::B64, Width::B32), (Width::B64, Width::B16)];
                let (from, to) = self.rng.pick(&pairs);
                let x = self.value(from);
                self.emit(Op::Trunc, &[x], to)
            }
            12 => {
                let (x, y) = (self.value(w), self.value(w));
                let cond = self.rng.pick(&CONDS);
                self.emit(Op::Icmp(cond, sign), &[x, y], Width::P)
            }
            13 => {
                let w = self.rng.pick(&[Width::P, Width::B16, Width::B32, Width::B64]);
                let (p, x, y) = (self.value(Width::P), self.value(w), self.value(w));
                self.emit(Op::Select, &[p, x, y], w)
            }
            14 => self.division(w, sign),
            _ => self.bit_field(sign),
        }
    }

    fn arithmetic(&mut self, w: Width, sign: Sign) -> Value {
        let op = self.rng.pick(&[
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Add,
            Op::Min(sign),
            Op::Max(sign),
        ]);
        let (x, y) = (self.value(w), self.value(w));
        self.emit(op, &[x, y], w)
    }

    /// A shift, most often by a constant that is rarely too large.
    fn shift(&mut self, w: Width, sign: Sign) -> Value {
        let x = self.value(w);
        let n = if self.rng.below(4) > 0 {
            let n = self.rng.below(w.bits() as usize + 2) as u64;
            self.constant(n, Width::B32)
        } else {
            self.value(Width::B32)
        };
        let op = self.rng.pick(&[Op::Shl, Op::Shr(sign)]);
        self.emit(op, &[x, n], w)
    }

    /// An operation from 32 to 64 bits.
    fn wide(&mut self, sign: Sign) -> Value {
        let (x, y) = (self.value(Width::B32), self.value(Width::B32));
        if self.rng.below(2) == 0 {
            let op = self.rng.pick(&[Op::MulWide(sign), Op::Pack]);
            self.emit(op, &[x, y], Width::B64)
        } else {
            let z = self.value(Width::B64);
            self.emit(Op::MadWide(sign), &[x, y, z], Width::B64)
        }
    }

    /// A division by something other than zero, or the high half of a product.
    fn division(&mut self, w: Width, sign: Sign) -> Value {
        let (x, y) = (self.value(w), self.value(w));
        let one = self.constant(1, w);
        let y = self.emit(Op::Or, &[y, one], w);
        let op = self.rng.pick(&[Op::Div(sign), Op::Rem(sign), Op::MulHi(sign)]);
        self.emit(op, &[x, y], w)
    }

    /// An operation on part of a word, or `mad`.
    fn bit_field(&mut self, sign: Sign) -> Value {
        let x = self.value(Width::B32);
        let (op, args) = match self.rng.below(4) {
            3 => {
                let (pos, len) = (self.number_below(36), self.number_below(36));
                (Op::Bfi, vec![x, self.value(Width::B32), pos, len])
            }
            0 => (Op::ExtLow(sign, 1 + self.rng.below(31) as u8), vec![x]),
            1 => (Op::Bfe(sign), vec![x, self.number_below(34), self.number_below(34)]),
            _ => (Op::Mad, vec![x, self.value(Width::B32), self.value(Width::B32)]),
        };
        self.emit(op, &args, Width::B32)
    }

    /// A random constant of 32 bits.
    fn number_below(&mut self, n: usize) -> Value {
        let bits = self.rng.below(n) as u64;
        self.constant(bits, Width::B32)
    }

    /// Passes some of the last values to effects; others then have one use.
    fn finish(mut self) -> Function {
        for w in [Width::B16, Width::B32, Width::B64, Width::P] {
            let last: Vec<Value> = self.pool[&w].iter().rev().take(4).copied().collect();
            for v in last {
                for word in self.words(v, w) {
                    self.f.append(self.block, Op::WarpSync, &[word], &[], Default::default());
                }
            }
        }
        self.f.blocks[self.block].term = Some(raddle_ir::Terminator::Exit);
        self.f
    }

    /// Returns words of 32 bits that a value determines, and that determine it.
    fn words(&mut self, v: Value, w: Width) -> Vec<Value> {
        match w {
            Width::B64 => {
                let i = self.f.append(self.block, Op::Unpack, &[v], &[Width::B32; 2], Default::default());
                self.f.insts[i].results.to_vec()
            }
            Width::P => {
                let one = self.constant(1, Width::B32);
                vec![self.emit(Op::Select, &[v, one, self.zero], Width::B32)]
            }
            Width::B16 => vec![self.emit(Op::Zext, &[v], Width::B32)],
            _ => vec![self.emit(Op::Or, &[v, self.zero], Width::B32)],
        }
    }
}

/// Returns the values passed to effects on an input, or the operation that it cannot run.
fn run(f: &Function, input: &[u64]) -> Result<Vec<u64>, String> {
    let mut values: HashMap<Value, u64> = HashMap::new();
    let mut out = Vec::new();
    for &i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        let d = &f.insts[i];
        let args: Vec<u64> = d.args.iter().map(|v| values[v]).collect();
        let from = d.args.first().map_or(Width::B32, |&v| f.width(v));
        if d.op == Op::WarpSync {
            out.push(args[0]);
            continue;
        }
        if d.op == Op::Unpack {
            let part = f.width(d.results[0]);
            for (n, &r) in d.results.iter().enumerate() {
                values.insert(r, args[0] >> (n as u32 * part.bits()) & part.mask());
            }
            continue;
        }
        let w = f.width(d.results[0]);
        let funnel = || args[1] << 32 | args[0];
        let v = match d.op {
            Op::Const(bits) => bits,
            Op::Special(_) => input[7] % 1024,
            Op::Load(m) if m.ty == Mty::S8 => input[6] as i8 as u64 & Width::B32.mask(),
            Op::Load(m) => input[m.offset as usize / 8] & w.mask(),
            Op::ShfL => (funnel() << (args[2] % 32)) >> 32,
            Op::Bfi => {
                // Bits beyond the end are not inserted (PTX ISA 9.0, 9.7.1.21).
                let (pos, len) = (args[2] & 0xff, args[3] & 0xff);
                let field = |n: u64| n >= pos && n < pos + len;
                (0..u64::from(w.bits()))
                    .fold(0, |acc, n| acc | if field(n) { args[0] >> (n - pos) & 1 } else { args[1] >> n & 1 } << n)
            }
            Op::Bfe(sign) => {
                // Bits beyond the end are copies of the sign, which is the top bit of the field or
                // of the operand (PTX ISA 9.0, 9.7.1.20).
                let (bits, pos, len) = (u64::from(w.bits()), args[1] & 0xff, args[2] & 0xff);
                let sign = match sign {
                    Sign::U => 0,
                    Sign::S if len == 0 => 0,
                    Sign::S => args[0] >> (pos + len - 1).min(bits - 1) & 1,
                };
                let bit = |n: u64| if n < len && pos + n < bits { args[0] >> (pos + n) & 1 } else { sign };
                (0..bits).fold(0, |acc, n| acc | bit(n) << n)
            }
            op => eval(&op, &args, from, w).ok_or_else(|| format!("{op} {args:?}"))?,
        };
        values.insert(d.results[0], v);
    }
    Ok(out)
}

#[test]
fn random_functions_compute_the_same() {
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let options = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let cx = Cx::new(Target::by_name("sm_90").unwrap(), &options);
    let (mut before_count, mut after_count) = (0, 0);
    for n in 0..3000 {
        let before = function(&mut rng);
        verify::verify(&before).unwrap();
        let mut after = before.clone();
        raddle_opt::run(&cx, &mut after).unwrap();
        verify::verify(&after).unwrap();
        before_count += before.layout.iter().map(|&b| before.blocks[b].insts.len()).sum::<usize>();
        after_count += after.layout.iter().map(|&b| after.blocks[b].insts.len()).sum::<usize>();
        for _ in 0..6 {
            let input: Vec<u64> = (0..8).map(|_| rng.number(Width::B64)).collect();
            let (x, y) = (run(&before, &input).unwrap(), run(&after, &input));
            assert!(
                y.as_ref() == Ok(&x),
                "function {n}, input {input:x?}: {x:x?} became {y:x?}\n{}\n{}",
                text::print(&before),
                text::print(&after)
            );
        }
    }
    assert!(after_count * 10 < before_count * 8, "{before_count} instructions became {after_count}");
}
