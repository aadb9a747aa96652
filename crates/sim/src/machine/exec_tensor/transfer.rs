//! Moves fragments: `LDSM`, `STSM`, `MOVM`.
//!
//! A fragment is a matrix of 8 rows of 16 bytes. Lane `4g + t` has four bytes of row `g` from byte
//! `4t` on; of the transposed matrix, elements `g` of rows `2t` and `2t + 1` (PTX ISA 9.0,
//! 9.7.14.5.15 to 9.7.14.5.17). Row `i` of matrix `j` is at the address of lane `8j + i`.

use super::whole_warp;
use crate::machine::block::{Block, Exec, Global};
use crate::machine::exec_mem::Target;
use crate::machine::tensor::{Rows, TransferOp};
use crate::machine::uop::{Access, MemSpace, Uop};
use crate::machine::warp::Warp;

/// Bytes of a row.
const ROW: usize = 16;

/// A value of 32 bits and its undefined bits, for each of the 32 words of a matrix.
type Words = [(u32, u32); 32];

/// Transposes a matrix of 16-bit elements: words `4 * row + column / 2`.
fn transpose(words: &Words) -> Words {
    let element = |row: usize, column: usize| {
        let (value, undefined) = words[4 * row + column / 2];
        let shift = 16 * (column % 2);
        (value >> shift & 0xffff, undefined >> shift & 0xffff)
    };
    std::array::from_fn(|lane| {
        let (group, thread) = (lane / 4, lane % 4);
        let ((low, low_undef), (high, high_undef)) = (element(2 * thread, group), element(2 * thread + 1, group));
        (high << 16 | low, high_undef << 16 | low_undef)
    })
}

impl Warp {
    /// Runs a transfer of fragments in the lanes of `m`.
    pub fn exec_transfer(&mut self, u: &Uop, m: u32, op: &TransferOp, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        whole_warp(m, "a transfer of matrices")?;
        match op {
            TransferOp::Load(rows) => {
                let mut matrices = [[(0, 0); 32]; 4];
                for (j, words) in matrices[..rows.count.into()].iter_mut().enumerate() {
                    self.load_matrix(rows, j, words, blk, g)?;
                }
                for (j, words) in matrices[..rows.count.into()].iter().enumerate() {
                    let words = if rows.transposed { transpose(words) } else { *words };
                    self.put_words(u.d, j, &words);
                }
            }
            TransferOp::Store(rows) => {
                for j in 0..usize::from(rows.count) {
                    let words: Words = std::array::from_fn(|lane| self.piece(&u.s[1], j, lane));
                    let words = if rows.transposed { transpose(&words) } else { words };
                    self.store_matrix(rows, j, &words, blk, g)?;
                }
            }
            TransferOp::Transpose => {
                let words: Words = std::array::from_fn(|lane| self.piece(&u.s[0], 0, lane));
                self.put_words(u.d, 0, &transpose(&words));
            }
        }
        Ok(())
    }

    fn put_words(&mut self, first: u8, j: usize, words: &Words) {
        if first == 255 {
            return;
        }
        for (lane, &(value, undefined)) in words.iter().enumerate() {
            self.put_lane(first + j as u8, lane, value);
            self.taint(first + j as u8, lane, undefined);
        }
    }

    /// Finds row `i` of matrix `j`, and records the access.
    fn row_at(
        &self,
        rows: &Rows,
        (j, i): (usize, usize),
        write: bool,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Option<usize>> {
        let lane = 8 * j + i;
        let what = if write { "write" } else { "read" };
        let access = Access { space: MemSpace::Shared, addr: rows.addr, size: ROW as u8, signed: false, strong: false };
        let addr = self.address(&rows.addr, lane)?;
        let target = self.locate(&access, addr, ROW, lane, what, blk, g)?;
        let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
        self.note(&target, ROW, write, what, &actor, addr, blk, g)?;
        Ok(match target {
            Target::Shared(offset) => Some(offset),
            Target::Global(..) | Target::Remote(..) | Target::Local(..) => None,
        })
    }

    fn load_matrix(&self, rows: &Rows, j: usize, words: &mut Words, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        for i in 0..8 {
            let Some(offset) = self.row_at(rows, (j, i), false, blk, g)? else { continue };
            let (value, undefined) = blk.shared.load(offset, ROW);
            for (word, t) in words[4 * i..].iter_mut().zip(0..4) {
                *word = ((value >> (32 * t)) as u32, (undefined >> (32 * t)) as u32);
            }
        }
        Ok(())
    }

    fn store_matrix(&self, rows: &Rows, j: usize, words: &Words, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        for i in 0..8 {
            let Some(offset) = self.row_at(rows, (j, i), true, blk, g)? else { continue };
            let (mut value, mut undefined) = (0u128, 0u128);
            for (t, &(word, undef)) in words[4 * i..4 * i + 4].iter().enumerate() {
                value |= u128::from(word) << (32 * t);
                undefined |= u128::from(undef) << (32 * t);
            }
            blk.shared.store(offset, ROW, value, undefined);
        }
        Ok(())
    }
}
