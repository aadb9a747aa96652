//! Folds constants, copies and identities.
//!
//! Strategy: one walk in reverse postorder; an instruction whose operands make its result a constant, another value, or a
//! simpler operation is replaced at once, so that later ones see the result. Only integer and structural rules: floating-point
//! arithmetic is left to the machine.

use raddle_ir::cfg::Cfg;
use raddle_ir::{Cond, Cx, Function, Inst, Op, Sign, Stop, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::Renames;

/// What an instruction with one result may become.
enum Becomes {
    /// This constant.
    Constant(u64),
    /// This value.
    Same(Value),
}

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut same = Renames::default();
    for b in Cfg::of(f).rpo {
        for i in f.blocks[b].insts.clone() {
            same.inst(f, i);
            if f.insts[i].op == Op::Unpack {
                unpack(f, i, &mut same);
                continue;
            }
            if f.insts[i].results.len() != 1 {
                continue;
            }
            match simplify(f, i) {
                Some(Becomes::Constant(bits)) => {
                    let width = f.width(f.insts[i].results[0]);
                    f.insts[i].op = Op::Const(bits & width.mask());
                    f.insts[i].args.clear();
                }
                Some(Becomes::Same(v)) if f.width(v) == f.width(f.insts[i].results[0]) => {
                    same.set(f.insts[i].results[0], v);
                }
                _ => {}
            }
        }
        same.term(f, b);
    }
    // Edges backwards may still name what was replaced behind them.
    same.apply(f);
    Ok(())
}

/// The parts of a joined or constant value are known.
fn unpack(f: &mut Function, i: Inst, same: &mut Renames) {
    let (a, results) = (f.insts[i].args[0], f.insts[i].results.clone());
    let Some((Op::Pack, parts)) = definition(f, a) else { return };
    if parts.len() == results.len() {
        for (&r, &p) in results.iter().zip(&parts) {
            same.set(r, p);
        }
    }
}

fn definition(f: &Function, v: Value) -> Option<(Op, SmallVec<[Value; 4]>)> {
    match f.values[v].def {
        ValueDef::Result(i, _) => Some((f.insts[i].op, f.insts[i].args.clone())),
        ValueDef::Param(..) => None,
    }
}

fn signed(bits: u64, w: Width) -> i64 {
    let shift = 64 - w.bits();
    ((bits << shift) as i64) >> shift
}

fn simplify(f: &Function, i: Inst) -> Option<Becomes> {
    let d = &f.insts[i];
    let w = f.width(d.results[0]);
    let args = &d.args;
    let k = |n: usize| args.get(n).and_then(|&v| f.constant(v));
    let (a, b) = (k(0), k(1));
    let ones = w.mask();
    let constant = |x: u64| Some(Becomes::Constant(x));
    let arg = |n: usize| Some(Becomes::Same(args[n]));
    match (d.op, a, b) {
        (Op::Add, Some(x), Some(y)) => constant(x.wrapping_add(y)),
        (Op::Sub, Some(x), Some(y)) => constant(x.wrapping_sub(y)),
        (Op::Mul, Some(x), Some(y)) => constant(x.wrapping_mul(y)),
        (Op::And, Some(x), Some(y)) => constant(x & y),
        (Op::Or, Some(x), Some(y)) => constant(x | y),
        (Op::Xor, Some(x), Some(y)) => constant(x ^ y),
        (Op::Not, Some(x), _) => constant(!x),
        (Op::Neg, Some(x), _) => constant(x.wrapping_neg()),
        (Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::Shr(_), _, Some(0)) => arg(0),
        (Op::Add | Op::Or | Op::Xor, Some(0), _) => arg(1),
        (Op::And, _, Some(x)) if x == ones => arg(0),
        (Op::And, Some(x), _) if x == ones => arg(1),
        (Op::And | Op::Mul, _, Some(0)) | (Op::And | Op::Mul, Some(0), _) => constant(0),
        (Op::Mul, _, Some(1)) => arg(0),
        (Op::Mul, Some(1), _) => arg(1),
        (Op::And | Op::Or, ..) if args[0] == args[1] => arg(0),
        (Op::Xor | Op::Sub, ..) if args[0] == args[1] => constant(0),
        (Op::Shl, Some(x), Some(y)) => constant(if y >= u64::from(w.bits()) { 0 } else { x << y }),
        (Op::Shr(Sign::U), Some(x), Some(y)) => constant(if y >= u64::from(w.bits()) { 0 } else { x >> y }),
        (Op::Shr(Sign::S), Some(x), Some(y)) => constant((signed(x, w) >> y.min(63)) as u64),
        (Op::MulWide(sign), Some(x), Some(y)) => {
            let n = f.width(args[0]);
            constant(match sign {
                Sign::U => x.wrapping_mul(y),
                Sign::S => signed(x, n).wrapping_mul(signed(y, n)) as u64,
            })
        }
        (Op::Trunc, Some(x), _) | (Op::Zext, Some(x), _) => constant(x),
        (Op::Sext, Some(x), _) => constant(signed(x, f.width(args[0])) as u64),
        (Op::Trunc, None, _) => match definition(f, args[0])? {
            (Op::Zext | Op::Sext, inner) if f.width(inner[0]) == w => Some(Becomes::Same(inner[0])),
            (Op::Pack, inner) if f.width(inner[0]) == w => Some(Becomes::Same(inner[0])),
            _ => None,
        },
        (Op::Pack, Some(x), Some(y)) if args.len() == 2 && w <= Width::B64 => {
            constant(x | y << f.width(args[0]).bits())
        }
        (Op::Pack, ..) => match definition(f, args[0])? {
            // All parts of one value in order are the value.
            (Op::Unpack, inner) => {
                let ValueDef::Result(u, _) = f.values[args[0]].def else { return None };
                (f.insts[u].results == d.args).then(|| Becomes::Same(inner[0]))
            }
            _ => None,
        },
        (Op::Select, Some(p), _) => arg(if p != 0 { 1 } else { 2 }),
        (Op::Select, None, _) if args[1] == args[2] => arg(1),
        (Op::Icmp(c, sign), Some(x), Some(y)) => {
            let n = f.width(args[0]);
            let order = match sign {
                Sign::U => x.cmp(&y),
                Sign::S => signed(x, n).cmp(&signed(y, n)),
            };
            let holds = match c {
                Cond::Eq => order.is_eq(),
                Cond::Ne => order.is_ne(),
                Cond::Lt => order.is_lt(),
                Cond::Le => order.is_le(),
                Cond::Gt => order.is_gt(),
                Cond::Ge => order.is_ge(),
                _ => return None,
            };
            constant(u64::from(holds))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn folded(body: &str) -> String {
        let mut f = parse(&format!("kernel k\n{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        raddle_ir::verify::verify(&f).unwrap();
        print(&f)
    }

    #[test]
    fn constants_fold_in_their_width() {
        let text = folded(
            "b0:\n v0: b16 = const.65535\n v1: b16 = const.2\n v2: b16 = add v0, v1\n v3: b32 = sext v2\n v4: b32 = sext v0\n \
             v5: b32 = add v3, v4\n warpsync v5\n exit\n",
        );
        assert!(text.contains("b32 = const.0\n  warpsync v0"), "{text}");
    }

    #[test]
    fn identities_vanish() {
        let text = folded(
            "b0:\n v0: b32 = special.tid_x\n v1: b32 = const.0\n v2: b32 = add v0, v1\n v3: b64 = pack v2, v0\n \
             v4: b32, v5: b32 = unpack v3\n v6: b32 = xor v4, v5\n v7: b32 = or v6, v4\n warpsync v7\n exit\n",
        );
        assert!(text.contains("v0: b32 = special.tid_x\n  warpsync v0"), "{text}");
    }
}
