//! Debug information of a unit: the source places of instructions, and the places of names inside
//! functions.

/// The places of names inside a function that debug sections refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugPlaces {
    /// Labels with byte offsets in the code; the end has the length of
    /// [`code`](super::Function::code).
    pub labels: Vec<(String, u32)>,
    /// Variables in the frame.
    pub locals: Vec<Local>,
    /// Other variables of the body, with their symbol names.
    pub symbols: Vec<(String, String)>,
    /// The machine registers that hold values of PTX registers.
    pub registers: Vec<RegisterRange>,
}

/// Code in which a machine register holds 32 bits of a PTX register's value, or its predicate
/// ([`crate::registers`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegisterRange {
    /// Name of the PTX register.
    pub name: String,
    /// Its type ([`crate::registers::kind`]).
    pub kind: u8,
    /// Which 32 bits of it, low first.
    pub part: u8,
    /// The machine register, with its class in the highest byte.
    pub register: u32,
    /// Byte offset in the code of the first instruction before which the register holds the value.
    pub from: u32,
    /// Byte offset of the first instruction after that before which it does not.
    pub to: u32,
}

/// A variable in the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name in the PTX.
    pub name: String,
    /// Bytes from the canonical frame address, R1 at the function's entry.
    pub offset: i64,
    /// Whether the offset is relative to R1 after the prologue instead: the frame is aligned to
    /// more than callers promise.
    pub relative_to_sp: bool,
}

/// The source places of a function's instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Places of instructions, each valid up to the next one's offset, sorted by offset.
    pub rows: Vec<LineRow>,
    /// Places in the program's sources; a call precedes what is inlined at it.
    pub places: Vec<SourcePlace>,
    /// The files of the places.
    pub files: Vec<SourceFile>,
}

/// The place of the instructions from `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// Byte offset in the code.
    pub offset: u32,
    /// Index into [`Lines::places`]; `None` without a `.loc`.
    pub place: Option<u32>,
    /// Line in the PTX text, from 1; 0 unknown.
    pub ptx_line: u32,
}

/// A place in the program's sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePlace {
    /// Index into [`Lines::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 unknown.
    pub column: u32,
    /// The inlined function that contains it, and the place of the call: an index below its own.
    pub inlined: Option<(String, u32)>,
}

/// A source file as `.file` declares it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceFile {
    /// Path as written.
    pub path: String,
    /// Time stamp and size in bytes; 0 unknown.
    pub stamp: (u64, u64),
}
