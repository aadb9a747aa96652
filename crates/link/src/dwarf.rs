//! What modules say for debuggers besides lines: debug sections of the PTX, and its text (DRV-19).

use raddle_cubin::unit::SourceFile;

/// What is to be written of a module with debug information.
#[derive(Clone, Debug, Default)]
pub struct DebugModule {
    /// Its number, as [`UnitObject::module`](raddle_cubin::unit::UnitObject::module).
    pub module: u32,
    /// Its files as `.file` numbers them: `DW_AT_decl_file` names these.
    pub files: Vec<(u32, SourceFile)>,
    /// Its debug sections.
    pub sections: Vec<DebugSection>,
    /// Its lines, each with a NUL behind it: `.nv_debug_ptx_txt`.
    pub text: Vec<u8>,
}

/// A debug section of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugSection {
    /// Name with its dot.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// What addresses fill in.
    pub references: Vec<Reference>,
}

/// A field that holds an address.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Byte in the section.
    pub offset: u64,
    /// 4 or 8 bytes.
    pub width: u8,
    /// Of what.
    pub to: Referent,
    /// Less the address of this, which is in the same function or section.
    pub minus: Option<Referent>,
    /// Added to the address.
    pub addend: i64,
}

/// What has an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referent {
    /// A byte of the module's part of a debug section.
    Section(String, u64),
    /// A function or variable as the module calls it.
    Symbol(String),
    /// A byte of a function; the length of its code is the end of its section.
    Code(String, u32),
}

impl DebugModule {
    /// The section with its lines. Linkers put sections of one name together: the name has a number made from the text, as ptxas 13.0.88
    /// writes it into objects.
    pub(crate) fn text_section(&self) -> String {
        // FNV-1a.
        let mix = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        format!(".nv_debug_ptx_txt.{}", self.text.iter().fold(0x811c_9dc5, mix))
    }

    /// Its part of `.debug_str`, which names of inlined functions are in, too.
    pub(crate) fn strings(&self) -> &[u8] {
        self.sections.iter().find(|s| s.name == STRINGS).map_or(&[], |s| &s.bytes)
    }
}

/// The sections that are made with the line tables.
pub(crate) const STRINGS: &str = ".debug_str";
/// As above.
pub(crate) const LINE: &str = ".debug_line";
