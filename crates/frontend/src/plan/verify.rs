//! The invariants of a plan.

use super::{Classes, Plan, PlanOptions, Role};
use crate::summary::{Linkage, Summary, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

/// Checks a plan: what is needed is defined exactly once or copied, every part has what it refers
/// to, and what it declares is visible.
///
/// # Errors
/// What is wrong, with the symbol.
pub fn verify(summary: &Summary, plan: &Plan, options: &PlanOptions) -> Result<(), String> {
    let classes = Classes::of(summary, options);
    let name = |id: SymbolId| &summary.symbols[id as usize].name;
    let promoted: BTreeSet<SymbolId> = plan.promoted.iter().copied().collect();
    let mut homes: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for (at, part) in plan.parts.iter().enumerate() {
        let roles: BTreeMap<SymbolId, Role> = part.symbols.iter().copied().collect();
        if roles.len() != part.symbols.len() || !part.symbols.is_sorted() {
            return Err(format!("the symbols of part {at} are not in order"));
        }
        for (&id, &role) in &roles {
            let symbol = &summary.symbols[id as usize];
            if role != Role::Declared && !symbol.is_defined() {
                return Err(format!("'{}' has no definition", name(id)));
            }
            if role == Role::Defined && homes.insert(id, at).is_some() {
                return Err(format!("'{}' is defined twice", name(id)));
            }
            if role == Role::Copied && classes.single[id as usize] {
                return Err(format!("'{}' is copied, but exists once", name(id)));
            }
            let missing = symbol.uses.iter().find(|used| role != Role::Declared && !roles.contains_key(&used.symbol));
            if let Some(used) = missing {
                return Err(format!("'{}' in part {at} refers to '{}'", name(id), name(used.symbol)));
            }
        }
    }
    for (at, part) in plan.parts.iter().enumerate() {
        for &(id, _) in part.symbols.iter().filter(|(_, role)| *role == Role::Declared) {
            let symbol = &summary.symbols[id as usize];
            if !symbol.is_defined() {
                continue;
            }
            match homes.get(&id) {
                None => return Err(format!("'{}' of part {at} is defined nowhere", name(id))),
                Some(home) if *home == at => return Err(format!("'{}' is declared in its own part", name(id))),
                Some(_) if symbol.linkage == Linkage::Internal && !promoted.contains(&id) => {
                    return Err(format!("'{}' is not visible to part {at}", name(id)));
                }
                Some(_) => {}
            }
        }
    }
    for (id, symbol) in (0..).zip(&summary.symbols) {
        if classes.root[id as usize] && !homes.contains_key(&id) {
            return Err(format!("'{}' ({:?}) is lost", name(id), symbol.kind));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;
    use crate::summary::{Kind, Space, Symbol, Use, Visibility};
    use raddle_entity::SplitMix;

    fn symbol(name: String, kind: Kind, linkage: Linkage, size: u64, copyable: bool) -> Symbol {
        Symbol { name, kind, linkage, visibility: Visibility::Default, size, priority: 0, copyable, uses: Vec::new() }
    }

    fn to(symbol: SymbolId) -> Use {
        Use { symbol, calls: 1, address: false }
    }

    /// A program by a line per symbol: kind, name, size, `&` for a taken address, the names used.
    fn program(lines: &[&str]) -> Summary {
        let mut rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
        rows.sort_by_key(|row| row[1].to_owned());
        let at = |name: &str| rows.iter().position(|row| row[1] == name).unwrap() as SymbolId;
        let symbols = rows.iter().map(|row| {
            let (kind, linkage) = match row[0] {
                "kernel" => (Kind::Kernel, Linkage::External),
                "func" => (Kind::Function, Linkage::Internal),
                "var" => (Kind::Variable(Space::Global), Linkage::Internal),
                // Small constants that nothing compares by address.
                "const" => (Kind::Variable(Space::Constant), Linkage::Internal),
                "visible" => (Kind::Variable(Space::Global), Linkage::External),
                "shared" => (Kind::Variable(Space::Shared), Linkage::Internal),
                "alias" => (Kind::Alias, Linkage::Internal),
                "extern" => (Kind::Function, Linkage::Declaration),
                other => panic!("{other}"),
            };
            let taken = row.get(3) == Some(&"&");
            let copyable = !taken && matches!(row[0], "func" | "const");
            let mut s = symbol(row[1].to_owned(), kind, linkage, row[2].parse().unwrap(), copyable);
            let mut uses: Vec<SymbolId> = row[3..].iter().filter(|name| **name != "&").map(|name| at(name)).collect();
            uses.sort_unstable();
            s.uses = uses.into_iter().map(to).collect();
            s
        });
        Summary { symbols: symbols.collect(), ..Summary::default() }
    }

    fn planned(lines: &[&str]) -> Vec<String> {
        planned_with(lines, &PlanOptions { part_size: 1, ..PlanOptions::default() })
    }

    fn planned_with(lines: &[&str], options: &PlanOptions) -> Vec<String> {
        let summary = program(lines);
        let plan = Plan::of(&summary, options);
        verify(&summary, &plan, options).unwrap();
        let role = |(id, role): &(SymbolId, Role)| {
            let sign = match role {
                Role::Defined => "",
                Role::Copied => "+",
                Role::Declared => "?",
            };
            let promoted = plan.promoted.contains(id) && *role == Role::Defined;
            format!("{sign}{}{}", summary.symbols[*id as usize].name, if promoted { "!" } else { "" })
        };
        plan.parts.iter().map(|part| part.symbols.iter().map(role).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_part_has_the_greatest_priority_of_its_kernels() {
        let mut summary = program(&["kernel a 10 f", "kernel b 10 f", "func f 5"]);
        for (symbol, priority) in summary.symbols.iter_mut().zip([3, 8, 9_u16]) {
            symbol.priority = priority;
        }
        let priorities = |partitions| {
            let options = PlanOptions { partitions, part_size: 1, ..PlanOptions::default() };
            Plan::of(&summary, &options).parts.iter().map(|part| part.priority).collect::<Vec<_>>()
        };
        assert_eq!(priorities(None), [3, 8], "a copy does not count");
        assert_eq!(priorities(Some(1)), [8]);
    }

    #[test]
    fn functions_are_copied_and_variables_are_not() {
        let lines = ["kernel a 10 f v", "kernel b 10 f v", "func f 5 g", "func g 2", "var v 4"];
        assert_eq!(planned(&lines), ["a +f +g ?v", "b +f +g ?v", "v!"]);
        let lines = ["kernel a 10 f", "kernel b 10", "func f 5 v w", "var v 4 x", "var x 4", "visible w 4"];
        assert_eq!(planned(&lines), ["a +f v w x", "b"], "what one part uses is there");
    }

    #[test]
    fn small_constants_are_copied_and_large_ones_are_not() {
        let lines = ["kernel a 10 s", "kernel b 10 f t", "func f 5 s t", "const s 64", "const t 1000000"];
        assert_eq!(planned(&lines), ["a +s", "b +f +s t"]);
        let lines = ["kernel a 10 s t", "kernel b 10 s t", "const s 64", "const t 1000000"];
        assert_eq!(planned(&lines), ["a +s ?t", "b +s ?t", "t!"]);
    }

    #[test]
    fn a_function_with_an_address_exists_once_with_the_shared_memory_that_it_reaches() {
        let lines = [
            "kernel a 10 f s",
            "kernel b 10 f",
            "func f 5 & g",
            "func g 2 s",
            "shared s 64",
            "shared t 64",
            "kernel c 2 t",
            "kernel d 2 t",
        ];
        assert_eq!(planned(&lines), ["a ?f ?s", "b ?f", "c +t", "d +t", "f! +g ?s", "s!"]);
    }

    #[test]
    fn aliases_stay_with_what_they_name_and_what_is_dead_goes() {
        let lines = ["kernel a 10 x", "kernel b 10 f", "func f 5", "alias x 0 f", "func dead 5 v", "var v 4"];
        assert_eq!(planned(&lines), ["a ?x", "b ?f", "f! x!"]);
        assert_eq!(planned(&["kernel a 10 e", "extern e 0", "visible v 4"]), ["a ?e", "v"]);
    }

    #[test]
    fn kernels_that_share_a_large_function_share_a_part() {
        let mut lines: Vec<String> = (0..32).map(|n| format!("kernel k{n:02} 100 f{}", n % 16)).collect();
        lines.extend((0..16).map(|n| format!("func f{n} 5000")));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(planned(&lines).len(), 24, "half of the program may be copies");
        let parts = planned_with(&lines, &PlanOptions { part_size: 1, copies: 0, ..PlanOptions::default() });
        assert_eq!(parts.len(), 16, "{parts:#?}");
        assert_eq!(parts[0], "+f0 k00 k16");
    }

    #[test]
    fn a_number_of_parts_can_be_asked_for() {
        let mut lines: Vec<String> = (0..32).map(|n| format!("kernel k{n:02} 100 f v")).collect();
        lines.extend(["func f 5 &", "var v 4", "visible w 4"].map(str::to_owned));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for (partitions, parts) in [(1, 1), (2, 3), (8, 9), (1000, 33)] {
            let options = PlanOptions { partitions: Some(partitions), ..PlanOptions::default() };
            assert_eq!(planned_with(&lines, &options).len(), parts, "{partitions}");
        }
    }

    #[test]
    fn a_broken_plan_is_refused() {
        let summary = program(&["kernel a 10 f v", "kernel b 10 v", "func f 5 &", "var v 4"]);
        let options = PlanOptions { part_size: 1, ..PlanOptions::default() };
        let good = Plan::of(&summary, &options);
        type Damage = fn(&mut Plan);
        let breaks: [(&str, Damage); 6] = [
            ("defined twice", |plan| {
                let part = plan.parts[0].clone();
                plan.parts.push(part);
            }),
            ("refers to", |plan| plan.parts[0].symbols.retain(|symbol| symbol.0 != 3)),
            ("lost", |plan| drop(plan.parts.remove(1))),
            ("nowhere", |plan| drop(plan.parts.pop())),
            ("not visible", |plan| plan.promoted.clear()),
            ("exists once", |plan| {
                plan.parts[1]
                    .symbols
                    .iter_mut()
                    .filter(|symbol| symbol.0 == 3)
                    .for_each(|symbol| symbol.1 = Role::Copied);
            }),
        ];
        for (why, damage) in breaks {
            let mut plan = good.clone();
            damage(&mut plan);
            let error = verify(&summary, &plan, &options).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        }
        let _: &Part = &good.parts[0];
    }

    /// A random program.
    fn random(rng: &mut SplitMix, count: u32) -> Summary {
        let mut symbols = Vec::new();
        for n in 0..count {
            let (kind, linkage) = match rng.below(10) {
                0 | 1 => (Kind::Kernel, Linkage::External),
                2 => (Kind::Variable(Space::Global), Linkage::External),
                3 => (Kind::Variable(Space::Global), Linkage::Internal),
                4 => (Kind::Variable(Space::Shared), Linkage::Internal),
                5 => (Kind::Variable(Space::Constant), Linkage::Internal),
                6 => (Kind::Function, Linkage::Declaration),
                7 => (Kind::Function, Linkage::Weak),
                _ => (Kind::Function, Linkage::Internal),
            };
            let copyable = kind != Kind::Kernel && rng.below(3) > 0;
            let size = if linkage == Linkage::Declaration { 0 } else { rng.below(300) };
            symbols.push(symbol(format!("s{n:05}"), kind, linkage, size, copyable));
        }
        let kinds: Vec<Kind> = symbols.iter().map(|s| s.kind).collect();
        for symbol in symbols.iter_mut().filter(|symbol| symbol.is_defined()) {
            let mut uses = BTreeSet::new();
            let most = if matches!(symbol.kind, Kind::Variable(_)) { 2 } else { 6 };
            for _ in 0..rng.below(most) {
                let at = rng.below(u64::from(count)) as SymbolId;
                if kinds[at as usize] != Kind::Kernel {
                    uses.insert(at);
                }
            }
            symbol.uses = uses.into_iter().map(to).collect();
        }
        Summary { symbols, ..Summary::default() }
    }

    #[test]
    fn random_programs_have_plans_that_hold() {
        for seed in 0..400 {
            let mut rng = SplitMix(seed);
            let summary = random(&mut rng, 5 + (seed % 60) as u32);
            for _ in 0..2 {
                let part_size = [1, 100, 10_000][rng.below(3) as usize];
                let options = PlanOptions { part_size, copies: rng.below(100), ..PlanOptions::default() };
                let plan = Plan::of(&summary, &options);
                verify(&summary, &plan, &options)
                    .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{summary:#?}\n{plan:#?}"));
                assert_eq!(plan, Plan::of(&summary, &options));
            }
        }
    }

    #[test]
    fn a_program_of_many_symbols_has_few_parts() {
        let count = 200_000_u32;
        let mut symbols = Vec::new();
        for n in 0..count {
            let kind = if n % 2 == 0 { Kind::Kernel } else { Kind::Function };
            let linkage = if n % 2 == 0 { Linkage::External } else { Linkage::Internal };
            let mut s = symbol(format!("s{n:06}"), kind, linkage, 50, n % 2 == 1);
            s.uses = if n % 2 == 0 { vec![to(n + 1)] } else { Vec::new() };
            symbols.push(s);
        }
        let plan = Plan::of(&Summary { symbols, ..Summary::default() }, &PlanOptions::default());
        assert!((100..1000).contains(&plan.parts.len()), "{}", plan.parts.len());
    }
}
