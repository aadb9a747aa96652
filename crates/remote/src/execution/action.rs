//! The action of a unit: what a worker gets, and where it puts the result (REAPI v2.11, `Action`).
//!
//! The input root has two files: the program, and the PTX of the unit. The command reads the one and
//! writes one file. **Invariant.** The digest of an action depends on the unit, on the program and on the
//! platform alone, so the same unit is found in the action cache of every user of an engine.

use super::digest::{Blob, Digest};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf;
use raddle_driver::engine::RemoteUnit;

/// The name of the program in the input root.
const PROGRAM: &str = "raddle";
/// The name of the PTX.
const INPUT: &str = "unit.ptx";
/// The name of the file with the result.
pub(super) const OUTPUT: &str = "unit.out";

/// An action, with all blobs that it needs but the program.
#[derive(Debug)]
pub(super) struct Action {
    pub digest: Digest,
    /// Action, command, input root, PTX.
    pub blobs: Vec<Blob>,
}

/// The platform of a worker: properties, sorted by name and value (REAPI v2.11, `Platform`).
pub(super) fn platform(properties: &[(String, String)]) -> Option<reapi::Platform> {
    let mut sorted = properties.to_vec();
    sorted.sort();
    sorted.dedup();
    let property = |(name, value)| reapi::platform::Property { name, value };
    (!sorted.is_empty()).then(|| reapi::Platform { properties: sorted.into_iter().map(property).collect() })
}

impl Action {
    /// The action that compiles a unit by the program with a digest.
    pub fn of(unit: RemoteUnit, program: &Digest, platform: Option<&reapi::Platform>) -> Action {
        let text = Blob::of(unit.text.into_bytes());
        let file = |name: &str, digest: &Digest, is_executable| reapi::FileNode {
            name: name.to_owned(),
            digest: Some(digest.message()),
            is_executable,
            node_properties: None,
        };
        // Sorted by name.
        let files = vec![file(PROGRAM, program, true), file(INPUT, &text.digest, false)];
        let root = Blob::message(&reapi::Directory { files, ..reapi::Directory::default() });
        let mut arguments = vec![format!("./{PROGRAM}"), "__unit".to_owned()];
        arguments.extend(unit.arguments);
        arguments.extend([format!("--input={INPUT}"), format!("--output={OUTPUT}")]);
        let command = Blob::message(&command(arguments, platform));
        let action = reapi::Action {
            command_digest: Some(command.digest.message()),
            input_root_digest: Some(root.digest.message()),
            timeout: unit.limit.map(|limit| protobuf::Duration {
                seconds: limit.as_secs().cast_signed(),
                nanos: limit.subsec_nanos().cast_signed(),
            }),
            platform: platform.cloned(),
            ..reapi::Action::default()
        };
        let action = Blob::message(&action);
        Action { digest: action.digest.clone(), blobs: vec![action, command, root, text] }
    }

    /// An action that is never executed: it names an entry of a cache.
    pub fn of_name(arguments: Vec<String>) -> Action {
        let root = Blob::message(&reapi::Directory::default());
        let command = Blob::message(&command(arguments, None));
        let action = Blob::message(&reapi::Action {
            command_digest: Some(command.digest.message()),
            input_root_digest: Some(root.digest.message()),
            ..reapi::Action::default()
        });
        Action { digest: action.digest.clone(), blobs: vec![action, command, root] }
    }
}

#[expect(deprecated, reason = "servers before REAPI v2.1 know the old fields alone")]
fn command(arguments: Vec<String>, platform: Option<&reapi::Platform>) -> reapi::Command {
    reapi::Command {
        arguments,
        output_paths: vec![OUTPUT.to_owned()],
        output_files: vec![OUTPUT.to_owned()],
        platform: platform.cloned(),
        ..reapi::Command::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;
    use std::time::Duration;

    fn unit() -> RemoteUnit {
        RemoteUnit {
            name: "k".to_owned(),
            text: ".version 8.0".to_owned(),
            arguments: vec!["--arch".to_owned(), "sm_90".to_owned()],
            limit: None,
        }
    }

    fn pairs(texts: &[&str]) -> Option<reapi::Platform> {
        let pair = |text: &&str| text.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        platform(&texts.iter().map(pair).collect::<Vec<_>>())
    }

    #[test]
    fn equal_units_are_equal_actions() {
        let program = Digest::of(b"program");
        let of = |unit, texts: &[&str]| Action::of(unit, &program, pairs(texts).as_ref()).digest;
        let first = of(unit(), &["a=1", "b=2"]);
        // Taken from a first run: a change makes the action caches of all users cold.
        assert_eq!(first.hash, "0b39558bcd160327c056db9ea78e9a233426df18edb4214ab75de69e50872d96");
        assert_eq!(of(RemoteUnit { name: "other".to_owned(), ..unit() }, &["b=2", "a=1", "b=2"]), first);
        let others = [
            of(unit(), &[]),
            of(unit(), &["a=1", "b=3"]),
            of(RemoteUnit { text: String::new(), ..unit() }, &["a=1", "b=2"]),
            of(RemoteUnit { arguments: Vec::new(), ..unit() }, &["a=1", "b=2"]),
            of(RemoteUnit { limit: Some(Duration::from_millis(1500)), ..unit() }, &["a=1", "b=2"]),
            Action::of(unit(), &Digest::of(b"other"), pairs(&["a=1", "b=2"]).as_ref()).digest,
        ];
        for (at, other) in others.iter().enumerate() {
            assert!(*other != first && !others[..at].contains(other), "{at}");
        }
    }

    #[test]
    fn an_action_has_all_that_a_worker_needs() {
        let program = Digest::of(b"program");
        let action = Action::of(RemoteUnit { limit: Some(Duration::from_secs(3)), ..unit() }, &program, None);
        let find = |digest: &Option<reapi::Digest>| {
            let digest = digest.as_ref().and_then(Digest::read).unwrap();
            action.blobs.iter().find(|blob| blob.digest == digest).map(|blob| &*blob.bytes).unwrap()
        };
        let read = reapi::Action::decode(find(&Some(action.digest.message()))).unwrap();
        assert_eq!((read.timeout.unwrap().seconds, read.do_not_cache, read.platform), (3, false, None));
        let command = reapi::Command::decode(find(&read.command_digest)).unwrap();
        assert_eq!(
            command.arguments,
            ["./raddle", "__unit", "--arch", "sm_90", "--input=unit.ptx", "--output=unit.out"]
        );
        assert_eq!((command.output_paths, command.environment_variables), (vec!["unit.out".to_owned()], vec![]));
        let root = reapi::Directory::decode(find(&read.input_root_digest)).unwrap();
        let files: Vec<_> = root.files.iter().map(|file| (&*file.name, file.is_executable)).collect();
        assert_eq!(files, [("raddle", true), ("unit.ptx", false)]);
        assert_eq!(root.files[0].digest, Some(program.message()));
        assert_eq!(find(&root.files[1].digest), b".version 8.0");
    }
}
