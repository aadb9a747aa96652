//! Cleanup before a signal ends the process: remove temporaries, return tokens, die by the signal.
//!
//! A separate thread is notified of SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU, so that a serial
//! phase of the coordinator does not delay the end, and no work is done inside a signal handler. It
//! takes the registry's lock and keeps it: a commit of a temporary has either completed, or never
//! happens. Signals that a thread raises itself, such as SIGSEGV, take the same path, and may lead
//! to another run of the program ([`crate::restart`]).

pub use crate::at_exit::ExitAction;
use crate::at_exit::{enable, run_exit_actions, write_last_message};
use crate::restart;
use crate::sys::handlers::{self, Arrived};
use signal_hook::consts::{
    SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGSYS, SIGTERM, SIGXCPU, SIGXFSZ,
};
use signal_hook::low_level::{emulate_default_handler, raise, signal_name};

/// Signals sent from outside: by users, terminals, make, limits of CPU time.
const POLITE: [i32; 5] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];

/// Signals that a thread raises itself.
const CRASHES: [i32; 6] = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS];

/// Starts the thread that handles signals: SIGINT and the like end the process after cleanup,
/// crashes restart it or end it. A signal that is ignored when the process starts (`nohup`) stays
/// ignored. A file that exceeds a limit (SIGXFSZ) is an error of its writer and does not end the
/// process.
pub fn install() -> std::io::Result<()> {
    enable();
    let mask = ignored();
    let wanted: Vec<i32> = POLITE.into_iter().filter(|&signal| !has(mask, signal)).collect();
    let survived = [SIGXFSZ].into_iter().filter(|&signal| !has(mask, signal));
    let arrivals = handlers::install(&wanted, &CRASHES, &survived.collect::<Vec<_>>())?;
    std::thread::Builder::new().name("signals".to_string()).stack_size(128 << 10).spawn(move || {
        if let Ok(arrived) = arrivals.next() {
            run_exit_actions(|| end(arrived));
        }
    })?;
    Ok(())
}

fn end(Arrived { signal, work }: Arrived) {
    if CRASHES.contains(&signal) {
        restart::after_crash(work, signal);
        write_last_message(&format!(
            "crashed ({}); this is an internal error of Raddle: please report it with the input",
            name(signal)
        ));
    }
    // Restores the default action and raises the signal again; the lock is held until the end.
    let _ = emulate_default_handler(signal);
}

/// The name of a signal, such as `SIGSEGV`.
pub fn name(signal: i32) -> String {
    signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_string)
}

/// Raises SIGSEGV in the calling thread, as an invalid memory access would; for tests. The standard
/// library's handler retries the access, and so does this.
pub fn crash() -> ! {
    loop {
        let _ = raise(SIGSEGV);
    }
}

/// The signals that the parent process ignored, by the mask that the kernel shows: bit 0 is signal 1.
fn ignored() -> u64 {
    let status = crate::small_files::text("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Whether a mask has a signal.
fn has(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        assert!(!has(ignored(), SIGTERM));
        assert!(has(1 << 14, SIGTERM));
    }
}
