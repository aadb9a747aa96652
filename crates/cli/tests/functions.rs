//! Functions that are not inlined are reported like kernels (DRV-15, ISO-4): in the table, in the
//! format of ptxas, as JSON, on the page.

use crate::common::{Bench, corpus, raddle};
use serde_json::Value;

/// Four kernels and a recursive function.
fn beside() -> String {
    corpus().join("calls/beside.ptx").to_str().unwrap().to_string()
}

fn said(format: &str, more: &[&str]) -> String {
    let module = beside();
    let args = ["compile", &module, "-o", "/dev/null", "-v", "-w", "--history", "off", "--message-format", format];
    let ran = raddle(&[&args, more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stderr
}

/// The objects of a kind.
fn of_kind(lines: &str, kind: &str) -> Vec<Value> {
    let objects = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.filter(|object| object["kind"] == kind).collect()
}

#[test]
fn every_format_describes_functions() {
    let json = said("json", &[]);
    let (kernels, functions) = (of_kind(&json, "kernel"), of_kind(&json, "function"));
    assert_eq!((kernels.len(), functions.len()), (4, 1), "{json}");
    let function = &functions[0];
    let name = function["name"].as_str().unwrap();
    for field in ["registers", "stack", "code", "instructions", "sass_instructions", "peak_bytes", "wall_ms"] {
        assert!(function[field].as_f64().unwrap() > 0.0, "{field}: {function}");
    }
    assert!(function["compiled"] == true && function["key"].as_str().unwrap().len() == 64, "{function}");
    let same: Vec<&str> = kernels[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(function.as_object().unwrap().keys().collect::<Vec<_>>(), same, "one schema");
    let human = said("human", &[]);
    let head = human.lines().position(|line| line.split_whitespace().last() == Some("function")).unwrap();
    assert_eq!(human.lines().nth(head + 1).unwrap().split_whitespace().last(), Some(name), "{human}");
    assert!(human.contains("\n4 kernels and 1 function for "), "{human}");
    let ptxas = said("ptxas", &[]);
    let stack = &function["stack"];
    let words = format!("ptxas info    : Function properties for {name}\n    {stack} bytes stack frame, ");
    assert!(ptxas.contains(&words), "{ptxas}");
    assert!(!ptxas.contains(&format!("Compiling entry function '{name}'")), "{ptxas}");
}

#[test]
fn the_page_and_the_summary_list_functions() {
    let bench = Bench::new();
    let (page, trace) = (bench.path("page.html"), bench.path("trace.json"));
    let human = said("human", &["--report", &page, "--timings", &trace, "--explain"]);
    let page = std::fs::read_to_string(page).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let functions = data["functions"].as_array().unwrap();
    assert_eq!((data["kernels"].as_array().unwrap().len(), functions.len()), (4, 1));
    let name = functions[0]["name"].as_str().unwrap();
    assert!(functions[0]["kind"] == "function" && functions[0]["shown"].is_string() && functions[0]["cost"].is_u64());
    // Its time is included in the total.
    let sum: f64 = ["kernels", "functions"]
        .iter()
        .flat_map(|list| data[list].as_array().unwrap())
        .map(|unit| unit["wall_ms"].as_f64().unwrap())
        .sum();
    let told = data["build"]["sum_ms"].as_f64().unwrap();
    assert!((sum - told).abs() < 0.01, "{sum} {told}");
    let costliest = human.split_once("costliest kernels").unwrap().1;
    assert!(costliest.contains(name), "{human}");
    // The timeline includes its figures, too.
    let trace: Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let with_numbers = events.iter().filter(|event| event["name"] == name && event["args"]["registers"].is_u64());
    assert_eq!(with_numbers.count(), 1);
}

#[test]
fn a_function_compiled_in_a_process_of_its_own_has_its_numbers() {
    let names: Vec<Value> = of_kind(&said("json", &[]), "function");
    let name = names[0]["name"].as_str().unwrap();
    let module = beside();
    let mut command =
        crate::common::command(&["compile", &module, "-o", "/dev/null", "-v", "--message-format", "json"]);
    command.env("RADDLE_FAULT", format!("segv-once:{name}"));
    let ran = crate::common::finish(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let functions = of_kind(&ran.stderr, "function");
    assert_eq!(functions.len(), 1, "{}", ran.stderr);
    for field in ["registers", "instructions", "peak_bytes"] {
        assert!(functions[0][field].as_u64().unwrap() > 0, "{field}: {}", functions[0]);
    }
}

/// Two modules that call each other, directly and through a table of addresses.
const CALLER: &str = ".version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) twice (.param .b32 x);
.extern .func (.param .b32 r) thrice (.param .b32 x);
.visible .global .u64 table[2] = {twice, thrice};
.visible .func (.param .b32 r) base (.param .b32 x) {
  .reg .b32 %x;
  ld.param.b32 %x, [x];
  add.s32 %x, %x, 100;
  st.param.b32 [r], %x;
  ret;
}
.visible .entry direct(.param .u64 p) {
  .reg .b64 %p, %o; .reg .b32 %x, %t;
  ld.param.u64 %p, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.s64 %p, %p, %o;
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %t;
    call (b), twice, (a);
    ld.param.b32 %x, [b]; }
  st.global.b32 [%p], %x;
  ret;
}
.visible .entry indirect(.param .u64 p) {
  .reg .b64 %p, %o, %f; .reg .b32 %x, %t, %odd;
  ld.param.u64 %p, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.s64 %p, %p, %o;
  and.b32 %odd, %t, 1;
  mul.wide.u32 %o, %odd, 8;
  mov.u64 %f, table;
  add.s64 %f, %f, %o;
  ld.global.u64 %f, [%f];
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %t;
    shape: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %f, (a), shape;
    ld.param.b32 %x, [b]; }
  st.global.b32 [%p], %x;
  ret;
}
.visible .entry alone() { ret; }
";
const CALLEES: &str = ".version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) base (.param .b32 x);
.visible .func (.param .b32 r) twice (.param .b32 x) {
  .reg .b32 %x, %y;
  ld.param.b32 %x, [x];
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %x;
    call (b), base, (a);
    ld.param.b32 %y, [b]; }
  shl.b32 %y, %y, 1;
  st.param.b32 [r], %y;
  ret;
}
.visible .func (.param .b32 r) thrice (.param .b32 x) {
  .reg .b32 %x;
  ld.param.b32 %x, [x];
  mul.lo.s32 %x, %x, 3;
  st.param.b32 [r], %x;
  ret;
}
";

#[test]
fn modules_of_one_program_call_each_other() {
    let bench = Bench::new();
    let (caller, callees) = (bench.file("caller.ptx", CALLER), bench.file("callees.ptx", CALLEES));
    let cubin = bench.path("out.cubin");
    let words = |of: &dyn Fn(u32) -> u32| (0..32).map(of).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    for files in [[&caller, &callees], [&callees, &caller]] {
        for level in ["-O0", "-O3"] {
            let ran = raddle(&["compile", files[0], files[1], level, "-o", &cubin]);
            assert_eq!(ran.code, Some(0), "{level}: {}", ran.stderr);
            let run = |kernel: &str| {
                let buffer = bench.file("p", words(&|_| 0));
                let ran =
                    raddle(&["run", &cubin, "--kernel", kernel, "--block", "32", "--arg", &format!("inout:{buffer}")]);
                assert_eq!(ran.code, Some(0), "{kernel}, {level}: {}", ran.stderr);
                std::fs::read(buffer).unwrap()
            };
            assert!(run("direct") == words(&|x| (x + 100) * 2), "{level}");
            assert!(run("indirect") == words(&|x| if x & 1 == 0 { (x + 100) * 2 } else { x * 3 }), "{level}");
        }
    }
    let alone = raddle(&["compile", &caller, "-o", &cubin]);
    assert_eq!(alone.code, Some(3));
    assert!(alone.stderr.contains("`twice` is not defined here"), "{}", alone.stderr);
}

/// A call through a register of 32 bits is one through the zero-extended address (ptxas 13.0.88
/// output); no code is at such an address here.
#[test]
fn a_call_through_32_bits_takes_a_zero_for_the_upper_half() {
    let bench = Bench::new();
    let code = |call: &str| {
        let module = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b64 %p, %a; \
             .reg .b32 %t, %x;\nld.param.u64 %p, [p]; ld.global.u32 %t, [%p]; ld.global.u32 %x, [%p+4];\n\
             P: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n{call}\nst.global.u32 [%p], %x; ret;\n}}\n"
        );
        let (source, cubin) = (bench.file("k.ptx", module), bench.path("k.cubin"));
        let ran = raddle(&["compile", "-w", &source, "-o", &cubin]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{call}");
        String::from_utf8(raddle(&["disasm", "--control", &cubin]).stdout).unwrap()
    };
    let narrow = code("call (%x), %t, (%x), P;");
    assert!(narrow.contains("CALL"), "{narrow}");
    assert_eq!(narrow, code("cvt.u64.u32 %a, %t; call (%x), %a, (%x), P;"));
}
