//! Generates a program from a seed.
//!
//! Invariants: loops end after a fixed number of iterations, or by fuel; a function calls only
//! earlier ones and itself with a smaller depth; the steps of a thread stay below [`MOST`].

use super::cross::Cross;
use super::expr::{Exprs, PLACES, Scope, Ty};
use super::tree::{Function, Phase, Program, Stmt};
use crate::rng::Rng;

/// The approximate limit of statements that a thread executes in a phase, or in one call of a
/// function.
const MOST: u32 = 400;
/// Signatures: all may be called directly, this one also through the table.
const PLAIN: &str = "u32 @(u32 x, u32 y)";
const DEEP: &str = "u32 @(u32 n, u32 x)";
const STATE: &str = "i32 @(T* t, u32 lane, u32 x)";
const FLOATS: &str = "f64 @(f64 x, f32 y)";
const STRUCT: &str = "S @(S x, u16 y)";

/// Generates the program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed, 71);
    let mut functions = Vec::new();
    let mut costs: Vec<u32> = Vec::new();
    let extra = 1 + rng.below(4);
    for n in 0..4 + extra {
        // The four functions of the table come first.
        let signature = if n < 4 { PLAIN } else { *rng.pick(&[DEEP, STATE, FLOATS, STRUCT]) };
        let inline = rng.chance(1, 2) && signature != DEEP;
        let mut drawing = Drawing::new(&mut rng, &functions, &costs, signature);
        let (body, result) = drawing.function(n);
        costs.push(drawing.cost + 1);
        functions.push(Function { name: format!("f{n}"), signature, inline, body, result });
    }
    let table = [0; 4].map(|_| rng.below(4));
    let mut phases = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let mut drawing = Drawing::new(&mut rng, &functions, &costs, "");
        let count = 3 + drawing.rng.below(6);
        let body = drawing.statements(count, 3);
        let cross = (0..rng.below(4)).map(|_| exchange(&mut rng)).collect();
        let rounds = if rng.chance(1, 3) { 2 + rng.below(2) as u32 } else { 1 };
        phases.push(Phase { body, cross, rounds });
    }
    Program { seed, functions, table, phases, links: None }
}

fn exchange(rng: &mut Rng) -> Cross {
    match rng.below(12) {
        0 => Cross::Shared { odd: 2 * rng.below(32) as u32 + 1, add: rng.below(64) as u32 },
        1 => Cross::Bytes,
        2 => Cross::Butterfly(1 + rng.below(31) as u32),
        3 => Cross::Indexed,
        4 => Cross::Slide { up: rng.chance(1, 2), by: 1 + rng.below(31) as u32 },
        5 => Cross::Ballot,
        6 => Cross::Vote,
        7 => Cross::Match,
        8 => Cross::Reduce(rng.below(3) as u8),
        9 => Cross::Atomic,
        10 => Cross::Count,
        _ => Cross::Some,
    }
}

struct Drawing<'a> {
    rng: &'a mut Rng,
    functions: &'a [Function],
    costs: &'a [u32],
    signature: &'static str,
    scope: Scope,
    /// Variables that statements may write.
    targets: Vec<(String, Ty)>,
    /// Product of the iterations of enclosing loops, and statements executed.
    weight: u32,
    cost: u32,
    loops: usize,
    names: usize,
}

impl<'a> Drawing<'a> {
    fn new(rng: &'a mut Rng, functions: &'a [Function], costs: &'a [u32], signature: &'static str) -> Self {
        let own = |list: &[(&str, Ty)]| list.iter().map(|(n, t)| ((*n).to_owned(), *t)).collect::<Vec<_>>();
        let state = own(&PLACES);
        let (mut places, arrays) = match signature {
            PLAIN => (own(&[("x", Ty::U32), ("y", Ty::U32)]), Vec::new()),
            DEEP => (own(&[("n", Ty::U32), ("x", Ty::U32)]), Vec::new()),
            FLOATS => (own(&[("x", Ty::F64), ("y", Ty::F32)]), Vec::new()),
            STRUCT => (own(&[("x.a", Ty::U32), ("x.b", Ty::U16), ("x.c", Ty::I8), ("x.d", Ty::F32)]), Vec::new()),
            _ => (state, own(&[("t->n", Ty::U32), ("t->m", Ty::U8), ("t->w", Ty::I16), ("t->r", Ty::F32)])),
        };
        let mut arrays = arrays;
        if arrays.is_empty() {
            arrays = own(&[("v", Ty::U32)]);
        }
        // The depth of a recursion is not written.
        let targets: Vec<_> = places.iter().filter(|place| place.0 != "n").cloned().collect();
        let targets =
            targets.into_iter().chain(own(&[("r", Ty::U32)]).into_iter().filter(|_| !signature.is_empty())).collect();
        if !signature.is_empty() {
            places.extend(own(&[("r", Ty::U32)]));
        }
        let scope = Scope { places, arrays };
        Self { rng, functions, costs, signature, scope, targets, weight: 1, cost: 0, loops: 0, names: 0 }
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> String {
        let text = Exprs { rng: self.rng, scope: &self.scope }.of(ty, depth);
        self.local(text)
    }

    fn condition(&mut self, depth: u32) -> String {
        let text = Exprs { rng: self.rng, scope: &self.scope }.condition(depth);
        self.local(text)
    }

    /// Functions without state have an array `v` whose index must not depend on the state.
    fn local(&self, text: String) -> String {
        if matches!(self.signature, "" | STATE) {
            return text;
        }
        ["t->a", "t->c0", "lane", "t->e"]
            .iter()
            .fold(text, |text, from| text.replace(&format!("v[(u32){from} "), "v[r "))
    }

    /// Body and result of function number `n`.
    fn function(&mut self, n: usize) -> (Vec<Stmt>, String) {
        let mut body = Vec::new();
        if self.signature == DEEP {
            let call = format!("r += f{n}((n & 7u) - 1u, x ^ r * 3u);");
            body.push(Stmt::Split {
                condition: "(n & 7u) != 0u".to_owned(),
                then: vec![Stmt::Line(call)],
                other: Vec::new(),
            });
            self.weight = 8;
        }
        let count = 1 + self.rng.below(4);
        body.extend(self.statements(count, 2));
        if self.rng.chance(1, 2) {
            let condition = self.condition(2);
            let result = self.result();
            body.push(Stmt::Split {
                condition,
                then: vec![Stmt::Line(format!("return {result};"))],
                other: Vec::new(),
            });
        }
        (body, self.result())
    }

    fn result(&mut self) -> String {
        match self.signature {
            FLOATS => self.expr(Ty::F64, 2),
            STATE => self.expr(Ty::I32, 2),
            STRUCT => "x".to_owned(),
            _ => format!("r ^ {}", self.expr(Ty::U32, 2)),
        }
    }

    fn statements(&mut self, count: usize, depth: u32) -> Vec<Stmt> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        self.cost += self.weight;
        let roomy = depth > 0 && self.cost < MOST;
        match self.rng.below(if roomy { 16 } else { 8 }) {
            0..=3 => self.assign(),
            4 => self.element(),
            5 | 6 => self.call(),
            7 => self.leave(),
            8..=10 => {
                let condition = self.condition(2);
                let (a, b) = (1 + self.rng.below(3), self.rng.below(3));
                let then = self.statements(a, depth - 1);
                Stmt::Split { condition, then, other: self.statements(b, depth - 1) }
            }
            11..=13 => self.repeat(depth),
            14 => self.switch(depth),
            _ => self.table(),
        }
    }

    fn assign(&mut self) -> Stmt {
        let (name, ty) = self.rng.pick(&self.targets).clone();
        let value = self.expr(ty, 3);
        if !ty.float() && self.rng.chance(1, 4) {
            let op = *self.rng.pick(&["^", "&", "|"]);
            return Stmt::Line(format!("{name} {op}= {value};"));
        }
        Stmt::Line(format!("{name} = {value};"))
    }

    fn element(&mut self) -> Stmt {
        let (name, ty) = self.rng.pick(&self.scope.arrays).clone();
        let (index, value) = (self.expr(Ty::U32, 1), self.expr(ty, 2));
        Stmt::Line(format!("{name}[{index} & 7u] = {value};"))
    }

    /// A call of an earlier function, if the budget allows one.
    fn call(&mut self) -> Stmt {
        let state = matches!(self.signature, "" | STATE);
        let fits: Vec<usize> = (0..self.functions.len())
            .filter(|&n| self.costs[n] * self.weight + self.cost < MOST)
            .filter(|&n| state || self.functions[n].signature != STATE)
            .collect();
        let Some(&n) = fits.get(self.rng.below(fits.len().max(1))) else { return self.assign() };
        self.cost += self.costs[n] * self.weight;
        let name = format!("f{n}");
        let integer = |drawing: &mut Self| {
            let targets: Vec<_> = drawing.targets.iter().filter(|t| !t.1.float()).cloned().collect();
            if targets.is_empty() { ("r".to_owned(), Ty::U32) } else { drawing.rng.pick(&targets).clone() }
        };
        Stmt::Line(match self.functions[n].signature {
            PLAIN | DEEP => {
                let (to, ty) = integer(self);
                format!("{to} = ({}){name}({}, {});", ty.name(), self.expr(Ty::U32, 2), self.expr(Ty::U32, 1))
            }
            STATE => {
                let (to, ty) = integer(self);
                format!("{to} = ({}){name}(t, lane, {});", ty.name(), self.expr(Ty::U32, 2))
            }
            FLOATS => {
                let call = format!("{name}({}, {})", self.expr(Ty::F64, 2), self.expr(Ty::F32, 1));
                let (to, ty) = self.rng.pick(&self.targets).clone();
                format!("{to} = {};", super::expr::convert(&call, Ty::F64, ty))
            }
            _ if state => format!("t->s = {name}(t->s, {});", self.expr(Ty::U16, 2)),
            _ if self.signature == STRUCT => format!("x = {name}(x, {});", self.expr(Ty::U16, 2)),
            _ => return self.assign(),
        })
    }

    /// Leaves a loop, or continues with its next iteration.
    fn leave(&mut self) -> Stmt {
        if self.loops == 0 {
            return self.assign();
        }
        let condition = self.condition(2);
        let word = if self.rng.chance(1, 2) { "break;" } else { "continue;" };
        Stmt::Split { condition, then: vec![Stmt::Line(word.to_owned())], other: Vec::new() }
    }

    fn repeat(&mut self, depth: u32) -> Stmt {
        let turns = 1 + self.rng.below(6) as u32;
        if self.weight * turns > 40 {
            return self.assign();
        }
        let name = format!("at{}", self.names);
        self.names += 1;
        let bound = match self.rng.chance(1, 2) {
            true => format!("{turns}u"),
            false => format!("({} % {}u)", self.expr(Ty::U32, 1), turns + 1),
        };
        let head = match self.rng.below(4) {
            0 => format!("for (u32 {name} = {bound}; {name} != 0u; {name}--) {{"),
            1 => {
                let more = self.condition(1);
                format!("for (u32 {name} = 0; {name} < {turns}u && {more}; {name}++) {{")
            }
            2 => format!("for (i32 {name} = -2; {name} < (i32){bound} - 2; {name}++) {{"),
            _ => format!("for (u32 {name} = 0, {name}e = {bound}; {name} < {name}e; {name}++) {{"),
        };
        let ty = if head.contains("i32 i") { Ty::I32 } else { Ty::U32 };
        self.scope.places.push((name, ty));
        (self.weight, self.loops) = (self.weight * turns, self.loops + 1);
        let count = 1 + self.rng.below(4);
        let body = self.statements(count, depth - 1);
        (self.weight, self.loops) = (self.weight / turns, self.loops - 1);
        self.scope.places.pop();
        Stmt::Block { head, body, tail: "}" }
    }

    fn switch(&mut self, depth: u32) -> Stmt {
        let cases = 2 + self.rng.below(6);
        let of = self.expr(Ty::U32, 2);
        let head = format!("switch ({of} % {}u) {{", cases + 1);
        // `continue` would continue the enclosing loop, `break` only leaves the switch: both are
        // defined.
        let mut body = Vec::new();
        for n in 0..cases {
            let label =
                if n + 1 == cases { "default: {".to_owned() } else { format!("case {}: {{", n * 2 % (cases + 1)) };
            let seen = body.iter().any(|case| matches!(case, Stmt::Block { head, .. } if *head == label));
            if seen {
                continue;
            }
            let count = 1 + self.rng.below(2);
            let inner = self.statements(count, depth - 1);
            let tail = if self.rng.chance(1, 4) { "}" } else { "} break;" };
            body.push(Stmt::Block { head: label, body: inner, tail });
        }
        Stmt::Block { head, body, tail: "}" }
    }

    /// A call through the table of functions; each lane may call a different one.
    fn table(&mut self) -> Stmt {
        let most = self.costs.iter().take(4).max().copied().unwrap_or_default();
        let state = matches!(self.signature, "" | STATE);
        if !state || self.costs.len() < 4 || most * self.weight + self.cost > MOST {
            return self.assign();
        }
        self.cost += most * self.weight;
        let index = match self.rng.chance(1, 2) {
            true => self.expr(Ty::U32, 1),
            false => format!("{}u", self.rng.below(4)),
        };
        let to = *self.rng.pick(&["t->a", "t->b", "t->c"]);
        Stmt::Line(format!("{to} = table[{index} & 3u]({}, {});", self.expr(Ty::U32, 1), self.expr(Ty::U32, 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_c::text::shared;

    #[test]
    fn a_program_is_a_function_of_its_seed() {
        let text = |seed| shared(&generate(seed));
        assert_eq!(text(5), text(5));
        assert_ne!(text(5), text(6));
    }

    #[test]
    fn no_counter_has_the_name_of_a_type() {
        for seed in 0..400 {
            let text = shared(&generate(seed));
            let types = ["i8", "i16", "i32", "i64", "u8", "f32", "f64"];
            let named = types.iter().find(|ty| text.contains(&format!("u32 {ty} = ")));
            assert!(named.is_none(), "seed {seed}: a counter {named:?}");
        }
    }

    #[test]
    fn the_programs_meet_every_construct() {
        let all: String = (0..200).map(|seed| shared(&generate(seed))).collect();
        let wanted = [
            "switch (",
            "default:",
            "for (",
            "break;",
            "continue;",
            "table[",
            "return ",
            "t->bits.i7",
            "fma64",
            "root32",
        ];
        let missing: Vec<&&str> = wanted.iter().filter(|w| !all.contains(**w)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
