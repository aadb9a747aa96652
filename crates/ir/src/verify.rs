//! The verifier: dominance, widths, terminators. Run after every pass in tests and by `--verify`.

use raddle_entity::SecondaryMap;

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::func::{Block, Function, Inst, Target, Terminator, Value, ValueDef};
use crate::op::Op;
use crate::texture::{TexDim, TexMissing};
use crate::types::{AtomOp, Aty, BarOp, Cty, Mma, Space, VoteMode, Width};
use crate::wgmma::WgmmaLeft;

/// Verifies a function.
///
/// # Errors
/// All violations, as texts that name the instruction.
pub fn verify(f: &Function) -> Result<(), Vec<String>> {
    let mut v = Verifier { f, errors: Vec::new() };
    v.run();
    if v.errors.is_empty() { Ok(()) } else { Err(v.errors) }
}

struct Verifier<'a> {
    f: &'a Function,
    errors: Vec<String>,
}

impl Verifier<'_> {
    fn run(&mut self) {
        let f = self.f;
        if f.layout.is_empty() {
            self.errors.push("no blocks".into());
            return;
        }
        for &b in &f.layout {
            if f.blocks[b].term.is_none() {
                self.errors.push(format!("{b}: no terminator"));
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        let cfg = Cfg::of(f);
        let dom = DomTree::dominators(&cfg);
        if !cfg.preds[f.entry()].is_empty() || !f.blocks[f.entry()].params.is_empty() {
            self.errors.push("the entry has predecessors or parameters".into());
        }
        let mut home: SecondaryMap<Inst, Option<(Block, u32)>> = SecondaryMap::new();
        for &b in &f.layout {
            for (n, &i) in f.blocks[b].insts.iter().enumerate() {
                if home[i].replace((b, n as u32)).is_some() {
                    self.errors.push(format!("{i}: in two blocks or positions"));
                }
            }
        }
        for &b in &cfg.rpo {
            for (n, &i) in f.blocks[b].insts.iter().enumerate() {
                let d = &f.insts[i];
                let args: Vec<Width> = d.args.iter().map(|&v| f.width(v)).collect();
                let results: Vec<Width> = d.results.iter().map(|&v| f.width(v)).collect();
                if !well_typed(&d.op, &args, &results) {
                    self.errors
                        .push(format!("{b} {i}: {} with operands {args:?} cannot have results {results:?}", d.op));
                }
                for &v in &d.args {
                    self.check_use(&dom, &home, b, n as u32, v, &format_args!("{b} {i} {}", d.op));
                }
            }
            f.term(b).for_each_use(|v| self.check_use(&dom, &home, b, u32::MAX, v, &format_args!("{b} terminator")));
            self.terminator(b);
        }
    }

    fn check_use(
        &mut self,
        dom: &DomTree,
        home: &SecondaryMap<Inst, Option<(Block, u32)>>,
        b: Block,
        at: u32,
        v: Value,
        who: &dyn std::fmt::Display,
    ) {
        let ok = match self.f.values[v].def {
            ValueDef::Param(d, _) => dom.dominates(d, b),
            ValueDef::Result(i, _) => match home[i] {
                Some((d, n)) if d == b => n < at,
                Some((d, _)) => dom.dominates(d, b),
                None => false,
            },
        };
        if !ok {
            self.errors.push(format!("{who}: the use of {v} is not dominated by its definition"));
        }
    }

    fn terminator(&mut self, b: Block) {
        let f = self.f;
        let term = f.term(b);
        match term {
            Terminator::Branch { cond, .. } if f.width(*cond) != Width::P => {
                self.errors.push(format!("{b}: branch on {:?}", f.width(*cond)));
            }
            Terminator::Switch { index, targets } => {
                if f.width(*index) != Width::B32 {
                    self.errors.push(format!("{b}: switch on {:?}", f.width(*index)));
                }
                for &t in targets {
                    if !f.blocks[t].params.is_empty() {
                        self.errors.push(format!("{b}: switch to {t}, which has parameters"));
                    }
                }
            }
            _ => {}
        }
        for Target { block, args } in term.targets() {
            let params = &f.blocks[*block].params;
            let same = params.len() == args.len() && params.iter().zip(args).all(|(&p, &a)| f.width(p) == f.width(a));
            if !same {
                self.errors.push(format!("{b}: the edge to {block} passes {args:?} for {params:?}"));
            }
        }
    }
}

fn all(args: &[Width], n: usize, w: Width) -> bool {
    args.len() == n && args.iter().all(|&a| a == w)
}

fn address(space: Space) -> Width {
    match space {
        Space::Generic | Space::Global => Width::B64,
        _ => Width::B32,
    }
}

/// Whether operands and results have the widths that the operation requires.
pub fn well_typed(op: &Op, args: &[Width], results: &[Width]) -> bool {
    use Width::{B16, B32, B64, B128, P};
    let one = if results.len() == 1 { Some(results[0]) } else { None };
    // All operands and the one result have the same width.
    let same = |n: usize, allow: &[Width]| one.is_some_and(|w| allow.contains(&w) && all(args, n, w));
    let int = [B16, B32, B64];
    match *op {
        Op::Const(bits) => args.is_empty() && one.is_some_and(|w| w != B128 && bits & !w.mask() == 0),
        Op::Undef => args.is_empty() && one.is_some(),
        Op::Special(s) => args.is_empty() && one == Some(s.width()),
        Op::EnvReg(_) => args.is_empty() && one == Some(B32),
        Op::SymbolAddr(..) => args.is_empty() && matches!(one, Some(B64 | B32)),
        Op::SlotAddr(..) => args.is_empty() && one == Some(B32),
        Op::Pack => matches!(
            (args, one),
            ([B16, B16], Some(B32))
                | ([B32, B32], Some(B64))
                | ([B32, B32, B32, B32], Some(B128))
                | ([B64, B64], Some(B128))
                | ([B16, B16, B16, B16], Some(B64))
        ),
        Op::Unpack => matches!(
            (results, args),
            ([B16, B16], [B32])
                | ([B32, B32], [B64])
                | ([B32, B32, B32, B32], [B128])
                | ([B64, B64], [B128])
                | ([B16, B16, B16, B16], [B64])
        ),
        Op::Trunc => matches!((args, one), ([a], Some(r)) if *a > r && r > P),
        Op::Zext | Op::Sext => matches!((args, one), ([a], Some(r)) if *a < r && *a > P && r <= B64),
        Op::ExtLow(_, n) => same(1, &[B16, B32]) && n > 0 && u32::from(n) < results[0].bits(),
        Op::Add | Op::Sub | Op::Mul | Op::Min(_) | Op::Max(_) | Op::Div(_) | Op::Rem(_) | Op::MulHi(_) => same(2, &int),
        Op::AddC | Op::SubC => matches!((args, results), ([B32, B32, P], [B32, P]) | ([B64, B64, P], [B64, P])),
        Op::AddSat | Op::SubSat => same(2, &[B32]),
        Op::Neg | Op::Abs => same(1, &int),
        Op::MulWide(_) => matches!((args, one), ([B16, B16], Some(B32)) | ([B32, B32], Some(B64))),
        Op::MadWide(_) => matches!((args, one), ([B16, B16, B32], Some(B32)) | ([B32, B32, B64], Some(B64))),
        Op::Mad | Op::MadHi(_) | Op::Sad(_) => same(3, &int),
        Op::And | Op::Or | Op::Xor => same(2, &[P, B16, B32, B64]),
        Op::Not => same(1, &[P, B16, B32, B64]),
        Op::Lop3(_) => same(3, &[B32]),
        Op::Shl | Op::Shr(_) => matches!((args, one), ([a, B32], Some(r)) if *a == r && int.contains(&r)),
        Op::ShfL
        | Op::ShfR
        | Op::ShfLClamp
        | Op::ShfRClamp
        | Op::Prmt(_)
        | Op::Dp4a(..)
        | Op::Dp2aLo(..)
        | Op::Dp2aHi(..) => same(3, &[B32]),
        Op::Popc | Op::Clz | Op::Bfind(_) | Op::BfindShift(_) => matches!((args, one), ([B32 | B64], Some(B32))),
        Op::Brev => same(1, &[B32, B64]),
        Op::Bfe(_) => matches!((args, one), ([a, B32, B32], Some(r)) if *a == r && matches!(r, B32 | B64)),
        Op::Bfi => matches!((args, one), ([a, b, B32, B32], Some(r)) if *a == r && *b == r && matches!(r, B32 | B64)),
        Op::BmskWrap | Op::BmskClamp | Op::SzextWrap(_) | Op::SzextClamp(_) => same(2, &[B32]),
        Op::Icmp(..) => matches!((args, one), ([a, b], Some(P)) if a == b && int.contains(a)),
        Op::Select => matches!((args, one), ([P, a, b], Some(r)) if *a == r && *b == r),
        Op::Fadd(t, ..) | Op::Fmul(t, ..) | Op::Fmin(t, ..) | Op::Fmax(t, ..) | Op::Fdiv(t, ..) => {
            same(2, &[t.width()])
        }
        Op::Ffma(t, ..) => same(3, &[t.width()]),
        Op::Fneg(t, _) | Op::Fabs(t, _) | Op::Frcp(t, ..) | Op::Fsqrt(t, ..) => same(1, &[t.width()]),
        Op::Fchk => one == Some(P) && all(args, 2, B32),
        Op::Fcmp(t, ..) => one == Some(P) && all(args, 2, t.width()),
        Op::Mufu(_) | Op::Rro(_) => same(1, &[B32]),
        Op::MufuHalf(_, t) => t.width() == B16 && same(1, &[B16]),
        Op::Cvt(d, s, ..) => one == Some(d.width()) && all(args, 1, s.width()),
        Op::CvtPack(d, ..) => {
            matches!(d, Cty::F16x2 | Cty::Bf16x2 | Cty::E4m3x2 | Cty::E5m2x2)
                && one == Some(d.width())
                && all(args, 2, B32)
        }
        Op::Load(m) => all(args, 1, address(m.space)) && all(results, usize::from(m.count), m.ty.width()),
        Op::Store(m) => {
            results.is_empty()
                && args.first() == Some(&address(m.space))
                && all(&args[1..], usize::from(m.count), m.ty.width())
        }
        Op::Atom(a) | Op::Red(a) => {
            let values = if a.op == AtomOp::Cas { 2 } else { 1 };
            let result = if matches!(op, Op::Atom(_)) { one == Some(a.ty.width()) } else { results.is_empty() };
            let packed_ok = !matches!(a.ty, Aty::F16x2 | Aty::Bf16x2) || a.op != AtomOp::Cas;
            result && packed_ok && args.first() == Some(&address(a.space)) && all(&args[1..], values, a.ty.width())
        }
        Op::LoadReduce(a, _) => a.space == Space::Global && args == [address(a.space)] && one == Some(a.ty.width()),
        Op::Bar(b) => match b {
            BarOp::Sync | BarOp::Arrive => results.is_empty() && all(args, 2, B32),
            BarOp::Popc => one == Some(B32) && args == [B32, B32, P],
            BarOp::And | BarOp::Or => one == Some(P) && args == [B32, B32, P],
        },
        Op::Fence(..)
        | Op::FenceAsync(_)
        | Op::Pmevent(_)
        | Op::GridDepWait
        | Op::GridDepLaunch
        | Op::CpAsyncCommit
        | Op::CpAsyncWait(_)
        | Op::BulkCommit
        | Op::BulkWait(..)
        | Op::ClusterBar(_)
        | Op::GiveRegisters(_)
        | Op::TakeRegisters(_)
        | Op::Trap
        | Op::Brkpt => args.is_empty() && results.is_empty(),
        Op::Shfl(_) => all(args, 4, B32) && results == [B32, P],
        Op::Vote(m) => args == [P, B32] && one == Some(if m == VoteMode::Ballot { B32 } else { P }),
        Op::MatchAny => matches!((args, one), ([B32 | B64, B32], Some(B32))),
        Op::MatchAll => matches!((args, results), ([B32 | B64, B32], [B32, P])),
        Op::Redux(..) => same(2, &[B32]),
        Op::TryRegisters(_) => args.is_empty() && results == [P],
        Op::ActiveMask => args.is_empty() && one == Some(B32),
        Op::Elect => args == [B32] && results == [B32, P],
        Op::Leads => args.is_empty() && one == Some(P),
        Op::Leader => args == [B32] && one == Some(B32),
        Op::Mbar(m) => m.is_typed(args, results),
        Op::MbarPending => args == [B64] && one == Some(B32),
        Op::Bulk(bulk) => results.is_empty() && bulk.is_typed(args),
        Op::Tensor(tensor) => results.is_empty() && tensor.is_typed(args),
        Op::TensorMap(_) => args == [B64] && results.is_empty(),
        Op::StoreAsync(ty) => {
            results.is_empty()
                && args.len() > 2
                && all(&args[..2], 2, B32)
                && args[2..].iter().all(|&w| w == ty.width())
        }
        Op::RedAsync(_, ty) => args == [B32, B32, ty.width()] && results.is_empty(),
        Op::Names(_) => args.len() == 1 && results.is_empty(),
        Op::StackAlloc(align) => align < 32 && args == [B32] && one == Some(B32),
        Op::StackSave => args.is_empty() && one == Some(B32),
        Op::WarpSync | Op::Nanosleep | Op::StackRestore => args == [B32] && results.is_empty(),
        Op::Call(_) => args.iter().chain(results).all(|w| *w == B32),
        Op::CallAt => args.first() == Some(&B64) && args[1..].iter().chain(results).all(|w| *w == B32),
        Op::Argument(_) => args.is_empty() && one == Some(B32),
        Op::Return => results.is_empty() && args.iter().all(|w| *w == B32),
        Op::IsSpace(_) | Op::IsClusterShared => args == [B64] && one == Some(P),
        Op::CpAsync(..) => results.is_empty() && matches!(args, [B32, B64] | [B32, B64, B32 | P]),
        Op::LdMatrix(n, _) => args == [B32] && all(results, usize::from(n), B32),
        Op::StMatrix(n, _) => results.is_empty() && args.first() == Some(&B32) && all(&args[1..], usize::from(n), B32),
        Op::MovMatrix => same(1, &[B32]),
        Op::Mma(m) => {
            let (a, b, c) = mma_pieces(&m);
            all(args, a + b + c + usize::from(m.kind.selector().is_some()), B32) && all(results, c, B32)
        }
        Op::Tex(t) => {
            let (first, second) = t.arguments();
            let channels = t.mask.count_ones() as usize;
            let missing = usize::from(t.missing == TexMissing::Yes);
            t.mask < 16
                && all(args, t.handles() + first + second, B32)
                && results.len() == channels + missing
                && all(&results[..channels], channels, B32)
                && results[channels..].iter().all(|w| *w == P)
        }
        Op::TexHandle(..) => args.is_empty() && one == Some(B32),
        Op::TexRow(..) => args == [B32] && one == Some(B64),
        Op::TexExtent(axis) => axis < 3 && same(2, &[B32]),
        Op::SurfLoad(s) => all(args, surface_args(s.dim), B32) && all(results, s.data.words(), B32),
        Op::SurfStore(s) => results.is_empty() && all(args, surface_args(s.dim) + s.data.words(), B32),
        Op::SurfRed(s) => results.is_empty() && all(args, surface_args(s.dim) + s.ty.words(), B32),
        Op::Wgmma(m) => {
            let a = match m.left {
                WgmmaLeft::Shared => vec![B64],
                WgmmaLeft::Registers => vec![B32; 4],
            };
            let metadata = m.kind.selector().map(|_| B32);
            let rest = vec![B32; m.pieces()];
            let want: Vec<Width> = a.into_iter().chain([B64]).chain(metadata).chain([P]).chain(rest).collect();
            args == want && all(results, m.pieces(), B32)
        }
        Op::WgmmaCommit => args.is_empty() && results.is_empty(),
        Op::WgmmaWait(_, n) => args.iter().all(|w| *w == B32) && args.len() >= n.into() && all(results, n.into(), B32),
        Op::PrefetchLine(_) | Op::DiscardLine | Op::DemoteLine => args == [B64] && results.is_empty(),
    }
}

/// Returns the operands of a surface access before its data: handle, coordinates, layer.
pub fn surface_args(dim: TexDim) -> usize {
    let (coordinates, layer) = dim.coordinates();
    1 + coordinates + usize::from(layer)
}

/// Returns the number of 32-bit pieces per lane of A, B, and C or D.
pub fn mma_pieces(m: &Mma) -> (usize, usize, usize) {
    let ((rows, k), columns) = (m.shape.size(), 8);
    let stored = if m.kind.selector().is_some() { k / 2 } else { k };
    (rows * stored * m.a.bits() / 1024, k * columns * m.b.bits() / 1024, rows * columns * m.d.bits() / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    fn errors(body: &str) -> Vec<String> {
        let f = parse(&format!("kernel k\n{body}end\n")).unwrap().remove(0);
        verify(&f).err().unwrap_or_default()
    }

    #[test]
    fn a_right_function_passes() {
        let none: Vec<String> = Vec::new();
        let body = "b0:\n v0: b32 = const.1\n jump b1(v0)\nb1(v1: b32):\n v2: p = icmp.lt.s v1, v0\n branch v2, b1(v1), b2\nb2:\n exit\n";
        assert_eq!(errors(body), none);
    }

    #[test]
    fn a_use_before_its_definition_is_found() {
        let e = errors("b0:\n v0: b32 = add v1, v1\n v1: b32 = const.1\n exit\n");
        assert_eq!(e, ["b0 i0 add: the use of v1 is not dominated by its definition"; 2]);
    }

    #[test]
    fn a_definition_on_one_path_only_is_found() {
        let e = errors(
            "b0:\n v0: p = undef\n branch v0, b1, b2\nb1:\n v1: b32 = const.1\n jump b2\nb2:\n v2: b32 = neg v1\n exit\n",
        );
        assert_eq!(e, ["b2 i2 neg: the use of v1 is not dominated by its definition"]);
    }

    #[test]
    fn wrong_widths_and_edges_are_found() {
        let e = errors("b0:\n v0: b64 = const.1\n v1: b32 = neg v0\n jump b1(v0)\nb1:\n exit\n");
        assert_eq!(e.len(), 2, "{e:?}");
        assert!(e[0].contains("neg with operands"), "{e:?}");
        assert!(e[1].contains("the edge to b1 passes"), "{e:?}");
    }
}
