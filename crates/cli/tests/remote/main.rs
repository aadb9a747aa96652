//! Remote caches against real servers, also behind a proxy that damages what they say: the bytes are
//! those of a build without a cache, and the exit code is 0 (BEY-1).
#![forbid(unsafe_code)]

mod bazel;
#[path = "../common/mod.rs"]
mod common;
mod engine;
mod measured;
mod proxy;
mod servers;
mod statically;

use common::{Bench, command, corpus, finish};
use proxy::{Fault, Proxy};
use raddle_filetest::oracle;
use serde_json::Value;
use servers::{Server, http, redis, s3};
use std::process::Command;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// The command with the environment of the servers.
fn raddle(args: &[&str]) -> Command {
    let mut command = command(args);
    for name in ["RADDLE_CACHE_KEY", "RADDLE_CACHE_USER", "RADDLE_CACHE_PASSWORD", "RADDLE_CACHE_TOKEN", "http_proxy"] {
        command.env_remove(name);
    }
    command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "very secret").env("AWS_REGION", "us-east-1");
    command
}

fn plain() -> Vec<u8> {
    let ran = finish(raddle(&["compile", &eight(), "-o", "-"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// Compiles with a cache; the output is that without one. Returns what is said of the remote cache, and
/// all messages.
fn build(url: &str, more: &[&str]) -> (Value, String) {
    // Writes may be slow on a busy machine.
    let args = ["compile", &eight(), "-o", "-", "--cache", url, "--message-format", "json", "-v", "--Werror"];
    let ran = finish(raddle(&[&args, more].concat()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout == plain(), "{url}");
    let lines: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let used = lines.iter().find(|line| line["kind"] == "cache").unwrap();
    (used["remote"].clone(), ran.stderr)
}

const PATIENT: [&str; 4] = ["--cache-timeout", "60", "--cache-max-wait", "600"];

/// A cold and a warm build, two levels, and a cache that is only read.
fn is_a_cache(server: &Server) {
    let url = server.url("a");
    let cold = build(&url, &PATIENT).0;
    assert_eq!([&cold["misses"], &cold["written"], &cold["unwritten"]], [8, 8, 0]);
    let warm = build(&url, &PATIENT).0;
    assert_eq!([&warm["hits"], &warm["written"]], [8, 0]);
    let bench = Bench::new();
    let folder = bench.path("folder");
    let two = |more: &[&str]| build(&url, &[&PATIENT[..], &["--cache", &folder], more].concat()).0;
    assert_eq!(two(&[])["hits"], 8);
    assert_eq!(two(&[])["hits"], 0, "the folder has all");
    let read_only = build(&server.url("b"), &[&PATIENT[..], &["--cache-read-only"]].concat()).0;
    assert_eq!([&read_only["misses"], &read_only["written"], &read_only["unwritten"]], [8, 0, 0]);
    // A folder is copied to the server; entries with another signature are not used.
    let warmed = finish(raddle(&["cache", "warm", &folder, &server.url("c")]));
    assert!(warmed.code == Some(0) && warmed.stdout.starts_with(b"8 objects"), "{}", warmed.stderr);
    assert_eq!(build(&server.url("c"), &PATIENT).0["hits"], 8);
    let mut signed = raddle(&["compile", &eight(), "-o", "-", "--cache", &url, "--message-format", "json", "-v"]);
    signed.args(PATIENT).env("RADDLE_CACHE_KEY", "very secret");
    let ran = finish(signed);
    assert!(ran.code == Some(0) && ran.stderr.contains("\"refused\":8"), "{}", ran.stderr);
    assert!(ran.stdout == plain() && !ran.stderr.contains("very secret"));
}

/// Two builds write the same entries at the same time.
fn takes_two_writers(server: &Server) {
    let url = server.url("two");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| build(&url, &PATIENT));
        }
    });
    assert_eq!(build(&url, &PATIENT).0["hits"], 8);
}

/// Whatever a proxy does with the answers, the build is what it was.
fn may_fail(server: &Server) {
    build(&server.url("f"), &PATIENT);
    for fault in [Fault::Cut, Fault::Flip, Fault::Close, Fault::Late] {
        let proxy = Proxy::start(server.port, fault);
        let (used, said) = build(&server.through(proxy.port, "f"), &["--cache-timeout", "1"]);
        assert!(proxy.answers() > 0, "{fault:?}: nothing was asked");
        if matches!(fault, Fault::Close | Fault::Late) {
            assert_eq!(used["hits"], 0, "{fault:?}");
            assert!(said.contains("was not used any more"), "{fault:?}: {said}");
        }
        assert!(!said.contains("very secret"), "{said}");
    }
}

#[test]
fn redis_is_a_cache() {
    let Some(server) = redis() else { return };
    is_a_cache(&server);
    takes_two_writers(&server);
    may_fail(&server);
}

#[test]
fn a_redis_may_be_killed_in_the_middle_of_a_build() {
    let Some(server) = redis() else { return };
    build(&server.url("k"), &PATIENT);
    let proxy = Proxy::start(server.port, Fault::Kill(server.pid()));
    let (used, said) = build(&server.through(proxy.port, "k"), &["-j", "1", "--cache-timeout", "2"]);
    assert_eq!([&used["hits"], &used["misses"], &used["failed"]], [3, 0, 3], "{used}");
    assert_eq!([&used["written"], &used["unwritten"]], [0, 5], "{used}");
    assert!(said.contains("was not used any more"), "{said}");
    // Now there is no server: three reads fail, each at once.
    let (used, said) = build(&server.url("k"), &["-j", "1"]);
    assert_eq!([&used["hits"], &used["failed"], &used["unwritten"]], [0, 3, 8], "{used}");
    assert!(said.contains("was not used any more: Connection refused"), "{said}");
}

#[test]
fn a_redis_may_be_full() {
    let Some(server) = redis() else { return };
    build(&server.url("a"), &PATIENT);
    // Less than an empty server needs.
    for (what, value) in [("maxmemory-policy", "noeviction"), ("maxmemory", "1kb")] {
        assert_eq!(server.say(&format!("CONFIG SET {what} {value}")), "+OK\r\n");
    }
    assert!(server.say("SET x 1").starts_with("-OOM"));
    let (used, said) = build(&server.url("b"), &PATIENT);
    assert_eq!([&used["misses"], &used["failed"], &used["written"], &used["unwritten"]], [8, 0, 0, 8], "{used}");
    assert!(said.contains("was not written any more: ") && said.contains("OOM"), "{said}");
    let (used, said) = build(&server.url("a"), &PATIENT);
    assert_eq!([&used["hits"], &used["unwritten"]], [8, 0], "what is there is read: {used}");
    assert!(!said.contains("any more"), "{said}");
}

#[test]
fn a_plain_http_server_is_a_cache() {
    let Some(server) = http() else { return };
    is_a_cache(&server);
    takes_two_writers(&server);
    may_fail(&server);
    // Writing is refused: said once, and reads go on.
    let (used, said) = build(&server.url("ro/a"), &PATIENT);
    assert_eq!([&used["written"], &used["unwritten"]], [0, 8]);
    assert!(said.contains("was not written any more: refused: status 405"), "{said}");
    // The server mixes entries up.
    let url = server.url("mixed");
    build(&url, &PATIENT);
    let mut files = servers::files(&server.folder().join("mixed"));
    files.sort();
    let first = std::fs::read(&files[0]).unwrap();
    files.iter().skip(1).for_each(|file| std::fs::write(file, &first).unwrap());
    let used = build(&url, &PATIENT).0;
    assert_eq!([&used["hits"], &used["refused"], &used["written"]], [1, 7, 7]);
}

#[test]
fn an_s3_server_is_a_cache() {
    let Some(server) = s3() else { return };
    is_a_cache(&server);
    takes_two_writers(&server);
    may_fail(&server);
    let url = server.url("kept");
    build(&url, &PATIENT);
    let say = |args: &[&str]| {
        let ran = finish(raddle(args));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(say(&["cache", "stats", &url]).starts_with("8 objects, "));
    assert!(say(&["cache", "verify", &url]).starts_with("8 objects are as they were written, 0 are not"));
    let bench = Bench::new();
    assert!(say(&["cache", "warm", &url, &bench.path("near")]).starts_with("8 objects, "));
    assert!(say(&["cache", "prune", &url, "--max-size", "0"]).starts_with("8 objects, "));
    assert!(say(&["cache", "stats", &url]).starts_with("0 objects, "));
}

/// A port without a server, a name that does not exist, credentials in the URL.
#[test]
fn a_server_that_is_not_there_costs_a_warning() {
    for (url, why) in [
        ("redis://:very-secret@127.0.0.1:1/0", "Connection refused"),
        ("http://u:very-secret@127.0.0.1:1/", "Connection refused"),
        ("https://no.invalid/", ""),
    ] {
        // With one worker, no request is under way when the third fails.
        let (used, said) = build(url, &["-j", "1"]);
        assert_eq!([&used["hits"], &used["failed"], &used["unwritten"]], [0, 3, 8], "{used}");
        assert!(said.contains(&format!("was not used any more: {why}")), "{said}");
        assert!(!said.contains("very-secret"), "{said}");
    }
    let ran = finish(raddle(&["compile", &eight(), "-o", "-", "--cache", "redis://h/?password=very-secret"]));
    assert!(ran.code == Some(2) && !ran.stderr.contains("very-secret"), "{}", ran.stderr);
}

/// The servers are found as all outside tools are.
#[test]
fn servers_are_required() {
    for tool in ["redis-server", "nginx", "pg_ctlcluster", "bwrap", oracle::MOTO, oracle::ENGINES] {
        let Some(found) = oracle::require(tool) else { continue };
        assert!(found.path().is_file());
    }
}
