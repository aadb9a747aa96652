//! How a function changes its frame, for unwinding (`.debug_frame`).

/// A rule that holds from an instruction on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameStep {
    /// Byte offset in the code.
    pub offset: u32,
    /// The rule.
    pub rule: FrameRule,
}

/// Where the caller's frame and registers are. The *frame address* is the value of R1 at the entry
/// of the function. Offsets are in bytes of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRule {
    /// The frame address is a register plus an offset.
    Frame {
        /// The register.
        base: u8,
        /// The offset.
        offset: u32,
    },
    /// The frame address is the word in memory at a register plus an offset.
    FrameIn {
        /// The register.
        base: u8,
        /// The offset.
        offset: u32,
    },
    /// The caller's value of a register is in memory.
    Saved {
        /// The caller's register.
        register: u8,
        /// The register of the address.
        base: u8,
        /// Its offset.
        offset: u32,
    },
    /// The caller's value of a register is in that register again.
    Restored {
        /// The register.
        register: u8,
    },
    /// All rules are kept for [`FrameRule::Recall`].
    Remember,
    /// All rules are those that were kept.
    Recall,
}
