//! Fault injection: with `RADDLE_FAULT=KIND:KERNEL` the compilation of that kernel fails in the
//! chosen way, so that tests can reach states that a correct compiler does not. `KIND@PASS:KERNEL`
//! injects the fault as that pass begins; it is limited to the kinds that do not return an error.
//! `unsupported:NAME` is another: an instruction that is written as NAME, modifiers included, counts
//! as one that has no machine code here yet, in every kernel that no cache has. Several faults are
//! separated by commas.

use raddle_ir::{Stop, Unsupported};
use raddle_jobs::{CancelToken, signals};
use raddle_ptx::Body;
use std::hint::black_box;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Kernels whose compilation is to fail, and how, and instructions that count as unsupported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    strikes: Vec<Strike>,
    /// Instructions without their operands.
    unsupported: Vec<String>,
}

/// The kernel whose compilation is to fail, and how; `*` matches every kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Strike {
    kind: Kind,
    /// The pass before which it happens; `None` is before the first.
    pass: Option<String>,
    kernel: String,
}

/// The kind of a fault that names an instruction instead of a kernel.
const UNSUPPORTED: &str = "unsupported";

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
        let mut fault = Fault { strikes: Vec::new(), unsupported: Vec::new() };
        for part in text.split(',') {
            match part.split_once(':') {
                Some((UNSUPPORTED, name)) => fault.unsupported.push(name.to_string()),
                _ => fault.strikes.push(Strike::read(part)?),
            }
        }
        Ok(fault)
    }
}

impl Fault {
    /// Whether it does more than count instructions as unsupported.
    pub(crate) fn strikes(&self) -> bool {
        !self.strikes.is_empty()
    }

    /// Whether the fault also happens in a process for a single unit.
    pub(crate) fn is_lasting(&self) -> bool {
        self.strikes.iter().all(|strike| strike.kind != Kind::AccessOnce)
    }

    /// Injects the fault if `kernel` is a selected one.
    ///
    /// # Panics
    /// If the fault is a panic.
    ///
    /// # Errors
    /// If the fault is an error.
    pub fn strike(&self, kernel: &str, cancel: &CancelToken) -> Result<(), Stop> {
        let mut strikes = self.strikes.iter().filter(|strike| strike.pass.is_none() && strike.is_for(kernel));
        strikes.try_for_each(|strike| strike.happen(kernel, cancel))
    }

    /// Injects the fault if `kernel` is a selected one and `pass` is about to begin.
    ///
    /// # Panics
    /// If the fault is a panic.
    pub(crate) fn strike_in(&self, pass: &str, kernel: &str) {
        for strike in &self.strikes {
            if strike.pass.as_deref() == Some(pass) && strike.is_for(kernel) {
                // A pass that has not begun cannot return an error.
                let _ = strike.happen(kernel, &CancelToken::new());
            }
        }
    }

    /// Whether the compilation of this kernel or function is to fail.
    pub(crate) fn is_for(&self, kernel: &str) -> bool {
        self.strikes.iter().any(|strike| strike.is_for(kernel))
    }

    /// The instructions of a body that count as unsupported.
    pub(crate) fn unsupported(&self, kernel: &str, body: &Body, line: &dyn Fn(u32) -> u32) -> Vec<Unsupported> {
        if self.unsupported.is_empty() {
            return Vec::new();
        }
        let named = |what: &str| self.unsupported.iter().any(|name| name == what);
        let found = body.insts.iter().filter_map(|(inst, data)| {
            let what = body.dotted(inst);
            named(what).then(|| Unsupported {
                kernel: kernel.to_string(),
                line: line(data.offset),
                offset: data.offset,
                what: what.to_string(),
                why: "asked for by RADDLE_FAULT".to_string(),
            })
        });
        found.collect()
    }
}

impl Strike {
    fn read(text: &str) -> Result<Strike, String> {
        let found = text.split_once(':').and_then(|(kind, kernel)| {
            let (kind, pass) = kind.split_once('@').map_or((kind, None), |(kind, pass)| (kind, Some(pass.to_string())));
            let &(_, kind) = KINDS.iter().find(|row| row.0 == kind)?;
            Some(Strike { kind, pass, kernel: kernel.to_string() })
        });
        let names: Vec<&str> = KINDS.iter().map(|row| row.0).collect();
        found.ok_or_else(|| {
            format!(
                "it is KIND:KERNEL, KIND@PASS:KERNEL or {UNSUPPORTED}:INSTRUCTION, and kinds are {}",
                names.join(", ")
            )
        })
    }

    /// Whether the fault applies to this kernel or function.
    fn is_for(&self, kernel: &str) -> bool {
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
        assert!(late.strikes[0].pass.as_deref() == Some("alloc") && late.strike("k", &cancel).is_ok());
        let two: Fault = "unsupported:exit,resources:k".parse().unwrap();
        assert!(two.is_for("k") && !two.is_for("other"));
        assert!(two.strike("k", &cancel).is_err() && two.strike("other", &cancel).is_ok());
        for wrong in ["", "panic", "frob:k", "frob@alloc:k"] {
            assert!(wrong.parse::<Fault>().is_err(), "{wrong}");
        }
    }
}
