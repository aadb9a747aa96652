//! Counters of one run, comparable between compilers.

use std::fmt;

/// Counters of a run. The interpreter counts PTX instructions, the simulator SASS instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions issued, counted once per warp (interpreter: once per thread).
    pub warp_insts: u64,
    /// Instructions executed, counted once per active thread whose guard held.
    pub thread_insts: u64,
    /// Cooperative thread arrays that ran.
    pub ctas: u64,
    /// Warps that ran.
    pub warps: u64,
    /// Barrier phases completed.
    pub barriers: u64,
    /// Branches on which the threads of a warp diverged.
    pub divergent_branches: u64,
    /// Bytes read from global memory by all threads.
    pub global_read: u64,
    /// Bytes written to global memory by all threads.
    pub global_written: u64,
    /// Issue cycles of the longest warp by its control fields (simulator only).
    pub cycles: u64,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            ("warp instructions", self.warp_insts),
            ("thread instructions", self.thread_insts),
            ("ctas", self.ctas),
            ("warps", self.warps),
            ("barriers", self.barriers),
            ("divergent branches", self.divergent_branches),
            ("global bytes read", self.global_read),
            ("global bytes written", self.global_written),
            ("issue cycles, longest warp", self.cycles),
        ];
        for (name, value) in rows {
            writeln!(f, "{name:<28}{value:>14}")?;
        }
        Ok(())
    }
}
