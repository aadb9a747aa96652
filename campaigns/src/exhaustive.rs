//! `cargo campaign exhaustive [--op TEXT]... [--minutes N] [--threads N] [--arch SM] [--f64] [--list] [--record]`: numeric operations of our own
//! machine code on all their operands.
//!
//! Unary operations on 32 bits run on all 2^32 operands; those that use the multi-function unit on every seventeenth again with its
//! error at either bound. Division and roots of f64 run on 10^8 random operands and on all pairs of special ones under each of the
//! three settings. What is done is kept in
//! `target/exhaustive`, one file for each operation and setting: a campaign that is cut short goes on where it was, as long as the
//! compiler's machine code computes the same in the same way; another schedule or other registers do not matter where it is straight.
//! The first piece of everything runs with all checks of the simulator. `--record` writes the figures from those files, as far as they
//! are about the machine code of now.
//!
//! A processor with wide vectors does three times as much if the program is built for it (`RUSTFLAGS=-Ctarget-cpu=native`).

use crate::arguments::arch;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use raddle_sim::float::F64;
use raddle_sim::mufu::ErrorSetting;
use raddle_tests::exhaustive::ops::{self, Op};
use raddle_tests::exhaustive::{Compiled, Operands, SETTINGS, judge};
use raddle_tests::level::Level;
use raddle_tests::rng::Rng;
use serde::{Deserialize, Serialize};

use xtask::figures;

const COMMAND: &str = "cargo campaign exhaustive";
/// Operands of a piece, the unit of progress.
const PIECE: u64 = 1 << 24;
/// Operands of an operation on 32 bits.
const WORDS: u64 = 1 << 32;
/// Under other settings than the first one operand of so many; odd, for all kinds of mantissas.
const STRIDE: u64 = 17;
/// Random operands of an operation on f64.
const RANDOM: u64 = 100_000_000;
const SEED: u64 = 2026;

/// Progress of one operation under one setting.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    op: String,
    setting: String,
    /// Of the machine code.
    hash: u64,
    /// One operand of so many is judged.
    stride: u64,
    /// Operands done.
    done: u64,
    /// Results that differ from the reference.
    wrong: u64,
    /// The first of them.
    first: Vec<String>,
    seconds: f64,
}

#[derive(clap::Args)]
pub struct Options {
    /// Only operations whose name contains this; may be repeated
    #[arg(long = "op", value_name = "TEXT")]
    ops: Vec<String>,
    /// Minutes after which the campaign stops; the next one continues
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    minutes: f64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Architecture
    #[arg(long, value_name = "SM", default_value = "sm_90", value_parser = arch)]
    arch: &'static str,
    /// Operations on f64, on random and special operands
    #[arg(long = "f64")]
    doubles: bool,
    /// List the operations and stop
    #[arg(long)]
    list: bool,
    /// Record the figures from what earlier campaigns left
    #[arg(long)]
    record: bool,
}

/// Runs the command.
///
/// # Errors
/// Wrong options, failures of runs, results that differ.
pub fn run(options: Options) -> Result<()> {
    let until = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes);
    if options.record {
        return record(&options);
    }
    let all = if options.doubles { ops::doubles() } else { ops::words() };
    let chosen = |op: &&Op| options.ops.is_empty() || options.ops.contains(&op.name);
    if options.list {
        all.iter().filter(chosen).for_each(|op| println!("{}", op.name));
        return Ok(());
    }
    // The cheap ones first.
    let mut jobs = Vec::new();
    for op in all.iter().filter(chosen) {
        jobs.extend(settings(op).iter().map(|&setting| (op, setting)));
    }
    jobs.sort_by_key(|(op, _)| op.mufu);
    let (next, wrong, failed) = (AtomicUsize::new(0), Mutex::new(0), Mutex::new(None));
    let work = || {
        while let Some((op, setting)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match campaign(&options, until, op, *setting) {
                Ok(state) => *lock(&wrong) += state.wrong,
                Err(error) => *lock(&failed) = Some(error),
            }
        }
    };
    std::thread::scope(|scope| (0..options.threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    if let Some(error) = lock(&failed).take() {
        return Err(error);
    }
    let wrong = *lock(&wrong);
    if wrong > 0 { bail!("{wrong} results differ") } else { Ok(()) }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn settings(op: &Op) -> &'static [ErrorSetting] {
    if op.mufu { &SETTINGS } else { &SETTINGS[..1] }
}

/// From an operand to the next that an operation on 32 bits is judged on.
fn stride(op: &Op, setting: ErrorSetting) -> u64 {
    if op.input == 32 && setting != SETTINGS[0] { STRIDE } else { 1 }
}

/// Operands that an operation is to be judged on, in whole pieces.
fn target(op: &Op, setting: ErrorSetting) -> u64 {
    match op.input {
        32 => (WORDS / stride(op, setting)).next_multiple_of(PIECE),
        _ => RANDOM + specials(op).first().map_or(0, |l| l.len() as u64),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/exhaustive")
}

fn file(arch: &str, op: &Op, setting: ErrorSetting) -> PathBuf {
    folder().join(format!("{arch}-{}-{setting:?}.json", op.name))
}

/// What is done already of this machine code.
fn load(arch: &str, op: &Op, setting: ErrorSetting, hash: u64) -> Option<State> {
    let state: State = serde_json::from_str(&fs::read_to_string(file(arch, op, setting)).ok()?).ok()?;
    Some(state).filter(|s| s.hash == hash && s.stride == stride(op, setting))
}

/// Goes on with an operation until it is done or the time is up.
fn campaign(options: &Options, until: Instant, op: &Op, setting: ErrorSetting) -> Result<State> {
    let compiled = &Compiled::new(op, options.arch, Level::O3)?;
    let stride = stride(op, setting);
    let (name, hash) = (op.name.clone(), compiled.hash());
    let fresh = State { op: name, setting: format!("{setting:?}"), hash, stride, ..State::default() };
    let mut state = load(options.arch, op, setting, hash).unwrap_or(fresh);
    let path = file(options.arch, op, setting);
    fs::create_dir_all(folder())?;
    let special = if op.input == 64 { specials(op) } else { Vec::new() };
    let total = target(op, setting);
    let mut runs = 0;
    while state.done < total && Instant::now() < until {
        let began = Instant::now();
        let checked = state.done == 0;
        let (count, (wrong, first)) = if op.input == 32 {
            if checked {
                let count = raddle_tests::exhaustive::PIECE * 4;
                let (wrong, first) =
                    judge(op, compiled, Operands::Strided { start: 0, stride: 1, count }, setting, true)?;
                anyhow::ensure!(wrong == 0, "{}: {wrong} of {count} differ: {}", op.name, first[0]);
            }
            let count = PIECE.min(total - state.done);
            let start = state.done.wrapping_mul(stride) as u32;
            let operands = Operands::Strided { start, stride: stride as u32, count };
            (count, judge(op, compiled, operands, setting, false)?)
        } else if checked {
            let count = special.first().map_or(0, |l| l.len() as u64);
            (count, judge(op, compiled, Operands::Listed(&special), setting, true)?)
        } else {
            let count = (PIECE / 64).min(total - state.done);
            let mut rng = Rng::new(SEED, state.done);
            let lists: Vec<Vec<u64>> =
                (0..op.operands).map(|_| (0..count).map(|_| ops::random_double(&mut rng)).collect()).collect();
            (count, judge(op, compiled, Operands::Listed(&lists), setting, false)?)
        };
        state.done += count;
        state.wrong += wrong;
        let room = 5usize.saturating_sub(state.first.len());
        state.first.extend(first.iter().take(room).map(ToString::to_string));
        state.seconds += began.elapsed().as_secs_f64();
        // A campaign that is ended here keeps the former state.
        let fresh = path.with_extension("new");
        fs::write(&fresh, serde_json::to_string_pretty(&state)?)?;
        fs::rename(&fresh, &path)?;
        runs += 1;
    }
    if runs > 0 {
        let share = 100.0 * state.done as f64 / total as f64;
        let (name, arch, first) = (&op.name, options.arch, state.first.join("; "));
        println!("{name} {arch} {setting:?}: {share:.1} %, {} wrong, {:.0} s {first}", state.wrong, state.seconds);
    }
    Ok(state)
}

/// All special operands of an operation on f64; of two operands, all pairs of a choice of them.
fn specials(op: &Op) -> Vec<Vec<u64>> {
    let all = ops::specials(&F64);
    if op.operands == 1 {
        return vec![all];
    }
    let some: Vec<u64> = all.iter().copied().step_by(all.len() / 1000).chain([0, 1 << 63, 0x7ff << 52]).collect();
    let first = some.iter().flat_map(|x| some.iter().map(move |_| *x)).collect();
    let second = some.iter().flat_map(|_| some.iter().copied()).collect();
    vec![first, second]
}

/// Writes the figures: operations of which all operands are done under all settings without a difference.
fn record(options: &Options) -> Result<()> {
    for (id, all) in [("codegen.exhaustive.f32", ops::words()), ("codegen.exhaustive.f64", ops::doubles())] {
        let (mut complete, mut part) = (Vec::new(), 0);
        for op in &all {
            let hash = Compiled::new(op, options.arch, Level::O3)?.hash();
            let of_now = |&setting: &ErrorSetting| Some((load(options.arch, op, setting, hash)?, target(op, setting)));
            let states: Vec<(State, u64)> = settings(op).iter().filter_map(of_now).collect();
            let right = states.len() == settings(op).len() && states.iter().all(|(s, _)| s.wrong == 0);
            if right && states.iter().all(|(s, target)| s.done >= *target) {
                complete.push(op.name.as_str());
            } else if !states.is_empty() {
                part += 1;
            }
        }
        let note = format!(
            "{} -O3, of {} operations, {part} more in part; complete: {}",
            options.arch,
            all.len(),
            complete.join(", ")
        );
        println!("{id}: {note}");
        figures::record(id, complete.len() as f64, COMMAND, &note)?;
    }
    Ok(())
}
