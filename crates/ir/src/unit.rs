//! The input of code generation: one function and the variables it refers to.

use crate::Space;
use crate::func::Function;

/// The linkage of a symbol (PTX ISA 9.0, 11.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Visible in its module only.
    Module,
    /// Visible in all modules.
    Visible,
    /// Visible in all modules; the linker keeps any one definition.
    Weak,
    /// Visible in all modules; the linker keeps the largest definition.
    Common,
}

/// Initial contents of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// These bytes.
    Bytes(Vec<u8>),
    /// This many zero bytes.
    Zero(u64),
    /// Defined in another module; the size in bytes as declared, 0 if not declared.
    Extern(u64),
}

/// A relocation of initial contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataReloc {
    /// Byte offset.
    pub offset: u32,
    /// The symbol whose 64-bit address is stored, or a byte of it.
    pub symbol: String,
    /// The addend.
    pub addend: i64,
    /// Whether the generic address is stored (`generic(x)`).
    pub generic: bool,
    /// The byte of the address that is stored, 0 to 7 (`0xFF00(x)` is 1), if not all are.
    pub byte: Option<u8>,
}

/// A variable in global or constant memory, or in shared memory if the linker allocates it.
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
    /// Relocations of the contents.
    pub relocs: Vec<DataReloc>,
    /// Whether host and device share it (`.attribute(.managed)`, PTX ISA 9.0, 5.4.8); the driver
    /// implements that.
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
    /// The functions that it names, including itself, with the text of their types; empty unless
    /// functions are called.
    pub types: Vec<(String, String)>,
    /// Types of the functions that it calls by address.
    pub indirect: Vec<String>,
    /// Other names of the function (`.alias`).
    pub aliases: Vec<String>,
    /// Names for debug sections; `None` unless requested.
    pub debug: Option<DebugNames>,
}

/// Names inside a function to which debug sections refer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugNames {
    /// Labels, each with the byte offset in the PTX function of the next instruction; `None` at the
    /// end.
    pub labels: Vec<(String, Option<u32>)>,
    /// Variables of the body, each with the name of its slot, or of its symbol if the linker
    /// allocates it.
    pub variables: Vec<(String, String)>,
    /// Registers by number. The registers of a vector are numbered one after the other.
    pub registers: Vec<RegisterName>,
}

/// The name of a PTX register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterName {
    /// Its name; that of the vector for a component.
    pub name: String,
    /// Its type, without the dot; that of an element for a component.
    pub ty: &'static str,
    /// The number of elements of the vector; 1 for other registers.
    pub width: u8,
    /// Which of them it is.
    pub component: u8,
}
