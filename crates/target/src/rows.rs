//! The table of targets: one line each, oldest first.

use crate::{DriverConstants, Isa, Limits, Native, PtxVersion, Target, Variant};
use Variant::{Base, Family, Specific};

const AMPERE_BANK: DriverConstants = DriverConstants {
    ntid: 0x00,
    nctaid: 0x0c,
    shared_window: 0x18,
    local_window: 0x20,
    r1_init: 0x28,
    dynamic_shared: None,
    const_window: 0x50,
    texture_tables: 0x70,
    global_desc: 0x118,
    param_base: 0x160,
    many_param_base: 0x1a80,
};

const HOPPER_BANK: DriverConstants = DriverConstants {
    dynamic_shared: Some(0x2c),
    const_window: 0xd0,
    texture_tables: 0xf0,
    global_desc: 0x208,
    param_base: 0x210,
    many_param_base: 0x210,
    ..AMPERE_BANK
};

const fn limits(warps: u32, ctas: u32, shared_kib: u32) -> Limits {
    Limits {
        warps_per_sm: warps,
        ctas_per_sm: ctas,
        shared_per_sm: shared_kib << 10,
        // The system reserves 1 KiB in every CTA.
        shared_per_cta: (shared_kib - 1) << 10,
    }
}

const fn ampere(isa: Isa, sm: u32, limits: Limits) -> Option<Native> {
    let eflags = 0x0600_0004 | sm << 8;
    Some(Native { isa, cbank: AMPERE_BANK, limits, eflags, shared_base: 0, rela: false, quads: true })
}

const fn hopper(isa: Isa) -> Option<Native> {
    let limits = limits(64, 32, 228);
    Some(Native { isa, cbank: HOPPER_BANK, limits, eflags: 0x0600_5a04, shared_base: 0x400, rela: true, quads: false })
}

const fn row(name: &'static str, sm: u16, variant: Variant, ptx: (u8, u8), native: Option<Native>) -> Target {
    Target { name, sm, variant, ptx: PtxVersion::new(ptx.0, ptx.1), native }
}

/// Every target that PTX ISA 9.0 names, sorted by number and variant. From sm_60 on, the PTX
/// version is the first one that ptxas 13.0.88 accepts for the target (sm_88: from 7.3, though the
/// manual says 9.0).
#[rustfmt::skip]
pub static TARGETS: &[Target] = &[
    row("sm_10",   10,  Base,     (1, 0), None),
    row("sm_11",   11,  Base,     (1, 0), None),
    row("sm_12",   12,  Base,     (1, 2), None),
    row("sm_13",   13,  Base,     (1, 2), None),
    row("sm_20",   20,  Base,     (2, 0), None),
    row("sm_21",   21,  Base,     (2, 0), None),
    row("sm_30",   30,  Base,     (3, 0), None),
    row("sm_32",   32,  Base,     (4, 0), None),
    row("sm_35",   35,  Base,     (3, 1), None),
    row("sm_37",   37,  Base,     (4, 1), None),
    row("sm_50",   50,  Base,     (4, 0), None),
    row("sm_52",   52,  Base,     (4, 1), None),
    row("sm_53",   53,  Base,     (4, 2), None),
    row("sm_60",   60,  Base,     (5, 0), None),
    row("sm_61",   61,  Base,     (5, 0), None),
    row("sm_62",   62,  Base,     (5, 0), None),
    row("sm_70",   70,  Base,     (6, 0), None),
    row("sm_72",   72,  Base,     (6, 1), None),
    row("sm_75",   75,  Base,     (6, 3), None),
    row("sm_80",   80,  Base,     (7, 0), ampere(Isa::Sm80, 80, limits(64, 32, 164))),
    row("sm_86",   86,  Base,     (7, 1), ampere(Isa::Sm86, 86, limits(48, 16, 100))),
    row("sm_87",   87,  Base,     (7, 4), None),
    row("sm_88",   88,  Base,     (7, 3), None),
    row("sm_89",   89,  Base,     (7, 8), ampere(Isa::Sm89, 89, limits(48, 24, 100))),
    row("sm_90",   90,  Base,     (7, 8), hopper(Isa::Sm90)),
    row("sm_90a",  90,  Specific, (8, 0), hopper(Isa::Sm90a)),
    row("sm_100",  100, Base,     (8, 6), None),
    row("sm_100f", 100, Family,   (8, 8), None),
    row("sm_100a", 100, Specific, (8, 6), None),
    row("sm_101",  101, Base,     (8, 6), None),
    row("sm_101f", 101, Family,   (8, 8), None),
    row("sm_101a", 101, Specific, (8, 6), None),
    row("sm_103",  103, Base,     (8, 8), None),
    row("sm_103f", 103, Family,   (8, 8), None),
    row("sm_103a", 103, Specific, (8, 8), None),
    row("sm_110",  110, Base,     (9, 0), None),
    row("sm_110f", 110, Family,   (9, 0), None),
    row("sm_110a", 110, Specific, (9, 0), None),
    row("sm_120",  120, Base,     (8, 7), None),
    row("sm_120f", 120, Family,   (8, 8), None),
    row("sm_120a", 120, Specific, (8, 7), None),
    row("sm_121",  121, Base,     (8, 8), None),
    row("sm_121f", 121, Family,   (8, 8), None),
    row("sm_121a", 121, Specific, (8, 8), None),
];
