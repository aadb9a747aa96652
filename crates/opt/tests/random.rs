//! Random integer functions compute the same before and after the passes.
//!
//! Functions are one block of pure operations on parameters and special registers; every value that
//! is left at the end is passed to an effect. Both versions are run by the evaluator below on
//! several inputs.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use raddle_ir::{Cache, Mem, Mty, Prefetch, Scope};
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
    let mut f = Function::new("k");
    let b = f.add_block();
    let at = Default::default();
    let zero = f.append1(b, Op::Const(0), &[], Width::B32, at);
    let mut pool: HashMap<Width, Vec<Value>> = HashMap::new();
    for n in 0..3 {
        let (w, d) = (load(16 * n, Mty::B32), load(16 * n + 8, Mty::B64));
        pool.entry(Width::B32).or_default().push(f.append1(b, w, &[zero], Width::B32, at));
        pool.entry(Width::B64).or_default().push(f.append1(b, d, &[zero], Width::B64, at));
    }
    let byte = f.append1(b, load(48, Mty::S8), &[zero], Width::B32, at);
    let tid = f.append1(b, Op::Special(Special::TidX), &[], Width::B32, at);
    pool.entry(Width::B32).or_default().extend([byte, tid]);
    let half = f.append1(b, Op::Trunc, &[byte], Width::B16, at);
    pool.entry(Width::B16).or_default().push(half);
    let p = f.append1(b, Op::Icmp(Cond::Lt, Sign::S), &[tid, byte], Width::P, at);
    pool.entry(Width::P).or_default().push(p);
    let ints = [Width::B16, Width::B32, Width::B32, Width::B64];
    for _ in 0..40 {
        let w = rng.pick(&ints);
        let sign = rng.pick(&SIGNS);
        // Prefers recent values and constants.
        let get = |rng: &mut Rng, f: &mut Function, w: Width| {
            if rng.below(3) == 0 && w != Width::P {
                let bits = rng.number(w);
                return f.append1(b, Op::Const(bits), &[], w, at);
            }
            let list = &pool[&w];
            let from = if rng.below(2) == 0 { list.len().saturating_sub(4) } else { 0 };
            list[from + rng.below(list.len() - from)]
        };
        let (r, v) = match rng.below(16) {
            0..=5 => {
                let o = rng.pick(&[
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
                let (x, y) = (get(rng, &mut f, w), get(rng, &mut f, w));
                (w, f.append1(b, o, &[x, y], w, at))
            }
            6 | 7 => {
                let x = get(rng, &mut f, w);
                let n = if rng.below(4) > 0 {
                    let n = rng.below(w.bits() as usize + 2) as u64;
                    f.append1(b, Op::Const(n), &[], Width::B32, at)
                } else {
                    get(rng, &mut f, Width::B32)
                };
                let o = rng.pick(&[Op::Shl, Op::Shr(sign)]);
                (w, f.append1(b, o, &[x, n], w, at))
            }
            8 => {
                let x = get(rng, &mut f, w);
                let o = rng.pick(&[Op::Not, Op::Neg]);
                (w, f.append1(b, o, &[x], w, at))
            }
            9 => {
                let (x, y) = (get(rng, &mut f, Width::B32), get(rng, &mut f, Width::B32));
                if rng.below(2) == 0 {
                    let o = rng.pick(&[Op::MulWide(sign), Op::Pack]);
                    (Width::B64, f.append1(b, o, &[x, y], Width::B64, at))
                } else {
                    let z = get(rng, &mut f, Width::B64);
                    (Width::B64, f.append1(b, Op::MadWide(sign), &[x, y, z], Width::B64, at))
                }
            }
            10 => {
                let (from, to) =
                    rng.pick(&[(Width::B16, Width::B32), (Width::B32, Width::B64), (Width::B16, Width::B64)]);
                let x = get(rng, &mut f, from);
                let o = rng.pick(&[Op::Zext, Op::Sext]);
                (to, f.append1(b, o, &[x], to, at))
            }
            11 => {
                let (from, to) =
                    rng.pick(&[(Width::B32, Width::B16), (Width::B64, Width::B32), (Width::B64, Width::B16)]);
                let x = get(rng, &mut f, from);
                (to, f.append1(b, Op::Trunc, &[x], to, at))
            }
            12 => {
                let (x, y) = (get(rng, &mut f, w), get(rng, &mut f, w));
                let c = rng.pick(&CONDS);
                (Width::P, f.append1(b, Op::Icmp(c, sign), &[x, y], Width::P, at))
            }
            13 => {
                let w = rng.pick(&[Width::P, Width::B16, Width::B32, Width::B64]);
                let (p, x, y) = (get(rng, &mut f, Width::P), get(rng, &mut f, w), get(rng, &mut f, w));
                (w, f.append1(b, Op::Select, &[p, x, y], w, at))
            }
            14 => {
                let (x, y) = (get(rng, &mut f, w), get(rng, &mut f, w));
                let one = f.append1(b, Op::Const(1), &[], w, at);
                let y = f.append1(b, Op::Or, &[y, one], w, at);
                let o = rng.pick(&[Op::Div(sign), Op::Rem(sign), Op::MulHi(sign)]);
                (w, f.append1(b, o, &[x, y], w, at))
            }
            _ => {
                let x = get(rng, &mut f, Width::B32);
                let (o, args) = match rng.below(4) {
                    3 => {
                        let pos = f.append1(b, Op::Const(rng.below(36) as u64), &[], Width::B32, at);
                        let len = f.append1(b, Op::Const(rng.below(36) as u64), &[], Width::B32, at);
                        (Op::Bfi, vec![x, get(rng, &mut f, Width::B32), pos, len])
                    }
                    0 => (Op::ExtLow(sign, 1 + rng.below(31) as u8), vec![x]),
                    1 => {
                        let pos = f.append1(b, Op::Const(rng.below(34) as u64), &[], Width::B32, at);
                        let len = f.append1(b, Op::Const(rng.below(34) as u64), &[], Width::B32, at);
                        (Op::Bfe(sign), vec![x, pos, len])
                    }
                    _ => (Op::Mad, vec![x, get(rng, &mut f, Width::B32), get(rng, &mut f, Width::B32)]),
                };
                (Width::B32, f.append1(b, o, &args, Width::B32, at))
            }
        };
        pool.entry(r).or_default().push(v);
        if r == Width::P && rng.below(2) == 0 {
            let n = f.append1(b, Op::Not, &[v], r, at);
            pool.entry(r).or_default().push(n);
        }
    }
    // Only some of them are used, so that others have one use.
    for (w, extend) in [(Width::B16, Some(Op::Zext)), (Width::B32, None), (Width::B64, None), (Width::P, None)] {
        for &v in pool[&w].iter().rev().take(4) {
            let words = match (w, extend) {
                (Width::B64, _) => f.append(b, Op::Unpack, &[v], &[Width::B32; 2], at),
                (Width::P, _) => {
                    let one = f.append1(b, Op::Const(1), &[], Width::B32, at);
                    f.append(b, Op::Select, &[v, one, zero], &[Width::B32], at)
                }
                (_, Some(o)) => f.append(b, o, &[v], &[Width::B32], at),
                _ => f.append(b, Op::Or, &[v, zero], &[Width::B32], at),
            };
            for r in f.insts[words].results.clone() {
                f.append(b, Op::WarpSync, &[r], &[], at);
            }
        }
    }
    f.blocks[b].term = Some(raddle_ir::Terminator::Exit);
    f
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
