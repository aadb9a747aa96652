//! docs/scale.md: how builds scale over remote workers, simulated from recorded times of units (`cargo xtask scale`).
//!
//! The model is a chain of resources that serve requests in the order in which units start, the costliest first: processor cores of
//! the client, its line in either direction, the engine's scheduler, workers. A limited number of units is under way at once. No
//! worker fails, and the client compiles nothing itself. Network and engine are numbers ([`NETWORKS`], [`ENGINE`]); the units are
//! recorded ones, drawn at random with one seed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use raddle_entity::SplitMix;
use serde::{Deserialize, Serialize};

use crate::figures::root;

/// The file of recorded units, from the root of the repository.
pub const FILE: &str = "docs/scale-units.json";
const PAGE: &str = "docs/scale.md";
/// Units of the simulated build.
const UNITS: usize = 100_000;
/// Cores of the client.
const CORES: usize = 16;
/// Time and size of a large unit, over those of a small one.
const TIMES: u64 = 100;
const SIZES: u64 = 10;
/// Of its result, a unit's object has this much beside its code, in bytes, and a request so much beside its content.
const BESIDE: u64 = 2048;

/// What a build of the recorded module took, on one thread.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recorded {
    /// The commit that was measured.
    pub commit: String,
    /// Time that units do not share, in microseconds.
    pub serial_us: u64,
    /// The units.
    pub units: Vec<Unit>,
}

/// A unit.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Unit {
    /// Processor time of its compilation, in microseconds.
    pub compile_us: u64,
    /// Processor time where the object was in a cache, in microseconds.
    pub found_us: u64,
    /// Bytes of its text.
    pub text_bytes: u64,
    /// Bytes of its code.
    pub object_bytes: u64,
}

impl Recorded {
    /// The same with large units.
    fn large(&self) -> Recorded {
        let large = |unit: &Unit| Unit {
            compile_us: TIMES * unit.compile_us,
            found_us: SIZES * unit.found_us,
            text_bytes: SIZES * unit.text_bytes,
            object_bytes: SIZES * unit.object_bytes,
        };
        let units = self.units.iter().map(large).collect();
        Recorded { commit: self.commit.clone(), serial_us: SIZES * self.serial_us, units }
    }

    /// Keeps the lesser time of two rounds of the same module.
    pub fn least(&mut self, other: &Recorded) {
        self.serial_us = self.serial_us.min(other.serial_us);
        for (unit, again) in self.units.iter_mut().zip(&other.units) {
            unit.compile_us = unit.compile_us.min(again.compile_us);
            unit.found_us = unit.found_us.min(again.found_us);
        }
    }
}

/// A network between client and engine.
struct Network {
    name: &'static str,
    /// The time of a request and its answer, in microseconds.
    round_trip_us: u64,
    /// Bytes per second in either direction.
    line: u64,
}

const NETWORKS: [Network; 3] = [
    Network { name: "machine room: 0.3 ms, 10 Gbit/s", round_trip_us: 300, line: 1_250_000_000 },
    Network { name: "campus: 2 ms, 1 Gbit/s", round_trip_us: 2_000, line: 125_000_000 },
    Network { name: "far away: 40 ms, 200 Mbit/s", round_trip_us: 40_000, line: 25_000_000 },
];

/// An engine of remote execution.
struct Engine {
    /// Actions that its scheduler starts per second.
    per_second: u64,
    /// What a worker takes for an action beside the compilation: folder, inputs, result; in microseconds.
    beside_us: u64,
}

const ENGINE: Engine = Engine { per_second: 5_000, beside_us: 5_000 };

/// A resource that a build may saturate, with the least time that it needs for all units.
type Bound = (&'static str, u64);

/// A simulated build.
struct Build {
    /// Its duration in microseconds.
    time: u64,
    /// What needs longest, however everything else is.
    bound: Bound,
}

/// The units of the build, the costliest first.
fn units(recorded: &Recorded) -> Vec<Unit> {
    let mut rng = SplitMix(1);
    let mut units: Vec<Unit> =
        (0..UNITS).map(|_| recorded.units[rng.below(recorded.units.len() as u64) as usize]).collect();
    units.sort_by_key(|unit| Reverse(unit.compile_us));
    units
}

/// Servers that take the next request as soon as one of them is free.
struct Servers(BinaryHeap<Reverse<u64>>);

impl Servers {
    fn new(count: usize) -> Servers {
        Servers((0..count).map(|_| Reverse(0)).collect())
    }

    /// The end of a request that comes at `at` and takes `time`.
    fn serve(&mut self, at: u64, time: u64) -> u64 {
        let free = self.0.pop().map_or(0, |free| free.0);
        let end = free.max(at) + time;
        self.0.push(Reverse(end));
        end
    }
}

/// Time that all units together share with nothing: in a module as large as the build.
fn serial(recorded: &Recorded) -> u64 {
    recorded.serial_us * UNITS as u64 / recorded.units.len() as u64
}

/// Simulates a build. `warm`: the engine has all results.
fn build(recorded: &Recorded, units: &[Unit], network: &Network, workers: usize, warm: bool) -> Build {
    let trip = network.round_trip_us;
    let line = |bytes: u64| (bytes + BESIDE) * 1_000_000 / network.line;
    let dispatch = 1_000_000 / ENGINE.per_second;
    let slots = 2 * workers + CORES;
    let (mut cores, mut up, mut down) = (Servers::new(CORES), Servers::new(1), Servers::new(1));
    let (mut scheduler, mut machines) = (Servers::new(1), Servers::new(workers));
    // When the units that are under way end.
    let mut under_way: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let mut end = 0;
    // The key, and in a cold build also the text that is sent.
    let prepare = |unit: &Unit| if warm { unit.found_us } else { 2 * unit.found_us };
    for unit in units {
        let slot = if under_way.len() < slots { 0 } else { under_way.pop().map_or(0, |end| end.0) };
        let asked = cores.serve(slot, prepare(unit)) + trip;
        let made = if warm {
            asked
        } else {
            // Which blobs are missing, then the blobs, then the action.
            let sent = up.serve(asked + trip, line(unit.text_bytes)) + trip;
            let started = scheduler.serve(sent + trip / 2, dispatch);
            machines.serve(started, ENGINE.beside_us + unit.compile_us) + trip / 2
        };
        let done = down.serve(made, line(unit.object_bytes));
        under_way.push(Reverse(done));
        end = end.max(done);
    }
    let sum = |of: &dyn Fn(&Unit) -> u64| units.iter().map(of).sum::<u64>();
    let serial = serial(recorded);
    let mut bounds: Vec<Bound> = vec![
        ("serial part of the client", serial),
        ("cores of the client", sum(&prepare) / CORES as u64),
        ("line to the client", sum(&|unit| line(unit.object_bytes))),
        ("requests under way", (if warm { 1 } else { 4 }) * trip * units.len() as u64 / slots as u64),
    ];
    if !warm {
        let longest = units.first().map_or(0, |unit| unit.compile_us);
        bounds.push(("line to the engine", sum(&|unit| line(unit.text_bytes))));
        bounds.push(("scheduler of the engine", dispatch * units.len() as u64));
        bounds.push(("workers", (sum(&|unit| ENGINE.beside_us + unit.compile_us) / workers as u64).max(longest)));
    }
    // The first of equal ones.
    let bound = bounds.into_iter().rev().max_by_key(|bound| bound.1).unwrap_or_default();
    Build { time: serial + end, bound }
}

fn seconds(us: u64) -> String {
    match us as f64 / 1e6 {
        s if s >= 100.0 => format!("{s:.0}"),
        s if s >= 10.0 => format!("{s:.1}"),
        s => format!("{s:.2}"),
    }
}

/// Breaks the lines of paragraphs anew, so that none has 100 characters.
fn wrapped(paragraphs: &str) -> String {
    let mut out = String::new();
    for paragraph in paragraphs.split("\n\n") {
        let mut length = 0;
        for word in paragraph.split_whitespace() {
            let fits = length == 0 || length + 1 + word.len() < 100;
            out.push_str(if length == 0 {
                ""
            } else if fits {
                " "
            } else {
                "\n"
            });
            length = if fits && length > 0 { length + 1 + word.len() } else { word.len() };
            out.push_str(word);
        }
        out.push_str("\n\n");
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// A row of a table: the columns of a build.
fn columns(build: &Build, alone: u64) -> String {
    format!("{} | {:.1} | {}", seconds(build.time), alone as f64 / build.time as f64, build.bound.0)
}

/// The page.
fn page(recorded: &Recorded) -> String {
    let kinds = [recorded.clone(), recorded.large()].map(|recorded| (units(&recorded), recorded));
    let work = |units: &[Unit]| units.iter().map(|unit| unit.compile_us).sum::<u64>();
    let [alone, large] = [&kinds[0], &kinds[1]].map(|(units, recorded)| serial(recorded) + work(units));
    let mean = recorded.units.iter().map(|unit| unit.compile_us).sum::<u64>() as f64 / recorded.units.len() as f64;
    let mut out = wrapped(&format!(
        "# Scale

Simulated, not measured: builds of {UNITS} kernels on remote workers ([remote.md](remote.md)). Written
by `cargo xtask scale`; the model is in `xtask/src/scale.rs`.

*Small* kernels are those of the module of `cargo campaign bench-compile`, drawn at random, with the
times and sizes that `cargo campaign scale-units` recorded at commit {}: {} kernels of {:.1} ms on
average, and {:.1} ms of the module's build that no other thread can share. *Large* ones are the same
with {TIMES} times the time and {SIZES} times the size, as of libraries of templates. One core would
take {} s for all small ones and {} s for all large ones.

Networks, engine and client are assumed, not measured. The client has {CORES} cores, which only prepare units here; in a build they compile, too. An engine
starts {} actions per second, and a worker takes {} ms for an action beside its compilation. Two units
for each worker, and {CORES} more, are under way at once.

*Speed-up* is over one core. *Limit* is the part of the chain that would need longest if all others
took no time: more of anything else does not help.
",
        recorded.commit,
        recorded.units.len(),
        mean / 1e3,
        recorded.serial_us as f64 / 1e3,
        seconds(alone),
        seconds(large),
        ENGINE.per_second,
        ENGINE.beside_us / 1000,
    ));
    for network in &NETWORKS {
        let _ = write!(out, "\n## {}{}\n\n", network.name[..1].to_uppercase(), &network.name[1..]);
        out.push_str(
            "| workers | small, s | speed-up | limit | large, s | speed-up | limit |\n|---|---|---|---|---|---|---|\n",
        );
        for power in 0..=12 {
            let workers = 1 << power;
            let [small, big] =
                kinds.each_ref().map(|(units, recorded)| build(recorded, units, network, workers, false));
            let _ = writeln!(out, "| {workers} | {} | {} |", columns(&small, alone), columns(&big, large));
        }
        let [small, big] = kinds.each_ref().map(|(units, recorded)| build(recorded, units, network, 256, true));
        let _ = writeln!(
            out,
            "\nWarm, with all results in the action cache and as many requests under way as for 256 workers:\n\
             small {} s (limit: {}), large {} s ({}).",
            seconds(small.time),
            small.bound.0,
            seconds(big.time),
            big.bound.0
        );
    }
    out.push_str(
        "
## What follows
- A kernel of some milliseconds costs the engine as much as one of a second. Such builds saturate
  where its scheduler does; far away, where requests under way or the line do. A cache of objects
  ([cache.md](cache.md)) serves them better.
- Large kernels scale until the client's serial part is all that is left: it reads the input and
  lays out the result.
",
    );
    out
}

/// Writes the page, or checks that it is up to date.
///
/// # Errors
/// No recorded units; a page that is not up to date.
pub fn run(check: bool) -> Result<()> {
    let text = fs::read_to_string(root().join(FILE)).with_context(|| FILE.to_owned())?;
    let recorded: Recorded = serde_json::from_str(&text).with_context(|| FILE.to_owned())?;
    ensure!(!recorded.units.is_empty(), "{FILE} has no units");
    let page = page(&recorded);
    if !check {
        return Ok(fs::write(root().join(PAGE), page)?);
    }
    let fresh = fs::read_to_string(root().join(PAGE)).is_ok_and(|old| old == page);
    ensure!(fresh, "{PAGE} is not what `cargo xtask scale` writes");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> Recorded {
        let unit = Unit { compile_us: 10_000, found_us: 100, text_bytes: 10_000, object_bytes: 4_000 };
        Recorded { commit: String::new(), serial_us: 100, units: vec![unit] }
    }

    #[test]
    fn few_workers_are_busy_and_many_wait() {
        let recorded = recorded();
        let units = units(&recorded);
        let times: Vec<Build> =
            [1, 16, 256, 4096].map(|workers| build(&recorded, &units, &NETWORKS[1], workers, false)).into();
        // 100,000 units of 15 ms.
        assert!((1_500_000_000..1_520_000_000).contains(&times[0].time), "{}", times[0].time);
        assert!((93_000_000..110_000_000).contains(&times[1].time), "{}", times[1].time);
        assert!(times.windows(2).all(|pair| pair[1].time <= pair[0].time));
        assert_eq!(times.iter().map(|build| build.bound.0).collect::<Vec<_>>()[..2], ["workers", "workers"]);
        assert_ne!(times[3].bound.0, "workers");
        assert!(times.iter().all(|build| build.time >= build.bound.1));
    }

    #[test]
    fn what_is_in_the_action_cache_needs_no_workers() {
        let recorded = recorded();
        let units = units(&recorded);
        let [few, many] = [1, 64].map(|workers| build(&recorded, &units, &NETWORKS[0], workers, true).time);
        assert!(many <= few && many < build(&recorded, &units, &NETWORKS[0], 4096, false).time);
    }
}
