//! Results.

use crate::{Arch, Diagnostic};
use raddle_driver::report::UnitReport;

/// A cubin: the machine code of a module or of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin {
    pub(crate) bytes: Vec<u8>,
    pub(crate) arch: Arch,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Cubin {
    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Its architecture.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Its kernels: those that were compiled in the order of the input, or those of a link in the
    /// order of the output.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Warnings and infos.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// A kernel, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) registers: u32,
    pub(crate) shared: u64,
    pub(crate) stack: Option<u64>,
    pub(crate) spills: Option<(u32, u32)>,
    pub(crate) cached: bool,
}

impl Kernel {
    pub(crate) fn of(unit: &UnitReport) -> Kernel {
        Kernel {
            name: unit.name.to_string(),
            registers: unit.registers.into(),
            shared: unit.shared.into(),
            stack: Some(unit.frame.into()),
            spills: Some(unit.spill_bytes),
            cached: unit.cached,
        }
    }

    /// Its name as in the input (mangled).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Registers of a thread.
    pub fn registers(&self) -> u32 {
        self.registers
    }

    /// Static shared memory, in bytes.
    pub fn shared_bytes(&self) -> u64 {
        self.shared
    }

    /// Its stack in bytes: its own frame if it was compiled, with all callees if it was linked. `None`
    /// if it is not known, as for recursion.
    pub fn stack_bytes(&self) -> Option<u64> {
        self.stack
    }

    /// Bytes of stores to and loads from spill slots in its code; `None` of a link.
    pub fn spill_bytes(&self) -> Option<(u32, u32)> {
        self.spills
    }

    /// Whether it was in the cache.
    pub fn is_cached(&self) -> bool {
        self.cached
    }
}
