//! Where the elements of a matrix are in the registers of a warp (PTX ISA 9.0, 9.7.14.5).
//!
//! In the formulas a lane is in group `g` (of eight) at place `t` (of four), and a register holds
//! `e` elements: A has rows by groups and `e` neighbours in k at each place; B is its mirror image.

/// The operand of a multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The left matrix: m by k.
    A,
    /// The right matrix: k by n.
    B,
    /// Accumulator and result: m by n.
    C,
}

/// How the elements are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `mma` with m16n8 and m8n8 shapes, and `wmma` with m8n8 shapes.
    Plain,
    /// `mma.m8n8k4` of binary16: four products, each in two groups of four lanes. A group's matrices
    /// are below each other, or beside each other for B. With `major`, A is by columns, B by rows.
    Quads {
        /// Whether the operand is stored along the other dimension than usual.
        major: bool,
    },
    /// `wmma` with m16n16, m32n8 and m8n32 shapes: tiles of an `mma`. PTX leaves it open; this is
    /// what ptxas 13.0.88 does.
    Tiles,
}

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of A and C.
    pub m: u32,
    /// Columns of B and C.
    pub n: u32,
    /// Columns of A, rows of B.
    pub k: u32,
}

impl Shape {
    /// Parses `m16n8k16`.
    pub fn parse(text: &str) -> Option<Shape> {
        let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some(Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? })
    }
}

/// The layout of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Which operand.
    pub role: Role,
    /// The shape of the multiplication.
    pub shape: Shape,
    /// Bits of a register: 32 or 64.
    pub register: u32,
    /// Bits of an element.
    pub element: u32,
    /// How elements are spread.
    pub scheme: Scheme,
}

impl Fragment {
    /// Elements in a register.
    pub const fn elements(&self) -> u32 {
        self.register / self.element
    }

    /// Rows and columns of the matrix; of all four for [`Scheme::Quads`].
    pub const fn extent(&self) -> (u32, u32) {
        let Shape { m, n, k } = self.shape;
        let groups = if matches!(self.scheme, Scheme::Quads { .. }) { 4 } else { 1 };
        match self.role {
            Role::A => (m * groups, k),
            Role::B => (k, n * groups),
            Role::C => (m * groups, n),
        }
    }

    /// Returns row and column of an element of a register of a lane.
    pub const fn place(&self, lane: u32, register: u32, element: u32) -> (u32, u32) {
        match self.scheme {
            Scheme::Plain => self.plain(lane, register, element),
            Scheme::Quads { major } => self.quads(lane, register * self.elements() + element, major),
            Scheme::Tiles => self.tiles(lane, register, element),
        }
    }

    const fn plain(&self, lane: u32, r: u32, e: u32) -> (u32, u32) {
        match self.role {
            Role::A if self.shape.m == 8 => (lane >> 2, self.along(lane, r, e)),
            Role::A => ((lane >> 2) + 8 * (r & 1), self.along(lane, r >> 1, e)),
            Role::B => (self.along(lane, r, e), lane >> 2),
            Role::C => self.accumulator(lane, r, e),
        }
    }

    /// The place in k of an element of the `step`th register along it.
    const fn along(&self, lane: u32, step: u32, e: u32) -> u32 {
        self.elements() * ((lane & 3) + 4 * step) + e
    }

    /// The accumulator of m16n8 and m32n8.
    const fn accumulator(&self, lane: u32, r: u32, e: u32) -> (u32, u32) {
        let (g, t) = (lane >> 2, lane & 3);
        if self.elements() == 2 { (g + 8 * r, 2 * t + e) } else { (g + 8 * (r >> 1), 2 * t + (r & 1)) }
    }

    const fn quads(&self, lane: u32, i: u32, major: bool) -> (u32, u32) {
        let (group, high, t) = (lane >> 2 & 3, 4 * (lane >> 4), lane & 3);
        let (row, column) = match self.role {
            Role::A if major => (i + high, t),
            Role::A => (t + high, i),
            Role::B if major => (t, i + high),
            Role::B => (i, t + high),
            Role::C if self.element == 16 => (t + high, i),
            Role::C => ((t & 1) + (i & 2) + high, (i & 4) + (t & 2) + (i & 1)),
        };
        match self.role {
            Role::B => (row, column + 8 * group),
            Role::A | Role::C => (row + 8 * group, column),
        }
    }

    /// The operand with tiles of 16 is laid out as A, the other as B: m8n32 is computed transposed.
    /// Registers after the last tile repeat the first ones.
    const fn tiles(&self, lane: u32, r: u32, e: u32) -> (u32, u32) {
        let Shape { m, n, k } = self.shape;
        let transposed = m == 8;
        let (long, short) = if transposed { (n, m) } else { (m, n) };
        // Registers of an operand along k.
        let steps = k / (4 * self.elements());
        let role = match self.role {
            Role::A if transposed => Role::B,
            Role::B if transposed => Role::A,
            role => role,
        };
        let (row, column) = match role {
            Role::A => {
                let (tile, r) = (r / (2 * steps), r % (2 * steps));
                let row = (lane >> 2) + 8 * (r & 1) + 16 * (tile % (long / 16));
                (row, self.along(lane, r >> 1, e))
            }
            Role::B => {
                let (tile, r) = (r / steps, r % steps);
                (self.along(lane, r, e), (lane >> 2) + 8 * (tile % (short / 8)))
            }
            Role::C if short == 8 => self.accumulator(lane, r, e),
            Role::C => {
                let each = 4 / self.elements();
                let (row, column) = self.accumulator(lane, r % each, e);
                (row, column + 8 * (r / each))
            }
        };
        if transposed { (column, row) } else { (row, column) }
    }
}

/// The sparse A of `mma.sp`: which of the dense columns a kept element has (PTX ISA 9.0, 9.7.14.6;
/// the bits as the code of ptxas 13.0.88 for sm_100 sorts them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse {
    /// Bits of an element.
    pub element: u32,
    /// Registers of A.
    pub registers: u32,
    /// Which lanes of each group of four hold the metadata.
    pub selector: u32,
    /// Whether the two indices must rise.
    pub ordered: bool,
}

impl Sparse {
    /// Returns the lane whose metadata a register of a lane uses, the first of the bits and their
    /// number.
    const fn bits(&self, lane: u32, r: u32) -> (u32, u32, u32) {
        let (t, whole) = (lane & 3, self.registers == 4);
        let (place, shift, bits) = match self.element {
            8 | 4 if whole => (r, 8 * t, 8),
            8 | 4 => (2 * self.selector + (r & 1), 8 * t, 8),
            _ if whole => (2 * self.selector + (r >> 1), 4 * (t + 4 * (r & 1)), 4),
            _ => (self.selector, 4 * (t + 4 * (r & 1)), 4),
        };
        ((lane & !3) + (place & 3), shift, bits)
    }

    /// Returns the lane whose metadata a register of a lane uses, and a mask of its bits.
    pub const fn metadata(&self, lane: u32, r: u32) -> (u32, u64) {
        let (from, shift, bits) = self.bits(lane, r);
        (from, ((1 << bits) - 1) << shift)
    }

    /// Returns row and dense column of a kept element, by the metadata of each lane; the column is
    /// `None` if the metadata is invalid.
    pub fn place(&self, lane: u32, r: u32, e: u32, metadata: &[u32; 32]) -> (u32, Option<u32>) {
        let kept = 32 / self.element;
        let row = (lane >> 2) + 8 * (r & 1);
        let first = 2 * kept * ((lane & 3) + 4 * (r >> 1));
        let (from, shift, _) = self.bits(lane, r);
        let word = metadata[from as usize] >> shift;
        // Two indices choose two of four elements, one of two of 32 bits, two pairs of 4 bits.
        let each = if self.element == 4 { 4 } else { kept.min(2) };
        let (chunk, inside) = (e / each, e % each);
        let nibble = word >> (4 * chunk) & 15;
        let (low, high) = (nibble & 3, nibble >> 2);
        let column = match self.element {
            32 if nibble == 0b0100 => Some(0),
            32 if nibble == 0b1110 => Some(1),
            32 => None,
            _ if low == high || self.ordered && low > high => None,
            4 => Some(2 * [low, high][inside as usize / 2] + inside % 2),
            _ => Some([low, high][inside as usize]),
        };
        (row, column.map(|column| first + chunk * 2 * each + column))
    }
}
