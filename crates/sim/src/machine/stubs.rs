//! Code words of driver functions in a loaded image; [`super::system`] implements them.

use crate::system::System;
use raddle_cubin::elf::st;
use raddle_cubin::model::{Cubin, SymbolPlace};
use std::collections::BTreeMap;

/// `RET.ABS.NODEC R20 0x0`.
const RETURN: u128 = 0x000f_ea00_03e0_0000_0000_0000_1400_7950;
/// Bytes of a word.
const WORD: u64 = 16;
/// Least register count of code with calls.
pub const REGISTERS: usize = 24;

/// Returns the symbols of driver functions that a file refers to, with addresses from `first` on:
/// simulated ones, then all others.
pub fn symbols(cubin: &Cubin, first: u64) -> BTreeMap<u32, u64> {
    let named = (0..).zip(&cubin.symbols).filter(|(_, s)| s.kind == st::FUNC && s.place == SymbolPlace::Undefined);
    let system = |name: &str| System::ALL.iter().position(|system| system.name() == name);
    let mut next = System::ALL.len();
    let mut place = |name: &str| {
        system(name).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    named.map(|(n, s)| (n, first + WORD * place(&s.name) as u64)).collect()
}

/// Returns the words of the functions of [`symbols`], of which there are `count`.
pub fn words(count: usize) -> impl Iterator<Item = u8> {
    (0..System::ALL.len() + count).flat_map(|_| RETURN.to_le_bytes())
}
