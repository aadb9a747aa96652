//! A proxy that damages what a server answers.

use rustix::process::{Pid, Signal};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What happens to each piece of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its second half is missing, and the connection ends.
    Cut,
    /// Its last byte has another bit.
    Flip,
    /// The connection ends before it.
    Close,
    /// It comes two seconds late.
    Late,
    /// After three entries the process with this number, which is the server, is killed.
    Kill(u32),
}

/// Answers without an entry are shorter than this, and entries are longer.
const SHORT: usize = 200;

/// A running proxy. Its threads end with the test program.
pub struct Proxy {
    pub port: u16,
    answers: Arc<AtomicUsize>,
}

impl Proxy {
    /// Starts a proxy before the server on a port.
    pub fn start(server: u16, fault: Fault) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, answers) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&answers);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || std::io::copy(&mut from, &mut to));
                let count = Arc::clone(&count);
                std::thread::spawn(move || answer(server, client, fault, &count));
            }
        });
        Proxy { port, answers }
    }

    /// The number of pieces of answers so far.
    pub fn answers(&self) -> usize {
        self.answers.load(Ordering::Relaxed)
    }
}

/// Passes on what the server answers.
fn answer(mut server: TcpStream, mut client: TcpStream, fault: Fault, count: &AtomicUsize) {
    let mut piece = [0; 1 << 16];
    let mut entries = 0;
    while let Ok(size @ 1..) = server.read(&mut piece) {
        count.fetch_add(1, Ordering::Relaxed);
        let mut part = &mut piece[..size];
        match fault {
            Fault::Cut => part = &mut part[..size / 2],
            Fault::Flip => part[size - 1] ^= 1,
            Fault::Close => break,
            Fault::Kill(pid) if size > SHORT => {
                entries += 1;
                if entries > 3 {
                    let pid = Pid::from_raw(pid.cast_signed()).unwrap();
                    rustix::process::kill_process(pid, Signal::KILL).unwrap();
                    break;
                }
            }
            Fault::Kill(_) => {}
            Fault::Late => std::thread::sleep(Duration::from_secs(2)),
        }
        if client.write_all(part).is_err() || fault == Fault::Cut {
            break;
        }
    }
    for stream in [server, client] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
