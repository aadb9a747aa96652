//! `compile --emit-units DIR`, any means to run the commands, `compile --units DIR`: the same bytes.

use crate::common::{Bench, Ran, command, corpus, finish};
use raddle_filetest::oracle;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

fn plain(args: &[&str]) -> Ran {
    let mut command = command(args);
    command.env_remove("RADDLE_FAULT");
    finish(command)
}

fn farm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/farm")
}

/// A build in which `run` runs the commands of the folder.
fn through(what: &str, options: &[&str], run: impl Fn(&str)) {
    let bench = Bench::new();
    let [here, there, folder] = ["here", "there", "units"].map(|name| bench.path(name));
    let base = |rest: &[&str]| plain(&[&["compile", &eight()], options, rest].concat());
    assert_eq!(base(&["-o", &here]).code, Some(0));
    let ran = base(&["--emit-units", &folder]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    run(&folder);
    let ran = base(&["-o", &there, "--units", &folder]);
    assert_eq!((ran.code, &ran.stderr[..]), (Some(0), ""), "{what}: everything is used");
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap(), "{what}");
}

/// Runs a program in the folder, with this `raddle`.
fn run_in(folder: &str, program: &str, args: &[&str]) {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("RADDLE", env!("CARGO_BIN_EXE_raddle"));
    let output = command.env_remove("MAKEFLAGS").env_remove("RADDLE_FAULT").output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_shell_make_and_xargs_make_the_objects() {
    through("shell", &[], |folder| run_in(folder, "sh", &["commands"]));
    through("shell", &["-O1", "--lineinfo", "-c"], |folder| run_in(folder, "sh", &["commands"]));
    let makefile = farm().join("Makefile");
    through("make", &[], |folder| run_in(folder, "make", &["-j2", "-f", makefile.to_str().unwrap()]));
    let xargs = farm().join("xargs.sh");
    through("xargs", &[], |folder| run_in(folder, "sh", &[xargs.to_str().unwrap(), "2"]));
}

#[test]
fn what_is_missing_or_damaged_is_compiled_here() {
    let bench = Bench::new();
    let [here, there, folder] = ["here", "there", "units"].map(|name| bench.path(name));
    assert_eq!(plain(&["compile", &eight(), "-o", &here]).code, Some(0));
    assert_eq!(plain(&["compile", &eight(), "--emit-units", &folder]).code, Some(0));
    let list: Value = serde_json::from_slice(&std::fs::read(format!("{folder}/units.json")).unwrap()).unwrap();
    let units = list["units"].as_array().unwrap();
    assert_eq!((units.len(), &list["kind"]), (8, &"units".into()));
    assert!(units.iter().all(|unit| unit["cost"].as_u64() > Some(0) && unit["key"].as_str().unwrap().len() == 64));
    let warned = |what: &str| {
        let ran = plain(&["compile", &eight(), "-o", &there, "--units", &folder, "--Werror"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains("warning[E0098]") && ran.stderr.contains(what), "{what}: {}", ran.stderr);
        assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap(), "{what}");
    };
    warned("8 of 8 kernels of --units are compiled here");
    run_in(&folder, "sh", &["commands"]);
    let output = |n: usize| format!("{folder}/{}", units[n]["output"].as_str().unwrap());
    let good: Vec<Vec<u8>> = (0..8).map(|n| std::fs::read(output(n)).unwrap()).collect();
    std::fs::write(output(0), &good[1]).unwrap();
    warned("is the output of another request");
    std::fs::write(output(0), &good[0][..good[0].len() / 2]).unwrap();
    warned("is damaged");
    let mut flipped = good[0].clone();
    let at = flipped.len() - 5;
    flipped[at] ^= 1;
    std::fs::write(output(0), flipped).unwrap();
    warned("is damaged");
    std::fs::remove_file(output(0)).unwrap();
    warned("1 of 8 kernels");
    // Another text: no object fits, and nothing is wrong.
    let edited = bench.file("edited.ptx", std::fs::read_to_string(eight()).unwrap().replace("add.s32", "sub.s32"));
    std::fs::write(output(0), &good[0]).unwrap();
    let [own, other] = ["own", "other"].map(|name| bench.path(name));
    assert_eq!(plain(&["compile", &edited, "-o", &own]).code, Some(0));
    assert_eq!(plain(&["compile", &edited, "-o", &other, "--units", &folder]).code, Some(0));
    assert_eq!(std::fs::read(&own).unwrap(), std::fs::read(&other).unwrap());
}

#[test]
fn a_folder_that_is_none_is_an_error() {
    let bench = Bench::new();
    let ran = plain(&["compile", &eight(), "-o", "/dev/null", "--units", &bench.path("none")]);
    assert!(ran.code == Some(1) && ran.stderr.contains("E0001"), "{}", ran.stderr);
    bench.file("units.json", "{}");
    let ran = plain(&["compile", &eight(), "-o", "/dev/null", "--units", bench.dir.path().to_str().unwrap()]);
    assert!(ran.code == Some(1) && ran.stderr.contains("is no list of units"), "{}", ran.stderr);
    let ran = plain(&["compile", &eight(), "--emit-units", "/proc/none"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("E0010"), "{}", ran.stderr);
    // Errors in the text are errors here, too.
    let wrong = bench.file("wrong.ptx", ".version 8.0\n.target sm_90\n.visible .entry k() { frob; }\n");
    assert_eq!(plain(&["compile", &wrong, "--emit-units", &bench.path("units")]).code, Some(1));
}

#[test]
fn the_example_for_slurm_makes_the_objects_where_each_task_is_a_process() {
    // Without Slurm its tasks are started one after another, as Slurm would start them.
    let script = farm().join("slurm.sh");
    let script = script.to_str().unwrap().to_owned();
    run_in(".", "sh", &["-n", &script]);
    through("slurm", &[], |folder| {
        let count = std::fs::read_to_string(format!("{folder}/commands")).unwrap().lines().count();
        for task in 1..=count {
            let mut command = Command::new("sh");
            command.arg(&script).current_dir(folder).env("SLURM_ARRAY_TASK_ID", task.to_string());
            command.env("RADDLE", env!("CARGO_BIN_EXE_raddle")).env_remove("RADDLE_FAULT");
            assert!(command.status().unwrap().success());
        }
    });
}

/// Stand-ins for Ray and Dask, with the functions that the examples call: each task runs at once.
const RAY: &str = "\
def init():
    pass
def remote(function):
    function.remote = function
    return function
def get(results):
    return results
";
const DASK: &str = "\
class Client:
    def __init__(self, address):
        assert address is None
    def map(self, function, first, second, pure):
        assert not pure
        return list(map(function, first, second))
    def gather(self, results):
        return results
";

/// Runs an example in Python, with the module that it imports where it is installed, or with a stand-in.
fn python(module: &str, example: &str, file: &str, stand_in: &str) {
    let script = farm().join(example);
    let script = script.to_str().unwrap().to_owned();
    let bench = Bench::new();
    let import = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    let installed = import.is_ok_and(|output| output.status.success());
    if !installed {
        println!("{example}: {module} is not installed, a stand-in runs the tasks");
        let file = bench.dir.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, stand_in).unwrap();
    }
    let path = format!("PYTHONPATH={}", bench.dir.path().display());
    through(module, &[], |folder| run_in(folder, "env", &[&path, "python3", &script]));
}

#[test]
fn the_example_for_ray_makes_the_objects() {
    let Some(_) = oracle::require("python3") else { return };
    python("ray", "ray_farm.py", "ray.py", RAY);
}

#[test]
fn the_example_for_dask_makes_the_objects() {
    let Some(_) = oracle::require("python3") else { return };
    python("dask.distributed", "dask_farm.py", "dask/distributed.py", DASK);
}
