//! Words of bound textures and samplers: what the driver writes, and loads of them by a register.
//!
//! The word of a sampler is its number above the bits of a texture's, or, from sm_90 on, the number
//! alone: that is what code of ptxas 13.0.88 expects of the driver, in its executables as in its
//! objects. nvlink 13.0.88 has the first everywhere, so that code for sm_90 finds another sampler.
//!
//! At -O0 ptxas loads the word of a texture, sampler or surface as an element of an array: it moves
//! the symbol into a register (R_CUDA_ABS16_32), and a load adds the start of the words, which it
//! takes to be the end of the parameters: `MOV R4, T; LDC R4, c[0x0][R4+0x218]`. In its own
//! executables the register has the word's place *in the array*. A linker knows only where the word
//! is *in the bank*; nvlink 13.0.88 writes that, so that the start is added twice. Here the start is
//! found in the code, and is subtracted or removed.

/// R_CUDA_SAMP_HEADER_INDEX and R_CUDA_SAMP_HEADER_INDEX_0.
const SAMPLER: (u32, u32) = (7, 101);
/// The first architecture whose code takes texture and sampler in a register each.
const APART: u16 = 90;

/// The number of the relocation of a sampler's word.
pub(crate) fn sampler(sm: u16) -> u32 {
    if sm >= APART { SAMPLER.1 } else { SAMPLER.0 }
}

/// The load that uses the place of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// Its offset in the code.
    offset: usize,
    /// What it adds to the register.
    pub start: u16,
}

/// Bytes of an instruction.
const WORD: usize = 16;
/// Opcodes, with the kind of operand b: `MOV R, R`, `MOV R, immediate`, `LDC`.
const MOVE: u128 = 0x202;
const MOVE_IMMEDIATE: u128 = 0x802;
const LOAD: u128 = 0xb82;
/// Opcodes after which the next instruction may be another one: branches, calls, ends.
const LEAVES: [u128; 6] = [0x947, 0x949, 0x94a, 0x943, 0x944, 0x94d];
/// Instructions between move and load, at most.
const DISTANCE: usize = 64;
/// The place of the offset in a load, in bits, and its width.
const START: (u32, u128) = (38, 0xffff);

fn field(word: u128, at: u32, mask: u128) -> u128 {
    word >> at & mask
}

/// The load that uses what the move at `offset` leaves; `None` if there is no such move, or the load
/// is not in the same straight line of code.
pub(crate) fn load(code: &[u8], offset: u64) -> Option<Load> {
    let first = usize::try_from(offset).ok()?;
    let words = code.get(first..)?.as_chunks::<WORD>().0;
    let (head, rest) = words.split_first()?;
    let head = u128::from_le_bytes(*head);
    (field(head, 0, 0xfff) == MOVE_IMMEDIATE).then_some(())?;
    let mut holders = vec![field(head, 16, 0xff)];
    for (n, word) in rest.iter().take(DISTANCE).enumerate() {
        let word = u128::from_le_bytes(*word);
        let (opcode, target) = (field(word, 0, 0xfff), field(word, 16, 0xff));
        let bank = field(word, 54, 0x1f);
        if opcode == LOAD && bank == 0 && holders.contains(&field(word, 24, 0xff)) {
            return Some(Load { offset: first + WORD * (n + 1), start: field(word, START.0, START.1) as u16 });
        }
        if LEAVES.contains(&opcode) {
            return None;
        }
        let copies = opcode == MOVE && holders.contains(&field(word, 32, 0xff));
        holders.retain(|&r| r != target);
        if copies {
            holders.push(target);
        }
    }
    None
}

impl Load {
    /// Lets it add nothing: the register then has to hold the word's place in the bank.
    pub fn clear_start(self, code: &mut [u8]) {
        if let Some(place) = code.get_mut(self.offset..).and_then(|rest| rest.first_chunk_mut::<WORD>()) {
            *place = (u128::from_le_bytes(*place) & !(START.1 << START.0)).to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of ptxas 13.0.88: `MOV R4, T; MOV R4, R4; LDC R4, c[0x0][R4+0x168]`.
    const WORDS: [u128; 3] =
        [0x003fde0000000f00_0000000000047802, 0x003fde0000000f00_0000000400047202, 0x00321e0000000800_00005a0004047b82];

    fn code(words: &[u128]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    #[test]
    fn the_start_of_the_words_is_found_in_the_load() {
        let mut bytes = code(&WORDS);
        let found = load(&bytes, 0).unwrap();
        assert_eq!(found, Load { offset: 32, start: 0x168 });
        found.clear_start(&mut bytes);
        assert_eq!(load(&bytes, 0).unwrap().start, 0);
        // From the copy on there is no place of a word.
        assert_eq!(load(&bytes, 16), None);
        // The register has another value by then; a branch is between.
        let moved = WORDS[1] & !(0xff << 32) | 7 << 32;
        assert_eq!(load(&code(&[WORDS[0], moved, WORDS[2]]), 0), None);
        assert_eq!(load(&code(&[WORDS[0], 0x947, WORDS[2]]), 0), None);
        assert_eq!(load(&bytes[..32], 0), None);
        assert_eq!(load(&bytes, 1 << 40), None);
    }
}
