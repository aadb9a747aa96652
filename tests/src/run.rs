//! From a launch of the corpus to the launch of interpreter and simulator, and back.

use anyhow::Result;
use raddle_sim::launch::{Arg as SimArg, Dim3, Launch as SimLaunch};
use raddle_sim::mem::{AllocId, Memory};

use crate::kernel::{Args, Launch};

/// Everything one run needs: memory with the buffers in it, the launch, and which buffer belongs to which argument.
pub struct Setup {
    /// Memory before, and after, the run.
    pub memory: Memory,
    /// The launch.
    pub launch: SimLaunch,
    buffers: Vec<Option<AllocId>>,
}

/// Lays the inputs of a launch into fresh memory. Every check of the simulator is on.
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
    /// The arguments as the run left them.
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
