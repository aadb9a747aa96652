//! What an executable depends on besides its units, and the ELF facts per architecture, container and debug mode: a table, as all facts of
//! architectures are (decision D14). The container of CUDA 13 is the default (decision D26).

use raddle_target::{Isa, Target};

use crate::dwarf::DebugModule;

/// Which cubin container is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Container {
    /// CUDA 13: `EI_OSABI` 0x41, `EI_ABIVERSION` 8 (ptxas 13.0.88 output).
    #[default]
    New,
    /// CUDA 12 and before: `EI_OSABI` 0x33, `EI_ABIVERSION` 7; for the GPU load matrix only.
    Old,
}

/// What debug information the file carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Debug {
    /// None.
    #[default]
    None,
    /// Line numbers (`-lineinfo`).
    Lines,
}

/// Who made the file, for the toolkit note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolNote<'a> {
    /// Program name.
    pub name: &'a str,
    /// Version text.
    pub version: &'a str,
    /// Build text.
    pub build: &'a str,
    /// The options that shaped the code, canonical.
    pub arguments: &'a str,
}

/// How [`crate::finalize`] writes.
#[derive(Clone, Copy, Debug)]
pub struct FinalizeOptions<'a> {
    /// The architecture of all units.
    pub target: &'static Target,
    /// SM number of the PTX's `.target` ("CUDA Virtual SM" of the information note); the target's own when `None`.
    pub virtual_sm: Option<u16>,
    /// Container.
    pub container: Container,
    /// Debug information.
    pub debug: Debug,
    /// What modules say for debuggers besides lines; objects alone have it.
    pub modules: &'a [DebugModule],
    /// The toolkit note; none is written without.
    pub tool: Option<ToolNote<'a>>,
}

impl FinalizeOptions<'_> {
    /// The new container for `target`, no debug information, Raddle's own note without arguments.
    pub fn new(target: &'static Target) -> Self {
        let tool = ToolNote {
            name: "raddle",
            version: concat!("Raddle ", env!("CARGO_PKG_VERSION")),
            build: "",
            arguments: "",
        };
        Self { target, virtual_sm: None, container: Container::New, debug: Debug::None, modules: &[], tool: Some(tool) }
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
    /// The top byte of `e_flags` is the number of the section `.note.nv.cuinfo`: 6 in plain files, 9 with the three
    /// sections of line information (ptxas 13.0.88 output; cuobjdump refuses a file for sm_90 with another one).
    pub note_in_flags: bool,
    /// Relocations carry addends (RELA).
    pub rela: bool,
    /// `.text` `sh_info` has the register count in its top byte.
    pub registers_in_header: bool,
    /// `.nv.compat` is written.
    pub compat: bool,
    /// `.note.nv.*` are written.
    pub notes: bool,
    /// `.nv.rel.action` is written.
    pub rel_action: bool,
    /// Constant bank 0 sections come last, behind memory, and the reserved shared section is there.
    pub hopper_order: bool,
    /// Segments.
    pub segments: raddle_cubin::SegmentStyle,
    /// The `SW_WAR` attribute's bits, 0 for none.
    pub sw_war: u32,
    /// The unnamed attribute 0x35 is written.
    pub sw_war_sm80: bool,
    /// The unnamed attribute 0x5f's value.
    pub x5f: u16,
    /// First bytes of shared memory the system keeps; counted in `.nv.shared`.
    pub shared_base: u32,
}

/// The row of `options`. Facts: ptxas 13.0.88 output for the new container, CUDA 12 files for the old one.
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
