//! What lowering hands to code generation: one function and the variables it refers to.

use crate::Space;
use crate::func::Function;

/// Who may refer to a name (PTX ISA 9.0, 11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// The module.
    Module,
    /// Every module.
    Visible,
    /// Every module; any one definition is taken.
    Weak,
    /// Every module; the largest definition is taken.
    Common,
}

/// Initial contents of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// These bytes.
    Bytes(Vec<u8>),
    /// That many zero bytes.
    Zero(u64),
    /// Defined in another module; so many bytes as declared, 0 where the declaration does not say.
    Extern(u64),
}

/// An address inside initial bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataReloc {
    /// Byte offset.
    pub offset: u32,
    /// The name whose address is stored, 64 bits.
    pub symbol: String,
    /// Added to the address.
    pub addend: i64,
    /// `generic(x)`.
    pub generic: bool,
}

/// A variable in global or constant memory; in shared memory, where linkers give it its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Name.
    pub name: String,
    /// `Global`, `Const` or `Shared`.
    pub space: Space,
    /// Linkage.
    pub linkage: Linkage,
    /// Contents.
    pub init: Init,
    /// Alignment in bytes.
    pub align: u32,
    /// Addresses inside the contents.
    pub relocs: Vec<DataReloc>,
    /// `.attribute(.managed)` (PTX ISA 9.0, 5.4.8): host and device see one memory, which the driver sees to.
    pub managed: bool,
}

/// One compilation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The function.
    pub function: Function,
    /// Its linkage.
    pub linkage: Linkage,
    /// Variables it refers to, directly or through other variables' contents.
    pub data: Vec<Data>,
    /// Functions that it names, itself among them, and the text of the type of each; empty unless functions are called.
    pub types: Vec<(String, String)>,
    /// Types of the functions that it calls by an address.
    pub indirect: Vec<String>,
    /// Other names of the function (`.alias`).
    pub aliases: Vec<String>,
    /// What debug sections may name of the function; `None` unless that is asked for.
    pub debug: Option<DebugNames>,
}

/// Names inside a function that debug sections refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugNames {
    /// Labels, each with the byte offset in the PTX function of the instruction behind it; `None` for one at the end.
    pub labels: Vec<(String, Option<u32>)>,
    /// Variables of the body, each with the name of its slot or, where linkers place it, of its symbol.
    pub variables: Vec<(String, String)>,
}
