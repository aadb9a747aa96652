//! The Python wheel with this program in it, installed beside Triton: kernels are compiled through it and
//! run in the simulator, and it is found under the names of the tools.

use raddle_filetest::oracle;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, text.concat());
    output
}

/// A clean environment with the wheel, which has this program, and with what `make callers` installed.
fn environment(folder: &Path) -> Option<PathBuf> {
    let (Some(python), Some(_)) = (oracle::require(oracle::TRITON), oracle::require("maturin")) else { return None };
    let [wheels, environment, programs] = ["wheels", "environment", "programs"].map(|name| folder.join(name));
    for place in ["bin", "lib"] {
        std::fs::create_dir_all(programs.join(place)).unwrap();
    }
    std::fs::copy(env!("CARGO_BIN_EXE_raddle"), programs.join("bin/raddle")).unwrap();
    let mut make = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/wheel.sh"));
    run(make.args(["--profile", "dev", "--programs"]).arg(&programs).arg(&wheels));
    run(python.command().args(["-m", "venv"]).arg(&environment));
    let inside = environment.join("bin/python");
    let pip = ["-I", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps"];
    let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    run(Command::new(&inside).args(pip).arg(wheel));
    let packages = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
    let [theirs, ours] = [python.path(), &inside].map(|python| run(Command::new(python).args(packages)).stdout);
    let ours = PathBuf::from(String::from_utf8(ours).unwrap().trim_end());
    std::fs::write(ours.join("callers.pth"), theirs).unwrap();
    Some(inside)
}

#[test]
fn kernels_of_triton_are_tested_without_a_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = environment(folder.path()) else { return };
    let clean = |words: &[&str]| {
        let mut command = Command::new(&python);
        command.args(words).current_dir(folder.path()).env("TRITON_DEFAULT_FP_FUSION", "1");
        for name in ["PYTHONPATH", "RADDLE_PTXAS", "RADDLE_CACHE", "RADDLE_WITHIN", "RADDLE_FAULT"] {
            command.env_remove(name);
        }
        run(&mut command)
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/tests/test_testing.py");
    let said = String::from_utf8(clean(&["-I", tests.to_str().unwrap()]).stderr).unwrap();
    assert!(said.contains("Ran 10 tests") && said.ends_with("OK\n"), "{said}");
    // The second of the two commands in README.md; the first installs the packages.
    let said = String::from_utf8(clean(&["-m", "raddle.examples.attention"]).stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with("attention for sm_80: ") && lines[1].contains("sm_90: "),
        "{said}"
    );
}
