//! The Python wheel: made by `scripts/wheel.sh`, installed in a clean environment, used there.
#![forbid(unsafe_code)]

use raddle_filetest::oracle;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, text.concat());
    output
}

#[test]
fn the_wheel_works_in_a_clean_environment() {
    let (Some(python), Some(_)) = (oracle::require("python3"), oracle::require("maturin")) else { return };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let [wheels, environment] = ["wheels", "environment"].map(|name| folder.path().join(name));
    run(Command::new(here.join("../scripts/wheel.sh")).args(["--profile", "dev"]).arg(&wheels));
    let made: Vec<PathBuf> = std::fs::read_dir(&wheels).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [wheel] = &made[..] else { panic!("{made:?}") };
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("raddle-") && name.contains("-cp310-abi3-"), "{name}");
    run(python.command().args(["-m", "venv"]).arg(&environment));
    let inside = environment.join("bin/python");
    let pip = ["-I", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps"];
    run(Command::new(&inside).args(pip).arg(wheel));
    let tests = here.join("tests/test_raddle.py");
    // No folder of this checkout is where modules are looked for.
    let output = run(Command::new(&inside).arg("-I").arg(tests).current_dir(folder.path()).env_remove("PYTHONPATH"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("Ran 9 tests") && said.contains("OK"), "{said}");
}
