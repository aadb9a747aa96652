//! Runs the instructions of warpgroups: `HGMMA` and its relatives, `WARPGROUP.ARRIVE`,
//! `WARPGROUP.DEPBAR`.
//!
//! Descriptors are read at issue. A product is computed at some moment after all four warps have
//! issued it, at the latest when its warp waits; then it reads shared memory and registers of A.

use super::asynchrony::Range;
use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_flow::Flow;
use super::exec_mem::Target;
use super::exec_tensor::{Metadata, factor_of};
use super::hazard::Found;
use super::products::{Issued, Product};
use super::tensor::{Arithmetic, Element, GmmaOp, Number, SharedMatrix, sum};
use super::uop::{From, Kind, Uop};
use super::warp::{Lanes, Wait, Warp};
use crate::failure::FailureKind;
use crate::mem::Space;
use crate::mem::regions::{ASYNC_PROXY, Region, Role};
use smallvec::SmallVec;

/// Warps of a warpgroup.
const WARPS: usize = 4;
const ALL: u32 = (1 << WARPS) - 1;

/// Elements of a line of a matrix, with whether any is undefined.
struct Line {
    bits: Vec<u64>,
    undefined: Vec<bool>,
}

/// Runs an instruction of this family for warp `w`. A hazard is returned, not a failure.
pub fn run(
    warps: &mut [Warp],
    w: usize,
    (u, pc, m): (&Uop, u32, u32),
    blk: &mut Block,
    g: &mut Global<'_>,
) -> Exec<Result<Flow, Found>> {
    if m == 0 {
        warps[w].splits[warps[w].cur].pc += 1;
        return Ok(Ok(Flow::Other));
    }
    if m != !0 {
        let text = format!("an instruction of a warpgroup needs all lanes of the warp, only {m:#010x} execute it");
        return Err(LaneFailure::new((!m).trailing_zeros() as usize, FailureKind::Convergence(text)));
    }
    match u.kind {
        Kind::GmmaArrive => warps[w].products.written = Default::default(),
        Kind::GmmaWait(left) if !wait(&mut warps[w], left, blk, g)? => return Ok(Ok(Flow::Switch)),
        Kind::Gmma(op) => {
            if let Err(found) = issue(warps, w, (u, pc, &op), blk, g)? {
                return Ok(Err(found));
            }
        }
        _ => {}
    }
    warps[w].splits[warps[w].cur].pc += 1;
    Ok(Ok(Flow::Other))
}

fn issue(
    warps: &mut [Warp],
    w: usize,
    (u, pc, op): (&Uop, u32, &GmmaOp),
    blk: &mut Block,
    g: &mut Global<'_>,
) -> Exec<Result<(), Found>> {
    let (group, member) = (w / WARPS, w % WARPS);
    if warps.len() < WARPS * (group + 1) {
        let text = format!("a warpgroup of {} warps, which must have 4", warps.len() - WARPS * group);
        return Err(LaneFailure::new(0, FailureKind::Convergence(text)));
    }
    let mut product = warps[w].product(u, pc, op)?;
    product.number = g.regions.number();
    if let Err(found) = warps[w].products.check(&product) {
        return Ok(Err(found));
    }
    if blk.sequences.len() <= group {
        blk.sequences.resize(group + 1, Vec::new());
    }
    let sequence = &mut blk.sequences[group];
    match sequence.get_mut(product.serial) {
        Some(first) if first.pc == pc && first.matrices == product.matrices && first.adds == product.adds => {
            first.warps |= 1 << member;
        }
        Some(first) => {
            let there = 16 * first.pc;
            let text =
                format!("another warp of the warpgroup executes the product at {there:#06x}, or with other operands");
            return Err(LaneFailure::new(0, FailureKind::Convergence(text)));
        }
        None => {
            let (matrices, adds, warps) = (product.matrices, product.adds, 1 << member);
            sequence.push(Issued { pc, matrices, adds, warps });
        }
    }
    let complete = sequence[product.serial].warps == ALL;
    // An empty group is a product without a result.
    if op.d != 255 {
        warps[w].begin_reads(&product, blk, g)?;
        warps[w].hold(&product);
    }
    let products = &mut warps[w].products;
    products.issued += 1;
    products.groups += u32::from(op.ends_group);
    products.flights.push_back(product);
    if complete {
        blk.cluster.acted();
        for split in warps[WARPS * group..][..WARPS].iter_mut().flat_map(|warp| &mut warp.splits) {
            if split.wait == Wait::Warpgroup {
                split.wait = Wait::None;
            }
        }
    }
    Ok(Ok(()))
}

/// Waits until at most `left` groups are pending; returns false if another warp must issue first.
fn wait(warp: &mut Warp, left: u8, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
    let done = warp.products.groups.saturating_sub(left.into());
    let count = warp.products.flights.iter().take_while(|f| f.group < done).count();
    if (0..count).any(|n| !is_issued(warp, n, blk)) {
        warp.splits[warp.cur].wait = Wait::Warpgroup;
        return Ok(false);
    }
    for n in 0..count {
        warp.compute(n, blk);
    }
    for product in warp.products.flights.drain(..count).collect::<Vec<_>>() {
        warp.end_reads(&product, blk, g);
        warp.give_back(&product);
    }
    Ok(true)
}

fn is_issued(warp: &Warp, n: usize, blk: &Block) -> bool {
    let sequence = blk.sequences.get(warp.index as usize / WARPS);
    let issued = sequence.and_then(|s| s.get(warp.products.flights[n].serial));
    issued.is_some_and(|issued| issued.warps == ALL)
}

/// Computes a product of some warp, by chance.
pub fn now_and_then(warps: &mut [Warp], blk: &Block, g: &mut Global<'_>) {
    if blk.sequences.is_empty() || g.rng.below(4) != 0 {
        return;
    }
    let w = g.rng.below(warps.len());
    let next = warps[w].products.flights.iter().position(|f| !f.done);
    if let Some(n) = next.filter(|&n| is_issued(&warps[w], n, blk)) {
        warps[w].compute(n, blk);
    }
}

impl Warp {
    fn product(&self, u: &Uop, pc: u32, op: &GmmaOp) -> Exec<Product> {
        let register = |i: usize| match u.s[i].from {
            From::Reg(n) => n,
            _ => 255,
        };
        let adds = self.upreds >> u.p[0].n & 1 != 0;
        if op.c != 255 && self.upred_undef >> u.p[0].n & 1 != 0 && u.p[0].n != 7 {
            return Err(LaneFailure::new(0, FailureKind::UndefinedOperand("the predicate of the accumulator")));
        }
        let mut matrices = [None; 2];
        for (i, matrix) in matrices.iter_mut().enumerate() {
            if i == 0 && op.registers || op.d == 255 {
                continue;
            }
            let n = usize::from(op.descriptors) + 2 * i;
            let word = |n: usize| if op.descriptors == 63 { 0 } else { u64::from(self.uregs[n]) };
            if op.descriptors != 63 && (self.ureg_undef[n] | self.ureg_undef[n + 1]) != 0 {
                return Err(LaneFailure::new(0, FailureKind::UndefinedOperand("a matrix descriptor")));
            }
            let size = if op.a == Element::Bits { 4 } else { u32::from([op.a, op.b][i].bits()) / 8 };
            let found = SharedMatrix::read(word(n + 1) << 32 | word(n), size, op.turned[i]);
            *matrix = Some(found.map_err(|why| LaneFailure::new(0, FailureKind::Asynchrony(why)))?);
        }
        Ok(Product {
            pc,
            op: *op,
            registers: [register(0), register(1)],
            matrices,
            adds: op.c != 255 && adds != u.p[0].not,
            serial: self.products.issued,
            group: self.products.groups,
            number: 0,
            a: self.own_a(op, register(0)),
            done: false,
        })
    }

    /// A of a product whose D is in the same registers, which is read first. (ptxas 13.0.88 -O0
    /// output; that hardware reads all of A before it writes D is not confirmed.)
    fn own_a(&self, op: &GmmaOp, first: u8) -> Option<Box<[(Lanes, Lanes); 4]>> {
        let overlap = op.registers && (first..first + 4).any(|n| (op.d..op.d.saturating_add(op.count())).contains(&n));
        let piece = |n: u8| (*self.reg(n), std::array::from_fn(|lane| self.reg_undef(n, lane)));
        (overlap && op.d != 255).then(|| Box::new(std::array::from_fn(|r| piece(first + r as u8))))
    }

    /// Checks the reads of shared memory against all earlier accesses, and adds their regions.
    fn begin_reads(&self, product: &Product, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        for (i, matrix) in product.matrices.iter().enumerate() {
            let Some(matrix) = matrix else { continue };
            let (lines, first, k) = self.extent(&product.op, i);
            let places = (first..first + lines).flat_map(|line| (0..k).map(move |k| (line, k)));
            let mut units: Vec<u32> = places.map(|(line, k)| matrix.address(line, k) & !15).collect();
            units.sort_unstable();
            units.dedup();
            let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
            for unit in units.into_iter().map(|unit| unit as usize) {
                if !blk.shared.contains(unit as u64, 16) {
                    let (space, near, addr) = (Space::Shared, String::new(), unit as u64);
                    let kind = FailureKind::OutOfBounds { access: "read", space, addr, size: 16, near };
                    return Err(LaneFailure::new(0, kind));
                }
                match parts.last_mut() {
                    Some(last) if last.end == unit => last.end += 16,
                    _ => parts.push(unit..unit + 16),
                }
            }
            // What is below is reserved and never written.
            parts.retain(|part| part.start >= g.shared_base as usize);
            for part in &parts {
                let (target, addr) = (Target::Shared(part.start), part.start as u64);
                self.begin_access(&Range { target, addr, size: part.len() }, Role::Source, true, 0, blk, g)?;
            }
            if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
                let actor = self.actor(0, false, product.pc, blk, g);
                let ground = blk.cluster.ground(blk.rank);
                let mut region = Region::new(product.number, (ground, first.start..last.end), Role::Source, &actor);
                region.parts = parts;
                g.regions.add(region);
            }
        }
        Ok(())
    }

    /// A product is waited for: from here on its reads are accesses of this warp.
    fn end_reads(&self, product: &Product, blk: &mut Block, g: &mut Global<'_>) {
        let actor = self.actor(0, false, product.pc | ASYNC_PROXY, blk, g);
        for region in g.regions.take(product.number, false) {
            region.ranges().for_each(|part| _ = blk.shared.note(part.start, part.len(), &actor, false));
        }
    }

    /// Lines of A of this warp, or of B: their number, the first, elements of each.
    fn extent(&self, op: &GmmaOp, i: usize) -> (u32, u32, u32) {
        match i {
            0 => (16, 16 * (self.index % 4), op.stored() as u32),
            _ => (op.columns.into(), 0, op.inner.into()),
        }
    }

    /// Takes the accumulators out of the register file.
    fn hold(&mut self, product: &Product) {
        let op = &product.op;
        for n in product.result() {
            let from = if op.c == 255 || op.c == op.d { n } else { op.c + (n - op.d) };
            if from != n || !self.products.held.contains_key(&n) {
                let undef: Lanes = std::array::from_fn(|lane| self.reg_undef(from, lane));
                let value = *self.reg(from);
                self.products.held.insert(n, (value, undef));
            }
        }
        product.result().for_each(|n| self.taint_lanes(n, !0));
    }

    /// Puts the results of a product back that no later one uses.
    fn give_back(&mut self, product: &Product) {
        for n in product.result() {
            if self.products.flights.iter().any(|f| f.result().contains(&n)) {
                continue;
            }
            let Some((value, undef)) = self.products.held.remove(&n) else { continue };
            self.put(n, !0, &value);
            for (lane, bits) in undef.into_iter().enumerate() {
                self.taint(n, lane, bits);
            }
        }
    }

    /// Reads a line of a matrix in shared memory.
    fn shared_line(&self, matrix: &SharedMatrix, line: u32, count: usize, changed: u64, blk: &Block) -> Line {
        let load = |k: u32| blk.shared.load(matrix.address(line, k) as usize, matrix.size());
        let (bits, undefined) = (0..count as u32).map(load).map(|(v, u)| (v as u64 ^ changed, u != 0)).unzip();
        Line { bits, undefined }
    }

    /// Reads A of this warp from registers.
    fn register_lines(&self, product: &Product, changed: u64) -> Vec<Line> {
        let (op, width) = (&product.op, u32::from(product.op.a.bits()));
        let each = 32 / width as usize;
        let blank = || Line { bits: vec![0; op.stored()], undefined: vec![false; op.stored()] };
        let mut lines: Vec<Line> = (0..16).map(|_| blank()).collect();
        for (r, lane) in (0..4).flat_map(|r| (0..32).map(move |lane| (r, lane))) {
            let n = product.registers[0] + r as u8;
            let (value, undef) = match &product.a {
                Some(a) => (a[r].0[lane], a[r].1[lane]),
                None => (self.reg(n)[lane], self.reg_undef(n, lane)),
            };
            let line = &mut lines[lane / 4 + 8 * (r % 2)];
            for e in 0..each {
                let k = each * (lane % 4 + 4 * (r / 2)) + e;
                let shift = e as u32 * width;
                let mask = u64::MAX >> (64 - width);
                line.bits[k] = (u64::from(value) >> shift & mask) ^ changed;
                line.undefined[k] = u64::from(undef) >> shift & mask != 0;
            }
        }
        lines
    }

    /// Computes a product, if that has not been done.
    fn compute(&mut self, n: usize, blk: &Block) {
        let product = self.products.flights[n].clone();
        self.products.flights[n].done = true;
        let op = &product.op;
        if product.done || op.d == 255 {
            return;
        }
        let sign = |i: usize| if op.negated[i] { 1u64 << ([op.a, op.b][i].bits() - 1) } else { 0 };
        let lines = |i: usize, matrix: &SharedMatrix| -> Vec<Line> {
            let (count, first, k) = self.extent(op, i);
            (first..first + count).map(|line| self.shared_line(matrix, line, k as usize, sign(i), blk)).collect()
        };
        let a = match &product.matrices[0] {
            Some(matrix) => lines(0, matrix),
            None => self.register_lines(&product, sign(0)),
        };
        let b = product.matrices[1].as_ref().map_or_else(Vec::new, |matrix| lines(1, matrix));
        let source = super::uop::Src::reg(product.registers[1]);
        let kept = op
            .selector
            .map(|selector| self.kept(Metadata { source: &source, selector, count: 4, element: op.a.bits() }));
        let column = |row: usize, k: usize| kept.as_ref().map_or(k, |kept| kept.columns[row][k].into());
        // The places in A and in B of the factors of each row.
        let pairs: Vec<Vec<(usize, usize)>> =
            (0..16).map(|row| (0..op.stored()).map(|k| (k, column(row, k))).collect()).collect();
        let whole = a.iter().chain(&b).all(|line| !line.undefined.contains(&true));
        let sums = Sums::new(op, &a, &b);
        let halves = op.is_half();
        for (r, register) in product.result().enumerate() {
            let Some(held) = self.products.held.get_mut(&register) else { continue };
            for lane in 0..32 {
                let (row, first) = place(r, lane, halves);
                let (c, unknown) = if product.adds { (held.0[lane], held.1[lane]) } else { (0, 0) };
                let (mut value, mut undef) = (0, 0);
                for e in 0..if halves { 2 } else { 1 } {
                    let (shift, mask) = if halves { (16 * e, 0xffff) } else { (0, !0u32) };
                    let (at, pairs) = (first + e, &pairs[row]);
                    value |= (sums.one(row, at, pairs, c >> shift & mask) & mask) << shift;
                    let missing = !whole && pairs.iter().any(|&(k, j)| a[row].undefined[k] || b[at].undefined[j]);
                    let lost = kept.as_ref().is_some_and(|kept| kept.undefined);
                    undef |= if unknown >> shift & mask != 0 || missing || lost { mask << shift } else { 0 };
                }
                (held.0[lane], held.1[lane]) = (value, undef);
            }
        }
    }
}

/// Row and first column of the elements of register `r` of D.
fn place(r: usize, lane: usize, halves: bool) -> (usize, usize) {
    let (group, thread) = (lane / 4, lane % 4);
    if halves {
        (group + r % 2 * 8, r / 2 * 8 + thread * 2)
    } else {
        (group + r / 2 % 2 * 8, r / 4 * 8 + thread * 2 + r % 2)
    }
}

/// Both matrices, read as numbers if they are floats.
struct Sums<'a> {
    op: &'a GmmaOp,
    a: &'a [Line],
    b: &'a [Line],
    numbers: [Vec<Vec<Number>>; 2],
}

impl<'a> Sums<'a> {
    fn new(op: &'a GmmaOp, a: &'a [Line], b: &'a [Line]) -> Self {
        let read = |lines: &[Line], element: Element| match element {
            Element::Float(layout, _) => {
                lines.iter().map(|line| line.bits.iter().map(|&x| layout.read(x as u32)).collect()).collect()
            }
            _ => Vec::new(),
        };
        Sums { op, a, b, numbers: [read(a, op.a), read(b, op.b)] }
    }

    /// One element of D: the products of these places of a row and a column, and `c`.
    fn one(&self, row: usize, column: usize, pairs: &[(usize, usize)], c: u32) -> u32 {
        let words = || pairs.iter().map(|&(k, j)| (self.a[row].bits[k], self.b[column].bits[j]));
        match (self.op.arithmetic, self.op.a, self.op.b) {
            (Arithmetic::Float(rule), Element::Float(a, _), Element::Float(b, _)) => {
                let [of_a, of_b] = &self.numbers;
                let (of_a, of_b) = (&of_a[row], &of_b[column]);
                let products: SmallVec<[_; 64]> = pairs.iter().map(|&(k, j)| (of_a[k], of_b[j])).collect();
                sum(rule, &products, a.fraction() + b.fraction(), c)
            }
            (Arithmetic::Integer(clamped), a, b) => {
                let (a, b) = (factor_of(a), factor_of(b));
                let total = i64::from(c as i32) + words().map(|(x, y)| a(x) * b(y)).sum::<i64>();
                (if clamped { total.clamp(i32::MIN.into(), i32::MAX.into()) } else { total }) as u32
            }
            _ => words().map(|(x, y)| (x & y).count_ones()).fold(c, u32::wrapping_add),
        }
    }
}
