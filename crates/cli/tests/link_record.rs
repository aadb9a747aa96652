//! PTX inputs of a link are compiled as by `raddle compile`: with cache, history, limits and the
//! same explanation.

use crate::common::{Bench, UNSUPPORTED, raddle};

const HEADER: &str = ".version 8.1\n.target sm_90\n.address_size 64\n";

/// A module with one kernel.
fn module(kernel: &str, body: &str) -> String {
    format!("{HEADER}.visible .entry {kernel}(.param .u64 p) {{ .reg .b64 %d; .reg .b32 %r; {body} ret; }}\n")
}

const STORE: &str = "ld.param.u64 %d, [p]; st.global.u32 [%d], 7;";

#[test]
fn a_second_link_takes_its_kernels_from_the_cache() {
    let bench = Bench::new();
    let (a, b) = (bench.file("a.ptx", module("a", STORE)), bench.file("b.ptx", module("b", STORE)));
    let (cache, first, second) = (bench.path("cache"), bench.path("1.cubin"), bench.path("2.cubin"));
    let link = |out: &str| raddle(&["link", &a, &b, "--cache", &cache, "-v", "-o", out]);
    let (cold, warm) = (link(&first), link(&second));
    assert_eq!((cold.code, warm.code), (Some(0), Some(0)), "{}{}", cold.stderr, warm.stderr);
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
    assert!(warm.stderr.contains("cache: 2 of 2 kernels"), "{}", warm.stderr);
}

#[test]
fn all_kernels_that_fail_are_listed_and_kept() {
    let bench = Bench::new();
    let a = bench.file("a.ptx", module("a", UNSUPPORTED));
    let b = bench.file("b.ptx", module("b", UNSUPPORTED));
    let (kept, out) = (bench.path("kept"), bench.path("out.cubin"));
    let ran = raddle(&["link", &a, &b, "-k", "--reproduce", &kept, "-o", &out]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("in function `a`") && ran.stderr.contains("in function `b`"), "{}", ran.stderr);
    for name in ["a.ptx", "b.ptx"] {
        assert!(std::path::Path::new(&kept).join(name).is_file(), "{name} in {kept}");
    }
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_link_has_a_timeline_a_page_and_a_history() {
    let bench = Bench::new();
    let a = bench.file("a.ptx", module("a", STORE));
    let [timings, page, history, out] = ["t.json", "p.html", "h", "o.cubin"].map(|name| bench.path(name));
    let ran =
        raddle(&["link", &a, "-o", &out, "--timings", &timings, "--report", &page, "--history", &history, "--explain"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let trace: serde_json::Value = serde_json::from_slice(&std::fs::read(timings).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|event| event["name"] == "a"), "{trace}");
    assert!(std::fs::read_to_string(page).unwrap().contains("<html"));
    assert!(std::fs::metadata(history).unwrap().len() > 0);
    assert!(ran.stderr.contains("worker"), "{}", ran.stderr);
}

#[test]
fn without_ptx_they_have_no_effect() {
    let bench = Bench::new();
    let source = bench.file("a.ptx", module("a", STORE));
    let (object, out) = (bench.path("a.o"), bench.path("o.cubin"));
    assert_eq!(raddle(&["compile", "-c", &source, "-o", &object]).code, Some(0));
    let ran = raddle(&["link", &object, "-o", &out, "--cache", &bench.path("c"), "--kernel-timeout", "5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("no input is PTX: --cache, --kernel-timeout has no effect"), "{}", ran.stderr);
}

#[test]
fn no_output_takes_the_place_of_an_input_or_of_another() {
    let bench = Bench::new();
    let text = module("a", STORE);
    let (a, out) = (bench.file("a.ptx", &text), bench.path("o.cubin"));
    for (option, at, what) in [("--timings", &a, "an input and an output"), ("--report", &out, "named as two outputs")]
    {
        let ran = raddle(&["link", &a, "-o", &out, option, at]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read_to_string(a).unwrap(), text);
    assert!(!std::path::Path::new(&out).exists());
}
