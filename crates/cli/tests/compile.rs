//! `raddle compile` with the real command: bytes, outputs, options.

use crate::common::{
    Bench, EMPTY_KERNEL, FAULT, UNSUPPORTED, UNSUPPORTED_NAME, command, corpus, finish, kernel, raddle,
};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// Compiles and returns the bytes.
fn bytes(args: &[&str], chaos: Option<u32>) -> Vec<u8> {
    let mut command = command(&[&["compile", "-o", "-"], args].concat());
    if let Some(seed) = chaos {
        command.env("RADDLE_CHAOS", seed.to_string());
    }
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    assert!(ran.stdout.starts_with(b"\x7fELF"));
    ran.stdout
}

#[test]
fn the_same_bytes_for_any_number_of_workers_and_any_order() {
    let eight = eight();
    let first = bytes(&[&eight, "-j1"], None);
    for jobs in ["-j1", "-j2", "-j3", "-j4", "-j8", "-j0"] {
        assert_eq!(bytes(&[&eight, jobs], None), first, "{jobs}");
        for seed in 0..4 {
            assert_eq!(bytes(&[&eight, jobs], Some(seed)), first, "{jobs}, seed {seed}");
        }
    }
}

#[test]
fn the_path_of_the_input_does_not_reach_the_bytes() {
    let bench = Bench::new();
    let copy = bench.file("other name.ptx", std::fs::read(eight()).unwrap());
    assert_eq!(bytes(&[&copy], None), bytes(&[&eight()], None));
}

#[test]
fn messages_come_in_input_order_for_any_order_of_work() {
    let bench = Bench::new();
    let kernels: String = (0..30)
        .map(|i| format!(".visible .entry k{i}()\n{{\n{}frob;\n}}\n", "  membar.gl;\n".repeat(i * 37 % 50)))
        .collect();
    let input = bench.file("k.ptx", format!(".version 8.0\n.target sm_90\n.address_size 64\n{kernels}"));
    let said = |jobs: &str, seed: Option<u32>| {
        let mut command = command(&["compile", &input, "-o", "/dev/null", jobs]);
        if let Some(seed) = seed {
            command.env("RADDLE_CHAOS", seed.to_string());
        }
        let ran = finish(command);
        assert_eq!(ran.code, Some(1));
        ran.stderr
    };
    let first = said("-j1", None);
    assert_eq!(first.matches("E0120").count(), 30, "{first}");
    let places: Vec<usize> = (0..30).map(|i| first.find(&format!("in function `k{i}`")).unwrap()).collect();
    assert!(places.is_sorted());
    for seed in 0..5 {
        assert_eq!(said("-j8", Some(seed)), first);
    }
}

#[test]
fn outputs_of_every_kind() {
    let bench = Bench::new();
    let saxpy = kernel("saxpy");
    let whole = bytes(&[&saxpy], None);
    let to = |path: &str| raddle(&["compile", &saxpy, "-o", path]);

    let file = bench.file("file", "old");
    assert_eq!(to(&file).code, Some(0));
    assert_eq!(std::fs::read(&file).unwrap(), whole);

    let link = bench.path("link");
    symlink(&file, &link).unwrap();
    std::fs::write(&file, "old").unwrap();
    assert_eq!(to(&link).code, Some(0));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&file).unwrap(), whole);

    assert_eq!(to("/dev/null").code, Some(0));
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let full = to("/dev/full");
    assert_eq!(full.code, Some(1));
    assert!(full.stderr.contains("E0010") && full.stderr.contains("/dev/full"), "{}", full.stderr);

    for path in ["/nonexistent/out", bench.dir.path().to_str().unwrap()] {
        let ran = to(path);
        assert_eq!(ran.code, Some(1), "{path}");
        assert!(ran.stderr.contains("E0010"), "{}", ran.stderr);
    }

    let pipe = bench.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    assert_eq!(to(&pipe).code, Some(0));
    assert_eq!(reader.join().unwrap(), whole);
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(bench.listing(), ["file", "link", "pipe"]);
}

#[test]
fn a_file_size_limit_is_an_error_and_leaves_the_old_file() {
    let bench = Bench::new();
    let file = bench.file("file", "old");
    let script =
        format!("ulimit -f 0; trap '' XFSZ; exec {} compile {} -o {file}", env!("CARGO_BIN_EXE_raddle"), eight());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]);
    let ran = finish(shell);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0010"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&file).unwrap(), b"old");
    assert_eq!(bench.listing(), ["file"]);
}

/// SIGXFSZ, the signal of the limit, has no handler of a test runner: it neither ends the build nor
/// reaches child processes.
#[test]
fn a_file_size_limit_ends_no_build_with_a_temporary() {
    let bench = Bench::new();
    let file = bench.file("file", "old");
    let script = format!("ulimit -f 0; exec {} compile {} -o {file}", env!("CARGO_BIN_EXE_raddle"), eight());
    let mut shell = Command::new("env");
    shell.args(["--default-signal", "sh", "-c", &script]).env_remove("MAKEFLAGS");
    let ran = finish(shell);
    assert!(ran.code == Some(1) && ran.stderr.contains("E0010"), "{:?} {}", ran.code, ran.stderr);
    assert_eq!((std::fs::read(&file).unwrap(), bench.listing()), (b"old".to_vec(), vec!["file".to_string()]));
}

#[test]
fn every_emission_is_text_about_each_kernel() {
    let eight = eight();
    for (what, holds) in [("ir", "saxpy"), ("mir", "EXIT"), ("sass", "EXIT ;")] {
        let ran = raddle(&["compile", &eight, "-o", "-", "--emit", what]);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.contains(holds), "{what}: {text}");
        assert_eq!(
            text,
            String::from_utf8(raddle(&["compile", &eight, "-o", "-", "--emit", what, "-j8"]).stdout).unwrap()
        );
    }
    let ran = raddle(&["compile", &eight, "-o", "/dev/null", "--print-after", "lower"]);
    assert_eq!(ran.stderr.matches("// after lower").count(), 8, "{}", ran.stderr);
}

#[test]
fn a_pass_that_no_kernel_ran_is_a_usage_error_that_lists_those_that_did() {
    let bench = Bench::new();
    for (level, ran_opt) in [("-O1", true), ("-O0", false)] {
        let out = bench.path("out");
        let ran = raddle(&["compile", &kernel("saxpy"), "-o", &out, level, "--print-after", "frob"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("E0048"), "{}", ran.stderr);
        assert!(ran.stderr.contains("lower") && ran.stderr.contains("sass"), "{}", ran.stderr);
        assert_eq!(ran.stderr.contains("gvn"), ran_opt, "{}", ran.stderr);
        assert!(bench.listing().is_empty());
    }
}

#[test]
fn every_kernel_has_its_own_peak_of_memory() {
    let peaks = |jobs: &str| -> std::collections::BTreeMap<String, u64> {
        // Without a history, to which other tests add costs of the same kernels.
        let args = ["compile", &eight(), "-o", "/dev/null", "-v", jobs, "--message-format", "json", "--history", "off"];
        let ran = raddle(&args);
        let lines = ran.stderr.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines
            .map(|kernel| (kernel["name"].as_str().unwrap().to_string(), kernel["peak_bytes"].as_u64().unwrap()))
            .collect()
    };
    let (serial, parallel) = (peaks("-j1"), peaks("-j2"));
    assert_eq!((serial.len(), parallel.len()), (8, 8));
    assert!(serial.values().all(|peak| (10_000..50_000_000).contains(peak)), "{serial:?}");
    assert!(serial["matmul"] > 2 * serial["saxpy"], "{serial:?}");
    // The smallest kernel comes last, when the tables that all kernels share exist.
    let (alone, beside) = (serial["saxpy"], parallel["saxpy"]);
    assert!(alone.abs_diff(beside) < alone / 10, "{alone} alone, {beside} beside another");
}

#[test]
fn what_is_said_of_a_kernel_does_not_depend_on_those_beside_it() {
    let slots = |jobs: &str, seed: Option<&str>| -> Vec<Vec<serde_json::Value>> {
        let mut command = command(&["compile", &eight(), "-o", "/dev/null", "-v", jobs, "--message-format", "json"]);
        command.envs(seed.map(|seed| ("RADDLE_CHAOS", seed)));
        let ran = finish(command);
        let lines = ran.stderr.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let fields = ["name", "registers", "spill_stores", "spill_loads", "instructions", "sass_instructions", "key"];
        lines.map(|kernel| fields.map(|field| kernel[field].clone()).to_vec()).collect()
    };
    let alone = slots("-j1", None);
    assert!(alone.len() == 8 && alone.iter().flatten().all(|value| !value.is_null()), "{alone:?}");
    for seed in ["1", "2", "3"] {
        assert_eq!(slots("-j8", Some(seed)), alone);
    }
}

#[test]
fn failures_without_keep_going_are_those_up_to_the_first_in_input_order() {
    let bench = Bench::new();
    let kernel = |name: &str, body: &str| format!(".visible .entry {name}() {{ {body} ret; }}\n");
    let text =
        ["a", "b", "stops", "d", "e"].map(|name| kernel(name, "membar.gl;")).concat() + &kernel("odd", UNSUPPORTED);
    let input = bench.file("k.ptx", format!(".version 8.0\n.target sm_90\n.address_size 64\n{text}"));
    let said = |fault: &str, jobs: &str, seed: u32, keep: &[&str]| {
        let mut command = command(&[&["compile", &input, "-o", "/dev/null", jobs], keep].concat());
        command.env("RADDLE_FAULT", format!("{fault},{FAULT}")).env("RADDLE_CHAOS", seed.to_string());
        let ran = finish(command);
        assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.stderr);
        ran.stderr
    };
    // The kernel after the failing one fails too, but only if it starts before the failure is
    // known.
    let first = said("resources:*", "-j1", 0, &[]);
    assert_eq!((first.matches("E0031").count(), first.matches("E0030").count()), (1, 1), "{first}");
    assert!(first.contains("function `a`"), "{first}");
    for seed in 0..8 {
        assert_eq!(said("resources:*", "-j8", seed, &[]), first, "seed {seed}");
    }
    let all = said("resources:*", "-j8", 1, &["-k"]);
    assert_eq!((all.matches("E0031").count(), all.matches("E0030").count()), (5, 1), "{all}");
    let stops = said("resources:stops", "-j8", 3, &[]);
    assert!(stops.matches("E0031").count() == 1 && stops.matches("E0030").count() == 1, "{stops}");
}

#[test]
fn kernels_are_selected_by_name_and_pattern() {
    let bench = Bench::new();
    let out = bench.path("out");
    for (select, kernels) in [(["-e", "saxpy"], 1), (["-E", "^reduce_"], 2), (["-E", "."], 8)] {
        let ran = raddle(&["compile", &eight(), "-o", &out, select[0], select[1]]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let info = raddle(&["info", &out, "--json"]).stdout;
        let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
        assert_eq!(info["functions"].as_array().unwrap().len(), kernels, "{select:?}");
    }
}

#[test]
fn several_inputs_make_one_cubin() {
    let bench = Bench::new();
    let out = bench.path("out");
    let files = ["saxpy", "matmul", "transpose"].map(kernel);
    let ran = raddle(&["compile", &files[0], &files[1], &files[2], "-o", &out, "-v"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let info = String::from_utf8(raddle(&["info", &out]).stdout).unwrap();
    assert!(["saxpy", "matmul", "transpose"].iter().all(|name| info.contains(name)), "{info}");
    assert!(ran.stderr.contains("3 kernels for sm_80"), "{}", ran.stderr);
    let twice = raddle(&["compile", &files[0], &files[0], "-o", &out]);
    assert!(twice.code == Some(1) && twice.stderr.contains("E0026"), "{}", twice.stderr);
}

#[test]
fn one_bad_kernel_means_no_output_and_all_are_listed() {
    let bench = Bench::new();
    let saxpy = std::fs::read_to_string(kernel("saxpy")).unwrap();
    let two = [UNSUPPORTED; 2].join(" ");
    let tail = format!(".visible .entry bad() {{ {UNSUPPORTED} ret; }}\n.visible .entry worse() {{ {two} ret; }}\n");
    let input = bench.file("in.ptx", format!("{saxpy}\n{tail}"));
    for keep_going in [&[][..], &["--keep-going"]] {
        let ran = raddle(&[&["compile", &input, "-o", &bench.path("out"), "-v"], keep_going].concat());
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches(&format!("unsupported: {UNSUPPORTED_NAME}")).count(), 3, "{}", ran.stderr);
        assert_eq!(bench.listing(), ["in.ptx"]);
    }
}

#[test]
fn the_timeline_is_a_trace_with_every_kernel() {
    let bench = Bench::new();
    let trace = bench.path("trace.json");
    let ran = raddle(&["compile", &eight(), "-o", "/dev/null", "--timings", &trace]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    let events = value["traceEvents"].as_array().unwrap();
    crate::common::trace::is_sound(&value);
    assert_eq!(events.iter().filter(|event| event["cat"] == "kernel").count(), 8);
    for phase in ["parse", "lower", "opt", "codegen"] {
        assert_eq!(events.iter().filter(|event| event["name"] == phase).count(), 8, "{phase}");
    }
    // Finer: the passes within.
    for pass in ["gvn", "select", "schedule"] {
        let passes = events.iter().filter(|event| event["name"] == pass && event["cat"] == "pass");
        assert!(passes.count() >= 8, "{pass}");
    }
    let of = |kind: &str| events.iter().filter(|event| event["ph"] == kind).collect::<Vec<_>>();
    assert!(of("X").iter().all(|event| event["dur"].is_u64() && event["tid"].is_u64()));
    assert!(
        of("C").iter().any(|event| event["name"] == "memory" && event["args"]["resident"].as_u64() > Some(100_000))
    );
    assert!(of("M").iter().any(|event| event["args"]["name"] == "worker 0"));
    let kernel = events.iter().find(|event| event["name"] == "saxpy").unwrap();
    assert!(kernel["args"]["registers"].as_u64() > Some(4) && kernel["args"]["peak_bytes"].as_u64() > Some(1000));
}

#[test]
fn serial_scheduling_is_a_choice_that_changes_the_code() {
    let ways = [&["-O1"][..], &["-O1", "--sched", "auto"], &["-O1", "--sched", "serial"]];
    let [plain, auto, serial] = ways.map(|way| bytes(&[&[eight().as_str()], way].concat(), None));
    assert!(plain == auto && plain != serial);
}

#[test]
fn register_limits_are_kept_or_refused() {
    let bench = Bench::new();
    let out = bench.path("out");
    let ran = raddle(&["compile", &kernel("matmul"), "-o", &out, "--maxrregcount", "16"]);
    let registers = || {
        let info: serde_json::Value = serde_json::from_slice(&raddle(&["info", &out, "--json"]).stdout).unwrap();
        info["functions"][0]["registers"].as_u64().unwrap()
    };
    match ran.code {
        Some(0) => assert!(registers() <= 16),
        code => assert!(code == Some(1) && ran.stderr.contains("E0031"), "{}", ran.stderr),
    }
    assert_eq!(raddle(&["compile", &kernel("matmul"), "-o", &out, "--maxrregcount", "5"]).code, Some(2));
}

#[test]
fn architectures_without_code_are_unsupported() {
    let ran = raddle(&["compile", &kernel("saxpy"), "-o", "/dev/null", "--arch", "sm_120"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("E0023"), "{}", ran.stderr);
}

#[test]
fn the_smallest_kernel() {
    let bench = Bench::new();
    let (input, out) = (bench.file("k.ptx", EMPTY_KERNEL), bench.path("out"));
    assert_eq!(raddle(&["compile", &input, "-o", &out]).code, Some(0));
    assert_eq!(raddle(&["run", &out, "--grid", "3", "--block", "64"]).code, Some(0));
}

#[test]
fn variables_of_the_module_are_in_the_cubin_with_their_values() {
    let bench = Bench::new();
    let text = format!(
        "{EMPTY_KERNEL}.visible .global .align 4 .u32 table[4] = {{1, 2, 3, 0x40}};\n.visible .global .u64 plain;\n\
         .visible .const .f32 scale = 0f40000000;\n.global .u32 nobody;\n\
         .visible .global .u64 pointer = generic(table);\n"
    );
    let (input, out) = (bench.file("k.ptx", text), bench.path("out"));
    let ran = raddle(&["compile", &input, "-o", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let info = String::from_utf8(raddle(&["info", &out]).stdout).unwrap();
    for line in ["16  global  table", "8  global  plain", "4   const  scale", "8  global  pointer"] {
        assert!(info.contains(line), "{line}: {info}");
    }
    assert!(!info.contains("nobody"), "{info}");
    let bytes = std::fs::read(&out).unwrap();
    let contents = [1u32, 2, 3, 0x40].map(u32::to_le_bytes).concat();
    assert!(bytes.windows(16).any(|window| window == contents));
}

#[test]
fn modules_without_kernels_compile() {
    let bench = Bench::new();
    let header = ".version 8.0\n.target sm_90\n.address_size 64\n";
    let data = format!("{header}.visible .global .align 8 .b8 buffer[32];\n");
    for (name, text) in [("header", header), ("data", data.as_str())] {
        let (input, out) = (bench.file(name, text), bench.path("out"));
        let ran = raddle(&["compile", &input, "-o", &out]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        let info: serde_json::Value = serde_json::from_slice(&raddle(&["info", &out, "--json"]).stdout).unwrap();
        assert!(info["functions"].as_array().unwrap().is_empty());
        assert_eq!(info["global"], if name == "data" { 32 } else { 0 });
    }
}

#[test]
fn errors_in_device_functions_are_found_beside_those_of_kernels() {
    let module = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func f() {\n  frob.u32 %r0;\n  ret;\n}\n\
        .entry k() {\n  .reg .u32 %r<2>;\n  add.u32 %r0, %r1, %zz;\n  ret;\n}\n";
    let bench = Bench::new();
    let ran = raddle(&["check", &bench.file("in.ptx", module)]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("frob") && ran.stderr.contains("%zz"), "{}", ran.stderr);
}

#[test]
fn kernels_are_described_in_every_format() {
    let said = |format: &str| {
        raddle(&["compile", &eight(), "-o", "/dev/null", "--arch", "sm_90", "-v", "--message-format", format]).stderr
    };
    assert!(said("human").contains("8 kernels for sm_90"));
    let ptxas = said("ptxas");
    assert_eq!(ptxas.matches("ptxas info    : Compiling entry function '").count(), 8, "{ptxas}");
    assert!(ptxas.contains("    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"), "{ptxas}");
    let json = said("json");
    let names: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].clone()).collect();
    assert!(names.len() == 8 && names.contains(&"saxpy".into()), "{json}");
}

#[test]
fn a_signal_at_any_moment_leaves_all_or_nothing() {
    let whole = bytes(&[&eight()], None);
    for round in 0..40 {
        let bench = Bench::new();
        let out = bench.path("out");
        let mut command = Command::new("env");
        command.args(["--default-signal", env!("CARGO_BIN_EXE_raddle"), "compile", &eight(), "-o", &out]);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(round * 700));
        let signal = ["-2", "-15", "-1"][round as usize % 3];
        // The process may have ended already.
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        match bench.listing().as_slice() {
            [] => {}
            [name] if name == "out" => assert!(std::fs::read(&out).unwrap() == whole, "round {round}"),
            other => panic!("round {round}: {other:?}"),
        }
    }
}

#[test]
fn a_fatbin_has_the_cubin_for_linkers_and_tools() {
    let bench = Bench::new();
    let (fatbin, plain) = (bench.path("k.fatbin"), bench.path("k.o"));
    let source = kernel("saxpy");
    for args in [&["-o", &fatbin, "--emit=fatbin"][..], &["-o", &plain]] {
        let ran = raddle(&[&["compile", "-c", &source, "--arch=sm_90"][..], args].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let info: serde_json::Value = serde_json::from_slice(&raddle(&["info", &fatbin, "--json"]).stdout).unwrap();
    let members = info["members"].as_array().unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!((&members[0]["kind"], &members[0]["target"]), (&"cubin".into(), &"sm_90".into()));
    // Linked, it gives the same as the object.
    let linked = [&fatbin, &plain].map(|input| {
        let out = bench.path("k.cubin");
        let ran = raddle(&["link", input, "--arch=sm_90", "-o", &out]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        std::fs::read(out).unwrap()
    });
    assert!(linked[0] == linked[1]);
    let Some(cuobjdump) = raddle_filetest::oracle::require("cuobjdump") else { return };
    let listed = String::from_utf8(cuobjdump.run(&["-lelf", fatbin.as_str()]).unwrap()).unwrap();
    assert!(listed.contains("k.1.sm_90.cubin"), "{listed}");
}

/// OPT-4: with one worker, kernels start in the order of their cost, whatever their order is in the
/// text.
#[test]
fn the_costliest_kernel_starts_first() {
    let bench = Bench::new();
    let sizes = [100, 900, 50, 400, 1800, 200];
    let kernel = |&size: &usize| {
        let adds = "mad.lo.u32 %x, %x, %x, 7; xor.b32 %x, %x, %y;\n".repeat(size);
        format!(
            ".visible .entry k{size}(.param .u64 p)\n{{\n.reg .b64 %p; .reg .b32 %x, %y;\nld.param.u64 %p, [p]; \
             ld.global.u32 %x, [%p]; ld.global.u32 %y, [%p+4];\n{adds}st.global.u32 [%p], %x; ret;\n}}\n"
        )
    };
    let kernels: String = sizes.iter().map(kernel).collect();
    let module = bench.file("m.ptx", format!(".version 8.0\n.target sm_80\n.address_size 64\n{kernels}"));
    let started = |history: &str| {
        let trace = bench.path("trace.json");
        let args = ["compile", &module, "-j1", "-o", "/dev/null", "--timings", &trace, "--history", history];
        assert_eq!(raddle(&args).code, Some(0));
        let value: serde_json::Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
        let events = value["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "kernel");
        let mut kernels: Vec<(u64, usize)> = events
            .map(|event| (event["ts"].as_u64().unwrap(), event["name"].as_str().unwrap()[1..].parse().unwrap()))
            .collect();
        kernels.sort_unstable();
        kernels.into_iter().map(|(_, size)| size).collect::<Vec<_>>()
    };
    let mut by_cost = sizes.to_vec();
    by_cost.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(started("off"), by_cost, "by their text");
    let history = bench.path("history");
    started(&history);
    assert_eq!(started(&history)[..3], by_cost[..3], "by what they took");
}
