//! `raddle install`, and what `raddle doctor` says of the tools that callers find.

use crate::common::{Bench, EMPTY_KERNEL, Ran, command, finish, raddle};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

fn ptxas(bench: &Bench, folder: &str) -> Ran {
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let mut command = Command::new(bench.path(&format!("{folder}/ptxas")));
    command.args(["-arch=sm_90", &module, "-o", &bench.path("out")]).stdin(Stdio::null());
    finish(command)
}

#[test]
fn links_and_copies_are_the_tools() {
    let bench = Bench::new();
    for (folder, option) in [("links", None), ("deep/er/copies", Some("--copy"))] {
        let into = bench.path(folder);
        let words: Vec<&str> = ["install", "--into", &into].into_iter().chain(option).collect();
        // The second time it replaces its own files.
        for _ in 0..2 {
            let ran = raddle(&words);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
            assert!(String::from_utf8(ran.stdout).unwrap().lines().any(|line| line == format!("{into}/ptxas")));
        }
        let is_link = fs::symlink_metadata(bench.path(&format!("{folder}/ptxas"))).unwrap().is_symlink();
        assert_eq!(is_link, option.is_none());
        let ran = ptxas(&bench, folder);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        assert!(fs::read_dir(&into).unwrap().all(|entry| entry.unwrap().path().extension().is_none()));
    }
}

#[test]
fn files_of_others_are_kept_unless_forced() {
    let bench = Bench::new();
    fs::create_dir(bench.path("bin")).unwrap();
    let (into, own) = (bench.path("bin"), bench.file("bin/nvlink", "theirs"));
    symlink("/nowhere", bench.path("bin/ptxas")).unwrap();
    let ran = raddle(&["install", "--into", &into]);
    assert!(ran.code == Some(1) && ran.stderr.contains(&format!("'{own}' is not Raddle")), "{}", ran.stderr);
    assert_eq!(fs::read(&own).unwrap(), b"theirs");
    assert!(ptxas_is_link_to_nowhere(&bench), "all or nothing");
    assert_eq!(raddle(&["install", "--into", &into, "--force"]).code, Some(0));
    assert!(fs::symlink_metadata(&own).unwrap().is_symlink());
    assert_eq!(ptxas(&bench, "bin").code, Some(0));
}

fn ptxas_is_link_to_nowhere(bench: &Bench) -> bool {
    fs::read_link(bench.path("bin/ptxas")).unwrap() == std::path::Path::new("/nowhere")
}

#[test]
fn doctor_says_what_each_caller_finds() {
    let bench = Bench::new();
    for folder in ["other", "toolkit/bin", "links"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    for name in ["other/ptxas", "toolkit/bin/nvlink"] {
        let path = bench.file(name, "#!/bin/sh\n");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(raddle(&["install", "--into", &bench.path("links")]).code, Some(0));
    let [links, other, toolkit] = ["links", "other", "toolkit"].map(|name| bench.path(name));
    let mut doctor = command(&["doctor"]);
    doctor.env("PATH", format!("{links}:{other}")).env("TRITON_PTXAS_PATH", format!("{links}/ptxas"));
    doctor.env("TRITON_PTXAS_BLACKWELL_PATH", format!("{links}/none")).env("CUDA_HOME", &toolkit);
    bench.file("other/libnvJitLink.so.13", "theirs");
    doctor.env("CUDA_ROOT", bench.path("other")).env("MODULAR_NVPTX_COMPILER_PATH", format!("{links}/ptxas"));
    doctor.env("XLA_FLAGS", format!("--xla_x --xla_gpu_cuda_data_dir=/none --xla_gpu_cuda_data_dir={toolkit}"));
    doctor.env("LD_LIBRARY_PATH", format!("{links}:{other}"));
    for name in ["CUDA_PATH", "RADDLE_PTXAS", "RADDLE_WITHIN"] {
        doctor.env_remove(name);
    }
    let text = String::from_utf8(finish(doctor).stdout).unwrap();
    let says = |name: &str, value: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        assert_eq!(line[name.len()..].trim(), value, "{text}");
    };
    says("ptxas", &format!("{links}/ptxas: this Raddle; fallback: {other}/ptxas"));
    says("nvlink", &format!("{links}/nvlink: this Raddle"));
    says("TRITON_PTXAS_PATH", &format!("{links}/ptxas: this Raddle (Triton)"));
    says(
        "TRITON_PTXAS_BLACKWELL_PATH",
        &format!("{links}/none: not a program (Triton, from compute capability 9.0 on)"),
    );
    says("CUDA_HOME", &format!("{toolkit}/bin/nvlink: another program"));
    says("CUDA_PATH", "not set");
    says("CUDA_ROOT", &format!("{other}: no tools in its bin"));
    says("MODULAR_NVPTX_COMPILER_PATH", &format!("{links}/ptxas: this Raddle (Mojo)"));
    says("XLA_FLAGS", &format!("{toolkit}/bin/nvlink: another program (XLA, JAX)"));
    says("libnvJitLink.so.13", &format!("{other}/libnvJitLink.so.13: another library"));
}
