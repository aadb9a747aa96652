//! Matrix instructions: a step of all lanes of a warp on its registers and on memory.

use super::super::bits::mask;
use super::super::code::{Address, Row};
use super::super::cta::Cta;
use super::super::matrix::{Fragment, MatrixOp, Multiply, Operand, Pair, Role, Scheme, Sparse, Transfer};
use super::super::warp::{Frame, LANES, lanes};
use super::access::{Access, Accessor, settle};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::mem::Space;

/// Elements of an operand, by rows, with whether each is undefined.
struct Elements {
    columns: u32,
    words: Vec<(u64, bool)>,
}

impl Elements {
    fn gather(frame: &Frame, operand: &Operand) -> Elements {
        let (rows, columns) = operand.fragment.extent();
        let mut words = vec![(0, false); (rows * columns) as usize];
        each(operand, |lane, row, (register, element)| {
            let (at_row, column) = operand.fragment.place(lane as u32, register, element);
            words[(at_row * columns + column) as usize] = read(frame, &operand.fragment, row, lane, element);
        });
        Elements { columns, words }
    }

    fn at(&self, row: u32, column: u32) -> (u64, bool) {
        self.words[(row * self.columns + column) as usize]
    }
}

/// Calls a function with lane, row, and numbers of register and element of all elements.
fn each(operand: &Operand, mut f: impl FnMut(usize, Row, (u32, u32))) {
    for (register, &row) in operand.rows.iter().enumerate() {
        for element in 0..operand.fragment.elements() {
            (0..LANES).for_each(|lane| f(lane, row, (register as u32, element)));
        }
    }
}

/// Returns an element of a register, and whether it is undefined.
fn read(frame: &Frame, fragment: &Fragment, row: Row, lane: usize, element: u32) -> (u64, bool) {
    let (shift, bits) = (element * fragment.element, mask(fragment.element));
    (frame.get(row, lane) >> shift & bits, frame.get_undef(row, lane) >> shift & bits != 0)
}

/// One product: the pair, and whether it is undefined.
type Term = (u32, Pair, bool);

impl Machine<'_, '_> {
    /// Executes an instruction for the lanes of a warp, which are at `pc`.
    pub(super) fn matrix(&mut self, cta: &mut Cta, w: usize, pc: u32, members: u32, op: &MatrixOp) -> Step<()> {
        let lead = members.trailing_zeros() as usize;
        let warp = &mut cta.warps[w];
        let depth = warp.depth[lead];
        if members != u32::MAX || lanes(members).any(|lane| warp.pc[lane] != pc || warp.depth[lane] != depth) {
            let (name, count) = (op.name(), members.count_ones());
            let text = format!("{name} needs all 32 lanes of the warp at one place, {count} take part");
            return fault(lead, FailureKind::Convergence(text));
        }
        let functions = &self.program.functions;
        let index = functions.partition_point(|f| f.start <= pc).saturating_sub(1);
        let frame = warp.frame(&functions[index], index as u32, depth);
        let group = Group { mask: members, pc, depth, frame };
        self.now += 1;
        match op {
            MatrixOp::Multiply(multiply) => product(&mut warp.frames[frame], multiply),
            MatrixOp::Load { address, dst, transposed } => {
                let rows = self.load_rows(cta, w, &group, address, dst.len())?;
                let frame = &mut cta.warps[w].frames[frame];
                for (j, &dst) in dst.iter().enumerate() {
                    spread(frame, dst, &rows[8 * j..], *transposed);
                }
            }
            MatrixOp::Store { address, src, transposed } => {
                let frame = &warp.frames[frame];
                let rows: Vec<_> = src.iter().flat_map(|&src| collect(frame, src, *transposed)).collect();
                self.store_rows(cta, w, &group, address, &rows)?;
            }
            MatrixOp::Transpose { dst, src } => {
                let frame = &mut warp.frames[frame];
                let rows = collect(frame, *src, false);
                spread(frame, *dst, &rows, true);
            }
            MatrixOp::LoadFragment(transfer) => self.load_fragment(cta, w, &group, transfer)?,
            MatrixOp::StoreFragment(transfer) => self.store_fragment(cta, w, &group, transfer)?,
        }
        Ok(())
    }

    /// Reads the rows of `count` matrices, 16 bytes each, at the addresses of the first lanes.
    fn load_rows(
        &mut self,
        cta: &mut Cta,
        w: usize,
        group: &Group,
        address: &Address,
        count: usize,
    ) -> Step<Vec<Wide>> {
        let mut rows = Vec::with_capacity(8 * count);
        for lane in 0..8 * count {
            let by = Accessor::new(w, lane, group);
            let access = self.site(cta, by, address, 16, "read")?;
            self.read_ahead(cta, by, access)?;
            let (segment, offset) = self.segment(cta, w, lane, access.site);
            rows.push(segment.load(offset, 16));
        }
        Ok(rows)
    }

    fn store_rows(&mut self, cta: &mut Cta, w: usize, group: &Group, address: &Address, rows: &[Wide]) -> Step<()> {
        for (lane, &(word, undef)) in rows.iter().enumerate() {
            let by = Accessor::new(w, lane, group);
            let access = self.site(cta, by, address, 16, "write")?;
            self.write(cta, by, access, word, undef, 16)?;
        }
        Ok(())
    }

    fn load_fragment(&mut self, cta: &mut Cta, w: usize, group: &Group, transfer: &Transfer) -> Step<()> {
        let Transfer { operand, .. } = transfer;
        let stride = self.stride(cta, w, group, transfer)?;
        let fragment = &operand.fragment;
        // Less than a byte: the elements of a register are neighbours, and are read together.
        let bits = if fragment.element < 8 { fragment.register } else { fragment.element };
        // The address may be in a register that is written: results are put aside.
        let mut results = vec![[(0, 0); LANES]; operand.rows.len()];
        for (register, results) in results.iter_mut().enumerate() {
            for (lane, result) in results.iter_mut().enumerate() {
                let (mut word, mut undef) = (0, 0);
                for element in (0..fragment.elements()).step_by((bits / fragment.element) as usize) {
                    let place = fragment.place(lane as u32, register as u32, element);
                    let address = element_address(transfer, place, stride);
                    let by = Accessor::new(w, lane, group);
                    let access = self.site(cta, by, &address, bits as usize / 8, "read")?;
                    self.read_ahead(cta, by, access)?;
                    let (segment, offset) = self.segment(cta, w, lane, access.site);
                    let (part, part_undef) = segment.load(offset, bits as usize / 8);
                    word |= (part as u64) << (element * fragment.element);
                    undef |= (part_undef as u64) << (element * fragment.element);
                }
                *result = (word, undef);
            }
        }
        assign(&mut cta.warps[w].frames[group.frame], &operand.rows, &results);
        Ok(())
    }

    fn store_fragment(&mut self, cta: &mut Cta, w: usize, group: &Group, transfer: &Transfer) -> Step<()> {
        let Transfer { operand, .. } = transfer;
        let stride = self.stride(cta, w, group, transfer)?;
        let fragment = &operand.fragment;
        let bytes = fragment.element as usize / 8;
        for (register, &row) in operand.rows.iter().enumerate() {
            for (element, lane) in (0..fragment.elements()).flat_map(|e| (0..LANES).map(move |lane| (e, lane))) {
                let address = element_address(transfer, fragment.place(lane as u32, register as u32, element), stride);
                let by = Accessor::new(w, lane, group);
                let access = self.site(cta, by, &address, bytes, "write")?;
                let frame = &cta.warps[w].frames[group.frame];
                let (shift, bits) = (element * fragment.element, mask(fragment.element));
                let word = frame.get(row, lane) >> shift & bits;
                let undef = frame.get_undef(row, lane) >> shift & bits;
                self.write(cta, by, access, u128::from(word), u128::from(undef), bytes)?;
            }
        }
        Ok(())
    }

    /// Returns the stride of a transfer; all lanes must give the same one, and the same address.
    fn stride(&self, cta: &Cta, w: usize, group: &Group, transfer: &Transfer) -> Step<i64> {
        let frame = &cta.warps[w].frames[group.frame];
        let (base, stride) = (transfer.address.base, transfer.stride);
        for lane in 0..LANES {
            if frame.get_undef(stride, lane) != 0 {
                return fault(lane, FailureKind::UndefinedOperand("the stride"));
            }
            if frame.get_undef(base, lane) != 0 {
                return fault(lane, FailureKind::UndefinedAddress);
            }
            if frame.get(stride, lane) != frame.get(stride, 0) || frame.get(base, lane) != frame.get(base, 0) {
                let text = format!("lane {lane} of a wmma transfer has another address or stride than lane 0");
                return fault(lane, FailureKind::Convergence(text));
            }
        }
        Ok((frame.get(stride, 0) & mask(32)) as i64)
    }

    fn read_ahead(&mut self, cta: &mut Cta, by: Accessor, access: Access) -> Step<()> {
        if access.space == Space::Global {
            self.outcome.stats.global_read += access.size as u64;
        }
        self.watch(cta, by, access, false, "read")
    }

    fn write(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        access: Access,
        word: u128,
        undef: u128,
        bytes: usize,
    ) -> Step<()> {
        self.writable(by.lane, access)?;
        if access.space == Space::Global {
            self.outcome.stats.global_written += bytes as u64;
        }
        self.watch(cta, by, access, false, "write")?;
        let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
        segment.store(offset, bytes, word, undef);
        Ok(())
    }
}

/// The address of an element of a matrix in memory.
fn element_address(transfer: &Transfer, (row, column): (u32, u32), stride: i64) -> Address {
    let (slow, fast) = if transfer.by_rows { (row, column) } else { (column, row) };
    let at = i64::from(slow).wrapping_mul(stride).wrapping_add(i64::from(fast));
    let bytes = at.wrapping_mul(i64::from(transfer.operand.fragment.element)) >> 3;
    Address { offset: transfer.address.offset.wrapping_add(bytes), ..transfer.address }
}

/// A row of a matrix, 16 bytes, and its undefined bits.
type Wide = (u128, u128);

/// Writes a matrix to a register: each lane gets two neighbours of a row, or of a column.
fn spread(frame: &mut Frame, dst: Row, rows: &[Wide], transposed: bool) {
    let element = |word: u128, column: usize| (word >> (16 * column)) as u64 & 0xffff;
    for lane in 0..LANES {
        let (g, t) = (lane >> 2, lane & 3);
        let places = if transposed { [(2 * t, g), (2 * t + 1, g)] } else { [(g, 2 * t), (g, 2 * t + 1)] };
        let word = places.map(|(row, column)| element(rows[row].0, column));
        let undef = places.map(|(row, column)| element(rows[row].1, column));
        frame.set(dst, lane, word[0] | word[1] << 16, undef[0] | undef[1] << 16);
    }
    settle(frame, dst);
}

/// The reverse of [`spread`].
fn collect(frame: &Frame, src: Row, transposed: bool) -> [Wide; 8] {
    let mut rows = [(0, 0); 8];
    for lane in 0..LANES {
        let (g, t) = (lane >> 2, lane & 3);
        let places = if transposed { [(2 * t, g), (2 * t + 1, g)] } else { [(g, 2 * t), (g, 2 * t + 1)] };
        for (half, (row, column)) in places.into_iter().enumerate() {
            let element = |word: u64| u128::from(word >> (16 * half) & 0xffff) << (16 * column);
            rows[row].0 |= element(frame.get(src, lane));
            rows[row].1 |= element(frame.get_undef(src, lane));
        }
    }
    rows
}

/// Computes D of a multiplication.
fn product(frame: &mut Frame, multiply: &Multiply) {
    let b = Elements::gather(frame, &multiply.b);
    let c = Elements::gather(frame, &multiply.c);
    // The products of each row of A: column, element and whether it is undefined, in the order of k.
    let terms: Vec<Vec<Term>> = match &multiply.sparse {
        Some((metadata, sparse)) => kept(frame, &multiply.a, *metadata, *sparse),
        None => dense(&Elements::gather(frame, &multiply.a)),
    };
    let fragment = multiply.d.fragment;
    let groups = matches!(fragment.scheme, Scheme::Quads { .. });
    let composed_by = if multiply.sparse.is_some() { 4 } else { 2 };
    let mut results = vec![[(0u64, 0u64); LANES]; multiply.d.rows.len()];
    let mut pairs = Vec::new();
    each(&multiply.d, |lane, _, (register, element)| {
        let (row, column) = fragment.place(lane as u32, register, element);
        let column_of_b = if groups { row / 8 * 8 + column } else { column };
        let (c, mut undefined) = c.at(row, column);
        pairs.clear();
        for &(k, pair, unknown) in &terms[row as usize] {
            let (word, unknown_too) = b.at(k, column_of_b);
            undefined |= unknown | unknown_too;
            pairs.push(Pair { b: word, second: k & composed_by != 0, ..pair });
        }
        let (bits, shift) = (mask(fragment.element), element * fragment.element);
        let result = &mut results[register as usize][lane];
        result.0 |= (multiply.product.of(&pairs, c) & bits) << shift;
        result.1 |= if undefined { bits << shift } else { 0 };
    });
    assign(frame, &multiply.d.rows, &results);
}

/// Writes words and their undefined bits to registers.
fn assign(frame: &mut Frame, rows: &[Row], results: &[[(u64, u64); LANES]]) {
    for (&row, words) in rows.iter().zip(results) {
        for (lane, &(word, undef)) in words.iter().enumerate() {
            frame.set(row, lane, word, undef);
        }
        settle(frame, row);
    }
}

fn dense(a: &Elements) -> Vec<Vec<Term>> {
    let row = |words: &[(u64, bool)]| {
        let pair = |&(a, undefined): &(u64, bool)| (Pair { a, ..Pair::default() }, undefined);
        (0..).zip(words.iter().map(pair)).map(|(k, (pair, undefined))| (k, pair, undefined)).collect()
    };
    a.words.chunks(a.columns as usize).map(row).collect()
}

/// The kept elements of a sparse A. Where metadata is undefined or invalid, so is the row.
///
/// They are the products of the sum, so that a block of a tensor core has so many kept ones. (No
/// published result tells whether hardware counts them so.)
fn kept(frame: &Frame, a: &Operand, metadata: Row, sparse: Sparse) -> Vec<Vec<Term>> {
    debug_assert_eq!(a.fragment.role, Role::A);
    let words = std::array::from_fn(|lane| frame.get(metadata, lane) as u32);
    let mut rows = vec![Vec::new(); a.fragment.shape.m as usize];
    each(a, |lane, row, (register, element)| {
        let (word, undefined) = read(frame, &a.fragment, row, lane, element);
        let (from, bits) = sparse.metadata(lane as u32, register);
        let unknown = frame.get_undef(metadata, from as usize) & bits != 0;
        let (at_row, column) = sparse.place(lane as u32, register, element, &words);
        let pair = Pair { a: word, ..Pair::default() };
        rows[at_row as usize].push((column.unwrap_or(0), pair, undefined | unknown | column.is_none()));
    });
    rows.iter_mut().for_each(|row: &mut Vec<Term>| row.sort_by_key(|term| term.0));
    rows
}
