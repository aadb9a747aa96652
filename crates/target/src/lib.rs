//! Facts of each SM architecture: names, PTX versions, limits, constant-bank offsets, container
//! flags.
//!
//! Problem: every crate needs the differences between architectures, and `sm >= 90` scattered
//! through a compiler cannot be checked. Strategy: architectures are data (D14). A fact that
//! differs between two architectures is a field of [`Target`], or of [`Native`] if only a code
//! generator, linker or simulator needs it.
//!
//! Invariants: rows are sorted by (`sm`, [`Variant`]); names are unique; a row with
//! [`Target::native`] can be compiled to machine code, every other row is known by name only.
#![forbid(unsafe_code)]

mod rows;

use std::fmt;

pub use rows::TARGETS;

/// A PTX ISA version, `major.minor`, as in `.version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
}

impl PtxVersion {
    /// Creates a version: `PtxVersion::new(9, 0)` is PTX ISA 9.0.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The newest PTX ISA version whose modules are read (producers emit up to 9.4).
pub const NEWEST_PTX: PtxVersion = PtxVersion::new(9, 4);

/// How portable code for a target is (PTX ISA 9.0, 11.1.2 `.target`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// `sm_90`: runs on later architectures too (as PTX).
    Base,
    /// `sm_100f`: features of a family of architectures.
    Family,
    /// `sm_90a`: features of exactly this architecture.
    Specific,
}

/// The SASS instruction set, by the architectures of `nvdisasm -b`.
///
/// sm_80, sm_86, sm_87 and sm_89 share their encodings but for a few forms; sm_90a adds `wgmma` and
/// `setmaxnreg` to sm_90.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Isa {
    /// sm_80.
    Sm80,
    /// sm_86 and sm_87.
    Sm86,
    /// sm_89.
    Sm89,
    /// sm_90.
    Sm90,
    /// sm_90a.
    Sm90a,
}

impl Isa {
    /// All instruction sets, oldest first.
    pub const ALL: [Isa; 5] = [Isa::Sm80, Isa::Sm86, Isa::Sm89, Isa::Sm90, Isa::Sm90a];

    /// Returns the instruction set of a target name (`sm_80`, `sm_90a`; `sm_87` counts as `sm_86`),
    /// or `None`.
    pub fn by_name(name: &str) -> Option<Isa> {
        let name = if name == "sm_87" { "sm_86" } else { name };
        Isa::ALL.into_iter().find(|isa| isa.name() == name)
    }

    /// Returns the target name: `sm_80` and so on. `nvdisasm -b` takes the same in capitals
    /// (nvdisasm 13.5.37).
    pub const fn name(self) -> &'static str {
        ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"][self as usize]
    }
}

/// Byte offsets in constant bank 0 of values that the driver fills before a launch ("ptxas 13.0.88
/// output").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverConstants {
    /// `%ntid.{x,y,z}`: three words.
    pub ntid: u16,
    /// `%nctaid.{x,y,z}`: three words.
    pub nctaid: u16,
    /// Generic address of the shared window (64-bit base at this offset).
    pub shared_window: u16,
    /// Generic address of the local window (64-bit base at this offset).
    pub local_window: u16,
    /// Initial stack pointer, one word: `MOV R1, c[0x0][r1_init]` opens a kernel that has a stack.
    pub r1_init: u16,
    /// Size of dynamic shared memory in bytes, one word, where known.
    pub dynamic_shared: Option<u16>,
    /// Generic address of bank 3, the module's `.const` variables (64 bits).
    pub const_window: u16,
    /// Addresses of tables that queries read: of textures, samplers, surfaces (64 bits each).
    pub texture_tables: u16,
    /// The 64-bit global-memory descriptor that `desc[UR]` operands name.
    pub global_desc: u16,
    /// First byte of the kernel's parameters.
    pub param_base: u16,
    /// First byte of the parameters of a kernel with more than [`Limits::FEW_PARAM_BYTES`] of them.
    pub many_param_base: u16,
}

impl DriverConstants {
    /// Returns the first byte of the parameters of a kernel with more than
    /// [`Limits::FEW_PARAM_BYTES`] of them (`true`), or with fewer.
    pub const fn params_at(&self, many: bool) -> u16 {
        if many { self.many_param_base } else { self.param_base }
    }
}

/// Limits of a multiprocessor (CUDA C++ Programming Guide, table "Technical Specifications per
/// Compute Capability").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Warps resident on one multiprocessor.
    pub warps_per_sm: u32,
    /// CTAs resident on one multiprocessor.
    pub ctas_per_sm: u32,
    /// Shared memory of one multiprocessor, in bytes.
    pub shared_per_sm: u32,
    /// Most shared memory a CTA can request (opt-in), in bytes.
    pub shared_per_cta: u32,
}

impl Limits {
    /// 32-bit registers of one multiprocessor.
    pub const REGISTERS_PER_SM: u32 = 65536;
    /// Partitions of a multiprocessor, over which the warps of CTAs are spread evenly; each has its
    /// share of the registers.
    pub const PARTITIONS: u32 = 4;
    /// Registers are allocated to a warp in units of this many (8 per thread).
    pub const REGISTER_UNIT: u32 = 256;
    /// Highest register count of one thread: what a kernel declares, and bounds limit.
    pub const REGISTERS_PER_THREAD: u32 = 255;
    /// Registers of a count that instructions cannot name: with a count of n, they may name R0 to
    /// R(n-3). An H200 (driver 580.159.04) ends a kernel that names more with an illegal instruction;
    /// ptxas 13.0.88 counts the same way, from sm_75 to sm_90, as does Mesa's NAK.
    pub const RESERVED_REGISTERS: u32 = 2;
    /// Most registers that instructions of one thread can name: R0 to R252.
    pub const NAMED_REGISTERS: u32 = Self::REGISTERS_PER_THREAD - Self::RESERVED_REGISTERS;
    /// Static shared memory of one CTA, in bytes ("ptxas 13.0.88 output": `0xc000 max`).
    pub const STATIC_SHARED: u32 = 0xc000;
    /// Parameter bytes of one kernel ("ptxas 13.0.88 output": `0x7ffc max`).
    pub const PARAM_BYTES: u32 = 0x7ffc;
    /// Parameter bytes that every PTX version and target allows, and that the first version of
    /// KPARAM_INFO can describe ("ptxas 13.0.88 output"). They are counted as if the first
    /// parameter were at offset zero of the bank, without padding for its alignment.
    pub const FEW_PARAM_BYTES: u32 = 4352;
    /// Threads of one CTA.
    pub const THREADS_PER_CTA: u32 = 1024;
    /// Named barriers of one CTA.
    pub const BARRIERS: u32 = 16;
    /// Lanes of one warp.
    pub const WARP: u32 = 32;
}

/// Facts of an architecture for code generation, linking and simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native {
    /// The SASS tables.
    pub isa: Isa,
    /// Constant bank 0.
    pub cbank: DriverConstants,
    /// Multiprocessor limits.
    pub limits: Limits,
    /// `e_flags` of a plain executable cubin in the new container (ptxas 13.0.88: `0x06005a04` for
    /// sm_90): top byte 6 (9 with line info, 0x0b with `-g`), bits 8 to 15 the SM number.
    pub eflags: u32,
    /// First byte of shared memory for a kernel's own variables: the bytes below are reserved by
    /// the system.
    pub shared_base: u32,
    /// Whether relocations with addends are RELA for code too (sm_90 on); sm_8x uses REL and keeps
    /// registers in `sh_info`.
    pub rela: bool,
    /// Whether lanes that are not active can run along with their quad (`BMOV.PQUAD`). Lookups with
    /// derivatives of three coordinates need that; elsewhere the driver has functions for them
    /// ("ptxas 13.0.88 output").
    pub quads: bool,
}

/// An SM architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name in `.target` and `--arch`: `sm_90a`.
    pub name: &'static str,
    /// SM number: 90 for `sm_90a`.
    pub sm: u16,
    /// Base, family or architecture specific.
    pub variant: Variant,
    /// The first PTX version that supports it (PTX ISA 9.0, table "PTX Release History"; ptxas
    /// 13.0.88 where they differ).
    pub ptx: PtxVersion,
    /// Facts for native code; `None` if the target is known by name only.
    pub native: Option<Native>,
}

/// Whether the driver provides this function to device code, so that it is no undefined symbol.
/// (PTX interoperability guide, "System Calls"; the other names are those that ptxas and nvlink
/// 13.0.88 leave undefined.)
pub fn is_system_call(name: &str) -> bool {
    matches!(
        name,
        "vprintf"
            | "malloc"
            | "free"
            | "__assertfail"
            | "cudaGraphLaunch"
            | "cudaGraphSetConditional"
            | "cudaGraphKernelNodeSetParam"
            | "cudaGraphKernelNodeSetEnabled"
            | "cudaGraphKernelNodeSetGridDim"
            | "cudaGraphKernelNodeUpdatesApply"
    ) || name.starts_with("__cuda_syscall")
        || LAUNCH_CALLS.contains(&name)
}

/// Driver functions by which the device runtime of CUDA 11 launches kernels from kernels: the names
/// that nvlink 13.0.88 leaves undefined. Later device runtimes use `__cuda_syscall_cnpv2...`.
const LAUNCH_CALLS: &[&str] = &[
    "cnpCtxSynchronize",
    "cnpDeviceGetAttribute",
    "cnpEventCreate",
    "cnpEventDestroy",
    "cnpEventRecord",
    "cnpFuncGetAttribute",
    "cnpGetCacheConfig",
    "cnpGetDevice",
    "cnpGetDeviceCount",
    "cnpGetLastError",
    "cnpGetLimit",
    "cnpGetParameterBuffer",
    "cnpGetParameterBufferV2",
    "cnpGetSharedMemConfig",
    "cnpLaunchDevice",
    "cnpLaunchDeviceV2",
    "cnpSetLastError",
    "cnpStreamCreate",
    "cnpStreamDestroy",
    "cnpStreamWaitEvent",
];

/// Whether an object for SM `found` can be linked into a program for SM `wanted`. Code for sm_80
/// runs on sm_86 and sm_89, and code for sm_86 on sm_89; nvlink 13.0.88 accepts such objects. sm_87
/// and sm_88, which it keeps apart, are not linked here.
pub fn links_into(found: u16, wanted: u16) -> bool {
    let native = |sm| TARGETS.iter().any(|t| t.sm == sm && t.native.is_some());
    found == wanted || found < wanted && found / 10 == wanted / 10 && native(found) && native(wanted)
}

impl Target {
    /// Returns the row with this name (`sm_90a`); `None` for an unknown name.
    pub fn by_name(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|t| t.name == name)
    }

    /// Whether machine code for `self` can be made from PTX that names `ptx` in `.target`. (PTX ISA
    /// 9.0, 11.1.2: base targets run on any later one; `a` on exactly itself; `f` on later members
    /// of its family.)
    pub fn runs_ptx_of(&self, ptx: &Target) -> bool {
        match ptx.variant {
            Variant::Base => self.sm >= ptx.sm,
            Variant::Specific => self.name == ptx.name,
            Variant::Family => self.variant != Variant::Base && self.sm >= ptx.sm && self.family() == ptx.family(),
        }
    }

    /// Returns the family of `f` targets: 10 for sm_100f, sm_103f; 12 for sm_120f, sm_121f (PTX ISA
    /// 9.0, 11.1.2).
    pub fn family(&self) -> u16 {
        self.sm / 10
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_unique() {
        for pair in TARGETS.windows(2) {
            assert!((pair[0].sm, pair[0].variant) < (pair[1].sm, pair[1].variant), "{} before {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn names_spell_number_and_variant() {
        for t in TARGETS {
            let suffix = match t.variant {
                Variant::Base => "",
                Variant::Family => "f",
                Variant::Specific => "a",
            };
            assert_eq!(t.name, format!("sm_{}{suffix}", t.sm));
            assert_eq!(Target::by_name(t.name), Some(t));
            if let Some(native) = t.native {
                assert_eq!((native.eflags >> 8) & 0xff, u32::from(t.sm));
            }
        }
        assert_eq!(Target::by_name("sm_999"), None);
        let pairs = [(80, 86), (80, 89), (86, 89)];
        for found in [75, 80, 86, 87, 88, 89, 90, 100] {
            for wanted in [75, 80, 86, 87, 88, 89, 90, 100] {
                assert_eq!(
                    links_into(found, wanted),
                    found == wanted || pairs.contains(&(found, wanted)),
                    "{found} {wanted}"
                );
            }
        }
    }

    #[test]
    fn portability_follows_the_variant() {
        let t = |n| Target::by_name(n).unwrap();
        assert!(t("sm_90").runs_ptx_of(t("sm_80")));
        assert!(!t("sm_80").runs_ptx_of(t("sm_90")));
        assert!(!t("sm_90").runs_ptx_of(t("sm_90a")));
        assert!(t("sm_90a").runs_ptx_of(t("sm_90")));
        assert!(t("sm_103a").runs_ptx_of(t("sm_100f")));
        assert!(!t("sm_120a").runs_ptx_of(t("sm_100f")));
    }
}
