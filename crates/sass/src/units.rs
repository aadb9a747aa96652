//! Pipes, which execute instructions, and queues, which keep the order of issue.
//!
//! The facts are in `isa/units.txt`; each row of the table has its own ([`crate::row::Effects`]).

use raddle_target::Isa;

use crate::r#gen::Op;

/// A unit of a multiprocessor's partition. Each takes one instruction of a warp and is then busy
/// for [`Pipe::interval`] cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pipe {
    /// Integers, logic, comparisons.
    Alu,
    /// Multiply-add of f32 and of integers.
    Fma,
    /// f16 and bf16.
    Half,
    /// f64.
    Double,
    /// Multi-function unit: MUFU, conversions, bit counts.
    Xu,
    /// Memory.
    Memory,
    /// Uniform registers.
    Uniform,
    /// Branches and barriers.
    Control,
    /// Matrices.
    Matrix,
}

impl Pipe {
    /// All pipes, in the order of their discriminants.
    pub const ALL: [Pipe; 9] = [
        Pipe::Alu,
        Pipe::Fma,
        Pipe::Half,
        Pipe::Double,
        Pipe::Xu,
        Pipe::Memory,
        Pipe::Uniform,
        Pipe::Control,
        Pipe::Matrix,
    ];

    /// The name in tables and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pipe::Alu => "integer pipe",
            Pipe::Fma => "multiply-add pipe",
            Pipe::Half => "half pipe",
            Pipe::Double => "f64 pipe",
            Pipe::Xu => "multi-function pipe",
            Pipe::Memory => "memory pipe",
            Pipe::Uniform => "uniform pipe",
            Pipe::Control => "branch pipe",
            Pipe::Matrix => "matrix pipe",
        }
    }

    /// Cycles for which an instruction occupies the pipe; for memory, per register of the widest
    /// operand (arithmetic throughput per compute capability, CUDA C++ Programming Guide).
    #[must_use]
    pub fn interval(self, isa: Isa, op: Op) -> u32 {
        let ampere = isa == Isa::Sm80;
        let hopper = matches!(isa, Isa::Sm90 | Isa::Sm90a);
        match self {
            Pipe::Alu | Pipe::Uniform | Pipe::Control => 2,
            // Two pipes of 16 lanes for floats since sm_86, one of them for integers.
            Pipe::Fma if ampere || op == Op::Imad => 2,
            Pipe::Fma | Pipe::Half => 1,
            Pipe::Double if hopper => 2,
            Pipe::Double if ampere => 4,
            Pipe::Double => 64,
            Pipe::Xu | Pipe::Matrix => 8,
            Pipe::Memory => 4,
        }
    }
}

/// A queue that keeps the order of issue: of results, or of reading sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Queue {
    /// Results from shared memory and of shuffles.
    Shared,
    /// Fragments of matrices from shared memory.
    Fragment,
    /// Results of the multi-function unit.
    Xu,
    /// Results of f64.
    Double,
    /// Special registers.
    Special,
    /// Reductions over a warp.
    Redux,
    /// Lookups in textures and loads from surfaces; queries go another way.
    Texture,
    /// Queries of textures and surfaces.
    Query,
    /// Operands of loads of boxes of tensors, in uniform registers.
    Tensor,
    /// Operands of operations on mbarriers.
    Mbarrier,
    /// Sources of memory instructions and shuffles.
    Memory,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r#gen::ROWS;
    use crate::row::Effects;

    /// Returns the pipes and queues of a mnemonic's first row; all its rows have the same queues.
    fn of(op: Op) -> Effects {
        ROWS.iter().find(|row| row.op == op).expect("every mnemonic has a row").effects
    }

    #[test]
    fn queues_are_those_of_the_file() {
        assert_eq!((of(Op::Lds).results, of(Op::Lds).sources), (Some(Queue::Shared), Some(Queue::Memory)));
        assert_eq!((of(Op::Stsm).results, of(Op::Stsm).sources), (None, Some(Queue::Memory)));
        assert_eq!((of(Op::Utmaldg).results, of(Op::Utmaldg).sources), (None, Some(Queue::Tensor)));
        assert_eq!((of(Op::Syncs).results, of(Op::Syncs).sources), (None, Some(Queue::Mbarrier)));
        // Without a line of sources they are read in the order of the results.
        assert_eq!((of(Op::Fchk).results, of(Op::Fchk).sources), (Some(Queue::Xu), Some(Queue::Xu)));
        assert_eq!((of(Op::Iadd3).results, of(Op::Iadd3).sources), (None, None));
        for row in &ROWS {
            assert_eq!((row.effects.results, row.effects.sources), (of(row.op).results, of(row.op).sources));
        }
    }

    #[test]
    fn a_mnemonic_ranks_above_its_class() {
        assert_eq!(of(Op::Mufu).pipe, Pipe::Xu);
        assert_eq!(of(Op::Ldg).pipe, Pipe::Memory);
        assert_eq!(of(Op::Lop3).pipe, Pipe::Alu);
    }
}
