//! `wmma`: loads, products and stores of whole tiles (PTX ISA 9.0, 9.7.14.4).
//!
//! PTX leaves the layout of fragments open. It is that of `mma` tiles, as in ptxas 13.0.88 output,
//! so that fragments may cross between units of both compilers: a product becomes products of
//! 16x8 or 8x8, and a transfer one access for each register. m8n32 is computed transposed.

use crate::build::Lower;
use crate::mma::mma_type;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{
    Cache, Cty, CvtRnd, Ftz, Mem, Mma, MmaKind, MmaShape, MmaTy, Mty, Op as I, Order, Prefetch, Sat, Scope, Sign,
    Space, Special, Value, Width,
};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

/// Which matrix a fragment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    A,
    B,
    C,
}

/// The shape of a `wmma` operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    m: usize,
    n: usize,
    k: usize,
}

const SHAPES: [(Mod, Shape); 7] = [
    (Mod::M16n16k16, Shape { m: 16, n: 16, k: 16 }),
    (Mod::M32n8k16, Shape { m: 32, n: 8, k: 16 }),
    (Mod::M8n32k16, Shape { m: 8, n: 32, k: 16 }),
    (Mod::M16n16k8, Shape { m: 16, n: 16, k: 8 }),
    (Mod::M8n8k4, Shape { m: 8, n: 8, k: 4 }),
    (Mod::M8n8k32, Shape { m: 8, n: 8, k: 32 }),
    (Mod::M8n8k128, Shape { m: 8, n: 8, k: 128 }),
];

impl Shape {
    /// Whether the product is computed as the transposed one.
    fn is_transposed(self) -> bool {
        self.m == 8 && self.n == 32
    }

    /// Lines of the factor that is laid out as A of `mma`, and of the one that is laid out as B.
    fn lines(self) -> (usize, usize) {
        if self.is_transposed() { (self.n, self.m) } else { (self.m, self.n) }
    }
}

/// The place of the first element of a register in its matrix. Lane `4g + t` has lines `line + g`
/// and, along a line, elements from `along + unit * t` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    along: usize,
    unit: usize,
}

/// A fragment: its layout.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    role: Role,
    shape: Shape,
    ty: MmaTy,
}

impl Fragment {
    /// Elements in a register.
    fn elements(self) -> usize {
        (32 / self.ty.bits()).max(1)
    }

    /// Whether it is laid out as A of `mma`, as B, or as C.
    fn laid_out_as(self) -> Role {
        match self.role {
            Role::A if self.shape.is_transposed() => Role::B,
            Role::B if self.shape.is_transposed() => Role::A,
            role => role,
        }
    }

    /// Whether its lines are rows of the matrix: else they are columns.
    fn lines_are_rows(self) -> bool {
        match self.role {
            Role::A => true,
            Role::B => false,
            Role::C => !self.shape.is_transposed(),
        }
    }

    /// Registers along k of a tile of a factor.
    fn steps(self) -> usize {
        self.shape.k / (4 * self.elements())
    }

    /// Registers of a tile.
    fn tile(self) -> usize {
        let (long, _) = self.shape.lines();
        match self.laid_out_as() {
            Role::A if long == 8 => self.steps(),
            Role::A => 2 * self.steps(),
            Role::B => self.steps(),
            Role::C if long == 8 => 2,
            Role::C => 4 / self.elements(),
        }
    }

    /// The place of register `r`. Registers after the last tile repeat the first ones.
    fn place(self, r: usize) -> Place {
        let (long, short) = self.shape.lines();
        let (tile, r) = (r / self.tile(), r % self.tile());
        let elements = self.elements();
        match self.laid_out_as() {
            Role::A if long == 8 => Place { line: 0, along: 4 * elements * r, unit: elements },
            Role::A => {
                let line = 8 * (r & 1) + 16 * (tile % (long / 16));
                Place { line, along: 4 * elements * (r >> 1), unit: elements }
            }
            Role::B => Place { line: 8 * (tile % (short / 8)), along: 4 * elements * r, unit: elements },
            Role::C => {
                let (rows, column) = if elements == 2 { (8 * r, 0) } else { (8 * (r >> 1), r & 1) };
                // Tiles of 16 lines below each other, or of eight columns beside each other.
                let (line, along) = if short == 8 { (16 * tile, 0) } else { (0, 8 * tile) };
                Place { line: line + rows, along: along + column, unit: 2 }
            }
        }
    }
}

/// The memory of a transfer.
struct Memory {
    space: Space,
    base: Value,
    offset: i32,
    /// Bytes between lines of memory.
    stride: Value,
    width: Width,
}

impl Lower<'_> {
    /// Lowers a `wmma` instruction.
    pub(crate) fn wmma(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let shape = SHAPES.iter().find(|(m, _)| body.has(inst, *m)).map(|s| s.1);
        let Some(shape) = shape else { return not_yet() };
        self.f.wmma = true;
        match body.op(inst) {
            Op::WmmaMma => self.wmma_product(inst, shape),
            op => self.wmma_transfer(inst, shape, op == Op::WmmaLoad),
        }
    }

    fn wmma_product(&mut self, inst: InstId, shape: Shape) -> Result<(), Reason> {
        let body = self.input.body;
        let [d, a, c] = match *body.types(inst) {
            [d, c] => [d, Ty::F16, c],
            [d, a, _, c] => [d, a, c],
            _ => return not_yet(),
        };
        let fragments = [a, a, c];
        let (d, a, c) = (mma_type(d)?, mma_type(a)?, mma_type(c)?);
        let sat = self.clamping(inst);
        if sat == Sat::Yes && d != MmaTy::S32 {
            return unsupported(".satfinite of floating-point types");
        }
        let mut pieces = [const { Vec::new() }; 3];
        for (index, list) in (1..).zip(&mut pieces) {
            for part in self.parts(body.operand(inst, index)) {
                self.push_pieces(part, fragments[index - 1], list)?;
            }
        }
        let [of_a, of_b, of_c] = pieces;
        let (long_pieces, short_pieces) = if shape.is_transposed() { (of_b, of_a) } else { (of_a, of_b) };
        // Products with C or D of f32 are products of f32; the other is converted.
        let sum = if d == c { d } else { MmaTy::F32 };
        let of_c = if c == sum { of_c } else { self.halves_to_single(&of_c) };
        let results = self.wmma_tiles(inst, (shape, a, sum, sat), [&long_pieces, &short_pieces, &of_c])?;
        let results = if d == sum { results } else { self.single_to_halves(&results) };
        let parts = self.parts(body.operand(inst, 0));
        if results.len() != parts.len() && results.len() != 2 * parts.len() {
            return unsupported(format!("{} registers for operand 0, {} expected", parts.len(), results.len()));
        }
        self.set_pieces(&parts, &results)
    }

    /// The products of tiles.
    fn wmma_tiles(
        &mut self,
        inst: InstId,
        (shape, a, sum, sat): (Shape, MmaTy, MmaTy, Sat),
        [long, short, c]: [&[Value]; 3],
    ) -> Result<Vec<Value>, Reason> {
        let words = a.bits().div_ceil(32).max(1);
        let fragment = |role, ty| Fragment { role, shape, ty };
        let (as_a, as_b) = if shape.is_transposed() { (Role::B, Role::A) } else { (Role::A, Role::B) };
        let (tile_a, tile_b) = (fragment(as_a, a).tile() * words, fragment(as_b, a).tile() * words);
        let tile_c = fragment(Role::C, sum).tile() * sum.bits().div_ceil(32).max(1);
        let (long_lines, short_lines) = shape.lines();
        let (rows, columns) = ((long_lines / 16).max(1), short_lines / 8);
        if long.len() < rows * tile_a || short.len() < columns * tile_b || c.len() != rows * columns * tile_c {
            return unsupported("another number of registers");
        }
        let rnd = self.mma_rounding(inst);
        let kind = match a {
            MmaTy::B1 if self.input.body.has(inst, Mod::And) => MmaKind::And,
            MmaTy::B1 => MmaKind::Xor,
            _ => MmaKind::Dense,
        };
        let mma = |shape| I::Mma(Mma { shape, d: sum, a, b: a, sat, rnd, kind });
        let mut results = Vec::with_capacity(c.len());
        for (n, c) in c.chunks_exact(tile_c).enumerate() {
            let (row, column) = if columns == 1 { (n, 0) } else { (0, n) };
            let (long, short) = (&long[row * tile_a..][..tile_a], &short[column * tile_b..][..tile_b]);
            let mut all: Vec<Value> = c.to_vec();
            if a == MmaTy::Tf32 {
                // Two products of four columns each ("ptxas 13.0.88 output").
                for step in 0..2 {
                    let args = [&long[2 * step..2 * step + 2], &short[step..=step], &all].concat();
                    all = self.emit_many(mma(MmaShape::M16n8k4), &args, &vec![Width::B32; c.len()]).to_vec();
                }
            } else {
                let small = match (shape.k, a) {
                    (4, _) => MmaShape::M8n8k4,
                    (32, _) => MmaShape::M8n8k32,
                    (128, _) => MmaShape::M8n8k128,
                    _ => MmaShape::M16n8k16,
                };
                let args = [long, short, &all].concat();
                all = self.emit_many(mma(small), &args, &vec![Width::B32; c.len()]).to_vec();
            }
            results.extend(all);
        }
        Ok(results)
    }

    fn halves_to_single(&mut self, pieces: &[Value]) -> Vec<Value> {
        let mut out = Vec::with_capacity(2 * pieces.len());
        for &piece in pieces {
            let halves = self.emit_many(I::Unpack, &[piece], &[Width::B16, Width::B16]);
            for half in halves {
                out.push(self.emit(I::Cvt(Cty::F32, Cty::F16, CvtRnd::None, Ftz::No, Sat::No), &[half], Width::B32));
            }
        }
        out
    }

    fn single_to_halves(&mut self, pieces: &[Value]) -> Vec<Value> {
        let pairs = pieces.chunks_exact(2);
        pairs.map(|p| self.emit(I::CvtPack(Cty::F16x2, CvtRnd::Rn, Sat::No), &[p[1], p[0]], Width::B32)).collect()
    }

    /// Lowers `wmma.load` and `wmma.store`.
    fn wmma_transfer(&mut self, inst: InstId, shape: Shape, loads: bool) -> Result<(), Reason> {
        let body = self.input.body;
        let Some(&ty) = body.types(inst).last() else { return not_yet() };
        let role = match body.one_of(inst, &[Mod::A, Mod::B]) {
            Some(Mod::A) => Role::A,
            Some(_) => Role::B,
            None => Role::C,
        };
        let fragment = Fragment { role, shape, ty: mma_type(ty)? };
        let parts = self.parts(body.operand(inst, usize::from(!loads)));
        let memory = self.wmma_memory(inst, fragment, loads)?;
        // Whether lines of the fragment are lines of memory.
        let straight = body.has(inst, Mod::Row) == fragment.lines_are_rows();
        let places: Vec<Place> = (0..parts.len()).map(|r| fragment.place(r)).collect();
        if !loads {
            return self.wmma_store(fragment, straight, &memory, &parts, &places);
        }
        let mut values: Vec<Value> = Vec::with_capacity(parts.len());
        for (r, place) in places.iter().enumerate() {
            match places[..r].iter().position(|p| p == place) {
                Some(earlier) => values.push(values[earlier]),
                None if values.len() > r => {}
                None => self.wmma_load(fragment, straight, &memory, (&places, r), &mut values)?,
            }
        }
        for (part, value) in parts.into_iter().zip(values) {
            self.set_operand(Some(part), value)?;
        }
        Ok(())
    }

    /// Address and distance of lines.
    fn wmma_memory(&mut self, inst: InstId, fragment: Fragment, loads: bool) -> Result<Memory, Reason> {
        let body = self.input.body;
        let (space, base, offset) = self.address(inst, usize::from(loads))?;
        let width = self.f.width(base);
        let Shape { m, n, k } = fragment.shape;
        let (rows, columns) = match fragment.role {
            Role::A => (m, k),
            Role::B => (k, n),
            Role::C => (m, n),
        };
        let stride = match body.operand(inst, 2) {
            Some(operand) => self.value(operand, Ty::U32)?,
            None => {
                let elements = if body.has(inst, Mod::Row) { columns } else { rows };
                self.constant(elements as u64, Width::B32)
            }
        };
        let bits = fragment.ty.bits() as u64;
        let stride = self.resize(stride, width, Sign::U);
        let stride = if bits >= 8 {
            let bytes = self.constant(bits / 8, width);
            self.emit(I::Mul, &[stride, bytes], width)
        } else {
            let shift = self.constant((8 / bits).ilog2().into(), Width::B32);
            self.emit(I::Shr(Sign::U), &[stride, shift], width)
        };
        Ok(Memory { space, base, offset, stride, width })
    }

    /// The address of an element: `line` and `along` in memory, for each lane those of its group
    /// (of eight lanes) or of its place in the group (of four) times a factor.
    fn element_address(&mut self, memory: &Memory, ty: MmaTy, line: Index, along: Index) -> (Value, i32) {
        let width = memory.width;
        let lane_line = self.index(line, width);
        let lines = self.emit(I::Mul, &[lane_line, memory.stride], width);
        let mut address = self.emit(I::Add, &[memory.base, lines], width);
        let lane_along = self.index(Index { constant: 0, ..along }, width);
        let bytes = if ty.bits() >= 8 {
            let size = self.constant(ty.bits() as u64 / 8, width);
            self.emit(I::Mul, &[lane_along, size], width)
        } else {
            let shift = self.constant((8 / ty.bits() as u64).ilog2().into(), Width::B32);
            self.emit(I::Shr(Sign::U), &[lane_along, shift], width)
        };
        address = self.emit(I::Add, &[address, bytes], width);
        (address, memory.offset + (along.constant * ty.bits() / 8) as i32)
    }

    /// An index that depends on the lane.
    fn index(&mut self, index: Index, width: Width) -> Value {
        let lane = self.emit(I::Special(Special::LaneId), &[], Width::B32);
        let own = if index.of_group {
            let two = self.constant(2, Width::B32);
            self.emit(I::Shr(Sign::U), &[lane, two], Width::B32)
        } else {
            let three = self.constant(3, Width::B32);
            let place = self.emit(I::And, &[lane, three], Width::B32);
            let factor = self.constant(index.factor as u64, Width::B32);
            self.emit(I::Mul, &[place, factor], Width::B32)
        };
        let constant = self.constant(index.constant as u64, Width::B32);
        let sum = self.emit(I::Add, &[own, constant], Width::B32);
        self.resize(sum, width, Sign::U)
    }

    /// Loads register `r`, and those after it that are adjacent in memory.
    fn wmma_load(
        &mut self,
        fragment: Fragment,
        straight: bool,
        memory: &Memory,
        (places, r): (&[Place], usize),
        values: &mut Vec<Value>,
    ) -> Result<(), Reason> {
        let (ty, place) = (fragment.ty, places[r]);
        let group = Index { of_group: true, factor: 1, constant: place.line };
        let along = Index { of_group: false, factor: place.unit, constant: place.along };
        let mty = if ty == MmaTy::F64 { Mty::B64 } else { Mty::B32 };
        if straight {
            let pair = adjacent(fragment, places, r);
            let (address, offset) = self.element_address(memory, ty, group, along);
            let mem = access(memory.space, mty, if pair { 2 } else { 1 }, offset);
            let widths = vec![mty.width(); usize::from(mem.count)];
            values.extend(self.emit_many(I::Load(mem), &[address], &widths));
            return Ok(());
        }
        let value = match ty.bits() {
            32 | 64 => {
                let (address, offset) = self.element_address(memory, ty, along, group);
                self.emit(I::Load(access(memory.space, mty, 1, offset)), &[address], mty.width())
            }
            16 => {
                // Loaded as the transposed matrix, and transposed.
                let (line, across) = crossed(place);
                let (address, offset) = self.element_address(memory, ty, line, across);
                let v = self.emit(I::Load(access(memory.space, Mty::B32, 1, offset)), &[address], Width::B32);
                self.emit(I::MovMatrix, &[v], Width::B32)
            }
            8 => self.load_bytes(memory, ty, (along, group)),
            _ => return unsupported("fragments of less than a byte in this layout"),
        };
        values.push(value);
        Ok(())
    }

    /// A register of four bytes in different lines of memory.
    fn load_bytes(&mut self, memory: &Memory, ty: MmaTy, (along, group): (Index, Index)) -> Value {
        let mut word = None;
        for e in 0..4 {
            let line = Index { constant: along.constant + e, ..along };
            let (address, offset) = self.element_address(memory, ty, line, group);
            let byte = self.emit(I::Load(access(memory.space, Mty::U8, 1, offset)), &[address], Mty::U8.width());
            let byte = self.resize(byte, Width::B32, Sign::U);
            let shift = self.constant(8 * e as u64, Width::B32);
            let byte = if e == 0 { byte } else { self.emit(I::Shl, &[byte, shift], Width::B32) };
            word = Some(word.map_or(byte, |word| self.emit(I::Or, &[word, byte], Width::B32)));
        }
        word.unwrap_or_else(|| self.constant(0, Width::B32))
    }

    fn wmma_store(
        &mut self,
        fragment: Fragment,
        straight: bool,
        memory: &Memory,
        parts: &[Operand],
        places: &[Place],
    ) -> Result<(), Reason> {
        let ty = fragment.ty;
        let (mty, of) = if ty == MmaTy::F64 { (Mty::B64, Ty::B64) } else { (Mty::B32, Ty::B32) };
        let mut done = 0;
        for (r, place) in places.iter().enumerate() {
            if r < done {
                continue;
            }
            let group = Index { of_group: true, factor: 1, constant: place.line };
            let along = Index { of_group: false, factor: place.unit, constant: place.along };
            let mut args = Vec::with_capacity(3);
            done = r + if straight && adjacent(fragment, places, r) { 2 } else { 1 };
            for &part in &parts[r..done] {
                args.push(self.value(part, of)?);
            }
            let (address, offset) = match (straight, ty.bits()) {
                (true, _) => self.element_address(memory, ty, group, along),
                (false, 32 | 64) => self.element_address(memory, ty, along, group),
                (false, 16) => {
                    let (line, across) = crossed(*place);
                    args[0] = self.emit(I::MovMatrix, &args[..1], Width::B32);
                    self.element_address(memory, ty, line, across)
                }
                _ => return unsupported("results of this type in this layout"),
            };
            args.insert(0, address);
            self.emit_many(I::Store(access(memory.space, mty, (done - r) as u8, offset)), &args, &[]);
        }
        Ok(())
    }
}

/// An index of a lane: that of its group, or of its place in the group times a factor, and a
/// constant.
#[derive(Clone, Copy)]
struct Index {
    of_group: bool,
    factor: usize,
    constant: usize,
}

/// Line and place in it of the transposed matrix of 16-bit elements.
fn crossed(place: Place) -> (Index, Index) {
    let line = Index { of_group: true, factor: 1, constant: place.along };
    (line, Index { of_group: false, factor: 2, constant: place.line })
}

/// Whether register `r` and the next one are adjacent in a line.
fn adjacent(fragment: Fragment, places: &[Place], r: usize) -> bool {
    let next = Place { along: places[r].along + 1, ..places[r] };
    fragment.role == Role::C && fragment.elements() == 1 && places.get(r + 1) == Some(&next)
}

pub(crate) fn access(space: Space, ty: Mty, count: u8, offset: i32) -> Mem {
    Mem {
        space,
        ty,
        count,
        order: Order::Weak,
        scope: Scope::None,
        cache: Cache::None,
        prefetch: Prefetch::None,
        offset,
    }
}
