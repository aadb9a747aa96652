//! Servers for tests, each on a port and with a folder of its own, ended with the test.

use raddle_filetest::oracle;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running server.
pub struct Server {
    process: Child,
    dir: TempDir,
    pub port: u16,
    /// The URL of a cache, with PORT and NAME.
    pattern: &'static str,
}

impl Server {
    /// The URL of a cache on this server.
    pub fn url(&self, name: &str) -> String {
        self.through(self.port, name)
    }

    /// The same through another port.
    pub fn through(&self, port: u16, name: &str) -> String {
        self.pattern.replace("PORT", &port.to_string()).replace("NAME", name)
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends a line to it and returns the start of the answer.
    pub fn say(&self, line: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(format!("{line}\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        answer
    }

    /// The folder of its files.
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that no process uses at the moment.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a server and waits until it listens.
fn start(mut command: Command, port: u16, dir: TempDir, pattern: &'static str) -> Server {
    let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut server = Server { process, dir, port, pattern };
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(server.process.try_wait().unwrap().is_none(), "{command:?} ended");
        assert!(begun.elapsed() < Duration::from_secs(120), "{command:?} does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    server
}

/// A server of Redis.
pub fn redis() -> Option<Server> {
    let (tool, dir, port) = (oracle::require("redis-server")?, tempfile::tempdir().unwrap(), free_port());
    let mut command = tool.command();
    command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port", &port.to_string()]);
    command.arg("--dir").arg(dir.path());
    Some(start(command, port, dir, "redis://127.0.0.1:PORT/0/NAME"))
}

/// nginx, with PUT and DELETE except below `ro`.
pub fn http() -> Option<Server> {
    let (tool, dir, port) = (oracle::require("nginx")?, tempfile::tempdir().unwrap(), free_port());
    let here = dir.path().display();
    let owner = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let settings = format!(
        "{owner} daemon off; master_process off; pid {here}/pid; error_log {here}/log; events {{}}\n\
         http {{ access_log off; client_body_temp_path {here}/body; proxy_temp_path {here}/p; fastcgi_temp_path {here}/f;\n\
         uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;\n\
         server {{ listen 127.0.0.1:{port}; root {here}; client_max_body_size 64m;\n\
         location / {{ dav_methods PUT DELETE; create_full_put_path on; }} location /ro/ {{ }} }} }}\n"
    );
    let path = dir.path().join("settings");
    std::fs::write(&path, settings).unwrap();
    let mut command = tool.command();
    command.arg("-c").arg(path).arg("-e").arg(dir.path().join("log"));
    Some(start(command, port, dir, "http://127.0.0.1:PORT/NAME"))
}

/// moto's server of S3, with a bucket.
pub fn s3() -> Option<Server> {
    let (tool, dir, port) = (oracle::require(oracle::MOTO)?, tempfile::tempdir().unwrap(), free_port());
    let mut command = tool.command();
    command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()]).current_dir(dir.path());
    let server = start(command, port, dir, "s3://bucket/NAME?endpoint=http://127.0.0.1:PORT");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let request = "PUT /bucket HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(" 200 "), "{answer}");
    Some(server)
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
