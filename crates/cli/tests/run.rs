//! `raddle run` with the real command: results, arguments, failures.

use crate::common::{Bench, corpus, kernel, raddle};

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

#[test]
fn saxpy_in_the_interpreter() {
    let bench = Bench::new();
    let x = bench.file("x", floats((0..100).map(|i| i as f32)));
    let y = bench.file("y", floats((0..100).map(|_| 1.0)));
    let (x, y) = (format!("in:{x}"), format!("inout:{y}"));
    let module = kernel("saxpy");
    let args = ["run", &module, "--grid", "2", "--block", "32", "--arg", "s32:100", "--arg", "f32:2.5"];
    let ran = raddle(&[&args[..], &["--arg", &x, "--arg", &y, "--stats"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(std::fs::read(bench.path("y")).unwrap(), floats((0..100).map(|i| 2.5 * i as f32 + 1.0)));
    assert!(String::from_utf8(ran.stdout).unwrap().contains("thread instructions"));
    let ran = raddle(&[&args[..], &["--arg", &x, "--arg", &y, "--stats", "--message-format", "json"]].concat());
    let stats: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert!(stats["kind"] == "stats" && stats["thread_instructions"].as_u64() > Some(1000), "{stats}");
}

#[test]
fn a_stray_access_is_a_failure_with_its_line_and_writes_nothing() {
    let bench = Bench::new();
    let x = format!("in:{}", bench.file("x", floats([1.0; 10])));
    let y = format!("out:{}:44", bench.path("y"));
    let module = kernel("saxpy");
    let args = ["run", &module, "--block", "32", "--arg", "s32:11", "--arg", "f32:1", "--arg", &x, "--arg", &y];
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("E0050") && ran.stderr.contains("nvcc.ptx:"), "{}", ran.stderr);
    assert!(ran.stderr.contains("thread (10,0,0)"), "{}", ran.stderr);
    assert_eq!(bench.listing(), ["x"]);
}

#[test]
fn launches_that_do_not_fit_are_usage_errors() {
    let module = kernel("saxpy");
    for extra in [
        &["--arg", "s32:1"][..],
        &["--grid", "0"],
        &["--block", "x"],
        &["--arg", "u32:99999999999"],
        &["--kernel", "nosuch"],
    ] {
        let ran = raddle(&[&["run", &module], extra].concat());
        assert_eq!(ran.code, Some(2), "{extra:?}: {}", ran.stderr);
    }
    let ran = raddle(&["run", &module, "--arg", "in:/nonexistent"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

#[test]
fn our_machine_code_in_the_simulator_gives_what_the_interpreter_gives() {
    let bench = Bench::new();
    let cubin = bench.path("cubin");
    let module = kernel("saxpy");
    let x = format!("in:{}", bench.file("x", floats((0..300).map(|i| i as f32 / 7.0))));
    for arch in ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"] {
        assert_eq!(raddle(&["compile", &module, "-o", &cubin, "--arch", arch]).code, Some(0));
        let mut results = Vec::new();
        for program in [&module, &cubin] {
            let y = bench.file("y", floats((0..300).map(|i| -(i as f32))));
            let y_arg = format!("inout:{y}");
            let args = ["run", program, "--grid", "3", "--block", "64", "--arg", "s32:300", "--arg", "f32:0.1"];
            let ran = raddle(&[&args[..], &["--arg", &x, "--arg", &y_arg]].concat());
            assert_eq!(ran.code, Some(0), "{program} for {arch}: {}", ran.stderr);
            results.push(std::fs::read(y).unwrap());
        }
        assert!(results[0] == results[1], "{arch}");
    }
}

#[test]
fn a_trace_names_every_instruction() {
    let bench = Bench::new();
    let cubin = bench.path("cubin");
    assert_eq!(raddle(&["compile", &kernel("saxpy"), "-o", &cubin]).code, Some(0));
    let (x, y) = (bench.file("x", floats([1.0; 4])), bench.file("y", floats([1.0; 4])));
    let (x, y) = (format!("in:{x}"), format!("inout:{y}"));
    let args =
        ["run", &cubin, "--block", "32", "--trace", "--arg", "s32:4", "--arg", "f32:3", "--arg", &x, "--arg", &y];
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("FMUL") && ran.stderr.contains("EXIT"), "{}", ran.stderr);
}

#[test]
fn what_a_kernel_prints_is_on_standard_output() {
    let bench = Bench::new();
    let values = (0..32u32).flat_map(|i| [7 * i + 3, 1000 - 13 * i]).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let out = format!("in:{}", bench.file("values", values));
    let module = |name: &str| corpus().join("calls").join(name).display().to_string();
    let run = |file: &str, more: &[&str]| raddle(&[&["run", file, "--block", "32", "--arg", &out], more].concat());
    let cubin = bench.path("system.cubin");
    let compiled = raddle(&["compile", &module("system.ptx"), "--arch", "sm_90", "-o", &cubin]);
    assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
    for file in [module("system.ptx"), cubin] {
        let ran = run(&file, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), "tid 0 abc 0\ntid 8 abc 2\ntid 16 abc 4\ntid 24 abc 6\n");
        let printed = run(&file, &["--message-format", "json"]);
        let printed: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
        assert!(printed["kind"] == "printed" && printed["text"].as_str().unwrap().lines().count() == 4, "{printed}");
    }
    let failed = run(&module("assert.ptx"), &[]);
    assert_eq!(failed.code, Some(1));
    assert!(failed.stderr.contains("a.cu:17: check: assertion `x < 203` failed"), "{}", failed.stderr);
}

/// Binary16 of an integer below 2048.
fn half(value: i32) -> u16 {
    let sign = u16::from(value < 0) << 15;
    match value.unsigned_abs() {
        0 => sign,
        n => sign | (n.ilog2() as u16 + 15) << 10 | (n << (10 - n.ilog2())) as u16 & 0x3ff,
    }
}

#[test]
fn a_matrix_product_runs_in_the_interpreter() {
    let bench = Bench::new();
    let (a, b) = (|i: i32, k: i32| (7 * i + 3 * k) % 11 - 5, |k: i32, j: i32| (5 * k + 2 * j) % 9 - 4);
    let square = || (0..16).flat_map(|i| (0..16).map(move |j| (i, j)));
    let halves = |f: &dyn Fn(i32, i32) -> i32| square().flat_map(|(i, j)| half(f(i, j)).to_le_bytes()).collect();
    let a_file: Vec<u8> = halves(&a);
    let b_file: Vec<u8> = halves(&b);
    let (a_file, b_file) = (format!("in:{}", bench.file("a", a_file)), format!("in:{}", bench.file("b", b_file)));
    let d = format!("out:{}:1024", bench.path("d"));
    let module = corpus().join("matrix/product.ptx").display().to_string();
    let args = ["--arg", &a_file, "--arg", &b_file, "--arg", &d];
    let ran = raddle(&[&["run", &module, "--block", "32"], &args[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let sum = |(i, j)| (0..16).map(|k| a(i, k) * b(k, j)).sum::<i32>() as f32;
    assert!(square().any(|at| sum(at) != 0.0));
    assert_eq!(std::fs::read(bench.path("d")).unwrap(), floats(square().map(sum)));
    // Half a warp cannot multiply.
    let ran = raddle(&[&["run", &module, "--block", "16"], &args[..]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("ldmatrix needs all 32 lanes") && ran.stderr.contains("product.ptx:"),
        "{}",
        ran.stderr
    );
}

#[test]
fn recursion_goes_as_deep_as_the_stack() {
    let bench = Bench::new();
    let cubin = bench.path("recursion.cubin");
    let module = corpus().join("calls/recursion.ptx").display().to_string();
    let compiled = raddle(&["compile", &module, "-o", &cubin]);
    assert_eq!(compiled.code, Some(0), "{}", compiled.stderr);
    // The depth is unknown: one warning, for the kernel.
    assert_eq!(compiled.stderr.matches("warning[").count(), 1, "{}", compiled.stderr);
    let out = format!("out:{}:256", bench.path("out"));
    let run = |stack: &str| raddle(&["run", &cubin, "--block", "32", "--arg", &out, "--stack", stack]);
    let deep = run("8192");
    assert_eq!(deep.code, Some(0), "{}", deep.stderr);
    let sums: Vec<u8> = (0..32u32).flat_map(|n| [n * (n + 1) / 2, 0]).flat_map(u32::to_le_bytes).collect();
    assert_eq!(std::fs::read(bench.path("out")).unwrap(), sums);
    let shallow = run("256");
    assert!(shallow.stderr.contains("out of bounds"), "{}", shallow.stderr);
}
