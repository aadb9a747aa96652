//! Raddle's own interface, over the Rust library: options by name, results, and a callback that may
//! cancel a call.

use raddle::{Arch, Cancel, Cubin, Diagnostic, Error, Linker, OptLevel, Options, Severity};
use raddle_driver::input::{Content, of_bytes};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The interval at which a host is asked whether to cancel.
const TICK: Duration = Duration::from_millis(5);

/// What a call makes.
pub(crate) type Made = Result<Success, Error>;

/// What there is without an error.
#[derive(Debug)]
pub(crate) enum Success {
    /// A cubin.
    Cubin(Cubin),
    /// Nothing but these.
    Found(Vec<Diagnostic>),
}

/// Sets an option by its name; `None` for an unknown name or value.
pub(crate) fn set(options: Options, name: &str, value: &str) -> Option<Options> {
    let switch = || match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    Some(match name {
        "arch" => options.with_arch(value.parse::<Arch>().ok()?),
        "opt-level" => options.opt_level(match value {
            "0" => OptLevel::O0,
            "1" => OptLevel::O1,
            "2" => OptLevel::O2,
            "3" => OptLevel::O3,
            _ => return None,
        }),
        "relocatable" => options.relocatable(switch()?),
        "fma" => options.fma(switch()?),
        "max-registers" => options.max_registers(value.parse().ok().filter(|count| (16..=255).contains(count))?),
        "line-info" => options.line_info(switch()?),
        "debug" => options.debug(switch()?),
        "kernels" => options.kernels(value.split(',').map(str::trim).filter(|name| !name.is_empty())),
        "name" => options.name(value),
        "jobs" => options.jobs(value.parse().ok().filter(|&jobs| jobs > 0)?),
        "cache" => options.cache(value),
        "program" => options.program(value),
        "fallback" => options.fallback(value),
        _ => return None,
    })
}

/// Runs a call while `poll` is asked on this thread; `None` if no thread can be started, or it
/// panicked.
pub(crate) fn polled<T: Send>(
    cancel: &Cancel,
    poll: Option<&mut dyn FnMut() -> bool>,
    call: impl FnOnce() -> T + Send,
) -> Option<T> {
    let Some(poll) = poll else { return Some(call()) };
    let mut ask = || {
        if !cancel.is_cancelled() && poll() {
            cancel.cancel();
        }
    };
    ask();
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let run = move || {
            // The receiver waits until this.
            let _ = sender.send(call());
        };
        thread::Builder::new().spawn_scoped(scope, run).ok()?;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(result) => return Some(result),
                Err(RecvTimeoutError::Timeout) => ask(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    })
}

/// Compiles a module.
pub(crate) fn compile(ptx: &str, options: &Options) -> Made {
    raddle::compile(ptx, options).map(Success::Cubin)
}

/// Checks a module.
pub(crate) fn check(ptx: &str, options: &Options) -> Made {
    raddle::check(ptx, options).map(Success::Found)
}

/// Adds an input to a linker. PTX may end in a NUL.
pub(crate) fn add(linker: &mut Linker, name: &str, data: &[u8]) -> Made {
    let text = crate::ptx::text(data);
    let data = if matches!(of_bytes(name, text), Ok(Content::Text(_))) { text } else { data };
    linker.add(name, data).map(|()| Success::Found(Vec::new()))
}

/// The number of a severity in the interface.
pub(crate) fn severity(severity: Severity) -> i32 {
    match severity {
        Severity::Info => 0,
        Severity::Warning => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name_or_refused() {
        let set = |name, value| set(Options::default(), name, value);
        assert_eq!(set("arch", "sm_90").unwrap().arch(), Some(Arch::SM_90));
        for (name, values) in [
            ("opt-level", &["0", "3"][..]),
            ("relocatable", &["true", "false"]),
            ("max-registers", &["16", "255"]),
            ("kernels", &["", "a, b"]),
            ("jobs", &["1"]),
            ("name", &["x"]),
        ] {
            assert!(values.iter().all(|value| set(name, value).is_some()), "{name}");
        }
        for (name, value) in [
            ("arch", "sm_20"),
            ("opt-level", "4"),
            ("fma", "yes"),
            ("max-registers", "15"),
            ("jobs", "0"),
            ("frob", ""),
        ] {
            assert!(set(name, value).is_none(), "{name}={value}");
        }
    }

    #[test]
    fn a_poll_cancels_a_call() {
        let cancel = Cancel::new();
        let mut calls = 0;
        let mut poll = || {
            calls += 1;
            calls == 3
        };
        let seen = polled(&cancel, Some(&mut poll), || {
            while !cancel.is_cancelled() {
                thread::sleep(TICK);
            }
            7
        });
        assert_eq!((seen, calls), (Some(7), 3));
        assert_eq!(polled(&cancel, None, || 8), Some(8));
    }
}
