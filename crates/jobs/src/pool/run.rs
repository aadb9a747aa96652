//! Runs one task per unit, all submitted at once: costliest first, tiny ones batched.

use super::{Config, Event, scope};
use crate::batches::batches;
use crate::memory::ledger::Ask;
use crate::task::{Body, Finished, Task, TaskId, TaskResult};
use crate::timeline::Sample;
use crate::tokens::Holding;
use std::sync::Arc;
use std::time::Duration;

/// The results of all tasks.
#[derive(Debug)]
pub struct Ran<T> {
    /// The tasks, in input order.
    pub finished: Vec<Finished<T>>,
    /// Workers that were started.
    pub workers: usize,
    /// Samples of the load.
    pub samples: Vec<Sample>,
    /// Tokens held; empty without a jobserver.
    pub tokens: Vec<Holding>,
    /// The time that workers were idle because of memory.
    pub held_back: Duration,
    /// The time in which nothing ran, and tasks waited for something outside.
    pub suspended: Duration,
}

/// The expected needs of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedUse {
    /// Units of a greater priority start first, whatever they cost. 0 unless a program says more.
    pub priority: u16,
    /// Time, in any unit: the costliest units are started first.
    pub cost: u64,
    /// Memory, in bytes, if there is a memory budget.
    pub bytes: u64,
}

/// The place of a batch in the queue: its priority, then its cost.
fn place(priority: u16, cost: u64) -> u64 {
    const COST_BITS: u32 = 48;
    u64::from(priority) << COST_BITS | cost.min((1 << COST_BITS) - 1)
}

/// Like [`run_in_parts`], for tasks whose needs are known before they start.
///
/// # Errors
/// As [`run_in_parts`].
pub fn run_all<'env, U, T>(
    config: &Config,
    units: &'env [U],
    need: impl Fn(&U) -> ExpectedUse,
    name: impl Fn(&U) -> Arc<str>,
    body: impl Fn(&mut Task, usize, &'env U) -> T + Send + Sync + 'env,
    watch: impl FnMut(Event<'_, T>) -> bool,
) -> std::io::Result<Ran<T>>
where
    U: Sync,
    T: Send + 'env,
{
    run_in_parts(config, units, need, name, move |task, i, unit| TaskResult::Done(body(task, i, unit)), watch)
}

/// Runs one task per unit, highest priority first, then highest cost, and returns the outcomes in
/// input order. A task may turn out to need more memory than expected ([`TaskResult::NeedsMemory`]), or wait for something outside ([`TaskResult::Waits`]).
/// `watch` is called for each task that ends, and at every tick with the running tasks; it can
/// discard the rest by returning `false`.
///
/// # Errors
/// The error of the operating system if no pool can be created.
pub fn run_in_parts<'env, U, T>(
    config: &Config,
    units: &'env [U],
    need: impl Fn(&U) -> ExpectedUse,
    name: impl Fn(&U) -> Arc<str>,
    body: impl Fn(&mut Task, usize, &'env U) -> TaskResult<'env, T> + Send + Sync + 'env,
    mut watch: impl FnMut(Event<'_, T>) -> bool,
) -> std::io::Result<Ran<T>>
where
    U: Sync,
    T: Send + 'env,
{
    let body = Arc::new(body);
    let needs: Vec<ExpectedUse> = units.iter().map(need).collect();
    let costs: Vec<u64> = needs.iter().map(|need| need.cost).collect();
    let mut batches = batches(&costs, config.batch);
    let rank = |batch: &Vec<usize>| {
        let cost = batch.iter().fold(0_u64, |sum, &unit| sum.saturating_add(costs[unit]));
        place(batch.iter().map(|&unit| needs[unit].priority).max().unwrap_or(0), cost)
    };
    // The first worker starts before everything is submitted: it gets the first of the queue.
    batches.sort_by_key(|batch| std::cmp::Reverse(rank(batch)));
    scope(config, batches.len(), |pool| {
        for batch in &batches {
            let tasks = batch.iter().map(|&i| {
                let (unit, body) = (&units[i], Arc::clone(&body));
                let task: Body<'env, T> = Box::new(move |task| body(task, i, unit));
                (TaskId(i), name(unit), task)
            });
            // Run in sequence, they need the memory of the largest.
            let bytes = batch.iter().map(|&unit| needs[unit].bytes).max().unwrap_or(0);
            pool.submit_batch(rank(batch), bytes, tasks.collect());
        }
        pool.seal();
        let mut slots: Vec<Option<Finished<T>>> = units.iter().map(|_| None).collect();
        loop {
            let mut go_on = true;
            let next = pool.next_event(&mut |running| go_on &= watch(Event::Tick(running)));
            let Some(finished) = next else { break };
            go_on &= watch(Event::Ended(&finished));
            if !go_on {
                pool.drop_queued();
            }
            let slot = finished.id.0;
            slots[slot] = Some(finished);
        }
        pool.lend();
        if let Some(tokens) = &mut pool.tokens {
            tokens.release();
        }
        if let Some(budget) = &config.memory {
            budget.claim(Ask::default());
        }
        Ran {
            finished: slots.into_iter().flatten().collect(),
            workers: pool.workers,
            samples: std::mem::take(&mut pool.samples),
            held_back: pool.held_back,
            suspended: pool.suspended,
            tokens: pool.tokens.as_mut().map(|tokens| std::mem::take(&mut tokens.log)).unwrap_or_default(),
        }
    })
}
