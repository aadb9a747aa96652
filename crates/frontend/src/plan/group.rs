//! Which kernels share a part.
//!
//! Strategy: kernels that call the same large function first are neighbours; neighbours are put
//! together until a part is worth its fixed cost, which grows with the symbols of the program. If
//! the parts would then copy too much, those that share the most are put together as well, as long
//! as a part stays small compared with the program.

use super::{Classes, PlanOptions, instructions, total};
use crate::summary::{Kind, Summary, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

/// The most parts, whatever the program: a part of the program larger than this of it is the floor
/// of the time of a build anyway.
const MOST: u64 = 1024;

/// Groups the kernels; in every group, and between groups, they are in order.
pub(super) fn kernels(summary: &Summary, classes: &Classes, options: &PlanOptions) -> Vec<Vec<SymbolId>> {
    let symbols = &summary.symbols;
    let kernels = (0..).take(symbols.len()).filter(|&id| symbols[id as usize].kind == Kind::Kernel);
    let mut kernels: Vec<SymbolId> = kernels.filter(|&id| symbols[id as usize].is_defined()).collect();
    // By the largest function that it calls: those with the same one become neighbours.
    let largest = |id: SymbolId| {
        let calls = symbols[id as usize].uses.iter().filter(|used| !classes.single[used.symbol as usize]);
        calls
            .map(|used| (instructions(&symbols[used.symbol as usize]), used.symbol))
            .max()
            .filter(|&(size, _)| size > 0)
    };
    kernels.sort_by_cached_key(|&id| (largest(id).map(|(_, callee)| callee), id));
    let alone = |id: SymbolId| instructions(&symbols[id as usize]);
    let (sizes, worth): (Vec<u64>, u64) = match options.partitions {
        Some(parts) => {
            let sizes: Vec<u64> = kernels.iter().map(|&id| alone(id)).collect();
            let worth = sizes.iter().sum::<u64>().div_ceil(parts.max(1) as u64);
            (sizes, worth)
        }
        None => {
            // A function counts for the first kernel that reaches it.
            let mut reached = vec![false; symbols.len()];
            let sizes: Vec<u64> =
                kernels.iter().map(|&id| alone(id) + reach(summary, classes, id, &mut reached)).collect();
            let all: u64 = sizes.iter().sum();
            // Opening the program costs a part time for every symbol, about as much as a quarter of
            // an instruction.
            (sizes, options.part_size.max(symbols.len() as u64 / 4).max(all / MOST))
        }
    };
    let mut groups: Vec<Vec<SymbolId>> = Vec::new();
    let mut full = u64::MAX;
    for (id, size) in kernels.into_iter().zip(sizes) {
        if full >= worth {
            groups.push(Vec::new());
            full = 0;
        }
        full += size;
        groups.last_mut().expect("a group").push(id);
    }
    let mut groups = share(summary, classes, groups, options);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// The instructions of the functions that a kernel reaches through copied functions, without those
/// that have been reached before.
fn reach(summary: &Summary, classes: &Classes, kernel: SymbolId, reached: &mut [bool]) -> u64 {
    let (mut work, mut size) = (vec![kernel], 0);
    while let Some(id) = work.pop() {
        for used in &summary.symbols[id as usize].uses {
            let at = used.symbol as usize;
            if !classes.single[at] && !reached[at] {
                reached[at] = true;
                size += instructions(&summary.symbols[at]);
                work.push(used.symbol);
            }
        }
    }
    size
}

/// Puts groups together that would copy the same functions.
fn share(
    summary: &Summary,
    classes: &Classes,
    groups: Vec<Vec<SymbolId>>,
    options: &PlanOptions,
) -> Vec<Vec<SymbolId>> {
    let size = |id: SymbolId| instructions(&summary.symbols[id as usize]);
    let all = total(summary);
    let mut users: BTreeMap<SymbolId, Vec<usize>> = BTreeMap::new();
    let mut cost: Vec<u64> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let (mut copied, mut needed) = (BTreeSet::new(), BTreeSet::new());
        classes.close(summary, group, &mut copied, &mut needed);
        cost.push(group.iter().chain(&copied).map(|&id| size(id)).sum());
        copied.into_iter().filter(|&id| size(id) > 0).for_each(|id| users.entry(id).or_default().push(at));
    }
    let extra = |id: SymbolId, users: &[usize]| size(id) * (users.len() as u64 - 1);
    let mut left: u64 = users.iter().map(|(&id, users)| extra(id, users)).sum();
    let limit = all.saturating_mul(options.copies) / 100;
    if left <= limit {
        return groups;
    }
    let mut heavy: Vec<(u64, SymbolId)> = users.iter().map(|(&id, users)| (extra(id, users), id)).collect();
    heavy.sort_unstable_by_key(|&(extra, id)| (std::cmp::Reverse(extra), id));
    let mut set = Sets::new(cost);
    // A part beyond this share of the program would be the floor of a build on many cores.
    let most = options.part_size.max(all / 16);
    for (_, id) in heavy {
        if left <= limit {
            break;
        }
        let parts = &users[&id];
        for pair in parts.windows(2) {
            left -= if set.join(pair[0], pair[1], size(id), most) { size(id).min(left) } else { 0 };
        }
    }
    let mut out: BTreeMap<usize, Vec<SymbolId>> = BTreeMap::new();
    for (at, group) in groups.into_iter().enumerate() {
        out.entry(set.find(at)).or_default().extend(group);
    }
    out.into_values().collect()
}

/// Disjoint sets of groups, with the cost of each.
struct Sets {
    parent: Vec<usize>,
    cost: Vec<u64>,
}

impl Sets {
    fn new(cost: Vec<u64>) -> Sets {
        Sets { parent: (0..cost.len()).collect(), cost }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Joins two sets that both contain `shared` instructions, unless the result costs more than
    /// `most`; returns whether they are one set now.
    fn join(&mut self, a: usize, b: usize, shared: u64, most: u64) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return true;
        }
        let cost = (self.cost[a] + self.cost[b]).saturating_sub(shared);
        if cost > most {
            return false;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
        self.cost[low] = cost;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Plan, PlanOptions};
    use crate::summary::{Kind, Linkage, Summary, Symbol, Use, Visibility};

    #[test]
    fn small_kernels_of_large_functions_are_not_put_together() {
        let symbol = |name: String, kind, linkage, size, uses| Symbol {
            name,
            kind,
            linkage,
            visibility: Visibility::Default,
            size,
            priority: 0,
            copyable: true,
            uses,
        };
        // Functions come first by name; each kernel has one of its own, and all have the last one.
        let function = |n: u32| symbol(format!("f{n}"), Kind::Function, Linkage::Internal, 500, Vec::new());
        let call = |symbol| Use { symbol, calls: 1, address: false };
        let kernel = |n: u32| symbol(format!("k{n}"), Kind::Kernel, Linkage::External, 4, vec![call(n), call(8)]);
        let summary =
            Summary { symbols: (0..9).map(function).chain((0..8).map(kernel)).collect(), ..Summary::default() };
        assert_eq!(Plan::of(&summary, &PlanOptions { copies: 1000, ..PlanOptions::default() }).parts.len(), 8);
        let options = PlanOptions { partitions: Some(2), copies: 1000, ..PlanOptions::default() };
        assert_eq!(Plan::of(&summary, &options).parts.len(), 2);
    }
}
