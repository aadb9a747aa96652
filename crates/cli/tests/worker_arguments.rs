//! SPLIT-3: the processes that compile units and run LLVM are given the options that differ from
//! their defaults, and no others, as the kernel of the system lists them.

use crate::common::{Bench, PATIENCE, command, corpus};
use raddle_filetest::llvm;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The arguments of the process that `raddle compile` starts with this word, without those that say
/// whose it is. A kernel of the build takes half a second longer: enough to look.
fn arguments(word: &str, fault: &str, args: &[&str]) -> Vec<String> {
    let bench = Bench::new();
    let out = bench.path("out");
    let mut command = command(&[&["compile", "-o", &out], args].concat());
    let mut child = command.env("RADDLE_FAULT", fault).stderr(Stdio::null()).spawn().unwrap();
    let parent = format!("--parent={}", child.id());
    let started = Instant::now();
    let mut found = None;
    while found.is_none() && started.elapsed() < PATIENCE {
        found = processes().find(|words| words.iter().any(|w| w == word) && words.contains(&parent));
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    let found = found.unwrap_or_else(|| panic!("no process {word} in {:?}", started.elapsed()));
    found.into_iter().skip_while(|w| w != word).skip(1).filter(|w| *w != parent).collect()
}

/// The arguments of all processes.
fn processes() -> impl Iterator<Item = Vec<String>> {
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    all.map(|line| line.split(|&b| b == 0).map(|w| String::from_utf8_lossy(w).into_owned()).collect::<Vec<_>>())
        .map(|words| words.into_iter().filter(|w| !w.is_empty()).collect())
}

#[test]
fn a_process_of_a_unit_is_given_what_differs_from_the_defaults() {
    let module = corpus().join("modules/eight/nvcc.ptx").display().to_string();
    // The first compilation of `scan` crashes, the second has a process of its own.
    let of = |more: &[&str]| arguments("__unit", "segv-once:scan,slow@alloc:scan", &[&[&*module], more].concat());
    // Spelt as by default, too.
    for same in [&[][..], &["-O3", "--fmad=true", "-j1"]] {
        assert_eq!(of(same), ["--arch", "sm_80", "-e", "scan"]);
    }
    let other = of(&["-O1", "--fmad=false", "--maxrregcount=64", "--lineinfo", "--def-load-cache=cg", "-j2"]);
    let want = ["--arch", "sm_80", "-O1", "--fmad=false", "--maxrregcount=64", "--lineinfo", "--def-load-cache=cg"];
    assert_eq!(other, [&want[..], &["-e", "scan"]].concat());
}

#[test]
fn a_process_of_llvm_is_given_what_differs_from_the_defaults() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"\n\
                define ptx_kernel void @k(ptr addrspace(1) %p) #0 { store i32 7, ptr addrspace(1) %p ret void }\n\
                attributes #0 = { \"target-cpu\"=\"sm_90\" }\n";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let (bench, library) = (Bench::new(), library.display().to_string());
        let file = bench.file("k.ll", text);
        let of = |more: &[&str]| arguments("__llvm", "slow:k", &[&["--llvm", &library, &file], more].concat());
        for same in [&[][..], &["--prec-div=true", "--prec-sqrt=true", "--fmad=true", "-O3"]] {
            assert_eq!(of(same).len(), 1, "LLVM {major}: the library alone");
        }
        let other = of(&["--prec-div=false", "--fmad=false", "-mllvm", "-unroll-threshold=7"]);
        let want = ["-nvptx-prec-divf32=1", "-nvptx-fma-level=0", "-unroll-threshold=7"];
        assert_eq!(other[1..], want.map(|option| format!("--option={option}")), "LLVM {major}");
    }
}
