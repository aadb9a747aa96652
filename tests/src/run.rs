//! Converts launches of the corpus to launches of interpreter and simulator, and their results
//! back.

use anyhow::Result;
use raddle_sim::launch::{Arg as SimArg, Dim3, Launch as SimLaunch};
use raddle_sim::mem::{AllocId, Memory};

use crate::kernel::{Args, Launch};

/// Everything for one run: memory with the buffers in it, the launch, and the buffer of each
/// argument.
pub struct Setup {
    /// Memory before, and after, the run.
    pub memory: Memory,
    /// The launch.
    pub launch: SimLaunch,
    buffers: Vec<Option<AllocId>>,
}

/// Stores the inputs of a launch in new memory. All checks of the simulator are enabled.
pub fn setup(entry: &str, launch: &Launch) -> Setup {
    let mut memory = Memory::new();
    let mut sim = SimLaunch::new(entry);
    sim.grid = Dim3::new(launch.grid[0], launch.grid[1], launch.grid[2]);
    sim.block = Dim3::new(launch.block[0], launch.block[1], launch.block[2]);
    sim.dyn_shared = launch.shared;
    let mut buffers = Vec::new();
    for arg in &launch.args.0 {
        let buffer = arg.direction.is_some().then(|| memory.add(arg.name.clone(), arg.bytes.clone(), true));
        sim.args.push(buffer.map_or_else(|| SimArg::Value(arg.bytes.clone()), SimArg::Buffer));
        buffers.push(buffer);
    }
    Setup { memory, launch: sim, buffers }
}

impl Setup {
    /// The arguments after the run.
    ///
    /// # Errors
    /// A buffer with undefined bits: the host would read them.
    pub fn results(&self, launch: &Launch) -> Result<Args> {
        let mut args = launch.args.clone();
        for (arg, buffer) in args.0.iter_mut().zip(&self.buffers) {
            if let Some(id) = buffer {
                let bytes = self.memory.read_back(*id).map_err(|e| anyhow::anyhow!("{}: {e}", arg.name))?;
                arg.bytes = bytes.to_vec();
            }
        }
        Ok(args)
    }
}
