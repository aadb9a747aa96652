//! Writes line programs in the encoding of ptxas 13.0.88.

use crate::leb128;

use super::program::{LineProgram, ProgramRow, Sequence};

/// The least line step and the number of line steps of special opcodes, and the first special
/// opcode.
const LINE_BASE: i64 = -5;
const LINE_RANGE: i64 = 14;
const OPCODE_BASE: i64 = 10;
/// The numbers of operands of the standard opcodes.
const LENGTHS: [u8; 9] = [0, 1, 1, 1, 1, 0, 0, 0, 1];
/// Size of an instruction in bytes, the only address step that special opcodes are used for.
const STEP: u64 = 16;

/// A section with one unit, and its fields for relocations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The section.
    pub bytes: Vec<u8>,
    /// Offset of each sequence's start address, 8 bytes.
    pub addresses: Vec<u64>,
    /// Offset of [`LineProgram::names`], 4 bytes, if it exists.
    pub names_at: Option<u64>,
}

impl LineProgram {
    /// Writes a section with only this unit.
    pub fn write(&self) -> Written {
        let mut out = vec![0; 10];
        out[4] = 2;
        // The smallest instruction is 1, rows are statements.
        out.extend([1, 1, LINE_BASE as u8, LINE_RANGE as u8, OPCODE_BASE as u8]);
        out.extend(LENGTHS);
        for folder in &self.folders {
            string(&mut out, folder);
        }
        out.push(0);
        for f in &self.files {
            string(&mut out, &f.name);
            for value in [f.folder, f.time, f.size] {
                leb128::write_unsigned(&mut out, value);
            }
        }
        out.push(0);
        let names_at = self.names.map(|base| {
            out.extend(base.to_le_bytes());
            out.len() as u64 - 4
        });
        let header = (out.len() - 10) as u32;
        out[6..10].copy_from_slice(&header.to_le_bytes());
        let mut addresses = Vec::with_capacity(self.sequences.len());
        for sequence in &self.sequences {
            addresses.push(out.len() as u64 + 3);
            sequence.write(&mut out);
        }
        let length = (out.len() - 4) as u32;
        out[..4].copy_from_slice(&length.to_le_bytes());
        Written { bytes: out, addresses, names_at }
    }
}

impl Sequence {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend([0, 9, 2]);
        out.extend(self.base.to_le_bytes());
        let mut now = ProgramRow { address: self.base, file: 1, line: 1, column: 0, context: 0, function: 0 };
        for (index, row) in self.rows.iter().enumerate() {
            if row.file != now.file || index == 0 {
                out.push(4);
                leb128::write_unsigned(out, row.file);
            }
            if (row.context, row.function) != (now.context, now.function) {
                let mut operands = Vec::new();
                leb128::write_unsigned(&mut operands, row.context);
                leb128::write_unsigned(&mut operands, row.function);
                out.push(0);
                leb128::write_unsigned(out, operands.len() as u64 + 1);
                out.push(0x90);
                out.extend(operands);
            }
            if row.column != now.column {
                out.push(5);
                leb128::write_unsigned(out, row.column);
            }
            let (lines, bytes) = (row.line.wrapping_sub(now.line) as i64, row.address.wrapping_sub(now.address));
            if lines != 0 && bytes == STEP && (LINE_BASE..LINE_BASE + LINE_RANGE).contains(&lines) {
                out.push((OPCODE_BASE + LINE_RANGE * STEP as i64 + lines - LINE_BASE) as u8);
            } else {
                if lines != 0 || bytes == 0 {
                    out.push(3);
                    leb128::write_signed(out, lines);
                }
                advance(out, bytes);
                out.push(1);
            }
            now = *row;
        }
        advance(out, self.end.wrapping_sub(now.address));
        out.extend([0, 1, 1]);
    }
}

/// ptxas writes the step's ULEB128 as long as its SLEB128 would be.
fn advance(out: &mut Vec<u8>, bytes: u64) {
    if bytes != 0 {
        out.push(2);
        leb128::write_signed(out, bytes as i64);
    }
}

/// Writes a NUL-terminated string; a NUL inside would end it early and is left out.
fn string(out: &mut Vec<u8>, text: &str) {
    out.extend(text.bytes().filter(|&b| b != 0));
    out.push(0);
}

#[cfg(test)]
mod tests {
    use super::super::FileEntry;
    use super::*;

    /// `.debug_line` of a module with two kernels and functions inlined in functions (ptxas 13.0.88
    /// output).
    const PTXAS: &str = "d50000000200300000000101fb0e0a0001010101000000012f70726f6a6563742f7372630000612e637500010000622e6800 \
        010000000000000000090200000000000000000401031301030302c0000104020003900202036e0104010003900000031502 \
        200102a00100010100090200000000000000000401030901030302c000010402000390020003780104010003900000030902 \
        200104020003900200037702100100039005080301010003900200f004010003900000f502100104020003900900037a0104 \
        010003900000030902100102d001000101";

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks_exact(2).map(|d| (d[0] << 4 | d[1]) as u8).collect()
    }

    #[test]
    fn what_ptxas_wrote_is_written_back() {
        let wanted = bytes(PTXAS);
        let programs = LineProgram::read_all(&wanted).unwrap();
        assert_eq!(programs.len(), 1);
        let written = programs[0].write();
        assert_eq!((written.bytes, written.names_at), (wanted, Some(0x36)));
        assert_eq!(written.addresses, programs[0].sequences.iter().map(|s| s.address_at).collect::<Vec<_>>());
        assert_eq!(programs[0].path(&programs[0].files[1]), "/project/src/b.h");
        // The eighth row of the second kernel is inlined at its second: line 7, called from line
        // 13.
        let rows = &programs[0].sequences[1].rows;
        assert_eq!((rows[6].line, rows[6].context, rows[1].line), (7, 2, 13));
    }

    #[test]
    fn any_program_comes_back() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let mut program = LineProgram {
                folders: vec!["a".into(), "b/c".into()],
                names: (random(2) == 1).then_some(7),
                ..LineProgram::default()
            };
            for i in 0..random(4) {
                program.files.push(FileEntry {
                    name: format!("{i}.h"),
                    folder: random(3),
                    time: random(9),
                    size: random(1 << 20),
                });
            }
            for _ in 0..random(3) {
                let mut sequence = Sequence { base: random(2) * 64, ..Sequence::default() };
                let mut address = sequence.base;
                for _ in 0..random(20) + 1 {
                    sequence.rows.push(ProgramRow {
                        address,
                        file: random(4),
                        line: random(40),
                        column: random(3),
                        context: random(3),
                        function: random(200),
                    });
                    address += 16 * random(20);
                }
                sequence.end = address;
                program.sequences.push(sequence);
            }
            let Written { bytes, addresses, names_at } = program.write();
            assert_eq!(
                names_at.map(|at| bytes[at as usize..at as usize + 4].to_vec()),
                program.names.map(|n| n.to_le_bytes().to_vec())
            );
            let mut read = LineProgram::read_all(&bytes).unwrap().remove(0);
            for (s, at) in read.sequences.iter_mut().zip(addresses) {
                assert_eq!(std::mem::take(&mut s.address_at), at);
            }
            assert_eq!(read, program);
        }
    }
}
