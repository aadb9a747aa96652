//! Messages are true, reported once, and give a remedy: job slots in every state (JOB-5), the limit
//! of workers, recursion, counts, lists.

use crate::common::{Bench, EMPTY_KERNEL, Ran, command, corpus, finish, raddle};
use std::process::Command;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// Compiles eight kernels without keeping the output.
fn compile(more: &[&str], environment: &[(&str, &str)]) -> Ran {
    let module = eight();
    let mut command = command(&[&["compile", &module, "-o", "/dev/null", "--history", "off"], more].concat());
    command.envs(environment.iter().copied());
    finish(command)
}

#[test]
fn both_ways_of_splitting_are_no_contradiction() {
    for (split, extended) in [("4", "4"), ("2", "1")] {
        let options =
            [&format!("--split-compile={split}")[..], &format!("--split-compile-extended={extended}"), "--Werror"];
        let ran = compile(&options, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.starts_with("info[E0085]: --split-compile is not used"), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches("E00").count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn explain_names_what_limits_the_workers() {
    for (options, environment, by) in [
        (&["-j1"][..], &[][..], "-j"),
        (&[], &[("RADDLE_JOBS", "1")], "RADDLE_JOBS"),
        (&["--split-compile=1"], &[], "--split-compile"),
        (&["--split-compile-extended=1"], &[], "--split-compile"),
        (&[], &[("MAKEFLAGS", " -j1")], "the one slot that make has for this command"),
        (&[], &[("MAKEFLAGS", "--jobserver-auth=-2,-2")], "the one slot that make has for this command"),
        (&["-w"], &[("MAKEFLAGS", "--jobserver-auth=10,")], "the one slot that make has for this command"),
    ] {
        let ran = compile(&[options, &["--explain"]].concat(), environment);
        let line = ran.stderr.lines().find(|line| line.starts_with("workers: "));
        assert_eq!(line, Some(&format!("workers: 1 (limited by {by}), 1 started")[..]), "{options:?} {environment:?}");
    }
    let ran = compile(&["--explain", "-j4096"], &[]);
    let cpus = std::thread::available_parallelism().unwrap().get();
    let by = if cpus < 8 { "the available CPUs, fewer than -j (4096)" } else { "the number of units" };
    assert!(ran.stderr.contains(&format!("(limited by {by}), ")), "{}", ran.stderr);
}

/// Makes a fifo that no process holds open, as a killed make leaves it.
fn left_fifo(bench: &Bench) -> String {
    let path = bench.path("left");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

#[test]
fn each_state_of_job_slots_has_its_own_text() {
    let bench = Bench::new();
    let left = format!("--jobserver-auth=fifo:{}", left_fifo(&bench));
    let plain = format!("--jobserver-auth=fifo:{}", eight());
    // The value of MAKEFLAGS; the problem, the consequence without -j, the remedy.
    let states = [
        ("--jobserver-auth=1000,1001", "descriptor 1000 is closed", "one at a time", "put a `+` in front"),
        ("--jobserver-auth=10,", "'10,' names neither", "one at a time", "pass MAKEFLAGS on unchanged"),
        ("--jobserver-auth=fifo:/none/fifo", "cannot open /none/fifo", "one at a time", "make removes its fifo"),
        (&left, "no process holds the fifo", "one at a time", "unset MAKEFLAGS if no make is running"),
        (&plain, "is neither a fifo nor a character device", "one at a time", "is now another file"),
        (
            "--jobserver-auth=fifo:/dev/null",
            "(--jobserver-auth=fifo:/dev/null) failed: a slot could not be taken: end of file",
            "kernels were compiled one at a time",
            "unset MAKEFLAGS",
        ),
    ];
    let mut texts = Vec::new();
    for (makeflags, wrong, follows, helps) in states {
        // Chaos raises the number of workers above that of CPUs, so that a second slot is requested
        // on every machine.
        let said = compile(&[], &[("MAKEFLAGS", makeflags), ("RADDLE_CHAOS", "1")]);
        assert_eq!((said.code, said.stderr.matches("warning[E0047]").count()), (Some(0), 1), "{}", said.stderr);
        for part in [makeflags, wrong, follows, helps] {
            assert!(said.stderr.contains(part), "{makeflags}: {part}: {}", said.stderr);
        }
        texts.push(said.stderr.replace(makeflags, ""));
        let at_server = makeflags.contains("/dev/null");
        let numbered = compile(&["-j2"], &[("MAKEFLAGS", makeflags), ("RADDLE_CHAOS", "1")]);
        assert!(at_server || numbered.stderr.contains("the limit is -j 2"), "{makeflags}: {}", numbered.stderr);
        let required = compile(&["-j2", "--jobserver=require"], &[("MAKEFLAGS", makeflags), ("RADDLE_CHAOS", "1")]);
        assert_eq!(required.code, Some(2), "{makeflags}: {}", required.stderr);
        assert!(required.stderr.contains("fatal[E0047]") && required.stderr.contains(wrong), "{}", required.stderr);
        assert!(!required.stderr.contains("at a time"), "{makeflags}: {}", required.stderr);
        let ignored = compile(&["--jobserver=off"], &[("MAKEFLAGS", makeflags)]);
        assert_eq!((ignored.code, &ignored.stderr[..]), (Some(0), ""), "{makeflags}");
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), states.len(), "two states with one text");
    // A missing jobserver is no error, unless one is required.
    for (environment, why, helps) in [
        (&[][..], "--jobserver=require: MAKEFLAGS is not set", "from a recipe of `make -jN`"),
        (&[("MAKEFLAGS", "kns")], "MAKEFLAGS='kns': MAKEFLAGS names no jobserver", "run make with -jN"),
        (&[("MAKEFLAGS", " -j1")], "make runs with -j1: there is one slot", "N of at least 2"),
        (
            &[("MAKEFLAGS", "--jobserver-auth=-2,-2")],
            "make disabled the jobserver for this command",
            "put a `+` in front",
        ),
    ] {
        let ran = compile(&["--jobserver=require"], environment);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        for part in ["fatal[E0046]", why, helps] {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
        let ran = compile(&[], environment);
        assert_eq!((ran.code, &ran.stderr[..]), (Some(0), ""), "{environment:?}");
    }
}

#[test]
fn a_pipe_at_its_end_is_warned_about() {
    // Descriptor 3 reads the output of `true`, and 4 belongs to another file.
    let raddle = env!("CARGO_BIN_EXE_raddle");
    let line = format!("exec {raddle} compile {} -o /dev/null --history off -j2", eight());
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("{line} 3< <(true) 4> /dev/null")]);
    shell.env("MAKEFLAGS", " -j --jobserver-auth=3,4").env("RADDLE_CHAOS", "1");
    let ran = finish(shell);
    assert_eq!((ran.code, ran.stderr.matches("warning[E0047]").count()), (Some(0), 1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("(--jobserver-auth=3,4) failed: a slot could not be taken: end of file"),
        "{}",
        ran.stderr
    );
}

/// Three kernels that call a recursive function.
const RECURSION: &str = "\
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 r) f(.param .b32 a)
{
    .reg .b32 %a, %r; .reg .pred %p;
    ld.param.b32 %a, [a]; mov.u32 %r, 1;
    setp.eq.u32 %p, %a, 0; @%p bra DONE;
    sub.u32 %a, %a, 1;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %a; call (y), f, (x); ld.param.b32 %r, [y]; }
    add.u32 %r, %r, 1;
DONE:
    st.param.b32 [r], %r; ret;
}
";

/// A kernel that calls it.
const CALLS: &str = "\
.visible .entry NAME(.param .u64 p, .param .u32 n)
{
    .reg .b64 %d; .reg .b32 %r;
    ld.param.u64 %d, [p]; ld.param.u32 %r, [n];
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r; call (y), f, (x); ld.param.b32 %r, [y]; }
    st.global.u32 [%d], %r; ret;
}
";

#[test]
fn recursion_is_told_once_and_warnings_are_counted() {
    let bench = Bench::new();
    let kernels: String = ["ka", "kb", "kc"].map(|name| CALLS.replace("NAME", name)).concat();
    let module = bench.file("recursion.ptx", format!("{RECURSION}{kernels}"));
    let object = bench.path("recursion.o");
    assert_eq!(raddle(&["compile", "-c", &module, "-o", &object]).code, Some(0));
    for args in [&["compile", &module][..], &["link", &object]] {
        let ran = raddle(&[args, &["-o", "/dev/null"]].concat());
        assert_eq!((ran.code, ran.stderr.matches("E0068").count()), (Some(0), 1), "{}", ran.stderr);
        assert!(ran.stderr.contains("the stack size of 3 kernels is unknown: f is recursive"), "{}", ran.stderr);
        assert!(ran.stderr.contains("the kernels are ka, kb, kc"), "{}", ran.stderr);
        assert!(ran.stderr.ends_with("\n1 warning\n"), "{}", ran.stderr);
        for quiet in [&["-w"][..], &["--message-format", "json"]] {
            let ran = raddle(&[args, &["-o", "/dev/null"], quiet].concat());
            assert!(!ran.stderr.contains("1 warning"), "{quiet:?}: {}", ran.stderr);
        }
    }
    // With an error the count is in the same line.
    let wrong = bench.file("wrong.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    let ran = raddle(&["compile", &wrong, "-o", "/dev/null", "-c", "--ewp"]);
    assert!(ran.stderr.ends_with("\n1 error, 1 warning; nothing was written (exit code 1)\n"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("1 warning").count(), 1, "{}", ran.stderr);
}

#[test]
fn a_list_in_a_message_has_lines() {
    let bench = Bench::new();
    // The interpreter supports neither: their NaN is not documented.
    let read = "{ .reg .b16 %h; mov.b16 %h, 0; fma.rn.oob.f16 %h, %h, %h, %h; }";
    let text = EMPTY_KERNEL.replace("8.0", "8.1").replace("ret;", &format!("{read} {read} ret;"));
    let module = bench.file("k.ptx", text);
    let ran = raddle(&["run", &module]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error[E0051]: not supported\n"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("note: k, line 6: fma.rn.oob.f16").count(), 2, "{}", ran.stderr);
    assert!(!ran.stderr.contains("\\n"), "{}", ran.stderr);
}

#[test]
fn registers_that_warps_would_pass_on_are_warned_of() {
    let bench = Bench::new();
    let text = EMPTY_KERNEL.replace("sm_90", "sm_90a").replace(
        "k()\n{",
        "k() .maxntid 256\n{\n    setmaxnreg.dec.sync.aligned.u32 40;\n    setmaxnreg.inc.sync.aligned.u32 80;",
    );
    let module = bench.file("k.ptx", text);
    let ran = raddle(&["compile", &module, "--arch", "sm_90a", "-o", &bench.path("k.cubin")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("warning[E0095]: 'k' has setmaxnreg in 2 places").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("how many registers a warp begins with"), "{}", ran.stderr);
    // A function that is called may use any register.
    let function = ".func f();\n.func f() { call f, (); ret; }\n.visible .entry";
    let text = EMPTY_KERNEL
        .replace("sm_90", "sm_90a")
        .replacen(".visible .entry", function, 1)
        .replace("k()\n{", "k() .maxnreg 64\n{\n    setmaxnreg.dec.sync.aligned.u32 40;\n    call f, ();");
    let module = bench.file("calls.ptx", text);
    let ran = raddle(&["compile", &module, "--arch", "sm_90a", "-o", &bench.path("calls.cubin")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning[E0095]: 'k' has setmaxnreg in 1 place"), "{}", ran.stderr);
    assert!(ran.stderr.contains("may use any register"), "{}", ran.stderr);
}
