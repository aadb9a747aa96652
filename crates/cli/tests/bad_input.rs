//! Bad input of any kind gives a clear error with the right exit code in bounded time, without a
//! panic or partial output.

use crate::common::{Bench, EMPTY_KERNEL, command, finish, kernel, raddle};
use std::io::Write;
use std::process::Stdio;

/// Compiles a file with these bytes and checks what must hold for every bad input.
fn refused(bytes: &[u8], code: i32, says: &str) {
    let bench = Bench::new();
    let input = bench.file("in.ptx", bytes);
    let output = bench.file("out.cubin", "old");
    for command in ["compile", "check"] {
        let ran = match command {
            "compile" => raddle(&["compile", &input, "-o", &output]),
            _ => raddle(&["check", &input]),
        };
        assert_eq!(ran.code, Some(code), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{command}: wanted {says:?} in: {}", ran.stderr);
        assert!(ran.stderr.len() < 1 << 18, "{command}: {} bytes of messages", ran.stderr.len());
        assert!(!ran.stderr.contains('\x1b'), "{command}: control characters in messages");
    }
    assert_eq!(std::fs::read(&output).unwrap(), b"old");
    assert_eq!(bench.listing(), ["in.ptx", "out.cubin"]);
}

#[test]
fn empty_and_blank() {
    refused(b"", 1, "empty");
    refused(b" \n\n\t\n", 1, "empty");
    refused(b"// nothing here\n", 1, ".version");
}

#[test]
fn binary() {
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&bytes, 1, "not text");
    refused(b"\x7fELF\x02\x01\x01 and then nothing", 1, "ELF");
    refused(b"PK\x03\x04", 1, "");
    refused(b"BC\xc0\xde\x00\x00", 1, "bitcode");
    refused(b"\xff\xfe.\0v\0", 1, "not text");
}

#[test]
fn nul_bytes_and_bytes_that_are_no_text() {
    let mut nul = EMPTY_KERNEL.as_bytes().to_vec();
    nul[60] = 0;
    refused(&nul, 1, "NUL byte at offset 60, line 4");
    let mut high = EMPTY_KERNEL.as_bytes().to_vec();
    high[60] = 0xff;
    refused(&high, 1, "not UTF-8 at offset 60, line 4");
    refused(EMPTY_KERNEL.replace("ret", "r\u{e9}t").as_bytes(), 1, "error");
    refused(EMPTY_KERNEL.replace("ret", "\x1b[31mret").as_bytes(), 1, "error");
}

#[test]
fn truncated_anywhere() {
    let text = std::fs::read(kernel("matmul")).unwrap();
    let end = text.iter().rposition(|&b| b == b'}').unwrap();
    let mut cut = 1;
    while cut < end {
        let bench = Bench::new();
        let input = bench.file("in.ptx", &text[..cut]);
        let output = bench.path("out.cubin");
        let ran = raddle(&["compile", &input, "-o", &output]);
        assert_eq!(ran.code, Some(1), "cut at {cut}: {}", ran.stderr);
        assert_eq!(bench.listing(), ["in.ptx"]);
        cut += 1 + text.len() / 40;
    }
}

#[test]
fn unknown_targets_versions_and_instructions() {
    refused(EMPTY_KERNEL.replace("sm_90", "sm_999").as_bytes(), 1, "sm_999");
    refused(EMPTY_KERNEL.replace("8.0", "99.9").as_bytes(), 1, "99.9");
    refused(EMPTY_KERNEL.replace("8.0", "7.0").as_bytes(), 1, "7.0");
    refused(EMPTY_KERNEL.replace("ret;", "frob.u32 %r1;").as_bytes(), 1, "frob");
    refused(EMPTY_KERNEL.replace("ret;", "mov.u32 %zz, 1;").as_bytes(), 1, "%zz");
}

#[test]
fn deep_nesting() {
    let deep = 200_000;
    let braces = EMPTY_KERNEL.replace("ret;", &format!("{}ret;{}", "{".repeat(deep), "}".repeat(deep)));
    refused(braces.as_bytes(), 1, "error");
    let open = EMPTY_KERNEL.replace("ret;", &"{".repeat(deep));
    refused(open.as_bytes(), 1, "error");
    let parens = EMPTY_KERNEL.replace("ret;", &format!("mov.u32 %r1, {}1{};", "(".repeat(deep), ")".repeat(deep)));
    refused(parens.as_bytes(), 1, "error");
    let minus = EMPTY_KERNEL.replace("ret;", &format!("mov.u32 %r1, {}1;", "-".repeat(deep)));
    refused(minus.as_bytes(), 1, "error");
    let init = format!("{EMPTY_KERNEL}.visible .global .u32 a[2] = {}1{};", "{".repeat(deep), "}".repeat(deep));
    refused(init.as_bytes(), 1, "error");
}

#[test]
fn a_line_without_end() {
    let size = 16 << 20;
    refused(&vec![b'a'; size], 1, "no .version");
    refused(&EMPTY_KERNEL.replace("ret", &"a".repeat(size)).into_bytes(), 1, "error");
    refused(&vec![b'\n'; 1 << 20], 1, "empty");
    refused(format!("{EMPTY_KERNEL}/*{}", "x".repeat(size)).as_bytes(), 1, "error");
}

#[test]
fn millions_of_errors_are_bounded() {
    refused_many(&EMPTY_KERNEL.replace("ret;", &"frob;\n".repeat(100_000)));
    refused_many(&format!("{}{}", EMPTY_KERNEL, "frob\n".repeat(100_000)));
    refused_many(&"; ".repeat(100_000));
}

fn refused_many(text: &str) {
    let bench = Bench::new();
    let input = bench.file("in.ptx", text);
    let ran = raddle(&["check", &input]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.len() < 8 << 20, "{} bytes of messages", ran.stderr.len());
}

#[test]
fn inputs_that_cannot_be_read() {
    let bench = Bench::new();
    let output = bench.path("out");
    for path in ["/nonexistent/k.ptx", "/"] {
        let ran = raddle(&["compile", path, "-o", &output]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("E0001") && ran.stderr.contains(path), "{}", ran.stderr);
    }
    let ran = raddle(&["compile", "/dev/zero", "-o", &output]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(bench.listing().is_empty());
}

#[test]
fn standard_input_is_an_input() {
    let mut command = command(&["check", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(EMPTY_KERNEL.replace("ret", "frob").as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8(out.stderr).unwrap().contains("<stdin>:6:5"));
}

#[test]
fn cubin_commands_refuse_damaged_files() {
    let bench = Bench::new();
    let inputs: [&[u8]; 5] = [b"", b"\x7fELF", b"\x7fELF\x02\x01\x01", &[0; 4096], b"text"];
    for bytes in inputs {
        let input = bench.file("in.cubin", bytes);
        for args in [vec!["disasm", &input], vec!["diff", &input, &input]] {
            let ran = raddle(&args);
            assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.stderr);
            assert!(!ran.stderr.is_empty() && ran.stdout.is_empty());
        }
    }
}

#[test]
fn a_signal_while_waiting_for_input_ends_the_command_by_that_signal() {
    use std::os::unix::process::ExitStatusExt;
    for signal in [2, 15, 1] {
        // Background test runners ignore SIGINT, and children inherit that.
        let mut command = std::process::Command::new("env");
        command.args(["--default-signal", env!("CARGO_BIN_EXE_raddle"), "compile", "-", "-o", "/dev/null"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Kept open: waiting would close it, and the end of the input would race with the signal.
        let _stdin = child.stdin.take();
        crate::common::handles(child.id(), signal as u32);
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
    }
}

#[test]
fn outputs_that_cannot_be_written() {
    let bench = Bench::new();
    let ran = finish(command(&["explain"]).stdout_to("/dev/full"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0010"), "{}", ran.stderr);
    drop(bench);
}

trait StdoutTo {
    fn stdout_to(self, path: &str) -> std::process::Command;
}

impl StdoutTo for std::process::Command {
    fn stdout_to(mut self, path: &str) -> std::process::Command {
        self.stdout(std::fs::OpenOptions::new().write(true).open(path).unwrap());
        self
    }
}
