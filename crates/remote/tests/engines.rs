//! The client of engines against real ones, BuildGrid and buildbox-casd, also while their processes are
//! killed.
#![cfg(feature = "execution")]
#![forbid(unsafe_code)]

use raddle_driver::engine::{Answer, EngineError, RemoteUnit};
use raddle_driver::key::Key;
use raddle_filetest::engine::Engine;
use raddle_remote::execution::{Options, open, open_store};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Long enough for a busy machine, and for leases that expire.
const PATIENCE: Duration = Duration::from_secs(180);

/// A program in the place of `raddle`: it repeats the first line of its input, and waits first if the line
/// says so.
const PROGRAM: &str = "#!/bin/sh
IFS= read -r line < unit.ptx
case $line in
slow*) sleep 1 ;;
fails*) echo 'went wrong' >&2; exit 3 ;;
esac
echo \"$3: $line\" > unit.out
";

/// A property that workers of BuildGrid have, and one that they need not have.
const PLATFORM: [(&str, &str); 2] = [("os", "linux"), ("note", "a test")];

type Outcome = Receiver<Result<Answer, EngineError>>;

/// A client.
struct Client {
    engine: Box<dyn raddle_driver::engine::Engine>,
    _dir: TempDir,
}

impl Client {
    fn new(url: &str, program: &[u8]) -> Client {
        Client::with(url, program, Options::default().silence)
    }

    /// One that notices servers that hang within a time.
    fn with(url: &str, program: &[u8], silence: Duration) -> Client {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        std::fs::write(&path, program).unwrap();
        let platform = PLATFORM.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let program = Some(path);
        let options = Options { program, platform, patience: PATIENCE, retries: 100, silence, ..Options::default() };
        Client { engine: open(url, options).unwrap(), _dir: dir }
    }

    fn start(&self, text: &str) -> Outcome {
        let (send, receive) = channel();
        let unit = RemoteUnit {
            name: "k".to_owned(),
            text: format!("{text}\n"),
            arguments: vec!["-e".to_owned(), "k".to_owned()],
            limit: Some(Duration::from_secs(60)),
        };
        drop(self.engine.start(unit, Box::new(move |answer| send.send(answer).unwrap_or_default())));
        receive
    }

    fn run(&self, text: &str) -> Answer {
        self.start(text).recv_timeout(PATIENCE).unwrap().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}

fn want(text: &str) -> Vec<u8> {
    format!("k: {text}\n").into_bytes()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn units_are_executed_found_and_sent_again_where_blobs_are_gone() {
    let Some(engine) = Engine::start(2) else { return };
    // Large enough for a stream.
    let mut program = PROGRAM.as_bytes().to_vec();
    program.extend("# and more\n".repeat(500_000).bytes());
    let client = Client::new(&engine.url, &program);
    let first = client.run("one");
    assert_eq!((&first.output, first.status, first.from_cache), (&want("one"), 0, false));
    assert!(first.worker.starts_with("worker-") && first.sent as usize > program.len(), "{first:?}");
    assert!(first.ran > Duration::ZERO, "{first:?}");
    let second = client.run("two");
    assert!(second.sent < 10_000 && second.output == want("two"), "{second:?}");
    // Another client, which knows nothing of the first one.
    let other = Client::new(&engine.url, &program);
    let again = other.run("one");
    assert!(again.from_cache && again.output == want("one") && again.sent < 10_000, "{again:?}");
    let failed = client.run("fails");
    assert_eq!((&*failed.said, failed.status, failed.output.len()), ("went wrong\n", 3, 0));
    // A failure is not taken from the cache.
    assert!(!client.run("fails").from_cache);
    // The server loses all blobs: the program is sent again, and what was found is made again.
    files(&engine.folder.join("blobs")).iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let third = client.run("three");
    assert_eq!(third.output, want("three"));
    assert_eq!(client.run("one").output, want("one"));
}

#[test]
fn workers_and_servers_may_be_killed() {
    let Some(mut engine) = Engine::start(2) else { return };
    let client = Client::new(&engine.url, PROGRAM.as_bytes());
    let names: Vec<String> = (0..12).map(|at| format!("slow {at}")).collect();
    let outcomes: Vec<Outcome> = names.iter().map(|name| client.start(name)).collect();
    // One has ended, others are under way.
    assert_eq!(outcomes[0].recv_timeout(PATIENCE).unwrap().unwrap().output, want("slow 0"));
    engine.tell("stop worker 0");
    std::thread::sleep(Duration::from_secs(1));
    engine.tell("stop server");
    std::thread::sleep(Duration::from_secs(1));
    engine.tell("start server");
    engine.tell("start worker");
    for (name, outcome) in names.iter().zip(&outcomes).skip(1) {
        let answer = outcome.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{name} has not ended"));
        assert_eq!(answer.unwrap_or_else(|error| panic!("{name}: {error}")).output, want(name));
    }
}

/// A server that is stopped, but not dead: connections to it are still made.
#[test]
fn a_server_may_hang_and_go_on() {
    let Some(mut engine) = Engine::start(1) else { return };
    let client = Client::with(&engine.url, PROGRAM.as_bytes(), Duration::from_secs(8));
    assert_eq!(client.run("one").output, want("one"));
    let slow = client.start("slow");
    std::thread::sleep(Duration::from_millis(300));
    engine.tell("pause server");
    let begun = Instant::now();
    let new = client.start("new");
    for outcome in [slow, new] {
        let error = outcome.recv_timeout(PATIENCE).unwrap().unwrap_err();
        assert_eq!(error, EngineError::Failed("the server has not answered for 8 s".to_owned()));
    }
    let took = begun.elapsed();
    println!("noticed after {took:?}");
    assert!(took > Duration::from_secs(6) && took < Duration::from_secs(25), "{took:?}");
    engine.tell("continue server");
    assert_eq!(client.run("two").output, want("two"));
}

/// Another implementation, with workers of its own.
#[test]
fn buildbox_casd_runs_units_and_may_be_killed() {
    let Some(mut engine) = Engine::start_casd() else { return };
    let mut program = PROGRAM.as_bytes().to_vec();
    program.extend("# and more\n".repeat(500_000).bytes());
    let client = Client::new(&engine.url, &program);
    let first = client.run("one");
    assert_eq!((&first.output, first.status, first.from_cache), (&want("one"), 0, false), "{first:?}");
    assert!(first.sent as usize > program.len(), "{first:?}");
    let again = Client::new(&engine.url, &program).run("one");
    assert!(again.from_cache && again.output == want("one") && again.sent < 10_000, "{again:?}");
    let failed = client.run("fails");
    assert_eq!((&*failed.said, failed.status, failed.output.len()), ("went wrong\n", 3, 0));
    let names: Vec<String> = (0..8).map(|at| format!("slow {at}")).collect();
    let outcomes: Vec<Outcome> = names.iter().map(|name| client.start(name)).collect();
    assert_eq!(outcomes[0].recv_timeout(PATIENCE).unwrap().unwrap().output, want("slow 0"));
    engine.tell("stop server");
    std::thread::sleep(Duration::from_secs(1));
    engine.tell("start server");
    for (name, outcome) in names.iter().zip(&outcomes).skip(1) {
        let answer = outcome.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{name} has not ended"));
        assert_eq!(answer.unwrap_or_else(|error| panic!("{name}: {error}")).output, want(name));
    }
}

#[test]
fn action_caches_keep_entries() {
    for engine in [Engine::start(0), Engine::start_casd()] {
        let Some(engine) = engine else { continue };
        keeps_entries(&engine);
    }
}

fn keeps_entries(engine: &Engine) {
    let store = open_store(&engine.url).unwrap().store;
    let key = |digit: &str| Key::parse(&digit.repeat(64)).unwrap();
    for (digit, size) in [("a", 0), ("b", 1000), ("c", 6 << 20)] {
        let entry: Vec<u8> = (0..size).map(|at: u32| (at % 251) as u8).collect();
        assert_eq!(store.get(&key(digit), PATIENCE), Ok(None));
        store.put(&key(digit), entry.clone(), PATIENCE).unwrap();
        assert!(store.get(&key(digit), PATIENCE) == Ok(Some(entry)));
    }
    files(&engine.folder.join("blobs")).iter().for_each(|file| std::fs::remove_file(file).unwrap());
    assert_eq!(store.get(&key("b"), PATIENCE), Ok(None));
}
