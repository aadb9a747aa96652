//! How much code an operation becomes, for passes that copy code.

use raddle_ir::{Function, Inst, Op, Width};

/// About how many machine instructions an operation becomes. An atomic operation counts for its time: the test of a
/// loop is nothing beside it.
pub fn size(f: &Function, i: Inst) -> usize {
    let inst = &f.insts[i];
    let wide = inst.results.first().is_some_and(|&v| f.width(v) == Width::B64);
    match inst.op {
        Op::Const(_) => 0,
        Op::Fdiv(..) | Op::Fsqrt(..) | Op::Frcp(..) if wide => 20,
        Op::Fdiv(..) | Op::Fsqrt(..) | Op::Frcp(..) => 10,
        Op::Div(_) | Op::Rem(_) if wide => 40,
        Op::Div(_) | Op::Rem(_) => 20,
        Op::Atom(_) | Op::Red(_) => 16,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    /// How often an operation is there after a loop of eight iterations around it is unrolled.
    fn copies(operation: &str, name: &str) -> usize {
        let text = format!(
            "kernel k\n params 0:8\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b32 = const.1\n \
             v3: b32 = const.8\n v4: b64 = const.3\n jump b1(v0, v1)\nb1(v5: b32, v6: b64):\n {operation}\n \
             v8: b32 = add v5, v2\n v9: p = icmp.lt.u v8, v3\n branch v9, b1(v8, v7), b2\nb2:\n \
             store.global.b64.1.0 v1, v7\n exit\nend\n"
        );
        let mut f = parse(&text).unwrap().remove(0);
        crate::tests::apply(crate::unroll::run, &mut f);
        print(&f).matches(name).count()
    }

    #[test]
    fn long_operations_are_not_copied_as_often() {
        assert_eq!(copies("v7: b64 = mul v6, v4", " mul "), 8);
        assert_eq!(copies("v7: b64 = div.u v6, v4", " div.u "), 1);
        assert_eq!(copies("v7: b64 = fdiv.f64.rn v6, v4", " fdiv."), 1);
    }
}
