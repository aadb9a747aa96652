//! `wgmma`: products of a warpgroup (PTX ISA 9.0, 9.7.15).
//!
//! With seed 0 a product is computed when its warp waits for it, otherwise at any moment after all
//! four warps have issued it. Shared memory and registers of A are read, and D is read and written,
//! at that moment.

use super::super::asynchrony::{Region, Role};
use super::super::bits::mask;
use super::super::code::Row;
use super::super::cta::Cta;
use super::super::matrix::{Arithmetic, Number, Pair};
use super::super::place::SharedPlace;
use super::super::warp::{LANES, Waiting, Warp, lanes};
use super::super::wgmma::{Descriptor, Flight, Issue, Left, Matrix, Register, WARPS, Wgmma, WgmmaOp};
use super::access::{ASYNC_PROXY, Access, Accessor, Site, settle};
use super::{Group, Machine, Step, fault};
use crate::failure::{Failure, FailureKind};
use crate::mem::Space;
use std::rc::Rc;

/// A mask of all warps of a warpgroup.
const ALL: u32 = (1 << WARPS) - 1;

/// Elements of one row of A or column of B in the order of k, with whether each is undefined.
type Line = Vec<(u64, bool)>;

impl Machine<'_, '_> {
    /// Runs an instruction of this family for a warp. Returns whether it can continue at once.
    pub(super) fn wgmma(&mut self, cta: &mut Cta, w: usize, group: &mut Group, op: &WgmmaOp, mask: u32) -> Step<bool> {
        let lead = mask.trailing_zeros() as usize & 31;
        if mask != u32::MAX {
            let text = format!("wgmma needs all 32 lanes of the warp at one place, {} take part", mask.count_ones());
            return fault(lead, FailureKind::Convergence(text));
        }
        let warp = &mut cta.warps[w];
        match op {
            WgmmaOp::Fence => {
                warp.products.fenced = true;
                warp.products.touched.clear();
            }
            WgmmaOp::Multiply(op) => self.issue_product(cta, w, group, op)?,
            WgmmaOp::Commit => {
                let open = std::mem::take(&mut warp.products.open);
                warp.products.groups.push_back(open);
            }
            WgmmaOp::Wait(left) => return self.wait_products(cta, w, group, *left),
        }
        Ok(true)
    }

    /// Number of the warpgroup of a warp, and its place there.
    fn warpgroup(warp: &Warp) -> ((usize, u32), u32) {
        ((warp.block, warp.index / WARPS), warp.index % WARPS)
    }

    fn issue_product(&mut self, cta: &mut Cta, w: usize, group: &Group, op: &Rc<Wgmma>) -> Step<()> {
        let (number, place) = Machine::warpgroup(&cta.warps[w]);
        let of_group = |warp: &&Warp| Machine::warpgroup(warp).0 == number;
        let count = cta.warps.iter().filter(of_group).count();
        if count != WARPS as usize {
            let text = format!("wgmma by a warpgroup of {count} warps of the block, which must have {WARPS}");
            return fault(0, FailureKind::Convergence(text));
        }
        let (a, b, scale_d) = self.product_operands(&cta.warps[w], group, op, place)?;
        self.check_registers(&cta.warps[w], group, op)?;
        // The same product of all warps.
        let serial = cta.warps[w].products.issued;
        let sequence = cta.warpgroups.entry(number).or_default();
        let left = a.map(|a| Matrix { first: 0, ..a });
        let issue = Issue { place: group.pc, a: left, b, scale_d, warps: 1 << place };
        match sequence.get_mut(serial) {
            Some(first) if (Issue { warps: issue.warps, ..first.clone() }) == issue => first.warps |= issue.warps,
            Some(first) => {
                let what = if first.place == issue.place { "with other operands than" } else { "instead of" };
                let there = self.program.place(first.place);
                let text =
                    format!("this warp executes this wgmma.mma_async {what} another warp of its warpgroup: {there}");
                return fault(0, FailureKind::Convergence(text));
            }
            None => sequence.push(issue),
        }
        let complete = sequence[serial].warps == ALL;
        let region = self.regions.number();
        for matrix in a.iter().chain([&b]) {
            self.begin_reading(cta, Accessor::new(w, 0, group), matrix, region)?;
        }
        let warp = &mut cta.warps[w];
        let frame = group.frame;
        for &row in &op.d {
            let words: [(u64, u64); LANES] = std::array::from_fn(|lane| {
                (warp.frames[frame].get(row, lane), warp.frames[frame].get_undef(row, lane))
            });
            // An accumulator in use holds what the product before leaves.
            warp.products.held.entry((frame, row)).or_insert(words);
            (0..LANES).for_each(|lane| warp.frames[frame].set(row, lane, 0, u64::from(u32::MAX)));
        }
        let products = &mut warp.products;
        products.issued += 1;
        products.open.push(region);
        let (op, done, place) = (Rc::clone(op), false, group.pc);
        products.flights.push_back(Flight { number: region, serial, place, frame, op, a, b, scale_d, done });
        if complete {
            cta.effects += 1;
            for warp in cta.warps.iter_mut().filter(|warp| Machine::warpgroup(warp).0 == number) {
                for lane in lanes(warp.waiting) {
                    if warp.reason[lane] == Some(Waiting::Warpgroup) {
                        warp.reason[lane] = None;
                        warp.waiting &= !(1 << lane);
                        warp.running |= 1 << lane;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the matrices in shared memory, and whether D is added to.
    fn product_operands(
        &self,
        warp: &Warp,
        group: &Group,
        op: &Wgmma,
        place: u32,
    ) -> Step<(Option<Matrix>, Matrix, bool)> {
        let frame = &warp.frames[group.frame];
        let descriptor = |row: Row, what: &'static str| {
            for lane in 0..LANES {
                if frame.get_undef(row, lane) != 0 {
                    return fault(lane, FailureKind::UndefinedOperand(what));
                }
                if frame.get(row, lane) != frame.get(row, 0) {
                    let text = format!("lane {lane} of wgmma.mma_async has another value of {what} than lane 0");
                    return fault(lane, FailureKind::Convergence(text));
                }
            }
            Descriptor::parse(frame.get(row, 0)).or_else(|text| fault(0, FailureKind::Asynchrony(text)))
        };
        let a = match op.a {
            Left::Shared(row, major) => {
                let descriptor = descriptor(row, "the descriptor of A")?;
                Some(Matrix::left(descriptor, major, op.element, place, op.stored_k()))
            }
            Left::Registers(_) => None,
        };
        let b = Matrix::right(descriptor(op.b, "the descriptor of B")?, op.b_major, op.element, op.shape);
        if frame.pred_undefined(op.scale_d) != 0 {
            return fault(0, FailureKind::UndefinedOperand("scale-d"));
        }
        let scale_d = frame.pred(op.scale_d);
        if scale_d != 0 && scale_d != u32::MAX {
            let text = "scale-d of wgmma.mma_async differs between the lanes of a warp".into();
            return fault(0, FailureKind::Convergence(text));
        }
        Ok((a, b, scale_d != 0))
    }

    /// Fails if registers of a product are in use, or were accessed without a fence.
    fn check_registers(&mut self, warp: &Warp, group: &Group, op: &Wgmma) -> Step<()> {
        let products = &warp.products;
        if !products.fenced {
            let text = "the first wgmma.mma_async of a warp, without a wgmma.fence before it".into();
            return self.finding(0, text);
        }
        let of = |row: Row| -> Register { (group.frame, row) };
        let before = op.d.iter().chain(op.a_rows()).find_map(|&row| products.touched.get(&of(row)));
        if let Some(&place) = before {
            let there = self.program.place(place);
            let text =
                format!("a register of this wgmma.mma_async was accessed at {there}, without wgmma.fence between");
            return self.finding(0, text);
        }
        let shape = |flight: &Flight| (flight.op.shape, flight.op.result);
        for flight in products.flights.iter().filter(|flight| flight.frame == group.frame) {
            let (d, a) = (&flight.op.d, flight.op.a_rows());
            let same = *d == op.d && shape(flight) == (op.shape, op.result);
            let wrong = op.d.iter().any(|row| a.contains(row) || !same && d.contains(row))
                || op.a_rows().iter().any(|row| d.contains(row));
            if wrong {
                let there = self.program.place(flight.place);
                let text =
                    format!("a register of this wgmma.mma_async belongs to a pending one of another shape: {there}");
                return self.finding(0, text);
            }
        }
        Ok(())
    }

    /// Fails if an instruction accesses registers of pending products; otherwise it is remembered
    /// until the next fence.
    pub(super) fn touch_products(&mut self, warp: &mut Warp, group: &Group, mask: u32) -> Step<()> {
        let function = &self.program.functions[warp.frames[group.frame].function as usize];
        if function.watched.is_empty() {
            return Ok(());
        }
        let Some(rows) = function.watched.get(&group.pc) else { return Ok(()) };
        for (row, name) in rows {
            for flight in warp.products.flights.iter().filter(|flight| flight.frame == group.frame) {
                let accumulator = flight.op.d.contains(row);
                if accumulator || flight.op.a_rows().contains(row) {
                    let what = if accumulator { "an accumulator" } else { "A" };
                    let there = self.program.place(flight.place);
                    let text =
                        format!("register {name} is {what} of a wgmma.mma_async that is not waited for: {there}");
                    self.finding(mask.trailing_zeros() as usize & 31, text)?;
                }
            }
            warp.products.touched.insert((group.frame, *row), group.pc);
        }
        Ok(())
    }

    /// Checks the bytes of a matrix against earlier accesses, and adds their region.
    fn begin_reading(&mut self, cta: &mut Cta, by: Accessor, matrix: &Matrix, number: u64) -> Step<()> {
        let (block, base) = (cta.warps[by.warp].block, self.program.shared_base);
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for unit in matrix.units() {
            match runs.last_mut() {
                Some((_, end)) if *end == unit => *end += 16,
                _ => runs.push((unit, unit + 16)),
            }
        }
        let mut parts = Vec::new();
        let mut ground = None;
        for (start, end) in runs {
            let (addr, size) = (u64::from(start), (end - start) as usize);
            let offset = addr.checked_sub(base.into()).filter(|&at| cta.blocks[block].shared.contains(at, size));
            let Some(offset) = offset else {
                let (access, near) = ("asynchronous read", String::new());
                let out = FailureKind::OutOfBounds { access, space: Space::Shared, addr, size: size as u32, near };
                return fault(by.lane, out);
            };
            let site = Site::Shared(SharedPlace { block, offset: offset as usize });
            let access = Access { site, space: Space::Shared, addr, size };
            let (memory, range) = self.begin_access(cta, by, access, Role::Source, true)?;
            ground = Some(memory);
            parts.push(range);
        }
        if let (Some(ground), Some(first), Some(last)) = (ground, parts.first(), parts.last()) {
            let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, false);
            let mut region = Region::new(number, (ground, first.start..last.end), Role::Source, &actor);
            region.parts = parts;
            self.regions.add(region);
        }
        Ok(())
    }

    /// Whether all warps have issued a product.
    fn is_issued(cta: &Cta, w: usize, flight: &Flight) -> bool {
        let sequence = cta.warpgroups.get(&Machine::warpgroup(&cta.warps[w]).0);
        sequence.and_then(|all| all.get(flight.serial)).is_some_and(|issue| issue.warps == ALL)
    }

    /// Waits until at most `left` groups are pending.
    fn wait_products(&mut self, cta: &mut Cta, w: usize, group: &mut Group, left: usize) -> Step<bool> {
        let products = &cta.warps[w].products;
        let over = products.groups.len().saturating_sub(left);
        let numbers: Vec<u64> = products.groups.range(..over).flatten().copied().collect();
        let waited = |flight: &&Flight| numbers.contains(&flight.number);
        if products.flights.iter().filter(waited).any(|flight| !Machine::is_issued(cta, w, flight)) {
            let warp = &mut cta.warps[w];
            for lane in 0..LANES {
                warp.reason[lane] = Some(Waiting::Warpgroup);
                warp.pc[lane] = group.pc;
            }
            (warp.running, warp.waiting) = (0, u32::MAX);
            group.mask = 0;
            return Ok(false);
        }
        cta.effects += 1;
        let count = products.flights.iter().filter(waited).count();
        (0..count).for_each(|n| self.multiply(cta, w, n));
        let actor = cta.warps[w].actor(0, self.now, group.pc | ASYNC_PROXY, false);
        for number in numbers {
            for region in self.regions.take(number, false) {
                let shared = &mut cta.blocks[cta.warps[w].block].shared;
                region.ranges().for_each(|range| {
                    shared.note(range.start, range.len(), &actor, false);
                });
            }
        }
        let warp = &mut cta.warps[w];
        warp.products.groups.drain(..over);
        let gone: Vec<Flight> = warp.products.flights.drain(..count).collect();
        for flight in gone {
            for &row in &flight.op.d {
                let pending = |other: &Flight| other.frame == flight.frame && other.op.d.contains(&row);
                if warp.products.flights.iter().any(pending) {
                    continue;
                }
                let Some(words) = warp.products.held.remove(&(flight.frame, row)) else { continue };
                let frame = &mut warp.frames[flight.frame];
                for (lane, (word, undef)) in words.into_iter().enumerate() {
                    frame.set(row, lane, word, undef);
                }
                settle(frame, row);
            }
        }
        // All lanes have waited.
        warp.warp_sync = [self.now; LANES];
        self.now += 1;
        Ok(true)
    }

    /// Computes a product of some warp, by chance.
    pub fn multiply_now_and_then(&mut self, cta: &mut Cta) -> Result<(), Failure> {
        let next = |w: usize, cta: &Cta| {
            let flights = &cta.warps[w].products.flights;
            flights.iter().position(|f| !f.done).filter(|&n| Machine::is_issued(cta, w, &flights[n]))
        };
        let ready = (0..cta.warps.len()).filter(|&w| next(w, cta).is_some()).collect::<Vec<_>>();
        if !ready.is_empty() && self.order.now_and_then(3) {
            let w = ready[self.order.below(ready.len() as u32) as usize];
            if let Some(n) = next(w, cta) {
                self.multiply(cta, w, n);
            }
        }
        Ok(())
    }

    /// Computes product `n` of a warp, if that has not been done.
    fn multiply(&mut self, cta: &mut Cta, w: usize, n: usize) {
        let flight = cta.warps[w].products.flights[n].clone();
        if flight.done {
            return;
        }
        let op = &*flight.op;
        let lines_of_b: Vec<Line> =
            (0..op.shape.n).map(|column| self.line(cta, w, &flight.b, column, op.negated[1], op.sign)).collect();
        let lines_of_a = self.left_lines(cta, w, &flight);
        let chosen = chosen(&cta.warps[w], &flight);
        let tensor = Operands::new(op, &lines_of_a, &lines_of_b);
        let warp = &mut cta.warps[w];
        let each = 32 / op.result;
        for (r, &row) in op.d.iter().enumerate() {
            let Some(words) = warp.products.held.get_mut(&(flight.frame, row)) else { continue };
            for (lane, held) in words.iter_mut().enumerate() {
                let old = *held;
                *held = (0, 0);
                for e in 0..each {
                    let (at, column) = accumulator(lane as u32, r as u32, e, op.result);
                    let (shift, bits) = (e * op.result, mask(op.result));
                    let c =
                        if flight.scale_d { (old.0 >> shift & bits, old.1 >> shift & bits != 0) } else { (0, false) };
                    let (word, unknown) = tensor.element(at as usize, column as usize, c, &chosen);
                    held.0 |= (word & bits) << shift;
                    held.1 |= if unknown { bits << shift } else { 0 };
                }
            }
        }
        warp.products.flights[n].done = true;
    }

    /// Reads a row of A or a column of B in shared memory.
    fn line(&self, cta: &Cta, w: usize, matrix: &Matrix, row: u32, negated: bool, sign: u64) -> Line {
        let shared = &cta.blocks[cta.warps[w].block].shared;
        let flip = if negated { sign } else { 0 };
        let one = |k: u32| {
            let (address, bit) = matrix.place(row, k);
            let offset = (address - self.program.shared_base) as usize;
            let (word, undef) = shared.load(offset, matrix.element.div_ceil(8) as usize);
            let bits = mask(matrix.element);
            ((word as u64 >> bit & bits) ^ flip, undef as u64 >> bit & bits != 0)
        };
        (0..matrix.k).map(one).collect()
    }

    /// Reads the 16 rows of A of a warp.
    fn left_lines(&self, cta: &Cta, w: usize, flight: &Flight) -> Vec<Line> {
        let op = &*flight.op;
        if let Some(a) = &flight.a {
            return (0..16).map(|row| self.line(cta, w, a, row, op.negated[0], op.sign)).collect();
        }
        let frame = &cta.warps[w].frames[flight.frame];
        let each = 32 / op.element;
        let mut lines = vec![vec![(0, false); op.stored_k() as usize]; 16];
        for (r, &row) in op.a_rows().iter().enumerate() {
            for lane in 0..LANES {
                for e in 0..each {
                    let (at, k) = fragment(lane as u32, r as u32, e, each);
                    let (shift, bits) = (e * op.element, mask(op.element));
                    let word = frame.get(row, lane) >> shift & bits;
                    let flip = if op.negated[0] { op.sign } else { 0 };
                    lines[at as usize][k as usize] = (word ^ flip, frame.get_undef(row, lane) >> shift & bits != 0);
                }
            }
        }
        lines
    }
}

/// Row and column of an element of a register of A: as A of `mma` with 16 rows.
const fn fragment(lane: u32, r: u32, e: u32, each: u32) -> (u32, u32) {
    ((lane >> 2) + 8 * (r & 1), each * ((lane & 3) + 4 * (r >> 1)) + e)
}

/// Row and column of an element of a register of D (PTX ISA 9.0, 9.7.15.5.2).
const fn accumulator(lane: u32, r: u32, e: u32, bits: u32) -> (u32, u32) {
    let (g, t) = (lane >> 2, lane & 3);
    match bits {
        16 => (g + 8 * (r & 1), 8 * (r >> 1) + 2 * t + e),
        _ => (g + 8 * (r >> 1 & 1), 8 * (r >> 2) + 2 * t + (r & 1)),
    }
}

/// For each row of a sparse A, the dense column of each kept element, if it is known.
type Chosen = Option<Vec<Vec<Option<usize>>>>;

/// The metadata lies as that of `mma.sp` with four registers of A; that selectors mean the same is
/// not confirmed on hardware.
fn chosen(warp: &Warp, flight: &Flight) -> Chosen {
    let op = &*flight.op;
    let (metadata, sparse) = op.sparse.as_ref()?;
    let frame = &warp.frames[flight.frame];
    let words = std::array::from_fn(|lane| frame.get(*metadata, lane) as u32);
    let mut rows = vec![vec![None; op.stored_k() as usize]; 16];
    let each = 32 / op.element;
    for (r, lane) in (0..4).flat_map(|r| (0..LANES as u32).map(move |lane| (r, lane))) {
        let (from, bits) = sparse.metadata(lane, r);
        if frame.get_undef(*metadata, from as usize) & bits != 0 {
            continue;
        }
        for e in 0..each {
            let (row, kept) = fragment(lane, r, e, each);
            rows[row as usize][kept as usize] = sparse.place(lane, r, e, &words).1.map(|column| column as usize);
        }
    }
    Some(rows)
}

/// Both matrices, decoded once.
struct Operands<'a> {
    op: &'a Wgmma,
    a: &'a [Line],
    b: &'a [Line],
    /// The lines of A and B as numbers, for products of floats.
    numbers: Option<[Vec<Vec<Number>>; 2]>,
}

impl<'a> Operands<'a> {
    fn new(op: &'a Wgmma, a: &'a [Line], b: &'a [Line]) -> Self {
        let numbers = match op.product.arithmetic {
            Arithmetic::Tensor { a: of_a, b: of_b, .. } => {
                let decode = |lines: &[Line], element: super::super::matrix::Element| {
                    lines.iter().map(|line| line.iter().map(|x| element.decode(x.0 as u32)).collect()).collect()
                };
                Some([decode(a, of_a), decode(b, of_b)])
            }
            _ => None,
        };
        Operands { op, a, b, numbers }
    }

    /// Computes an element of D, and whether it is undefined.
    fn element(&self, row: usize, column: usize, (c, unknown): (u64, bool), chosen: &Chosen) -> (u64, bool) {
        let (a, b) = (&self.a[row], &self.b[column]);
        if let (None, Some([of_a, of_b]), Arithmetic::Tensor { rule, .. }) =
            (chosen, &self.numbers, &self.op.product.arithmetic)
        {
            let unknown = unknown || a.iter().chain(b).any(|x| x.1);
            return (rule.dot(&of_a[row], &of_b[column], c as u32).into(), unknown);
        }
        // The place in k of B of each term.
        let mut places = Vec::with_capacity(a.len());
        let mut unknown = unknown;
        let mut order: Vec<usize> = (0..a.len()).collect();
        match chosen {
            None => places.extend(0..a.len()),
            Some(rows) => {
                places.extend(rows[row].iter().map(|k| k.unwrap_or(0)));
                unknown |= rows[row].iter().any(Option::is_none);
                order.sort_by_key(|&n| places[n]);
            }
        }
        unknown |= a.iter().any(|x| x.1) || places.iter().any(|&k| b[k].1);
        if let (Some([numbers_a, numbers_b]), Arithmetic::Tensor { rule, .. }) =
            (&self.numbers, &self.op.product.arithmetic)
        {
            let of_a: Vec<Number> = order.iter().map(|&n| numbers_a[row][n]).collect();
            let of_b: Vec<Number> = order.iter().map(|&n| numbers_b[column][places[n]]).collect();
            return (rule.dot(&of_a, &of_b, c as u32).into(), unknown);
        }
        let pairs: Vec<Pair> = order.iter().map(|&n| Pair { a: a[n].0, b: b[places[n]].0, second: false }).collect();
        (self.op.product.of(&pairs, c), unknown)
    }
}
