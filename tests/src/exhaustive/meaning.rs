//! What machine code computes, as a number: for asking whether results of a former run are about the code of now.
//!
//! Problem: another schedule or another choice of registers changes every word of a kernel and nothing of what it computes, and hours of
//! judging would be lost to it. Strategy: the code of these kernels is straight, so each value is the instruction that makes it, without
//! its registers and control fields, and the values that it reads; the kernel is its stores. Code that branches is its words.
//!
//! Invariant: two straight kernels with the same number do the same operations on the same operands (but for collisions in 64 bits). That
//! the registers hold these values when they are read is what the simulator's hazard tracker is for.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use raddle_sim::machine::Image;
use regex::Regex;

/// Registers with a number, and what says how they are read.
static REGISTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(R|UR|P|UP)[0-9]+\b|\.reuse\b").ok());

/// Operations behind which an instruction is not the next one.
const JUMPS: [&str; 12] =
    ["BRA", "BRX", "BRXU", "JMP", "CALL", "RET", "BSSY", "BSYNC", "BREAK", "WARPSYNC", "BAR", "BMOV"];

/// Where [`mix`] begins.
pub const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over bytes, going on from a number.
pub fn mix(seed: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(seed, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// The number of a straight kernel; `None` if it branches or has what is no instruction.
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
            // In any order.
            stores = stores.wrapping_add(value);
        }
        for (n, register) in (0u8..).zip(written) {
            let before = if guarded { values.get(&register).copied().unwrap_or(0) } else { 0 };
            values.insert(register, mix(mix(value, [n]), before.to_le_bytes()));
        }
    }
    None
}
