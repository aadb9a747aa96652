//! The order of the work on LLVM IR: what decides it, and that bytes do not depend on it.

use crate::common::{Bench, Ran, command, finish, trace};
use raddle_filetest::llvm;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// The number of modules, and of kernels in each.
const MODULES: usize = 4;
const KERNELS: usize = 3;

/// Modules of kernels that call functions of their own module and of the next one, by name and by
/// address, and share a variable.
fn modules(bench: &Bench) -> Vec<String> {
    let module = |m: usize| {
        let next = (m + 1) % MODULES;
        let mut text = format!(
            "source_filename = \"m{m}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\
             @count{m} = internal addrspace(1) global i32 {m}, align 4\n@table{m} = internal addrspace(1) global [1 x ptr] [ptr @own]\n\
             declare i32 @shared{next}(i32)\n\
             define internal i32 @own(i32 %x) noinline {{ %y = mul i32 %x, {} ret i32 %y }}\n\
             define i32 @shared{m}(i32 %x) {{ %c = load volatile i32, ptr addrspace(1) @count{m}\n %y = add i32 %x, %c ret i32 %y }}\n",
            m + 3
        );
        for k in 0..KERNELS {
            writeln!(
                text,
                "define ptx_kernel void @k{m}_{k}(ptr addrspace(1) %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  %f = load volatile ptr, ptr addrspace(1) @table{m}
  %y = call i32 %f(i32 %x)
  %z = call i32 @shared{m}(i32 %y)
  %w = call i32 @shared{next}(i32 %z)
  %v = add i32 %w, {k}
  store i32 %v, ptr addrspace(1) %p
  ret void
}}"
            )
            .unwrap();
        }
        text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n"
    };
    (0..MODULES).map(|m| bench.file(&format!("m{m}.ll"), module(m))).collect()
}

/// What a command says, with options of its environment; the output is in the folder.
fn made(bench: &Bench, library: &Path, files: &[&str], args: &[&str], chaos: Option<u64>) -> (Vec<u8>, Ran) {
    let (library, out) = (library.display().to_string(), bench.path("out.cubin"));
    let mut command = command(&[&["compile", "--llvm", &library, "-o", &out], files, args].concat());
    // A ledger of memory of its own.
    command.env("XDG_RUNTIME_DIR", bench.dir.path());
    if let Some(seed) = chaos {
        command.env("RADDLE_CHAOS", seed.to_string());
    }
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    (std::fs::read(out).unwrap(), ran)
}

#[test]
fn twenty_builds_in_any_order_have_the_same_bytes() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = modules(&bench);
        for mode in [&["--lto-partitions=9"][..], &["--lto=thin", "--lto-partitions=9"]] {
            let mut first: Option<Vec<u8>> = None;
            for run in 0..10 {
                // Workers, order of the inputs, and order and delays of tasks.
                let jobs = format!("-j{}", 1 + run % 4);
                let mut order: Vec<&str> = files.iter().map(String::as_str).collect();
                order.rotate_left(run % MODULES);
                if run % 3 == 1 {
                    order.reverse();
                }
                let chaos = (run % 2 == 1).then_some(run as u64);
                let (bytes, _) = made(&bench, &library, &order, &[mode, &[&*jobs]].concat(), chaos);
                let first = first.get_or_insert_with(|| bytes.clone());
                assert!(*first == bytes, "LLVM {major} {mode:?}, run {run}");
            }
        }
    }
}

/// The names of the tasks of parts, in the order in which they began.
fn begun(trace: &Value) -> Vec<String> {
    let events = trace["traceEvents"].as_array().unwrap();
    let tasks = events.iter().filter(|event| event["cat"] == "kernel" && event["ph"] == "X");
    let mut tasks: Vec<(u64, String)> = tasks
        .map(|task| (task["ts"].as_u64().unwrap(), task["name"].as_str().unwrap().to_owned()))
        .filter(|(_, name)| name.starts_with("part_"))
        .collect();
    tasks.sort();
    // The kernels of a part may have tasks of their own later.
    let mut names: Vec<String> = Vec::new();
    tasks.into_iter().for_each(|(_, name)| names.extend(Some(name).filter(|name| !names.contains(name))));
    names
}

#[test]
fn parts_of_a_greater_priority_begin_first_and_bytes_stay_the_same() {
    // From the least to the most work, which begins first otherwise.
    let kernel = |name: &str, length: usize, priority: Option<u32>| {
        let attribute = priority.map_or(String::new(), |number| format!(" \"raddle-priority\"=\"{number}\""));
        let steps: String = (0..length).map(|n| format!("  %x{} = mul i32 %x{n}, %x{n}\n", n + 1)).collect();
        format!(
            "define ptx_kernel void @part_{name}(ptr addrspace(1) %p) #0{attribute} {{\n  %x0 = load i32, ptr addrspace(1) %p\n{steps}  \
             store i32 %x{length}, ptr addrspace(1) %p\n  ret void\n}}\n"
        )
    };
    let module = |priorities: [Option<u32>; 4]| {
        let kernels = [("a", 2), ("b", 20), ("c", 60), ("d", 120)].into_iter().zip(priorities);
        let kernels: String = kernels.map(|((name, length), priority)| kernel(name, length, priority)).collect();
        format!("target triple = \"nvptx64-nvidia-cuda\"\n{kernels}attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}\n")
    };
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let times = bench.path("times.json");
        let mut first: Option<Vec<u8>> = None;
        for (priorities, order) in [
            ([None; 4], ["d", "c", "b", "a"]),
            ([Some(65535), None, None, None], ["a", "d", "c", "b"]),
            ([Some(7), Some(7), None, Some(6)], ["b", "a", "d", "c"]),
            ([Some(4), Some(3), Some(2), Some(1)], ["a", "b", "c", "d"]),
        ] {
            let file = bench.file("kernels.ll", module(priorities));
            for mode in ["--lto=partial", "--lto=thin"] {
                let args = ["-j1", "--lto-partitions=99", mode, "--timings", &times];
                let (bytes, _) = made(&bench, &library, &[&file], &args, None);
                let names: Vec<String> = order.iter().map(|name| format!("part_{name}")).collect();
                assert_eq!(begun(&trace::read(&times)), names, "LLVM {major} {mode} {priorities:?}");
                let first = first.get_or_insert_with(|| bytes.clone());
                assert!(*first == bytes, "LLVM {major} {mode} {priorities:?}");
            }
        }
    }
}

#[test]
fn little_memory_admits_one_worker_of_llvm_at_a_time_in_every_step() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = modules(&bench);
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let times = bench.path("times.json");
        let build = |limit: &str| {
            let args = ["-j4", "--lto-partitions=9", "--max-memory", limit, "--history", "off", "--timings", &times];
            let args = [&args[..], &["--explain", "--message-format", "json"]].concat();
            // Chaos allows more workers than CPUs.
            let (bytes, ran) = made(&bench, &library, &files, &args, Some(5));
            let trace = trace::read(&times);
            let build: Value = serde_json::from_str(ran.stderr.trim()).unwrap();
            (bytes, trace::most(&[trace]), build)
        };
        let (much, together, free) = build("64G");
        assert!(together > 1 && free["memory_wait_ms"] == 0.0, "LLVM {major}: {together} at once, {free}");
        // Less than one worker needs, as one task can always run; and less than two need.
        for limit in ["1M", "150M"] {
            let (little, together, held) = build(limit);
            assert!(together == 1 || limit != "1M", "LLVM {major} {limit}: {held}");
            assert!(held["memory_wait_ms"].as_f64().unwrap() > 0.0, "LLVM {major} {limit}: {held}");
            assert!(little == much, "LLVM {major} {limit}");
            let steps = held["llvm"]["steps"].as_array().unwrap();
            let names: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
            assert_eq!(names, ["read", "simplify", "link", "parts"], "LLVM {major} {limit}");
            for step in steps {
                let time = |name: &str| step[name].as_f64().unwrap();
                assert!(time("work_ms") <= time("wall_ms") * 1.02 + 0.5, "LLVM {major} {limit}: {step}");
            }
        }
    }
}
