//! Debug information of modules besides lines: debug sections of the PTX, and its text (DRV-19).

use raddle_cubin::unit::SourceFile;

/// The debug information to write for a module.
#[derive(Clone, Debug, Default)]
pub struct DebugModule {
    /// The number of the module, as in
    /// [`UnitObject::module`](raddle_cubin::unit::UnitObject::module).
    pub module: u32,
    /// Its files as numbered by `.file`: `DW_AT_decl_file` refers to these numbers.
    pub files: Vec<(u32, SourceFile)>,
    /// Its debug sections.
    pub sections: Vec<DebugSection>,
    /// Its lines, each terminated by a NUL: `.nv_debug_ptx_txt`.
    pub text: Vec<u8>,
}

/// A debug section of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugSection {
    /// Name with its dot.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Fields to fill with addresses.
    pub references: Vec<Reference>,
}

/// A field to fill with an address.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Byte offset in the section.
    pub offset: u64,
    /// Width of the field: 4 or 8 bytes.
    pub width: u8,
    /// The object whose address is stored.
    pub to: Referent,
    /// A referent in the same function or section, whose address is subtracted.
    pub minus: Option<Referent>,
    /// Added to the address.
    pub addend: i64,
}

/// The referent of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referent {
    /// A byte offset in the module's part of a debug section.
    Section(String, u64),
    /// A function or variable, by its name in the module.
    Symbol(String),
    /// A byte offset in the code of a function; the length of the code is the end of its section.
    Code(String, u32),
}

impl DebugModule {
    /// The name of the section with its lines. Linkers merge sections of one name, so it includes a
    /// number computed from the text, as in objects of ptxas 13.0.88.
    pub(crate) fn text_section(&self) -> String {
        // FNV-1a.
        let mix = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        format!(".nv_debug_ptx_txt.{}", self.text.iter().fold(0x811c_9dc5, mix))
    }

    /// Its part of `.debug_str`, which also holds names of inlined functions.
    pub(crate) fn strings(&self) -> &[u8] {
        self.sections.iter().find(|s| s.name == STRINGS).map_or(&[], |s| &s.bytes)
    }
}

/// Sections that are generated with the line tables.
pub(crate) const STRINGS: &str = ".debug_str";
/// A section that is generated with the line tables.
pub(crate) const LINE: &str = ".debug_line";
