//! The library as a program uses it: linked programs compute what they should, errors say where, many
//! threads share the slots.
#![forbid(unsafe_code)]

use raddle::{Arch, Arg, Cancel, ErrorKind, Launch, Linker, OptLevel, Options, Severity};

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

#[path = "../examples/compile.rs"]
#[expect(dead_code, reason = "its main is not called here")]
mod example;

/// A kernel that stores `f(n)`, and a module with `f`, which adds `more`.
fn uses() -> String {
    format!(
        "{HEAD}.extern .func (.param .b32 r) f(.param .b32 a);\n\
         .visible .entry k(.param .u64 out, .param .u32 n)\n{{\n\
         .reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n\
         ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\n\
         {{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r1;\ncall (r), f, (a);\nld.param.b32 %r2, [r];\n}}\n\
         st.global.u32 [%rd1], %r2;\nret;\n}}\n"
    )
}

fn defines(more: u32) -> String {
    format!(
        "{HEAD}.visible .func (.param .b32 r) f(.param .b32 a)\n{{\n\
         .reg .b32 %r<3>;\nld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, {more};\nst.param.b32 [r], %r2;\nret;\n}}\n"
    )
}

/// What a linked program computes.
fn computed(arch: Arch, add: impl Fn(&mut Linker)) -> u32 {
    let mut linker = Linker::new(arch, Options::default());
    add(&mut linker);
    let cubin = linker.link().unwrap();
    assert_eq!((cubin.arch(), cubin.kernels().len()), (arch, 1));
    let launch = Launch::new("k").arg(Arg::Buffer(vec![0; 4])).arg(37u32);
    let results = raddle::run(cubin.bytes(), &launch).unwrap();
    u32::from_le_bytes(results[0][..].try_into().unwrap())
}

#[test]
fn linked_programs_compute_what_they_should_on_every_architecture() {
    for arch in Arch::all() {
        let of_ptx = computed(arch, |linker| {
            linker.add_ptx("uses.ptx", &uses()).unwrap();
            linker.add_ptx("defines.ptx", &defines(5)).unwrap();
        });
        let of_objects = computed(arch, |linker| {
            for (name, ptx) in [("d", defines(5)), ("u", uses())] {
                let object = raddle::compile(&ptx, &Options::new(arch).relocatable(true)).unwrap();
                linker.add(name, object.bytes()).unwrap();
            }
        });
        assert_eq!((of_ptx, of_objects), (42, 42), "{arch}");
    }
}

#[test]
fn errors_say_what_where_and_of_which_kind() {
    let wrong =
        format!("{HEAD}.visible .entry k()\n{{\nfrob.u32;\nret;\n}}\n.visible .entry l()\n{{\nnope.u32;\nret;\n}}\n");
    let error = raddle::compile(&wrong, &Options::new(Arch::SM_90).name("wrong.ptx")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let places: Vec<_> = error.diagnostics().iter().map(|found| (found.file(), found.line())).collect();
    assert_eq!(places, [(Some("wrong.ptx"), Some(6)), (Some("wrong.ptx"), Some(11))]);
    assert!(
        error.diagnostics().iter().all(|found| found.severity() == Severity::Error && found.code().starts_with('E'))
    );
    assert!(error.to_string().contains("wrong.ptx:6"), "{error}");
    let newer =
        raddle::compile(&format!(".version 8.0\n.target sm_90\n.address_size 64\n{}", ""), &Options::new(Arch::SM_80));
    assert_eq!(newer.unwrap_err().kind(), ErrorKind::Input);
    let missing = raddle::compile(&defines(1), &Options::new(Arch::SM_80).kernels(["k"])).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Usage);
    let mut linker = Linker::new(Arch::SM_80, Options::default());
    linker.add_ptx("uses.ptx", &uses()).unwrap();
    assert!(linker.add("junk", b"hello").is_err());
    let undefined = linker.link().unwrap_err();
    assert!(
        undefined.kind() == ErrorKind::Input && undefined.to_string().contains("undefined symbol f"),
        "{undefined}"
    );
    assert_eq!(Linker::new(Arch::SM_80, Options::default()).link().unwrap_err().kind(), ErrorKind::Input);
}

#[test]
fn options_change_the_code_and_threads_do_not() {
    let ptx = uses() + &defines(7).replace(HEAD, "").replace(".visible", "");
    let ptx = ptx.replace(".extern .func (.param .b32 r) f(.param .b32 a);\n", "");
    let ptx = format!("{HEAD}.func (.param .b32 r) f(.param .b32 a);\n{}", ptx.replace(HEAD, ""));
    let of = |options: Options| raddle::compile(&ptx, &options).unwrap().into_bytes();
    let plain = of(Options::new(Arch::SM_90));
    assert_ne!(plain, of(Options::new(Arch::SM_90).opt_level(OptLevel::O0)));
    assert_ne!(plain, of(Options::new(Arch::SM_86)));
    assert_ne!(plain, of(Options::new(Arch::SM_90).line_info(true)));
    assert_ne!(plain, of(Options::new(Arch::SM_90).debug(true)));
    std::thread::scope(|scope| {
        for jobs in 1..9 {
            let (of, plain) = (&of, &plain);
            scope.spawn(move || assert!(*plain == of(Options::new(Arch::SM_90).jobs(jobs))));
        }
    });
    let report = raddle::compile(&ptx, &Options::new(Arch::SM_90)).unwrap();
    let kernel = &report.kernels()[0];
    assert!(kernel.name() == "k" && kernel.registers() > 0 && kernel.spill_bytes() == Some((0, 0)));
}

#[test]
fn another_thread_cancels() {
    let cancel = Cancel::new();
    let kernel = |n: usize| {
        format!(".visible .entry k{n}()\n{{\n.reg .b32 %r<9>;\n{}ret;\n}}\n", "add.u32 %r1, %r2, %r3;\n".repeat(200))
    };
    let ptx = HEAD.to_owned() + &(0..4000).map(kernel).collect::<String>();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            cancel.cancel();
        });
        raddle::compile(&ptx, &Options::default().cancel(&cancel)).unwrap_err()
    });
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(cancel.is_cancelled());
}

#[test]
fn a_run_that_fails_says_where() {
    let ptx = format!(
        "{HEAD}.visible .entry k(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nst.global.u32 [%rd1+4], 7;\nret;\n}}\n"
    );
    let cubin = raddle::compile(&ptx, &Options::default()).unwrap();
    let stray = raddle::run(cubin.bytes(), &Launch::new("k").arg(Arg::Buffer(vec![0; 4]))).unwrap_err();
    assert!(stray.place().unwrap().starts_with("k+0x") && stray.thread().is_some(), "{stray}");
    let results = raddle::run(cubin.bytes(), &Launch::new("k").arg(Arg::Buffer(vec![0; 8]))).unwrap();
    assert_eq!(results, [[0, 0, 0, 0, 7, 0, 0, 0]]);
    let missing = raddle::run(cubin.bytes(), &Launch::new("k")).unwrap_err();
    assert!(missing.place().is_none(), "{missing}");
}

#[test]
fn the_example_writes_a_cubin_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("k.ptx"), format!("{HEAD}.visible .entry k()\n{{\nret;\n}}\n")).unwrap();
    example::compile(&path("k.ptx"), "sm_90", &path("k.cubin")).unwrap();
    assert!(std::fs::read(path("k.cubin")).unwrap().starts_with(b"\x7fELF"));
    assert!(example::compile(&path("k.ptx"), "sm_9", &path("k.cubin")).is_err());
    std::fs::write(path("k.ptx"), "frob").unwrap();
    assert!(example::compile(&path("k.ptx"), "sm_90", &path("k.cubin")).unwrap_err().to_string().contains("k.ptx"));
}
