//! Fault injection: with `RADDLE_FAULT=KIND:KERNEL` the compilation of that kernel fails in the
//! chosen way, so that tests can reach states that a correct compiler does not. `KIND@PASS:KERNEL`
//! injects the fault as that pass begins; it is limited to the kinds that do not return an error.

use raddle_ir::Stop;
use raddle_jobs::{CancelToken, signals};
use std::hint::black_box;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The kernel whose compilation is to fail, and how; `*` matches every kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    kind: Kind,
    /// The pass before which it happens; `None` is before the first.
    pass: Option<String>,
    kernel: String,
}

/// The way in which the compilation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The compiler panics.
    Panic,
    /// The code does not fit the machine.
    Resources,
    /// The step limit is exceeded.
    Fuel,
    /// It loops until it is cancelled, for at most a minute.
    Spin,
    /// It takes half a second longer, and succeeds.
    Slow,
    /// It loops until its process is killed.
    Hang,
    /// It recurses until the stack overflows.
    StackOverflow,
    /// It allocates more memory than there is.
    Memory,
    /// It reads an unmapped address.
    Access,
    /// It aborts the process.
    Abort,
    /// It reads an unmapped address, but not in a process for a single unit.
    AccessOnce,
}

/// The names of the kinds.
const KINDS: &[(&str, Kind)] = &[
    ("panic", Kind::Panic),
    ("resources", Kind::Resources),
    ("fuel", Kind::Fuel),
    ("spin", Kind::Spin),
    ("slow", Kind::Slow),
    ("hang", Kind::Hang),
    ("stack-overflow", Kind::StackOverflow),
    ("oom", Kind::Memory),
    ("segv", Kind::Access),
    ("abort", Kind::Abort),
    ("segv-once", Kind::AccessOnce),
];

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Fault, String> {
        let found = text.split_once(':').and_then(|(kind, kernel)| {
            let (kind, pass) = kind.split_once('@').map_or((kind, None), |(kind, pass)| (kind, Some(pass.to_string())));
            let &(_, kind) = KINDS.iter().find(|row| row.0 == kind)?;
            Some(Fault { kind, pass, kernel: kernel.to_string() })
        });
        let names: Vec<&str> = KINDS.iter().map(|row| row.0).collect();
        found.ok_or_else(|| format!("it is KIND:KERNEL or KIND@PASS:KERNEL, and kinds are {}", names.join(", ")))
    }
}

impl Fault {
    /// Whether the fault also happens in a process for a single unit.
    pub(crate) fn is_lasting(&self) -> bool {
        self.kind != Kind::AccessOnce
    }

    /// Injects the fault if `kernel` is the selected one.
    ///
    /// # Panics
    /// If the fault is a panic.
    ///
    /// # Errors
    /// If the fault is an error.
    pub fn strike(&self, kernel: &str, cancel: &CancelToken) -> Result<(), Stop> {
        if self.pass.is_some() || !self.is_for(kernel) {
            return Ok(());
        }
        self.happen(kernel, cancel)
    }

    /// Injects the fault if `kernel` is the selected one and `pass` is about to begin.
    ///
    /// # Panics
    /// If the fault is a panic.
    pub(crate) fn strike_in(&self, pass: &str, kernel: &str) {
        if self.pass.as_deref() == Some(pass) && self.is_for(kernel) {
            // A pass that has not begun cannot return an error.
            let _ = self.happen(kernel, &CancelToken::new());
        }
    }

    /// Whether the fault applies to this kernel or function.
    pub(crate) fn is_for(&self, kernel: &str) -> bool {
        self.kernel == kernel || self.kernel == "*"
    }

    fn happen(&self, kernel: &str, cancel: &CancelToken) -> Result<(), Stop> {
        let begun = Instant::now();
        let lasts = |limit: Duration| !cancel.is_cancelled() && begun.elapsed() < limit;
        match self.kind {
            Kind::Panic => panic!("asked for by RADDLE_FAULT"),
            Kind::Resources => {
                Err(Stop::Resources { kernel: kernel.to_string(), what: "asked for by RADDLE_FAULT".to_string() })
            }
            Kind::Fuel => Err(Stop::Fuel),
            Kind::Spin => {
                while lasts(Duration::from_secs(60)) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(Stop::Cancelled)
            }
            Kind::Slow => {
                while lasts(Duration::from_millis(500)) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            }
            Kind::Hang => loop {
                std::thread::sleep(Duration::from_millis(100));
            },
            Kind::StackOverflow => {
                black_box(deeper(0));
                Ok(())
            }
            Kind::Memory => {
                black_box(Vec::<u8>::with_capacity(isize::MAX as usize));
                Ok(())
            }
            Kind::Access | Kind::AccessOnce => signals::crash(),
            Kind::Abort => std::process::abort(),
        }
    }
}

/// Recurses without end.
fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    if frame[0] == u64::MAX { 0 } else { deeper(depth + 1) + frame[63] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_and_strike_their_kernel_only() {
        let fault: Fault = "resources:a:b".parse().unwrap();
        let cancel = CancelToken::new();
        assert!(matches!(fault.strike("a:b", &cancel), Err(Stop::Resources { .. })));
        assert!(fault.strike("a", &cancel).is_ok());
        assert!("fuel:*".parse::<Fault>().unwrap().strike("any", &cancel).is_err());
        let late: Fault = "fuel@alloc:k".parse().unwrap();
        assert!(late.pass.as_deref() == Some("alloc") && late.strike("k", &cancel).is_ok());
        for wrong in ["", "panic", "frob:k", "frob@alloc:k"] {
            assert!(wrong.parse::<Fault>().is_err(), "{wrong}");
        }
    }
}
