//! Generates a kernel from a seed.

use super::ops::{Kind, OPS, Op};
use super::tree::{Kernel, REGISTERS, Stmt, register};
use crate::rng::Rng;

/// Boundary constants.
const CONSTANTS: [u32; 20] = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    0xff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0xffff_fffe,
    0x5555_5555,
];

/// The first operations of the table have 32-bit results: every kernel contains at least one of
/// them.
const WIDEST: usize = 60;

/// Generates the kernel of a seed.
pub fn generate(seed: u64) -> Kernel {
    let mut rng = Rng::new(seed, 81);
    let count = 2 + rng.below(9);
    // Each kernel uses few operations, registers and constants, so that they interact.
    let few = 2 + rng.below(6);
    let mut ops: Vec<Op> = (0..few).map(|_| *rng.pick(OPS)).collect();
    ops.push(OPS[rng.below(WIDEST)]);
    let constants = (0..3).map(|_| *rng.pick(&CONSTANTS)).collect();
    let registers = 2 + rng.below(REGISTERS - 1);
    let mut drawing = Drawing { rng: &mut rng, ops, constants, registers, last: vec![0, 1], loops: 0 };
    let body = drawing.statements(count, 2);
    // The value written last is stored.
    let stored = drawing.last.last().copied().unwrap_or_default();
    Kernel { seed, body, stored }
}

struct Drawing<'a> {
    rng: &'a mut Rng,
    ops: Vec<Op>,
    constants: Vec<u32>,
    /// Registers of each kind.
    registers: usize,
    /// 32-bit registers in the order in which they were written.
    last: Vec<usize>,
    loops: usize,
}

impl Drawing<'_> {
    fn statements(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        match self.rng.below(if depth == 0 { 8 } else { 11 }) {
            0..=7 => self.line(),
            8 | 9 => {
                let skip = format!("@{}{}", *self.rng.pick(&["", "!"]), self.source(Kind::P));
                let count = 1 + self.rng.below(3);
                Stmt::If { skip, body: self.statements(count, depth - 1) }
            }
            _ => self.repeat(depth),
        }
    }

    fn line(&mut self) -> Stmt {
        let op = *self.rng.pick(&self.ops);
        let text = self.instruction(op);
        let guard = match self.rng.chance(1, 6) {
            true => format!("@{}{} ", *self.rng.pick(&["", "!"]), self.source(Kind::P)),
            false => String::new(),
        };
        Stmt::Line { guard, text }
    }

    fn instruction(&mut self, op: Op) -> String {
        let mut text = op.text.to_owned();
        for (name, kind) in ["%a", "%b", "%c", "%e"].into_iter().zip(op.sources) {
            let source = self.source(*kind);
            text = text.replace(name, &source.replace('%', "$"));
        }
        let number = self.rng.below(self.registers);
        if op.result == Kind::R {
            self.last.push(number);
        }
        text.replace("%d", &register(op.result, number)).replace('$', "%")
    }

    fn source(&mut self, kind: Kind) -> String {
        match kind {
            Kind::R if self.rng.chance(1, 4) => format!("{:#x}", self.rng.pick(&self.constants)),
            Kind::R | Kind::Only => {
                // Mostly one of the last two results.
                let recent = self.last.len() - 1 - self.rng.below(2);
                let number = if self.rng.chance(2, 3) { self.last[recent] } else { self.rng.below(self.registers) };
                register(Kind::R, number)
            }
            Kind::NonZero => (1 + self.rng.below(40)).to_string(),
            Kind::Byte => format!("{:#x}", self.rng.below(256)),
            Kind::Small => self.rng.below(32).to_string(),
            Kind::H | Kind::D | Kind::P => register(kind, self.rng.below(self.registers)),
        }
    }

    /// A loop with at most 9 iterations; each loop of a kernel has a different counter register.
    fn repeat(&mut self, depth: usize) -> Stmt {
        if self.loops == 7 {
            return self.line();
        }
        let counter = self.loops;
        self.loops += 1;
        let (c, from) = (format!("%c{counter}"), self.source(Kind::R));
        let trips = match self.rng.below(4) {
            0 => format!("mov.u32 {c}, {}", 1 + self.rng.below(5)),
            // Between 0 and 10: the high half of a product by 9, plus 1.
            1 => format!("mov.u32 {c}, {from}; mul.hi.u32 {c}, {c}, 9; add.u32 {c}, {c}, 1"),
            2 => format!("mov.u32 {c}, {from}; and.b32 {c}, {c}, 7; max.u32 {c}, {c}, 1"),
            _ => format!("and.b32 {c}, %r3, 3; add.u32 {c}, {c}, 1"),
        };
        let down = self.rng.chance(1, 2);
        let count = self.rng.below(4);
        Stmt::Loop { counter, trips, down, body: self.statements(count, depth - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_a_function_of_its_seed() {
        assert_eq!(generate(9).text(), generate(9).text());
        assert_ne!(generate(9).text(), generate(10).text());
    }

    #[test]
    fn every_operation_is_drawn_and_parts_can_go() {
        let kernels: Vec<Kernel> = (0..2000).map(generate).collect();
        let all: String = kernels.iter().map(Kernel::text).collect();
        for op in OPS {
            let name = op.text.split(' ').next().unwrap();
            assert!(all.contains(&format!("{name} ")), "{name}");
        }
        let kernel = kernels.iter().find(|k| k.body.iter().any(|s| matches!(s, Stmt::Loop { .. }))).unwrap();
        for n in 0..kernel.parts() {
            assert!(kernel.without(n).text().len() <= kernel.text().len());
        }
        let all_gone = (0..kernel.body.len()).fold(kernel.clone(), |k, _| k.without(0));
        assert!(all_gone.body.is_empty());
    }
}
