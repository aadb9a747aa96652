//! Enumerates all outcomes of a litmus program: runs of threads, then candidate executions, then
//! the axioms.
//!
//! Values are not guessed: a read may first return the initial value of its location, then the
//! values written by runs with such values, and so on, once for each write of the program. That is
//! exact, since there are no out-of-thin-air values (PTX ISA 9.0, 8.10.4).
//!
//! **Loops** are unrolled for a given number of backward jumps. **Barriers** without a count join
//! all threads of a block with the same round and resource. With a count n, groups of n arrivals
//! join; fewer than n may be left over, and these threads wait forever. That counts as an end only
//! if at least one group was complete and the remaining threads had nothing else to do (the
//! convention of the public litmus files).

use std::collections::{BTreeMap, BTreeSet};

use super::model::{BarrierEvent, Choice, Events};
use super::program::{Outcome, Program, Quantifier};
use super::relation::{Relation, members};
use super::trace::{Kind, Limit, Trace, traces};

/// All outcomes of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes(pub BTreeSet<Outcome>);

/// Returns the outcomes of a program, with at most `turns` backward jumps in each thread.
///
/// # Errors
/// A limit of the checker.
pub fn outcomes(program: &Program, turns: usize) -> Result<Outcomes, Limit> {
    let mut search = Search { program, wanted: None, found: BTreeSet::new(), done: false };
    let runs = runs(program, turns)?;
    search.each_combination(&runs, &mut Vec::new())?;
    Ok(Outcomes(search.found))
}

/// Returns the answer to the program's question, with at most `turns` backward jumps in each
/// thread.
///
/// # Errors
/// A limit of the checker.
pub fn answer(program: &Program, turns: usize) -> Result<bool, Limit> {
    let wanted = program.question.0 != Quantifier::ForAll;
    let mut search = Search { program, wanted: Some(wanted), found: BTreeSet::new(), done: false };
    let runs = runs(program, turns)?;
    search.each_combination(&runs, &mut Vec::new())?;
    Ok(search.done == (program.question.0 == Quantifier::Exists))
}

struct Search<'a> {
    program: &'a Program,
    /// Stop at the first outcome for which the condition has this value.
    wanted: Option<bool>,
    found: BTreeSet<Outcome>,
    done: bool,
}

/// The runs of each thread for all possible values.
///
/// For each value of a location the least number of writes that lead to it is recorded: values that
/// need more writes than there are, are impossible. Values passed through registers are bounded by
/// the number of rounds: one for each write.
fn runs(program: &Program, turns: usize) -> Result<Vec<Vec<Trace>>, Limit> {
    let mut steps: Vec<BTreeMap<i64, usize>> = program.locs.iter().map(|l| BTreeMap::from([(l.1, 0)])).collect();
    let mut rounds = 0;
    loop {
        let domain: Vec<BTreeSet<i64>> = steps.iter().map(|s| s.keys().copied().collect()).collect();
        let runs = program.threads.iter().map(|t| traces(t, &domain, turns)).collect::<Result<Vec<_>, _>>()?;
        let before = steps.clone();
        let accesses = |run: &Trace, loc: usize| {
            let here = |k: Kind| matches!(k, Kind::Access { loc: l, write: Some(_), .. } if l == loc);
            run.events.iter().filter(|e| here(e.kind)).count()
        };
        let most: Vec<usize> = (0..program.locs.len())
            .map(|loc| runs.iter().map(|r| r.iter().map(|run| accesses(run, loc)).max().unwrap_or(0)).sum())
            .collect();
        for event in runs.iter().flatten().flat_map(|run| &run.events) {
            if let Kind::Access { loc, read, write: Some(value) } = event.kind {
                let count = read.and_then(|old| before[loc].get(&old)).map_or(1, |n| n + 1);
                if count <= most[loc] {
                    let known = steps[loc].entry(value).or_insert(count);
                    *known = (*known).min(count);
                }
            }
        }
        rounds += 1;
        if steps == before || rounds > most.iter().sum::<usize>() {
            return Ok(runs);
        }
    }
}

impl Search<'_> {
    fn each_combination<'a>(&mut self, runs: &'a [Vec<Trace>], picked: &mut Vec<&'a Trace>) -> Result<(), Limit> {
        let Some(next) = runs.get(picked.len()) else {
            return self.judge(picked);
        };
        for run in next {
            picked.push(run);
            self.each_combination(runs, picked)?;
            picked.pop();
            if self.done {
                break;
            }
        }
        Ok(())
    }

    /// The outcomes of one run of each thread.
    fn judge(&mut self, picked: &[&Trace]) -> Result<(), Limit> {
        let question = &self.program.question.1;
        if let Some(wanted) = self.wanted.filter(|_| !question.asks_memory()) {
            let regs = picked.iter().map(|run| run.regs.clone()).collect();
            if question.holds(&Outcome { regs, memory: Vec::new() }) != wanted {
                return Ok(());
            }
        }
        if !readable(self.program, picked) {
            return Ok(());
        }
        let events = Events::new(self.program, picked).ok_or(Limit::Events)?;
        let ways = joinings(&events.barriers, events.len());
        if ways.is_empty() {
            return Ok(());
        }
        let pairs = events.fence_pairs();
        let reads: Vec<_> = members(events.reads()).map(|read| (read, events.sources(read))).collect();
        let mut found = BTreeSet::new();
        each_source(&events, &reads, &mut vec![None; events.len()], &mut |rf| {
            if self.wanted.is_some() && !found.is_empty() || !events.grounded(rf) {
                return;
            }
            for way in &ways {
                for bits in 0..1u64 << pairs.len() {
                    let mut sc = Relation::empty(events.len());
                    for (n, &(a, b)) in pairs.iter().enumerate() {
                        let (from, to) = if bits >> n & 1 == 0 { (a, b) } else { (b, a) };
                        sc.add(from, to);
                    }
                    let choice = Choice { rf: rf.to_vec(), sc, barriers: way.clone() };
                    events.consistent(&choice, &mut |co| {
                        let outcomes = ends(picked, &events.last(co));
                        let holds = |o: &Outcome| Some(question.holds(o)) == self.wanted;
                        found.extend(outcomes.into_iter().filter(|o| self.wanted.is_none() || holds(o)));
                    });
                }
            }
        });
        self.done = self.wanted.is_some() && !found.is_empty();
        self.found.extend(found);
        Ok(())
    }
}

/// Whether one of the runs writes every value that is read. Most combinations fail here.
fn readable(program: &Program, picked: &[&Trace]) -> bool {
    let all = || picked.iter().flat_map(|run| &run.events).map(|event| event.kind);
    let writes = |loc: usize, value: i64| {
        let write = |k: Kind| matches!(k, Kind::Access { loc: l, write: Some(v), .. } if l == loc && v == value);
        program.locs[loc].1 == value || all().any(write)
    };
    all().all(|kind| !matches!(kind, Kind::Access { loc, read: Some(value), .. } if !writes(loc, value)))
}

/// The outcomes of a coherence order: a location may end with any of several values if their writes
/// are unordered.
fn ends(picked: &[&Trace], last: &[Vec<i64>]) -> Vec<Outcome> {
    let regs: Vec<Vec<i64>> = picked.iter().map(|run| run.regs.clone()).collect();
    let mut memories: Vec<Vec<i64>> = vec![Vec::new()];
    for values in last {
        let longer = |m: &Vec<i64>| values.iter().map(|v| m.iter().chain([v]).copied().collect()).collect::<Vec<_>>();
        memories = memories.iter().flat_map(longer).collect();
    }
    memories.into_iter().map(|memory| Outcome { regs: regs.clone(), memory }).collect()
}

fn each_source(
    events: &Events,
    reads: &[(usize, Vec<usize>)],
    rf: &mut Vec<Option<usize>>,
    done: &mut dyn FnMut(&[Option<usize>]),
) {
    let Some(((read, sources), rest)) = reads.split_first() else {
        return done(rf);
    };
    for &source in sources {
        if !events.taken(rf, *read, source) {
            rf[*read] = Some(source);
            each_source(events, rest, rf, done);
            rf[*read] = None;
        }
    }
}

/// The ways in which barriers may join: for each, the synchronisation relation. None if some thread
/// waits in vain.
fn joinings(barriers: &[BarrierEvent], total: usize) -> Vec<Relation> {
    let mut keys: BTreeMap<_, Vec<BarrierEvent>> = BTreeMap::new();
    for barrier in barriers {
        keys.entry(barrier.key).or_default().push(*barrier);
    }
    let mut ways = vec![Relation::empty(total)];
    for group in keys.values() {
        let Some(count) = group.iter().find_map(|b| b.count) else {
            ways.iter_mut().for_each(|way| join(way, group));
            continue;
        };
        let (stuck, rest): (Vec<BarrierEvent>, _) = group.iter().partition(|b| b.stuck);
        if count == 0 || stuck.len() >= count || rest.is_empty() || rest.len() % count != 0 {
            return Vec::new();
        }
        let mut next = Vec::new();
        for way in &ways {
            partition(&rest, count, way.clone(), &mut next);
        }
        ways = next;
    }
    ways
}

/// Relates the members of a group: every arrival with every other operation that waits.
fn join(way: &mut Relation, group: &[BarrierEvent]) {
    for (a, b) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
        if a.event != b.event && !b.arrive {
            way.add(a.event, b.event);
        }
    }
}

/// All ways to divide arrivals into groups of `count`.
fn partition(rest: &[BarrierEvent], count: usize, way: Relation, out: &mut Vec<Relation>) {
    let Some((first, others)) = rest.split_first() else {
        out.push(way);
        return;
    };
    for bits in (0..1u64 << others.len()).filter(|b| b.count_ones() as usize + 1 == count) {
        let (with, without): (Vec<_>, Vec<_>) = others.iter().enumerate().partition(|(n, _)| bits >> n & 1 != 0);
        let group: Vec<BarrierEvent> = std::iter::once(*first).chain(with.into_iter().map(|(_, b)| *b)).collect();
        let rest: Vec<BarrierEvent> = without.into_iter().map(|(_, b)| *b).collect();
        let mut way = way.clone();
        join(&mut way, &group);
        partition(&rest, count, way, out);
    }
}
