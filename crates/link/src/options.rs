//! Options of an executable, and ELF facts per architecture, container and debug mode: a table,
//! like all facts of architectures (decision D14). The container of CUDA 13 is the default
//! (decision D26).

use raddle_target::{Isa, Target};

use crate::dwarf::DebugModule;

/// The version of the cubin container.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Container {
    /// CUDA 13: `EI_OSABI` 0x41, `EI_ABIVERSION` 8 (ptxas 13.0.88 output).
    #[default]
    New,
    /// CUDA 12 and before: `EI_OSABI` 0x33, `EI_ABIVERSION` 7; for the GPU load matrix only.
    Old,
}

/// The debug information in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Debug {
    /// None.
    #[default]
    None,
    /// Line numbers (`-lineinfo`).
    Lines,
}

/// The producer of the file, for the toolkit note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolNote<'a> {
    /// Program name.
    pub name: &'a str,
    /// Version text.
    pub version: &'a str,
    /// Build text.
    pub build: &'a str,
    /// The options that affect the generated code, in canonical form.
    pub arguments: &'a str,
}

/// Options of [`crate::finalize`].
#[derive(Clone, Copy, Debug)]
pub struct FinalizeOptions<'a> {
    /// The architecture of all units.
    pub target: &'static Target,
    /// SM number of the PTX's `.target` ("CUDA Virtual SM" in the information note); that of the
    /// target if `None`.
    pub virtual_sm: Option<u16>,
    /// Container.
    pub container: Container,
    /// Debug information.
    pub debug: Debug,
    /// Debug information of modules besides lines; only in relocatable objects.
    pub modules: &'a [DebugModule],
    /// Symbols that are local in the file, whatever the linkage of their definitions: sorted names.
    pub locals: &'a [String],
    /// The toolkit note; not written if `None`.
    pub tool: Option<ToolNote<'a>>,
}

impl FinalizeOptions<'_> {
    /// The new container for `target`, without debug information, with Raddle's own note without
    /// arguments.
    pub fn new(target: &'static Target) -> Self {
        let tool = ToolNote {
            name: "raddle",
            version: concat!("Raddle ", env!("CARGO_PKG_VERSION")),
            build: "",
            arguments: "",
        };
        let (container, debug) = (Container::New, Debug::None);
        Self { target, virtual_sm: None, container, debug, modules: &[], locals: &[], tool: Some(tool) }
    }
}

/// ELF facts of one architecture in one container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// `EI_OSABI`.
    pub os_abi: u8,
    /// `EI_ABIVERSION`.
    pub abi_version: u8,
    /// `e_version`.
    pub version: u32,
    /// `e_flags`.
    pub flags: u32,
    /// The top byte of `e_flags` is the number of the section `.note.nv.cuinfo`: 6 in plain files,
    /// 9 with the three sections of line information (ptxas 13.0.88 output; cuobjdump refuses a
    /// file for sm_90 with any other value).
    pub note_in_flags: bool,
    /// Relocations carry addends (RELA).
    pub rela: bool,
    /// `sh_info` of `.text` has the register count in its top byte.
    pub registers_in_header: bool,
    /// `.nv.compat` is written.
    pub compat: bool,
    /// `.note.nv.*` are written.
    pub notes: bool,
    /// `.nv.rel.action` is written.
    pub rel_action: bool,
    /// Sections of constant bank 0 come last, after memory, and the reserved shared section exists.
    pub hopper_order: bool,
    /// Style of the segments.
    pub segments: raddle_cubin::SegmentStyle,
    /// The `SW_WAR` attribute's bits, 0 for none.
    pub sw_war: u32,
    /// The unnamed attribute 0x35 is written.
    pub sw_war_sm80: bool,
    /// The value of the unnamed attribute 0x5f.
    pub x5f: u16,
    /// Bytes at the start of shared memory that are reserved for the system; counted in
    /// `.nv.shared`.
    pub shared_base: u32,
}

/// The row for `options`. Facts: ptxas 13.0.88 output for the new container, CUDA 12 files for the
/// old one.
pub(crate) fn format(options: &FinalizeOptions<'_>, native: &raddle_target::Native) -> Format {
    use raddle_cubin::SegmentStyle;
    let sm = u32::from(options.target.sm);
    let hopper = native.isa >= Isa::Sm90;
    let new = Format {
        os_abi: 0x41,
        abi_version: 8,
        version: 1,
        flags: native.eflags & 0x00ff_ffff,
        note_in_flags: true,
        rela: native.rela,
        registers_in_header: !hopper,
        compat: hopper,
        notes: true,
        rel_action: !hopper,
        hopper_order: hopper,
        segments: if hopper { SegmentStyle::HOPPER } else { SegmentStyle::AMPERE },
        sw_war: if hopper { 8 } else { 0 },
        sw_war_sm80: matches!(native.isa, Isa::Sm80 | Isa::Sm86),
        x5f: if hopper { 0x0101 } else { 0 },
        shared_base: native.shared_base,
    };
    match options.container {
        Container::New => new,
        Container::Old => Format {
            os_abi: 0x33,
            abi_version: 7,
            version: 0x80,
            flags: sm | 0x05 << 8 | sm << 16,
            note_in_flags: false,
            rela: false,
            registers_in_header: true,
            compat: false,
            notes: false,
            rel_action: true,
            hopper_order: false,
            segments: SegmentStyle::AMPERE,
            x5f: 0,
            ..new
        },
    }
}
