//! Custom calling conventions (`.abi_preserve`, `.abi_preserve_control`): refused for calls that
//! are not inlined, since ptxas compiles such functions with other registers.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle;

const HEADER: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

const BODY: &str = "{ .reg .b32 %r; ld.param.b32 %r, [a]; add.s32 %r, %r, 1; st.param.b32 [r], %r; ret; }\n";

/// A kernel that calls `f`, or an address by `P`.
fn kernel(before: &str, call: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 p) {{ .reg .b64 %d, %t; .reg .b32 %r; ld.param.u64 %d, [p]; ld.global.u64 %t, [%d];\n{{ {before} \
         .param .b32 a; .param .b32 r; st.param.b32 [a], 4;\n{call}\nld.param.b32 %r, [r]; }} st.global.b32 [%d], %r; ret; }}\n"
    )
}

#[test]
fn functions_of_another_convention_are_refused_unless_they_are_inlined() {
    let bench = Bench::new();
    for directive in [".abi_preserve 8", ".abi_preserve_control 0"] {
        let name = directive.split(' ').next().unwrap();
        let function = format!(".visible .func (.param .b32 r) f(.param .b32 a) {directive} {BODY}");
        let declared = format!(".extern .func (.param .b32 r) f(.param .b32 a) {directive};\n");
        let prototype = format!("P: .callprototype (.param .b32 _) _ (.param .b32 _) {directive};");
        let calls = "unsupported: call";
        let cases = [
            (function.clone(), "f", format!("unsupported: {name}\n"), "function 'f' is not inlined".to_owned()),
            (
                declared + &kernel("", "call (r), f, (a);"),
                "k",
                calls.to_owned(),
                format!("function 'f' has `{name}` and is not inlined"),
            ),
            (kernel(&prototype, "call (r), %t, (a), P;"), "k", calls.to_owned(), format!("the prototype has `{name}`")),
        ];
        for (text, place, what, why) in cases {
            let input = bench.file("in.ptx", format!("{HEADER}{text}"));
            let ran = raddle(&["compile", "-c", &input, "-o", "/dev/null"]);
            let says = [what, why, format!("`{place}`")].iter().all(|part| ran.stderr.contains(part));
            assert!(ran.code == Some(3) && says && !ran.stderr.contains(".entry\n"), "{text}: {}", ran.stderr);
        }
        let input = bench.file("in.ptx", format!("{HEADER}{function}{}", kernel("", "call (r), f, (a);")));
        let ran = raddle(&["compile", &input, "-o", "/dev/null"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
}

/// The reason for the refusal: in the object, the type is followed by the differences from the
/// platform's convention.
#[test]
fn ptxas_says_in_the_object_that_a_convention_is_another() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let bench = Bench::new();
    let object = bench.path("f.cubin");
    for (directive, other) in [("", None), (".abi_preserve 8", Some("|")), (".abi_preserve_control 0", Some("|"))] {
        let input =
            bench.file("f.ptx", format!("{HEADER}.visible .func (.param .b32 r) f(.param .b32 a) {directive} {BODY}"));
        ptxas.run(&["-arch=sm_90", "-c", &input, "-o", &object]).unwrap();
        let bytes = std::fs::read(&object).unwrap();
        let at = bytes.windows(3).position(|three| three == b"#ii").unwrap();
        assert_eq!(bytes[at + 3] == b'|', other.is_some(), "{directive}");
    }
}
