//! A hash of what machine code computes, to decide whether results of an earlier run apply to the
//! current code.
//!
//! Problem: another schedule or another register allocation changes every word of a kernel but not
//! its results, and would invalidate hours of testing. Strategy: the code of these kernels is
//! straight-line, so each value is described by its instruction, without registers and control
//! fields, and by the values that it reads; the kernel by its stores. Code with branches is
//! described by its words.
//!
//! Invariant: two straight-line kernels with the same hash do the same operations on the same
//! operands (except for collisions in 64 bits). That registers hold these values when they are read
//! is checked by the simulator's hazard tracker.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use raddle_sim::machine::Image;
use regex::Regex;

/// Numbered registers, and the reuse marks of operands.
static REGISTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(R|UR|P|UP)[0-9]+\b|\.reuse\b").ok());

/// Operations that may not continue with the next instruction.
const JUMPS: [&str; 12] =
    ["BRA", "BRX", "BRXU", "JMP", "CALL", "RET", "BSSY", "BSYNC", "BREAK", "WARPSYNC", "BAR", "BMOV"];

/// The initial value of [`mix`].
pub const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over bytes, continued from a number.
pub fn mix(seed: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(seed, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// The hash of a straight-line kernel; `None` if it branches or has an undecodable word.
pub fn straight(image: &Image) -> Option<u64> {
    let mut values: BTreeMap<(String, u32), u64> = BTreeMap::new();
    let mut stores = 0u64;
    for (pc, inst) in image.instructions().iter().enumerate().skip(image.entry as usize) {
        let inst = inst.as_ref().ok()?;
        let text = image.text_at(pc as u32);
        let skeleton = REGISTERS.as_ref()?.replace_all(&text, "$1");
        let word = skeleton.split_whitespace().find(|w| !w.starts_with('@'))?;
        let name = word.split(['.', ';']).next()?;
        let guarded = skeleton.starts_with('@');
        match name {
            "EXIT" if !guarded => return Some(stores),
            "EXIT" => return None,
            _ if JUMPS.contains(&name) => return None,
            _ => {}
        }
        let accesses = inst.accesses();
        let registers = |read: bool| -> Vec<(String, u32)> {
            let chosen = accesses.iter().filter(|a| if read { a.read } else { a.written });
            chosen.flat_map(|a| (0..a.count).map(|n| (format!("{:?}", a.file), u32::from(a.first + n)))).collect()
        };
        let mut value = mix(SEED, skeleton.bytes());
        for register in registers(true) {
            value = mix(value, values.get(&register).copied().unwrap_or(0).to_le_bytes());
        }
        let written = registers(false);
        if written.is_empty() {
            // The order of stores does not matter.
            stores = stores.wrapping_add(value);
        }
        for (n, register) in (0u8..).zip(written) {
            let before = if guarded { values.get(&register).copied().unwrap_or(0) } else { 0 };
            values.insert(register, mix(mix(value, [n]), before.to_le_bytes()));
        }
    }
    None
}
