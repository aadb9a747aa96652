//! The messages of the command in each format, and its exit codes.

use crate::common::{Bench, EMPTY_KERNEL, raddle};

#[test]
fn exit_codes_of_the_command_line() {
    for args in [&["--help"][..], &["--version"], &["compile", "--help"], &["explain"], &["doctor"]] {
        let ran = raddle(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        assert!(!ran.stdout.is_empty());
    }
    for args in [&["frob"][..], &[], &["compile"], &["compile", "a", "-o", "b", "-O7"], &["explain", "E9999"]] {
        assert_eq!(raddle(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn the_version_names_the_library_of_llvm() {
    let said = |args: &[&str]| String::from_utf8(raddle(args).stdout).unwrap();
    let program = format!("raddle {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(said(&["-V"]).trim(), program);
    let (whole, doctor) = (said(&["--version"]), said(&["doctor"]));
    let lines: Vec<&str> = whole.lines().collect();
    let found = doctor.lines().find(|line| line.starts_with("LLVM")).unwrap();
    let known = lines[1].starts_with("LLVM ") && found.contains(lines[1]);
    assert!(lines[0] == program && (known || lines[1].starts_with("no LLVM")), "{whole}{found}");
    if let Some(library) = raddle_filetest::llvm::require(19) {
        let mut command = crate::common::command(&["--version"]);
        command.env("RADDLE_LLVM", library);
        let whole = String::from_utf8(crate::common::finish(command).stdout).unwrap();
        assert!(whole.lines().nth(1).unwrap().starts_with("LLVM 19."), "{whole}");
    }
}

#[test]
fn every_code_can_be_explained() {
    let list = String::from_utf8(raddle(&["explain"]).stdout).unwrap();
    assert!(list.lines().count() > 20);
    assert!(list.contains("E0030") && list.contains("E0120"), "the codes of driver and front end: {list}");
    for line in list.lines() {
        let code = line.split_whitespace().next().unwrap();
        let ran = raddle(&["explain", code]);
        assert_eq!(ran.code, Some(0));
        assert!(String::from_utf8(ran.stdout).unwrap().starts_with(code));
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(raddle(&["completions", shell]).stdout).unwrap();
        assert!(script.contains("keep-going"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = |args: &[&str]| String::from_utf8(raddle(&[&["man"], args].concat()).stdout).unwrap();
    let whole = page(&[]);
    assert!(whole.starts_with(".ie") && whole.contains(".TH raddle 1"), "{whole}");
    for command in ["compile", "link", "run", "check", "disasm", "info", "explain", "diff", "doctor", "cache", "man"] {
        let page = page(&[command]);
        assert!(
            whole.contains(&format!("raddle\\-{command}")) && page.contains(&format!(".TH raddle-{command} 1")),
            "{page}"
        );
    }
    assert!(page(&["compile"]).contains("kernel\\-timeout"));
    for none in ["frob", "__unit"] {
        assert_eq!(raddle(&["man", none]).code, Some(2), "{none}");
    }
    let tool = page(&["ptxas"]);
    assert!(tool.contains(".TH raddle\\-ptxas 1") && tool.contains("\\-\\-maxrregcount"), "{tool}");
    let bench = Bench::new();
    let folder = bench.path("pages");
    assert_eq!(raddle(&["man", "--into", &folder]).code, Some(0));
    for (name, args) in [("raddle", &[][..]), ("raddle-compile", &["compile"]), ("raddle-ptxas", &["ptxas"])] {
        assert_eq!(std::fs::read_to_string(format!("{folder}/{name}.1")).unwrap(), page(args), "{name}");
    }
    let pages = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> = pages.collect();
    pages.sort();
    assert!(pages.len() > 18 && !pages.iter().any(|name| name.contains("__") || name.contains("-help")), "{pages:?}");
    assert_eq!(raddle(&["man", "--into", "/dev/null/pages"]).code, Some(1));
}

#[test]
fn a_name_that_is_not_there_brings_the_one_that_was_meant() {
    let bench = Bench::new();
    let eight = crate::common::corpus().join("modules/eight/nvcc.ptx").display().to_string();
    let mangled = bench.file("k.ptx", EMPTY_KERNEL.replace("k()", "_Z6squarePfi()"));
    let cubin = bench.path("k.cubin");
    assert_eq!(raddle(&["compile", &mangled, "-o", &cubin]).code, Some(0));
    for (args, help) in [
        (&["compile", &eight, "-o", "/dev/null", "-e", "saxyp"][..], "did you mean 'saxpy'?"),
        (&["check", &mangled, "-e", "square"], "did you mean '_Z6squarePfi'?"),
        (&["run", &mangled, "--kernel", "square"], "did you mean '_Z6squarePfi'?"),
        (&["disasm", &cubin, "--kernel", "_Z6squarPfi"], "did you mean '_Z6squarePfi'?"),
        (&["check", &eight, "-e", "quite_another"], "the kernels are "),
    ] {
        let ran = raddle(args);
        assert!(ran.code == Some(2) && ran.stderr.contains("E0020") && ran.stderr.contains(help), "{}", ran.stderr);
    }
    let bare = raddle(&["compile", &eight, "-o", "/dev/null", "-j"]).stderr;
    assert!(bare.contains("--jobs <N>"), "{bare}");
    let odd = raddle(&["compile", "-j", &eight, "-o", "/dev/null"]).stderr;
    assert!(odd.contains("without -j it is the number of CPUs"), "{odd}");
}

#[test]
fn an_input_is_not_overwritten() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL);
    let link = bench.path("link");
    std::os::unix::fs::symlink(&input, &link).unwrap();
    for (option, other) in [("-o", &[][..]), ("--timings", &["-o", "/dev/null"]), ("--report", &["-o", "/dev/null"])] {
        for output in [&input, &link] {
            let ran = raddle(&[&["compile", &input, option, output], other].concat());
            assert!(ran.code == Some(2) && ran.stderr.contains("E0019"), "{option}: {}", ran.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(&input).unwrap(), EMPTY_KERNEL);
    for twice in ["-", &bench.path("new")] {
        let ran = raddle(&["compile", &input, "-o", twice, "--timings", twice]);
        assert!(ran.code == Some(2) && ran.stdout.is_empty() && ran.stderr.contains("two outputs"), "{}", ran.stderr);
    }
    assert_eq!(raddle(&["compile", &input, "-o", "/dev/null", "--timings", "/dev/null"]).code, Some(0));
}

#[test]
fn errors_in_each_format() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    let human = raddle(&["check", &input]).stderr;
    assert!(human.contains(&format!("--> {input}:6:5")), "{human}");
    assert!(human.contains("^^^^") && human.contains("in function `k`"), "{human}");
    let peers = raddle(&["check", &input, "--message-format", "ptxas"]).stderr;
    assert!(peers.starts_with(&format!("ptxas {input}, line 6; error   : ")), "{peers}");
    let aborted = raddle(&["compile", &input, "-o", "/dev/null", "--message-format", "ptxas"]).stderr;
    assert!(aborted.ends_with("ptxas fatal   : Ptx assembly aborted due to errors\n"), "{aborted}");
    let lines = ["--message-format", "ptxas", "--tool-name", "cc", "--severity-tags", "--message-suffix", " (raddle)"];
    let tagged = raddle(&[&["compile", &input, "-o", "/dev/null"], &lines[..]].concat()).stderr;
    assert!(tagged.starts_with(&format!("@E@cc {input}, line 6; error   : ")), "{tagged}");
    assert!(tagged.ends_with("@O@cc fatal   : Ptx assembly aborted due to errors (raddle)\n"), "{tagged}");
    assert!(tagged.lines().all(|line| line.ends_with(" (raddle)")), "{tagged}");
    let json = raddle(&["check", &input, "--message-format", "json"]).stderr;
    let object: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&object["schema"], &object["severity"]), (&1.into(), &"error".into()));
    assert_eq!(object["labels"][0]["line"], 6);
    assert_eq!(object["function"], "k");
}

/// Every option for the messages of tasks (ISO-1), in the format of ptxas: an info, warnings,
/// errors.
#[test]
fn each_kind_of_message_can_be_switched_off_or_made_worse() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL);
    // The note that another assembler made a kernel is an info.
    let cubin = bench.path("k.cubin");
    assert_eq!(raddle(&["compile", &input, "-o", &cubin]).code, Some(0));
    let tool = bench.file("tool", format!("#!/bin/sh\nfor a; do out=$a; done\ncp {cubin} \"$out\"\n"));
    std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let fallback = format!("ptxas:{tool}");
    let run = |fault: &str, more: &[&str]| {
        let args = ["compile", &input, "-o", "/dev/null", "--fallback", &fallback, "--message-format", "ptxas"];
        let mut command = crate::common::command(&[&args[..], more].concat());
        command.env("RADDLE_FAULT", fault);
        crate::common::finish(command)
    };
    let info = format!("ptxas {input}, line 4; info    : 'k' was assembled by ptxas\n");
    let assembled = run("resources:k", &[]);
    assert_eq!((assembled.code, assembled.stderr), (Some(0), info.clone()));
    assert_eq!(run("resources:k", &["--no-info"]).stderr, "");
    assert_eq!(run("resources:k", &["-w"]).stderr, info, "warnings alone");
    assert_eq!(
        run("resources:k", &["--severity-tags", "--tool-name", "cc"]).stderr,
        format!("@I@{}", info.replace("ptxas k", "cc k").replacen("ptxas ", "cc ", 1))
    );
    // A crash that does not happen again is a warning about its kernel.
    let warned = run("segv-once:k", &[]);
    let warning = format!("ptxas {input}, line 4; warning : the compiler crashed (SIGSEGV)");
    assert!(warned.code == Some(0) && warned.stderr.starts_with(&warning), "{}", warned.stderr);
    let quiet = run("segv-once:k", &["--no-warnings"]);
    assert_eq!((quiet.code, &quiet.stderr[..]), (Some(0), ""));
    let strict = run("segv-once:k", &["--warnings-as-errors", "--severity-tags"]);
    assert!(
        strict.stderr.starts_with(&format!("@E@{}", warning.replace("warning :", "error   :"))),
        "{}",
        strict.stderr
    );
    assert_eq!((strict.code, strict.stderr.lines().count()), (Some(4), 2), "{}", strict.stderr);
    // An error of a task stays one with all options.
    let failed = run("fuel:k", &["--no-warnings", "--no-info", "--message-suffix", "!"]);
    let spent = format!("ptxas {input}, line 4; error   : step limit exceeded!\n");
    assert!(failed.code == Some(1) && failed.stderr.starts_with(&spent), "{}", failed.stderr);
    assert!(failed.stderr.lines().all(|line| line.ends_with('!')), "{}", failed.stderr);
}

#[test]
fn every_command_speaks_to_machines() {
    let saxpy = crate::common::kernel("saxpy");
    for (args, kind) in [
        (&["check", &saxpy][..], "check"),
        (&["doctor"], "doctor"),
        (&["explain", "E0030"], "code"),
        (&["explain"], "code"),
        (&["info", &saxpy, "--json"], "ptx"),
    ] {
        let ran = raddle(&[args, &["--message-format", "json"]].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        let text = String::from_utf8(ran.stdout).unwrap();
        for line in text.lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!((&object["kind"], object["schema"].is_u64()), (&kind.into(), true), "{args:?}: {line}");
        }
        assert!(!text.is_empty(), "{args:?}");
    }
}

/// Runs a command line on a terminal until it has ended or `enough` returns true; returns the
/// output.
fn on_terminal(line: &str, environment: &[(&str, &str)], enough: impl Fn(&str) -> bool) -> String {
    use std::io::Read;
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_raddle"));
    // `script` gives its child a terminal.
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env_remove("MAKEFLAGS");
    script.envs(environment.iter().copied()).stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    let mut script = script.spawn().unwrap();
    let mut out = script.stdout.take().unwrap();
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = out.read(&mut buffer) {
        shown.extend(&buffer[..count]);
        if enough(&String::from_utf8_lossy(&shown)) {
            // Its child ends with the terminal.
            script.kill().unwrap();
            break;
        }
    }
    script.wait().unwrap();
    String::from_utf8_lossy(&shown).into_owned()
}

/// Whether a kernel is named together with its running time.
fn names(shown: &str, kernel: &str) -> bool {
    shown.match_indices(&format!("{kernel} ")).any(|(at, name)| {
        let rest = shown[at + name.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('.').is_some_and(|rest| rest.get(1..3) == Some(" s"))
    })
}

#[test]
fn a_terminal_has_colours_and_a_bar_and_everything_else_has_neither() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    let to_the_end = |_: &str| false;
    let check = format!("check {input}");
    assert!(on_terminal(&check, &[], to_the_end).contains("\x1b["));
    let plain = on_terminal(&check, &[("NO_COLOR", "1")], to_the_end);
    assert!(plain.contains("error[") && !plain.contains("\x1b["), "{plain}");
    let eight = crate::common::corpus().join("modules/eight/nvcc.ptx").display().to_string();
    let compile = format!("compile {eight} -o /dev/null --history off");
    // A kernel that runs until it is killed: the bar appears at some time, even on a busy machine.
    let spins = [("RADDLE_FAULT", "spin:scan")];
    let enough = |shown: &str| shown.contains("/8 kernels [") && shown.contains(" MiB; ") && names(shown, "scan");
    let bar = on_terminal(&compile, &spins, enough);
    assert!(enough(&bar), "{bar:?}");
    let quiet = on_terminal(&format!("{compile} --progress off"), &[], to_the_end);
    assert!(!quiet.contains("/8"), "{quiet:?}");
    // Under a jobserver it includes the tokens; and an estimate once a kernel has ended.
    let server = crate::common::server::Server::named(&bench, "tokens", b"a");
    let spins = [("RADDLE_FAULT", "spin:matmul"), ("MAKEFLAGS", &server.auth)];
    let enough = |shown: &str| {
        let line = |what: &str| shown.split('\r').any(|line| line.contains(what));
        line(" s left; ") && line(" tokens; ") && names(shown, "matmul")
    };
    let bar = on_terminal(&compile, &spins, enough);
    assert!(enough(&bar), "{bar:?}");
}

#[test]
fn colours_only_when_asked() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    assert!(!raddle(&["check", &input]).stderr.contains('\x1b'));
    assert!(raddle(&["check", &input, "--color", "always"]).stderr.contains('\x1b'));
}

#[test]
fn a_mistake_in_one_function_does_not_hide_those_in_another() {
    let bench = Bench::new();
    let second = EMPTY_KERNEL.lines().skip(3).collect::<Vec<_>>().join("\n").replace(" k()", " m()");
    let input = bench.file("k.ptx", format!("{EMPTY_KERNEL}{second}\n").replace("ret;", "frob;"));
    let ran = raddle(&["check", &input]);
    assert!(ran.stderr.contains("in function `k`") && ran.stderr.contains("in function `m`"), "{}", ran.stderr);
}

#[test]
fn selections_that_select_nothing_are_errors() {
    let bench = Bench::new();
    let input = bench.file("k.ptx", EMPTY_KERNEL);
    for (args, code) in [(["-e", "nosuch"], "E0020"), (["-E", "^x"], "E0021"), (["--arch", "sm_80"], "E0022")] {
        let ran = raddle(&["check", &input, args[0], args[1]]);
        assert!(ran.stderr.contains(code), "{args:?}: {}", ran.stderr);
        assert_ne!(ran.code, Some(0));
    }
}

#[test]
fn products_that_run_one_after_another_are_told_with_their_reason() {
    let text = |between: &str| {
        format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 a)\n{{\n\
             .reg .f32 %f<5>; .reg .b64 %d<3>;\nld.param.u64 %d0, [p]; ld.param.u64 %d1, [a];\n\
             mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\nwgmma.fence.sync.aligned;\n\
             wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0,%f1,%f2,%f3}}, %d1, %d1, 1, 1, 1, 0, 0;\n\
             wgmma.commit_group.sync.aligned;\n{between}wgmma.wait_group.sync.aligned 0;\n\
             st.global.f32 [%d0], %f0;\nret;\n}}\n"
        )
    };
    let bench = Bench::new();
    let out = bench.path("out.cubin");
    let compiled = |text: String| raddle(&["compile", &bench.file("k.ptx", text), "-o", &out]);
    assert_eq!(compiled(text("")).stderr, "");
    let ran = compiled(text("add.f32 %f4, %f1, %f1;\n"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said =
        "it accesses register %f1, which the wgmma.mma_async of line 10 uses: no wgmma.wait_group covers it before";
    for part in ["info[E0096]", "because of add.f32", "k.ptx:12:1", said, "in function `k`"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    // A function that is called may use the registers of the product.
    let body = "{ .param .b32 a; .param .b32 r; st.param.b32 [a], 9; call.uni (r), g, (a); }\n";
    let g = ".func (.param .b32 r) g(.param .b32 a)\n{\n.reg .b32 %r; .reg .pred %p;\nld.param.b32 %r, [a];\n\
             setp.eq.u32 %p, %r, 0;\n@%p bra E;\nsub.u32 %r, %r, 1;\n\
             { .param .b32 b; .param .b32 s; st.param.b32 [b], %r; call.uni (s), g, (b); ld.param.b32 %r, [s]; }\n\
             E: st.param.b32 [r], %r;\nret;\n}\n.visible .entry k";
    let ran = compiled(text(body).replace(".visible .entry k", g));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in ["info[E0096]", "because of call", "the function that is called may use any register"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    // Inlined, the product is in another text: its function is named.
    let inlined = text("add.f32 %f4, %f1, %f1;\n").replace(".visible .entry k", ".func g");
    let entry = ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %d;\nld.param.u64 %d, [p];\n\
                 { .param .b64 x; .param .b64 y; st.param.b64 [x], %d; st.param.b64 [y], %d; call.uni g, (x, y); }\nret;\n}\n";
    let ran = compiled(inlined + entry);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in ["info[E0096]", "in function g: it accesses register %f1", "in function `k`"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
}
