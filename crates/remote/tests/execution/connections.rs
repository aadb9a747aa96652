//! Credentials and TLS, which come from the environment: these tests run this program again with another
//! one.

use super::fake::{Fake, Fault, Settings};
use super::{Bench, PATIENCE, PROGRAM, options, run, want};
use raddle_driver::key::Key;
use raddle_filetest::oracle;
use raddle_remote::execution::{OpenError, open, open_store};
use std::path::{Path, PathBuf};

/// Runs a test of this program again, with variables of the environment.
fn again(test: &str, variables: &[(&str, &str)]) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).envs(variables.iter().copied());
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    assert!(!said.contains("very-secret"), "{said}");
}

#[test]
fn the_tokens_of_the_environment_are_sent_and_not_shown() {
    const TEST: &str = "connections::the_tokens_of_the_environment_are_sent_and_not_shown";
    if std::env::var("RADDLE_REMOTE_TOKEN").is_err() {
        return again(TEST, &[("RADDLE_REMOTE_TOKEN", "very-secret-1"), ("RADDLE_CACHE_TOKEN", "very-secret-2")]);
    }
    let bench = Bench::new(Settings { token: Some("Bearer very-secret-1"), ..Settings::default() });
    assert_eq!(bench.run("one").unwrap().output, want("one").into_bytes());
    let fake = Fake::start(Settings { token: Some("Bearer very-secret-2"), ..Settings::default() });
    let opened = open_store(&fake.url()).unwrap();
    assert_eq!(opened.store.get(&Key::parse(&"a".repeat(64)).unwrap(), PATIENCE), Ok(None));
    // A server may repeat it.
    let refused = Bench::failing(|call, _| (call == "Execute").then_some(Fault::Repeat));
    let error = refused.run("one").unwrap_err();
    let shown = format!("{error} {error:?} {:?} {} {opened:?}", refused.engine, refused.engine.name());
    assert!(shown.contains("***") && !shown.contains("very-secret"), "it is shown");
    eprintln!("{shown}");
}

#[test]
fn a_server_with_tls_is_asked() {
    const TEST: &str = "connections::a_server_with_tls_is_asked";
    if let Ok(folder) = std::env::var("TEST_CERTIFICATES") {
        let read = |name: &str| std::fs::read(PathBuf::from(&folder).join(name)).unwrap();
        let fake = Fake::start(Settings { tls: Some((read("certificate"), read("key"))), ..Settings::default() });
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        std::fs::write(&path, PROGRAM).unwrap();
        let run = |url: &str| run(&*open(url, options(path.clone(), 1)).unwrap(), "one");
        assert_eq!(run(&fake.url().replace("127.0.0.1", "localhost")).unwrap().output, want("one").into_bytes());
        // The certificate is of another name; and a client without TLS.
        let error = run(&fake.url()).unwrap_err().to_string();
        assert!(error.contains("certificate"), "{error}");
        assert!(run(&fake.url().replace("grpcs", "grpc")).is_err());
        return;
    }
    let Some(openssl) = oracle::require("openssl") else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut made = openssl.command();
    made.args("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test".split(' '));
    made.args("-addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE".split(' '));
    let made = made.args(["-keyout", "key", "-out", "certificate"]).current_dir(dir.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (folder, certificate) = (dir.path().to_str().unwrap(), dir.path().join("certificate"));
    again(TEST, &[("TEST_CERTIFICATES", folder), ("SSL_CERT_FILE", certificate.to_str().unwrap())]);
}

/// Makes a key and a certificate by openssl, signed by an authority in the folder or by itself.
fn certificate(openssl: &oracle::Oracle, folder: &Path, name: &str, options: &str, authority: Option<&str>) {
    let mut made = openssl.command();
    made.args("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(' '));
    made.args(options.split(' ')).arg("-subj").arg(format!("/CN={name}"));
    if let Some(authority) = authority {
        made.args(["-CA", &format!("{authority}.pem"), "-CAkey", &format!("{authority}.key")]);
    }
    made.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
    let made = made.current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
}

const CA: &str = "-addext basicConstraints=critical,CA:TRUE";
const LEAF: &str = "-addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE";

#[test]
fn clients_have_certificates_and_trust_their_own_authority() {
    const TEST: &str = "connections::clients_have_certificates_and_trust_their_own_authority";
    if let Ok(folder) = std::env::var("TEST_CERTIFICATES") {
        let read = |name: &str| std::fs::read(PathBuf::from(&folder).join(name)).unwrap();
        let tls = Some((read("server.pem"), read("server.key")));
        let settings = Settings { tls, clients: Some(read("authority.pem")), ..Settings::default() };
        let fake = Fake::start(settings);
        let url = fake.url().replace("127.0.0.1", "localhost");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        std::fs::write(&path, PROGRAM).unwrap();
        let answer = open(&url, options(path, 1)).map(|engine| run(&*engine, "one"));
        let stored = open_store(&url).map(|opened| opened.store.get(&Key::parse(&"a".repeat(64)).unwrap(), PATIENCE));
        match &*std::env::var("TEST_EXPECTS").unwrap() {
            "answer" => {
                assert_eq!(answer.unwrap().unwrap().output, want("one").into_bytes());
                assert_eq!(stored.unwrap(), Ok(None));
            }
            "failure" => assert!(answer.unwrap().is_err() && stored.unwrap().is_err()),
            variable => {
                let error = answer.unwrap_err();
                assert!(matches!(&error, OpenError::Certificate { variable: it, .. } if *it == variable), "{error}");
                assert!(!error.to_string().contains("PRIVATE"), "{error}");
            }
        }
        return;
    }
    let Some(openssl) = oracle::require("openssl") else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let make =
        |name: &str, options: &str, authority: Option<&str>| certificate(&openssl, folder, name, options, authority);
    make("authority", CA, None);
    make("other", CA, None);
    make("server", LEAF, Some("authority"));
    make("client", LEAF, Some("authority"));
    make("stranger", LEAF, Some("other"));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let none = String::new;
    for (authority, certificate, key, expects) in [
        (path("authority.pem"), path("client.pem"), path("client.key"), "answer"),
        // No certificate, one of another authority, and a server of another one.
        (path("authority.pem"), none(), none(), "failure"),
        (path("authority.pem"), path("stranger.pem"), path("stranger.key"), "failure"),
        (path("other.pem"), path("client.pem"), path("client.key"), "failure"),
        // Without the variable, the system's authorities are trusted.
        (none(), path("client.pem"), path("client.key"), "failure"),
        (path("none.pem"), none(), none(), "RADDLE_REMOTE_CA"),
        (path("client.key"), none(), none(), "RADDLE_REMOTE_CA"),
        (path("authority.pem"), path("client.pem"), none(), "RADDLE_REMOTE_CERT_KEY"),
        (path("authority.pem"), none(), path("client.key"), "RADDLE_REMOTE_CERT"),
        (path("authority.pem"), path("client.pem"), path("client.pem"), "RADDLE_REMOTE_CERT_KEY"),
    ] {
        println!("{authority} {certificate} {key}: {expects}");
        let variables = [
            ("TEST_CERTIFICATES", folder.to_str().unwrap()),
            ("TEST_EXPECTS", expects),
            ("RADDLE_REMOTE_CA", &authority),
            ("RADDLE_REMOTE_CERT", &certificate),
            ("RADDLE_REMOTE_CERT_KEY", &key),
            ("RADDLE_CACHE_CA", &authority),
            ("RADDLE_CACHE_CERT", &certificate),
            ("RADDLE_CACHE_CERT_KEY", &key),
        ];
        again(TEST, &variables);
    }
}
