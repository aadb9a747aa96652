//! Relocations in machine code.

/// The target of a relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MTarget {
    /// A symbol.
    Sym(raddle_ir::Sym),
    /// A shared variable.
    Slot(raddle_ir::Slot),
    /// The function's own constant pool.
    Pool,
    /// The return address of the next call.
    Behind,
    /// The same from the start of the function, which layout fills in.
    Offset,
}

/// A relocation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MReloc {
    /// The kind: which bits of the address go where.
    pub kind: raddle_cubin::unit::RelocKind,
    /// The target.
    pub of: MTarget,
    /// The addend.
    pub addend: i64,
}
