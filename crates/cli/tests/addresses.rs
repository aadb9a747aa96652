//! Addresses of 32 bits, which ptxas 13 does not support either: as the address size of a module,
//! and in an instruction.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle;

/// Statements, whether they are an error, and then what is unsupported. 32 bits are enough for the
/// windows of shared, local and constant memory and of parameters, and for functions.
const STATEMENTS: &[(&str, Option<&str>)] = &[
    ("", None),
    ("ld.param.u32 %r1, [x];", None),
    ("mov.u32 %r1, s; st.shared.u32 [%r1], %r1;", None),
    ("mov.u32 %r1, l; st.local.u32 [%r1], %r1;", None),
    ("mov.u32 %r1, c; ld.const.u32 %r2, [%r1]; st.global.u32 [g], %r2;", None),
    ("mov.u32 %r1, x; ld.param.u32 %r2, [%r1]; st.global.u32 [g], %r2;", None),
    ("mov.u64 %d1, g; ld.global.u32 %r2, [%d1]; st.global.u32 [g+4], %r2;", None),
    ("ld.global.u32 %r2, [g]; st.global.u32 [g+4], %r2;", None),
    ("mov.u32 %r1, 4096; ld.global.u32 %r2, [%r1]; st.global.u32 [g], %r2;", Some("ld.global.u32")),
    ("mov.u32 %r1, 4096; ld.u32 %r2, [%r1]; st.global.u32 [g], %r2;", Some("ld.u32")),
    ("mov.u32 %r1, 4096; st.global.u32 [%r1], %r1;", Some("st.global.u32")),
    ("mov.u32 %r1, 4096; atom.global.add.u32 %r2, [%r1], 4; st.global.u32 [g], %r2;", Some("atom.global.add.u32")),
    ("mov.u32 %r1, 4096; red.add.u32 [%r1], 4;", Some("red.add.u32")),
    ("mov.u32 %r1, 4096; prefetch.global.L1 [%r1];", Some("prefetch.global.L1")),
    ("mov.u32 %r1, 4096; cvta.global.u32 %r2, %r1; st.global.u32 [g], %r2;", Some("cvta.global.u32")),
    ("mov.u32 %r1, s; cvta.shared.u32 %r2, %r1; st.global.u32 [g], %r2;", Some("cvta.shared.u32")),
    ("mov.u32 %r2, g; st.global.u32 [g], %r2;", Some("mov.u32")),
];

fn module(size: &str, statement: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n{size}\n.visible .global .align 8 .b8 g[64];\n.visible .const .align 8 .b8 c[64];\n\
         .visible .entry k(.param .u64 out, .param .u32 x)\n{{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n\
         .shared .align 8 .b8 s[64]; .local .align 8 .b8 l[64];\n{statement}\nret;\n}}\n"
    )
}

#[test]
fn instructions_with_32_bit_addresses_are_named_where_ptxas_refuses_them() {
    let ptxas = oracle::require("ptxas");
    let bench = Bench::new();
    for size in ["", ".address_size 64"] {
        for (statement, refused) in STATEMENTS {
            let input = bench.file("in.ptx", module(size, statement));
            let ran = raddle(&["compile", &input, "-o", "/dev/null"]);
            match refused {
                None => assert_eq!(ran.code, Some(0), "{statement}: {}", ran.stderr),
                Some(name) => {
                    let says = [&format!("unsupported: {name}\n"), "in.ptx:10", "32-bit address"];
                    let all = says.iter().all(|what| ran.stderr.contains(what));
                    assert!(ran.code == Some(3) && all, "{statement}: {}", ran.stderr);
                }
            }
            let Some(ptxas) = &ptxas else { continue };
            let theirs = ptxas.output(&["-arch=sm_80", &input, "-o", &bench.path("out.cubin")]).unwrap();
            let text = String::from_utf8_lossy(&theirs.stderr).into_owned();
            assert_eq!(theirs.status.success(), refused.is_none(), "{statement}: ptxas: {text}");
            assert!(
                refused.is_none() || text.contains("32-Bit compilation is no longer supported"),
                "{statement}: {text}"
            );
        }
    }
}

#[test]
fn modules_with_32_bit_addresses_are_refused_as_by_ptxas() {
    let ptxas = oracle::require("ptxas");
    let bench = Bench::new();
    // A version without this directive is a separate error.
    let empty = ".entry k() { exit; }\n";
    let cases = [
        (module(".address_size 32", ""), Some("has 32-bit addresses")),
        (module(".address_size 32", STATEMENTS[6].0), Some("has 32-bit addresses")),
        (format!(".version 2.3\n.target sm_20\n.address_size 32\n{empty}"), Some("has 32-bit addresses")),
        (
            format!(".version 2.2\n.target sm_20\n.address_size 32\n{empty}"),
            Some("'.address_size' needs PTX version 2.3 or later, the module says 2.2"),
        ),
        (
            format!(".version 1.4\n.target sm_13\n.address_size 64\n{empty}"),
            Some("'.address_size' needs PTX version 2.3 or later, the module says 1.4"),
        ),
        (format!(".version 2.2\n.target sm_20\n{empty}"), None),
    ];
    for (text, refused) in cases {
        let input = bench.file("in.ptx", &text);
        let ran = raddle(&["compile", "--arch", "sm_80", &input, "-o", "/dev/null"]);
        match refused {
            None => assert_eq!(ran.code, Some(0), "{text}: {}", ran.stderr),
            Some(why) => assert!(ran.code == Some(1) && ran.stderr.contains(why), "{text}: {}", ran.stderr),
        }
        let Some(ptxas) = &ptxas else { continue };
        let theirs = ptxas.output(&["-arch=sm_80", &input, "-o", &bench.path("out.cubin")]).unwrap();
        assert_eq!(theirs.status.success(), refused.is_none(), "{text}: {}", String::from_utf8_lossy(&theirs.stderr));
    }
}
