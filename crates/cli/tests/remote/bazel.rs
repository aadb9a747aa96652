//! The rules for Bazel of `examples/bazel`: their outputs are those of the command.

use crate::common::{Bench, finish, raddle};
use raddle_filetest::oracle;
use std::fs;
use std::path::Path;
use std::process::Command;

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copied(&entry.path(), &to),
            kind if kind.is_file() => drop(fs::copy(entry.path(), &to).unwrap()),
            // The links that a build by hand has left.
            _ => {}
        }
    }
}

#[test]
fn bazel_makes_what_the_command_makes_and_builds_what_has_changed() {
    let Some(bazel) = oracle::require("bazel") else { return };
    let bench = Bench::new();
    let (folder, root) = (bench.path("bazel"), bench.path("root"));
    copied(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bazel"), Path::new(&folder));
    let program = Path::new(&folder).join("program");
    let build = || {
        let mut command = Command::new(bazel.path());
        command.args(["--batch", &format!("--output_user_root={root}"), "build", "//...", "--color=no"]);
        command.current_dir(&program).env("RADDLE", env!("CARGO_BIN_EXE_raddle"));
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    let file = |name: &str| program.join(name).to_str().unwrap().to_owned();
    let compare = || {
        let (twice, caller, out) = (bench.path("twice.o"), bench.path("caller.o"), bench.path("out.cubin"));
        for (more, source, object) in [(&[][..], "twice.ptx", &twice), (&["--lineinfo"], "caller.ptx", &caller)] {
            let words = ["compile", "-c", "--arch", "sm_90", "-o", object, &file(source)];
            assert_eq!(raddle(&[&words, more].concat()).code, Some(0));
        }
        assert_eq!(raddle(&["link", "--arch", "sm_90", "-o", &out, &caller, &twice]).code, Some(0));
        assert!(fs::read(&out).unwrap() == fs::read(file("bazel-bin/program.cubin")).unwrap());
        assert_eq!(raddle(&["compile", "--arch", "sm_90", "-o", &out, &file("double.ptx")]).code, Some(0));
        assert!(fs::read(&out).unwrap() == fs::read(file("bazel-bin/double.cubin")).unwrap());
    };
    let cold = build();
    assert!(cold.contains("5 total actions") && !cold.contains("warning["), "{cold}");
    compare();
    let text = fs::read_to_string(file("twice.ptx")).unwrap();
    fs::write(file("twice.ptx"), text.replace("%r1, 1;", "%r1, 2;")).unwrap();
    // One object and the program that it is part of.
    let warm = build();
    assert!(warm.contains("3 total actions"), "{warm}");
    compare();
}
