//! `.debug_frame`, for unwinding: one CIE and one FDE per function (DWARF 3, 6.4, as ptxas 13.0.88
//! uses it).
//!
//! A register is its number with its class, 5 for general registers, in the highest byte. The
//! canonical frame address is R1 at the entry. ptxas says from which instruction on a kernel's
//! frame is lowered; here that is the first one, before which R1 has no value. For a function the
//! rules of the code generator say where the frame, the return address and saved registers are.

use raddle_cubin::leb128;
use raddle_cubin::unit::{FrameRule, FrameStep};

/// A general register.
const GENERAL: u64 = 0x0500_0000;
/// The stack pointer.
const STACK: u8 = 1;
/// The first of the two registers with the return address.
const RETURN: u8 = 20;
/// The register that is always zero.
const ZERO: u8 = 255;
/// `DW_CFA_` rules and `DW_OP_` operations.
const ADVANCE: u8 = 0x04;
const OFFSET: u8 = 0x05;
const RESTORE: u8 = 0x06;
const UNDEFINED: u8 = 0x07;
const SAME_VALUE: u8 = 0x08;
const REMEMBER: u8 = 0x0a;
const RECALL: u8 = 0x0b;
const FRAME: u8 = 0x0c;
const FRAME_EXPRESSION: u8 = 0x0f;
const EXPRESSION: u8 = 0x10;
const OP_REGISTER: u8 = 0x92;
const OP_DEREF_SIZE: u8 = 0x94;
/// Bytes of code and of memory that a unit of the rules counts.
const CODE_UNIT: u32 = 4;
const DATA_UNIT: i64 = -4;

/// A function.
pub(super) struct Described<'a> {
    /// Bytes of code.
    pub code: u64,
    /// Bytes of its frame.
    pub frame: u32,
    /// Its rules, if it is a device function and they are known.
    pub steps: Option<&'a [FrameStep]>,
}

/// The section, with the offsets, per function, of its CIE pointer and of the field that a linker
/// fills in.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pub bytes: Vec<u8>,
    /// Offset of the CIE, which the 8 bytes before the address contain.
    pub common: Vec<u64>,
    /// Offset of the address, 8 bytes; the size of the code follows it.
    pub addresses: Vec<u64>,
}

impl Frames {
    /// Bytes of each field.
    pub const FIELD: u64 = 8;

    /// Leaves the CIE pointers to a linker, which concatenates sections.
    pub fn unplaced(mut self) -> Frames {
        for &address in &self.addresses {
            self.bytes[(address - Self::FIELD) as usize..address as usize].fill(0);
        }
        self
    }
}

/// The section for functions; with `all`, the state of every register of the caller is given.
pub(super) fn run<'a>(functions: impl IntoIterator<Item = Described<'a>>, all: bool) -> Frames {
    let mut out = Frames::default();
    for f in functions {
        let cie = out.bytes.len() as u64;
        entry(&mut out.bytes, common(f.steps.is_some(), all));
        let mut rules = Vec::new();
        match f.steps {
            Some(steps) => describe(&mut rules, steps),
            None => frame(&mut rules, STACK, f.frame.into()),
        }
        let mut body = cie.to_le_bytes().to_vec();
        body.extend(0u64.to_le_bytes());
        body.extend(f.code.to_le_bytes());
        body.extend(rules);
        out.common.push(cie);
        // The length precedes the body in 12 bytes, the CIE pointer the address in 8.
        out.addresses.push(out.bytes.len() as u64 + 12 + Frames::FIELD);
        entry(&mut out.bytes, body);
    }
    out
}

/// Appends an entry of 64-bit DWARF, with its end at a multiple of 8 bytes.
fn entry(out: &mut Vec<u8>, mut body: Vec<u8>) {
    body.resize((body.len() + 12).next_multiple_of(8) - 12, 0);
    out.extend(0xffff_ffffu32.to_le_bytes());
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(body);
}

/// What holds at the entry of every function: the frame address is R1, and R255 and R1 keep their
/// values. A function whose rules are known returns to the address in R20, and preserves the
/// registers of the convention (docs/calls.md).
fn common(known: bool, all: bool) -> Vec<u8> {
    // No CIE; DWARF 3; no augmentation; units of code and memory.
    let mut out = vec![0xff; 8];
    out.extend([0x03, 0x00, CODE_UNIT as u8, 0x7c]);
    leb128::write_unsigned(&mut out, if known { register(RETURN) } else { u32::MAX.into() });
    frame(&mut out, STACK, 0);
    let mut rule = |rule, n| {
        out.push(rule);
        leb128::write_unsigned(&mut out, register(n));
    };
    rule(SAME_VALUE, ZERO);
    rule(SAME_VALUE, STACK);
    match (known, all) {
        (false, _) => {}
        (true, false) => (RETURN..=RETURN + 1).for_each(|n| rule(SAME_VALUE, n)),
        (true, true) => {
            (0..ZERO).filter(|&n| n != STACK).for_each(|n| rule(if is_kept(n) { SAME_VALUE } else { UNDEFINED }, n))
        }
    }
    out
}

/// Whether a function preserves a general register ("ptxas 13.0.88 output", docs/calls.md).
fn is_kept(n: u8) -> bool {
    matches!(n, 1 | 2 | 16..=31) || (n >= 32 && n & 4 != 0)
}

fn register(n: u8) -> u64 {
    GENERAL | u64::from(n)
}

/// The frame address is a register plus an offset.
fn frame(out: &mut Vec<u8>, base: u8, offset: u64) {
    out.push(FRAME);
    leb128::write_unsigned(out, register(base));
    leb128::write_unsigned(out, offset);
}

/// Appends the rules of a function.
fn describe(out: &mut Vec<u8>, steps: &[FrameStep]) {
    let mut at = 0;
    // The register whose offset from the frame address is known.
    let mut known = Some((STACK, 0));
    let mut kept = known;
    for step in steps {
        if step.offset > at {
            out.push(ADVANCE);
            out.extend(((step.offset - at) / CODE_UNIT).to_le_bytes());
            at = step.offset;
        }
        match step.rule {
            FrameRule::Frame { base, offset } => {
                known = Some((base, offset));
                frame(out, base, offset.into());
            }
            FrameRule::FrameIn { base, offset } => {
                known = None;
                let mut expression = address(base, offset);
                expression.extend([OP_DEREF_SIZE, 4]);
                out.push(FRAME_EXPRESSION);
                block(out, &expression);
            }
            FrameRule::Saved { register: n, base, offset } => match known {
                Some((by, frame)) if by == base => {
                    out.push(OFFSET);
                    leb128::write_unsigned(out, register(n));
                    let distance = i64::from(offset) - i64::from(frame);
                    leb128::write_unsigned(out, (distance / DATA_UNIT) as u64);
                }
                _ => {
                    out.push(EXPRESSION);
                    leb128::write_unsigned(out, register(n));
                    block(out, &address(base, offset));
                }
            },
            FrameRule::Restored { register: n } => {
                out.push(RESTORE);
                leb128::write_unsigned(out, register(n));
            }
            FrameRule::Remember => {
                kept = known;
                out.push(REMEMBER);
            }
            FrameRule::Recall => {
                known = kept;
                out.push(RECALL);
            }
        }
    }
}

/// An expression: a register plus an offset.
fn address(base: u8, offset: u32) -> Vec<u8> {
    let mut out = vec![OP_REGISTER];
    leb128::write_unsigned(&mut out, register(base));
    leb128::write_signed(&mut out, offset.into());
    out
}

fn block(out: &mut Vec<u8>, bytes: &[u8]) {
    leb128::write_unsigned(out, bytes.len() as u64);
    out.extend(bytes);
}
