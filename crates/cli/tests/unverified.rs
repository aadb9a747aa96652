//! Kernels with instructions that interpreter or simulator cannot run are called unverified
//! wherever a kernel is described.

mod common;

use common::{Bench, command, finish, raddle};
use serde_json::Value;

/// A kernel with a matrix product in a function that it calls, one with a transfer in its own body,
/// and one without either.
const MODULE: &str = "\
.version 8.0
.target sm_90
.address_size 64
.func f(.param .b64 p)
{
    .reg .b64 %p; .reg .b32 %a<4>, %b<2>; .reg .f32 %c<4>;
    ld.param.u64 %p, [p];
    ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%p]; ld.global.v2.b32 {%b0, %b1}, [%p+16]; ld.global.v4.f32 {%c0, %c1, %c2, %c3}, [%p+32];
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
    st.global.v4.f32 [%p+32], {%c0, %c1, %c2, %c3};
    ret;
}
.visible .entry product(.param .u64 p)
{
    .reg .b64 %p;
    ld.param.u64 %p, [p];
    { .param .b64 a; st.param.b64 [a], %p; call f, (a); }
    ret;
}
.visible .entry transfer(.param .u64 p)
{
    .shared .align 16 .b8 s[512];
    .reg .b64 %p; .reg .b32 %a, %r;
    ld.param.u64 %p, [p]; mov.u32 %a, s;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, [%a];
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, [%a+128];
    st.global.u32 [%p], %r;
    ret;
}
.visible .entry plain() { ret; }
";

const PRODUCT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const TRANSFER: &str = "ldmatrix.sync.aligned.m8n8.x1.shared.b16";

#[test]
fn a_check_says_which_kernels_are_unverified() {
    let bench = Bench::new();
    let module = bench.file("m.ptx", MODULE);
    let ran = raddle(&["check", &module]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("info[E0088]").count(), 2, "{}", ran.stderr);
    for part in ["'product' is unverified", PRODUCT, "'transfer' is unverified", &format!("{TRANSFER} (2 times)")] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.ends_with("instructions: all supported, 2 kernels unverified\n"), "{text}");
    let json = raddle(&["check", &module, "--message-format", "json"]);
    let object: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(object["unverified"], serde_json::json!(["product", "transfer"]));
    let plain = bench.file("plain.ptx", common::EMPTY_KERNEL);
    let ran = raddle(&["check", &plain]);
    assert!(ran.stderr.is_empty() && ran.stdout.ends_with(b"all supported\n"), "{}", ran.stderr);
}

#[test]
fn a_build_says_so_too_with_a_warm_cache_and_after_a_crash() {
    let bench = Bench::new();
    let module = bench.file("m.ptx", MODULE);
    let (cache, page) = (bench.path("cache"), bench.path("page.html"));
    let lines = |fault: Option<&str>| -> Vec<Value> {
        let args = ["compile", &module, "-o", "/dev/null", "-v", "--cache", &cache, "--report", &page];
        let mut command = command(&[&args[..], &["--message-format", "json"]].concat());
        command.envs(fault.map(|fault| ("RADDLE_FAULT", fault)));
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.filter(|line: &Value| line["kind"] == "kernel").collect()
    };
    let unverified = |kernels: &[Value]| -> Vec<Value> { kernels.iter().map(|k| k["unverified"].clone()).collect() };
    let want = [serde_json::json!([PRODUCT]), serde_json::json!([TRANSFER]), serde_json::json!([])];
    for fault in [None, None, Some("segv-once:product")] {
        assert_eq!(unverified(&lines(fault)), want, "{fault:?}");
        let text = std::fs::read_to_string(&page).unwrap();
        let data = text.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(unverified(data["kernels"].as_array().unwrap()), want, "{fault:?}");
    }
    let human = raddle(&["compile", &module, "-o", "/dev/null", "-v"]).stderr;
    let line =
        format!("unverified: the interpreter or the simulator cannot run all of 'transfer': {TRANSFER} (2 times)\n");
    assert!(human.contains(&line) && human.matches("unverified: ").count() == 2, "{human}");
    let quiet = raddle(&["compile", &module, "-o", "/dev/null"]);
    assert_eq!((quiet.code, &quiet.stderr[..]), (Some(0), ""), "without -v nothing is said");
}
