//! An engine that runs the real `raddle __unit` in processes of its own, a few at once, and fails by a
//! seeded plan.

use crate::common::tokens::hash;
use raddle_driver::engine::{Answer, Cancel, Engine, EngineError, OnAnswer, RemoteUnit};
use raddle_driver::exec::Exec;
use raddle_driver::host::CancelToken;
use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What an engine does with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Runs it.
    Run,
    /// Has it already.
    Cached,
    /// Fails at once.
    Fail,
    /// Allows nothing.
    Refuse,
    /// Answers long after it is needed.
    Late,
    /// Never answers.
    Never,
    /// One bit of the output is another one.
    Flip,
    /// The output ends too early.
    Cut,
    /// The output of another unit.
    Other,
    /// A signal ended the process.
    Crash,
    /// The output is followed by bytes.
    More,
    /// Nothing at all, with status 0.
    Empty,
}

pub const FAULTS: [Deed; 9] =
    [Deed::Fail, Deed::Late, Deed::Never, Deed::Flip, Deed::Cut, Deed::Other, Deed::Crash, Deed::More, Deed::Empty];

/// Processes at once; other units wait in the queue of the engine.
const PROCESSES: usize = 3;

/// A unit in the queue.
type Queued = (RemoteUnit, CancelToken, OnAnswer);

/// The engine.
pub struct Fake {
    queue: Mutex<Sender<Queued>>,
    slots: usize,
    plan: Box<dyn Fn(usize) -> Deed + Send + Sync>,
    late: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    started: usize,
    first: Option<RemoteUnit>,
    done: BTreeMap<Deed, usize>,
    /// What never answers.
    silent: Vec<OnAnswer>,
    units: Vec<RemoteUnit>,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fake").finish_non_exhaustive()
    }
}

impl Fake {
    /// An engine that does with each unit, by its number, what the plan says.
    pub fn new(slots: usize, plan: impl Fn(usize) -> Deed + Send + Sync + 'static) -> Fake {
        let (queue, queued) = channel::<Queued>();
        let queued = Arc::new(Mutex::new(queued));
        for _ in 0..PROCESSES {
            let queued = Arc::clone(&queued);
            // It ends with the engine.
            std::thread::spawn(move || {
                let exec = Exec::new(env!("CARGO_BIN_EXE_raddle").into(), 1);
                loop {
                    let Ok((unit, cancel, done)) = queued.lock().unwrap().recv() else { return };
                    if cancel.is_cancelled() {
                        done(Err(EngineError::Cancelled));
                        continue;
                    }
                    let (tell, told) = channel();
                    let running = exec.start(unit, Box::new(move |answer| tell.send(answer).unwrap()));
                    let answer = loop {
                        match told.recv_timeout(Duration::from_millis(2)) {
                            Ok(answer) => break answer,
                            Err(_) if cancel.is_cancelled() => running.cancel(),
                            Err(_) => {}
                        }
                    };
                    done(answer);
                }
            });
        }
        let queue = Mutex::new(queue);
        Fake { queue, slots, plan: Box::new(plan), late: Duration::from_millis(400), state: Mutex::default() }
    }

    /// One with random faults in this many of a hundred units.
    pub fn seeded(slots: usize, seed: u64, percent: u64) -> Fake {
        Fake::new(slots, move |number| {
            let bits = hash(seed << 32 | number as u64);
            match bits % 100 < percent {
                true => FAULTS[(bits >> 8) as usize % FAULTS.len()],
                false if bits >> 20 & 3 == 0 => Deed::Cached,
                false => Deed::Run,
            }
        })
    }

    /// The units that were started.
    pub fn started(&self) -> usize {
        self.state.lock().unwrap().started
    }

    /// How often it did what.
    pub fn deeds(&self) -> BTreeMap<Deed, usize> {
        self.state.lock().unwrap().done.clone()
    }

    /// All units that were started.
    pub fn units(&self) -> Vec<RemoteUnit> {
        self.state.lock().unwrap().units.clone()
    }
}

/// Nothing to cancel.
#[derive(Debug)]
struct Nothing;

impl Cancel for Nothing {
    fn cancel(&self) {}
}

/// Takes a unit out of the queue, or ends its process.
#[derive(Debug)]
struct Stop(CancelToken);

impl Cancel for Stop {
    fn cancel(&self) {
        self.0.cancel();
    }
}

impl Engine for Fake {
    fn start(&self, unit: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel> {
        let mut state = self.state.lock().unwrap();
        let deed = (self.plan)(state.started);
        state.started += 1;
        *state.done.entry(deed).or_default() += 1;
        state.units.push(unit.clone());
        let first = state.first.get_or_insert_with(|| unit.clone()).clone();
        if deed == Deed::Never {
            state.silent.push(done);
            return Box::new(Nothing);
        }
        drop(state);
        let late = self.late;
        let (unit, change): (RemoteUnit, Box<dyn FnOnce(Answer) -> Answer + Send>) = match deed {
            Deed::Fail => {
                done(Err(EngineError::Failed("no connection".to_owned())));
                return Box::new(Nothing);
            }
            Deed::Refuse => {
                done(Err(EngineError::Refused("no such instance".to_owned())));
                return Box::new(Nothing);
            }
            Deed::Other => (first, Box::new(|answer| answer)),
            Deed::Late => (
                unit,
                Box::new(move |answer| {
                    std::thread::sleep(late);
                    answer
                }),
            ),
            Deed::Flip => (
                unit,
                Box::new(|mut answer| {
                    let at = answer.output.len() / 2;
                    answer.output.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 4);
                    answer
                }),
            ),
            Deed::Cut => (
                unit,
                Box::new(|mut answer| {
                    answer.output.truncate(answer.output.len() * 2 / 3);
                    answer
                }),
            ),
            Deed::More => (
                unit,
                Box::new(|mut answer| {
                    answer.output.push(7);
                    answer
                }),
            ),
            Deed::Crash => {
                (unit, Box::new(|answer| Answer { status: 139, output: answer.output[..40].to_vec(), ..answer }))
            }
            Deed::Empty => (unit, Box::new(|answer| Answer { output: Vec::new(), ..answer })),
            Deed::Cached => (unit, Box::new(|answer| Answer { from_cache: true, ..answer })),
            Deed::Run | Deed::Never => (unit, Box::new(|answer| answer)),
        };
        let named =
            |answer: Answer| Answer { worker: "worker\u{7}1".to_owned(), queued: Duration::from_micros(10), ..answer };
        let cancel = CancelToken::new();
        let done: OnAnswer = Box::new(move |answer| {
            // What is late keeps no process from the others.
            let deliver = move || done(answer.map(|answer| named(change(answer))));
            if deed == Deed::Late { drop(std::thread::spawn(deliver)) } else { deliver() }
        });
        self.queue.lock().unwrap().send((unit, cancel.clone(), done)).unwrap();
        Box::new(Stop(cancel))
    }

    fn slots(&self) -> usize {
        self.slots
    }

    fn name(&self) -> String {
        "fake://engine".to_owned()
    }
}
