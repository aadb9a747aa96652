//! One task per unit, all submitted at once: costliest first, tiny ones put together.

use super::{Config, Event, scope};
use crate::batches::batches;
use crate::memory::ledger::Ask;
use crate::task::{Body, Finished, Next, Task, TaskId};
use crate::timeline::Sample;
use crate::tokens::Holding;
use std::sync::Arc;
use std::time::Duration;

/// What became of all tasks.
#[derive(Debug)]
pub struct Ran<T> {
    /// The tasks, in input order.
    pub finished: Vec<Finished<T>>,
    /// Workers that were started.
    pub workers: usize,
    /// The load now and then.
    pub samples: Vec<Sample>,
    /// Tokens held; empty without a jobserver.
    pub tokens: Vec<Holding>,
    /// How long memory kept workers idle.
    pub held_back: Duration,
}

/// What a unit is expected to need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Time, in any unit: the costliest are begun first.
    pub cost: u64,
    /// Memory, in bytes, if there is a budget of it.
    pub bytes: u64,
}

/// As [`run_in_parts`], for tasks whose need is known before they begin.
///
/// # Errors
/// As [`run_in_parts`].
pub fn run_all<'env, U, T>(
    config: &Config,
    units: &'env [U],
    need: impl Fn(&U) -> Need,
    name: impl Fn(&U) -> Arc<str>,
    body: impl Fn(&mut Task, usize, &'env U) -> T + Send + Sync + 'env,
    watch: impl FnMut(Event<'_, T>) -> bool,
) -> std::io::Result<Ran<T>>
where
    U: Sync,
    T: Send + 'env,
{
    run_in_parts(config, units, need, name, move |task, i, unit| Next::Done(body(task, i, unit)), watch)
}

/// Runs one task per unit, greatest cost first, and gives the outcomes in input order. A task may find out that it needs more memory than was
/// said ([`Next::Later`]). `watch` sees each task as it ends, and what runs at every tick; it may discard the rest by returning `false`.
///
/// # Errors
/// What the system says where no pool can be made.
pub fn run_in_parts<'env, U, T>(
    config: &Config,
    units: &'env [U],
    need: impl Fn(&U) -> Need,
    name: impl Fn(&U) -> Arc<str>,
    body: impl Fn(&mut Task, usize, &'env U) -> Next<'env, T> + Send + Sync + 'env,
    mut watch: impl FnMut(Event<'_, T>) -> bool,
) -> std::io::Result<Ran<T>>
where
    U: Sync,
    T: Send + 'env,
{
    let body = Arc::new(body);
    let needs: Vec<Need> = units.iter().map(need).collect();
    let costs: Vec<u64> = needs.iter().map(|need| need.cost).collect();
    let mut batches = batches(&costs, config.batch);
    let total = |batch: &Vec<usize>| batch.iter().fold(0_u64, |sum, &unit| sum.saturating_add(costs[unit]));
    // The first worker begins before everything is submitted: with the costliest.
    batches.sort_by_key(|batch| std::cmp::Reverse(total(batch)));
    scope(config, batches.len(), |pool| {
        for batch in &batches {
            let tasks = batch.iter().map(|&i| {
                let (unit, body) = (&units[i], Arc::clone(&body));
                let task: Body<'env, T> = Box::new(move |task| body(task, i, unit));
                (TaskId(i), name(unit), task)
            });
            // One after another: their memory is that of the greatest.
            let bytes = batch.iter().map(|&unit| needs[unit].bytes).max().unwrap_or(0);
            pool.submit_batch(total(batch), bytes, tasks.collect());
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
            tokens: pool.tokens.as_mut().map(|tokens| std::mem::take(&mut tokens.log)).unwrap_or_default(),
        }
    })
}
