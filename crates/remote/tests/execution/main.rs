//! The client of engines against an engine in this process, which fails in every way that a test wants.
#![cfg(feature = "execution")]
#![forbid(unsafe_code)]

mod connections;
mod failures;
mod fake;
mod silence;
mod store;
mod units;

use fake::{Fake, Fault, Settings};
use raddle_driver::engine::{Answer, Cancel, Engine, EngineError, RemoteUnit};
use raddle_remote::execution::{Options, open};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in the place of `raddle`: it repeats the first line of its input.
const PROGRAM: &str = "#!/bin/sh
[ \"$1\" = __unit ] || exit 9
IFS= read -r line < unit.ptx
case $line in
large) i=0; while [ $i -lt 500 ]; do echo 'a line of a large result'; i=$((i + 1)); done > unit.out ;;
fails) echo 'went wrong' >&2; exit 3 ;;
*) echo \"$2 $3: $line\" > unit.out ;;
esac
[ \"$4 $5\" = '--input=unit.ptx --output=unit.out' ]
";

/// An engine in this process, and a client.
struct Bench {
    fake: Fake,
    engine: Box<dyn Engine>,
    _dir: TempDir,
}

impl Bench {
    fn new(settings: Settings) -> Bench {
        Bench::with(settings, PROGRAM.as_bytes(), 16)
    }

    fn with(settings: Settings, program: &[u8], slots: usize) -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        std::fs::write(&path, program).unwrap();
        let fake = Fake::start(settings);
        let engine = open(&fake.url(), options(path, slots)).unwrap();
        Bench { fake, engine, _dir: dir }
    }

    /// What fails is decided by the name of a call and its number.
    fn failing(plan: impl Fn(&'static str, u64) -> Option<Fault> + Send + Sync + 'static) -> Bench {
        Bench::new(Settings { plan: Box::new(plan), ..Settings::default() })
    }

    fn run(&self, text: &str) -> Result<Answer, EngineError> {
        run(&*self.engine, text)
    }
}

fn options(program: PathBuf, slots: usize) -> Options {
    Options {
        slots,
        platform: vec![("os".to_owned(), "linux".to_owned())],
        program: Some(program),
        retries: 9,
        pause: Duration::from_millis(2),
        patience: Duration::from_secs(5),
        ..Options::default()
    }
}

fn unit(text: &str) -> RemoteUnit {
    RemoteUnit {
        name: "k".to_owned(),
        text: format!("{text}\n"),
        arguments: vec!["-e".to_owned(), "k".to_owned()],
        limit: Some(Duration::from_secs(60)),
    }
}

/// What a unit should give.
fn want(text: &str) -> String {
    match text {
        "large" => "a line of a large result\n".repeat(500),
        text => format!("-e k: {text}\n"),
    }
}

type Outcome = Receiver<Result<Answer, EngineError>>;

fn start(engine: &dyn Engine, text: &str) -> (Box<dyn Cancel>, Outcome) {
    let (send, receive) = channel();
    let cancel = engine.start(unit(text), Box::new(move |answer| send.send(answer).unwrap_or_default()));
    (cancel, receive)
}

fn run(engine: &dyn Engine, text: &str) -> Result<Answer, EngineError> {
    start(engine, text).1.recv_timeout(PATIENCE).expect("an answer")
}
