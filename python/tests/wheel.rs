//! The Python wheel: made by `scripts/wheel.sh`, installed in a clean environment, used there.
#![forbid(unsafe_code)]

use raddle_filetest::oracle;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, text.concat());
    output
}

#[test]
fn dependencies_have_the_features_of_the_workspace() {
    // With other features cargo compiles every crate a second time for the wheel.
    let packages = |of: &[&str]| -> BTreeSet<String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["tree", "--offline", "--prefix", "none", "--format", "{p} {f}"]).args(of);
        let output = run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let own = packages(&["--package", "raddle-python", "--edges", "no-dev"]);
    assert!(own.len() > 40, "{own:?}");
    let others: Vec<String> = own.difference(&packages(&["--workspace"])).cloned().collect();
    assert_eq!(others, <[String; 0]>::default());
}

#[test]
fn the_wheel_works_in_a_clean_environment() {
    let (Some(python), Some(_)) = (oracle::require("python3"), oracle::require("maturin")) else { return };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let [wheels, environment] = ["wheels", "environment"].map(|name| folder.path().join(name));
    // Any executable and any library tell whether they are in it: those of a release take minutes.
    let programs = folder.path().join("programs");
    let own = std::env::current_exe().unwrap();
    for (place, name) in [("bin", "raddle"), ("lib", "libnvJitLink.so.13")] {
        std::fs::create_dir_all(programs.join(place)).unwrap();
        std::fs::copy(&own, programs.join(place).join(name)).unwrap();
    }
    let mut make = Command::new(here.join("../scripts/wheel.sh"));
    run(make.args(["--profile", "dev", "--programs"]).arg(&programs).arg(&wheels));
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
    assert!(said.contains("Ran 11 tests") && said.contains("OK"), "{said}");
    let path = |name: &str| {
        let output = Command::new(&inside).args(["-I", "-m", "raddle", "path", name]).output().unwrap();
        let path = String::from_utf8(output.stdout).unwrap();
        (output.status.success(), PathBuf::from(path.trim_end()))
    };
    for name in ["raddle", "libnvJitLink"] {
        let (found, path) = path(name);
        assert!(found && path.starts_with(&environment), "{name}: {}", path.display());
        let [theirs, ours] = [&path, &own].map(|file| std::fs::metadata(file).unwrap().len());
        assert!(theirs > 0 && theirs <= ours, "{name}");
    }
    let listed = run(Command::new(path("raddle").1).arg("--list")).stdout;
    assert!(String::from_utf8(listed).unwrap().contains("the_wheel_works_in_a_clean_environment: test"));
    assert_eq!(path("libnvfatbin"), (false, PathBuf::new()));
    // The executable that was put there knows of no tools.
    assert_eq!(path("ptxas"), (false, PathBuf::new()));
}
