//! Places in machine code that the linker fills in.

/// Whose address the linker fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MTarget {
    /// That of a name.
    Sym(raddle_ir::Sym),
    /// That of a shared variable.
    Slot(raddle_ir::Slot),
    /// That of the function's own constants.
    Pool,
    /// That of the instruction behind the next call.
    Behind,
}

/// What the linker fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MReloc {
    /// What is put where.
    pub kind: raddle_cubin::unit::RelocKind,
    /// Whose address.
    pub of: MTarget,
    /// Added to it.
    pub addend: i64,
}
