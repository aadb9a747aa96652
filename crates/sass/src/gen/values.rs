// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.

//! Value tables of fields.
use super::names::Mod;
use crate::row::Values;

pub(crate) static V_ANY: Values = Values { name: "any", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Any)] };
pub(crate) static V_ARRIVES: Values =
    Values { name: "arrives", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Arvcnt), (2, Mod::Transcnt)] };
pub(crate) static V_ATOMCAS: Values = Values { name: "atomcas", legal: 0x5, list: &[(0, Mod::None), (2, Mod::N64)] };
pub(crate) static V_ATOMCTY: Values =
    Values { name: "atomcty", legal: 0x17, list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64), (4, Mod::N128)] };
pub(crate) static V_ATOMFTY: Values = Values {
    name: "atomfty",
    legal: 0xfe3f,
    list: &[
        (0, Mod::F16x2Rn),
        (1, Mod::F16x4Rn),
        (2, Mod::F16x8Rn),
        (3, Mod::Bf16x2Rn),
        (4, Mod::Bf16x4Rn),
        (5, Mod::Bf16x8Rn),
        (9, Mod::F32FtzRn),
        (10, Mod::F32x2FtzRn),
        (11, Mod::F32x4FtzRn),
        (12, Mod::F32Rn),
        (13, Mod::F32x2Rn),
        (14, Mod::F32x4Rn),
        (15, Mod::F64Rn),
    ],
};
pub(crate) static V_ATOMGOP: Values = Values {
    name: "atomgop",
    legal: 0x3ff,
    list: &[
        (0, Mod::Add),
        (1, Mod::Min),
        (2, Mod::Max),
        (3, Mod::Inc),
        (4, Mod::Dec),
        (5, Mod::And),
        (6, Mod::Or),
        (7, Mod::Xor),
        (8, Mod::Exch),
        (9, Mod::Safeadd),
    ],
};
pub(crate) static V_ATOMOP: Values = Values {
    name: "atomop",
    legal: 0x1ff,
    list: &[
        (0, Mod::Add),
        (1, Mod::Min),
        (2, Mod::Max),
        (3, Mod::Inc),
        (4, Mod::Dec),
        (5, Mod::And),
        (6, Mod::Or),
        (7, Mod::Xor),
        (8, Mod::Exch),
    ],
};
pub(crate) static V_ATOMSCAS90: Values =
    Values { name: "atomscas90", legal: 0x15, list: &[(0, Mod::None), (2, Mod::N64), (4, Mod::N128)] };
pub(crate) static V_ATOMSTY: Values =
    Values { name: "atomsty", legal: 0x7, list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64)] };
pub(crate) static V_ATOMSTY90: Values =
    Values { name: "atomsty90", legal: 0x17, list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64), (4, Mod::N128)] };
pub(crate) static V_ATOMTY: Values = Values {
    name: "atomty",
    legal: 0x1f,
    list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64), (3, Mod::S64), (4, Mod::N128)],
};
pub(crate) static V_ATOMTY64: Values =
    Values { name: "atomty64", legal: 0xf, list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64), (3, Mod::S64)] };
pub(crate) static V_ATOMTY80: Values = Values {
    name: "atomty80",
    legal: 0x7f,
    list: &[
        (0, Mod::None),
        (1, Mod::S32),
        (2, Mod::N64),
        (3, Mod::F32FtzRn),
        (4, Mod::F16x2Rn),
        (5, Mod::S64),
        (6, Mod::F64Rn),
    ],
};
pub(crate) static V_ATOMTYS: Values =
    Values { name: "atomtys", legal: 0x7, list: &[(0, Mod::None), (1, Mod::S32), (2, Mod::N64)] };
pub(crate) static V_BARBB: Values =
    Values { name: "barbb", legal: 0x13, list: &[(0, Mod::Sync), (1, Mod::Arv), (4, Mod::SyncDeferBlocking)] };
pub(crate) static V_BARRED: Values =
    Values { name: "barred", legal: 0x7, list: &[(0, Mod::Popc), (1, Mod::And), (2, Mod::Or)] };
pub(crate) static V_BMMAOP: Values = Values { name: "bmmaop", legal: 0x4, list: &[(2, Mod::And)] };
pub(crate) static V_BMMAOP80: Values = Values { name: "bmmaop80", legal: 0x5, list: &[(0, Mod::Xor), (2, Mod::And)] };
pub(crate) static V_BOOL: Values =
    Values { name: "bool", legal: 0x7, list: &[(0, Mod::And), (1, Mod::Or), (2, Mod::Xor)] };
pub(crate) static V_BSPECIAL: Values = Values { name: "bspecial", legal: 0x4000000, list: &[(26, Mod::Mactive)] };
pub(crate) static V_BYPASS: Values = Values { name: "bypass", legal: 0x3, list: &[(0, Mod::Bypass), (1, Mod::None)] };
pub(crate) static V_BYTE: Values =
    Values { name: "byte", legal: 0xf, list: &[(0, Mod::None), (1, Mod::B1), (2, Mod::B2), (3, Mod::B3)] };
pub(crate) static V_CACHE: Values = Values {
    name: "cache",
    legal: 0x3f,
    list: &[(0, Mod::Ef), (1, Mod::None), (2, Mod::El), (3, Mod::Lu), (4, Mod::Eu), (5, Mod::Na)],
};
pub(crate) static V_CAS: Values =
    Values { name: "cas", legal: 0xb, list: &[(0, Mod::Cas), (1, Mod::Cast), (3, Mod::CastSpin)] };
pub(crate) static V_CCTL0: Values = Values {
    name: "cctl0",
    legal: 0x1d0,
    list: &[(4, Mod::Ivall), (6, Mod::Ivallp), (7, Mod::Wball), (8, Mod::Wballp)],
};
pub(crate) static V_CCTL1: Values = Values {
    name: "cctl1",
    legal: 0xe2f,
    list: &[
        (0, Mod::Pf1),
        (1, Mod::Pf2),
        (2, Mod::Wb),
        (3, Mod::Iv),
        (5, Mod::Rs),
        (9, Mod::Pml2),
        (10, Mod::Dml2),
        (11, Mod::Rml2),
    ],
};
pub(crate) static V_CCTLC: Values =
    Values { name: "cctlc", legal: 0xf, list: &[(0, Mod::None), (1, Mod::U), (2, Mod::C), (3, Mod::I)] };
pub(crate) static V_CPSZ: Values =
    Values { name: "cpsz", legal: 0x70, list: &[(4, Mod::None), (5, Mod::N64), (6, Mod::N128)] };
pub(crate) static V_CS2R: Values = Values { name: "cs2r", legal: 0x3, list: &[(0, Mod::N32), (1, Mod::None)] };
pub(crate) static V_DCMP: Values = Values {
    name: "dcmp",
    legal: 0xffff,
    list: &[
        (0, Mod::Min),
        (1, Mod::Lt),
        (2, Mod::Eq),
        (3, Mod::Le),
        (4, Mod::Gt),
        (5, Mod::Ne),
        (6, Mod::Ge),
        (7, Mod::Num),
        (8, Mod::Nan),
        (9, Mod::Ltu),
        (10, Mod::Equ),
        (11, Mod::Leu),
        (12, Mod::Gtu),
        (13, Mod::Neu),
        (14, Mod::Geu),
        (15, Mod::Max),
    ],
};
pub(crate) static V_DMMASH: Values = Values {
    name: "dmmash",
    legal: 0xf,
    list: &[(0, Mod::N8x8x4), (1, Mod::N16x8x4), (2, Mod::N16x8x8), (3, Mod::N16x8x16)],
};
pub(crate) static V_E8: Values = Values { name: "e8", legal: 0x3, list: &[(0, Mod::E4m3), (1, Mod::E5m2)] };
pub(crate) static V_EXITMODE: Values =
    Values { name: "exitmode", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Keeprefcount), (2, Mod::Preempted)] };
pub(crate) static V_F2FPRND: Values = Values { name: "f2fprnd", legal: 0x9, list: &[(0, Mod::None), (3, Mod::Rz)] };
pub(crate) static V_F2FPSAT: Values =
    Values { name: "f2fpsat", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Satfinite)] };
pub(crate) static V_F2FPTY: Values = Values { name: "f2fpty", legal: 0x3, list: &[(0, Mod::F16), (1, Mod::Bf16)] };
pub(crate) static V_F2FPTY8: Values = Values { name: "f2fpty8", legal: 0x3, list: &[(0, Mod::E5m2), (1, Mod::E4m3)] };
pub(crate) static V_F2FPTY80: Values = Values { name: "f2fpty80", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Bf16)] };
pub(crate) static V_F2I64: Values = Values {
    name: "f2i64",
    legal: 0xff,
    list: &[
        (0, Mod::U8),
        (1, Mod::S8),
        (2, Mod::U16),
        (3, Mod::S16),
        (4, Mod::U32),
        (5, Mod::None),
        (6, Mod::U64),
        (7, Mod::S64),
    ],
};
pub(crate) static V_F2IFMT: Values = Values {
    name: "f2ifmt",
    legal: 0x3f,
    list: &[(0, Mod::U8), (1, Mod::S8), (2, Mod::U16), (3, Mod::S16), (4, Mod::U32), (5, Mod::None)],
};
pub(crate) static V_F2IONLY64: Values =
    Values { name: "f2ionly64", legal: 0xc0, list: &[(6, Mod::U64), (7, Mod::S64)] };
pub(crate) static V_F2IPRND: Values = Values { name: "f2iprnd", legal: 0x9, list: &[(0, Mod::None), (3, Mod::Trunc)] };
pub(crate) static V_F2IPTY: Values = Values { name: "f2ipty", legal: 0x3, list: &[(0, Mod::U8), (1, Mod::S8)] };
pub(crate) static V_F2SEL: Values = Values { name: "f2sel", legal: 0x3, list: &[(0, Mod::None), (1, Mod::H1)] };
pub(crate) static V_FATOMOP: Values =
    Values { name: "fatomop", legal: 0x7, list: &[(0, Mod::Add), (1, Mod::Min), (2, Mod::Max)] };
pub(crate) static V_FCMP: Values = Values {
    name: "fcmp",
    legal: 0xffff,
    list: &[
        (0, Mod::F),
        (1, Mod::Lt),
        (2, Mod::Eq),
        (3, Mod::Le),
        (4, Mod::Gt),
        (5, Mod::Ne),
        (6, Mod::Ge),
        (7, Mod::Num),
        (8, Mod::Nan),
        (9, Mod::Ltu),
        (10, Mod::Equ),
        (11, Mod::Leu),
        (12, Mod::Gtu),
        (13, Mod::Neu),
        (14, Mod::Geu),
        (15, Mod::T),
    ],
};
pub(crate) static V_FENCE: Values = Values { name: "fence", legal: 0x3, list: &[(0, Mod::S), (1, Mod::G)] };
pub(crate) static V_FLAG_ACC: Values = Values { name: "flag_acc", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Acc)] };
pub(crate) static V_FLAG_AOFFI: Values =
    Values { name: "flag_aoffi", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Aoffi)] };
pub(crate) static V_FLAG_BA: Values = Values { name: "flag_ba", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ba)] };
pub(crate) static V_FLAG_BF: Values = Values { name: "flag_bf", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Bf)] };
pub(crate) static V_FLAG_CL: Values = Values { name: "flag_cl", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Cl)] };
pub(crate) static V_FLAG_CLEAR: Values =
    Values { name: "flag_clear", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Clear)] };
pub(crate) static V_FLAG_DC: Values = Values { name: "flag_dc", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Dc)] };
pub(crate) static V_FLAG_DEFER: Values =
    Values { name: "flag_defer", legal: 0x3, list: &[(0, Mod::None), (1, Mod::DeferBlocking)] };
pub(crate) static V_FLAG_E: Values = Values { name: "flag_e", legal: 0x3, list: &[(0, Mod::None), (1, Mod::E)] };
pub(crate) static V_FLAG_EX: Values = Values { name: "flag_ex", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ex)] };
pub(crate) static V_FLAG_FTZ: Values = Values { name: "flag_ftz", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ftz)] };
pub(crate) static V_FLAG_HI: Values = Values { name: "flag_hi", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Hi)] };
pub(crate) static V_FLAG_LC: Values = Values { name: "flag_lc", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Lc)] };
pub(crate) static V_FLAG_MS: Values = Values { name: "flag_ms", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ms)] };
pub(crate) static V_FLAG_NAN: Values = Values { name: "flag_nan", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Nan)] };
pub(crate) static V_FLAG_NDV: Values = Values { name: "flag_ndv", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ndv)] };
pub(crate) static V_FLAG_NODEC: Values =
    Values { name: "flag_nodec", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Nodec)] };
pub(crate) static V_FLAG_NODEP: Values =
    Values { name: "flag_nodep", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Nodep)] };
pub(crate) static V_FLAG_NTZ: Values = Values { name: "flag_ntz", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Ntz)] };
pub(crate) static V_FLAG_OPTOUT: Values =
    Values { name: "flag_optout", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Optout)] };
pub(crate) static V_FLAG_PAND: Values =
    Values { name: "flag_pand", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Pand)] };
pub(crate) static V_FLAG_PQUAD: Values =
    Values { name: "flag_pquad", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Pquad)] };
pub(crate) static V_FLAG_RAND: Values =
    Values { name: "flag_rand", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Rand)] };
pub(crate) static V_FLAG_RX: Values = Values { name: "flag_rx", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Rx)] };
pub(crate) static V_FLAG_S32: Values = Values { name: "flag_s32", legal: 0x3, list: &[(0, Mod::None), (1, Mod::S32)] };
pub(crate) static V_FLAG_SAT: Values = Values { name: "flag_sat", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Sat)] };
pub(crate) static V_FLAG_SCR: Values = Values { name: "flag_scr", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Scr)] };
pub(crate) static V_FLAG_SH: Values = Values { name: "flag_sh", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Sh)] };
pub(crate) static V_FLAG_SYNCS: Values =
    Values { name: "flag_syncs", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Syncs)] };
pub(crate) static V_FLAG_TRYWAIT: Values =
    Values { name: "flag_trywait", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Trywait)] };
pub(crate) static V_FLAG_U64: Values = Values { name: "flag_u64", legal: 0x3, list: &[(0, Mod::None), (1, Mod::U64)] };
pub(crate) static V_FLAG_W: Values = Values { name: "flag_w", legal: 0x3, list: &[(0, Mod::None), (1, Mod::W)] };
pub(crate) static V_FLAG_WARP: Values =
    Values { name: "flag_warp", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Warp)] };
pub(crate) static V_FLAG_X: Values = Values { name: "flag_x", legal: 0x3, list: &[(0, Mod::None), (1, Mod::X)] };
pub(crate) static V_FLAG_XORSIGN: Values =
    Values { name: "flag_xorsign", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Xorsign)] };
pub(crate) static V_FLAG_ZFILL: Values =
    Values { name: "flag_zfill", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Zfill)] };
pub(crate) static V_FMREDOP: Values =
    Values { name: "fmredop", legal: 0xf, list: &[(0, Mod::Add), (1, Mod::Min), (2, Mod::Max), (3, Mod::F32add)] };
pub(crate) static V_FMZ: Values =
    Values { name: "fmz", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Fmz), (2, Mod::Ftz)] };
pub(crate) static V_GNEG: Values =
    Values { name: "gneg", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Negb), (2, Mod::Nega), (3, Mod::NegaNegb)] };
pub(crate) static V_GNEGB: Values = Values { name: "gnegb", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Negb)] };
pub(crate) static V_GS: Values = Values { name: "gs", legal: 0x3, list: &[(0, Mod::G), (1, Mod::S)] };
pub(crate) static V_GSB: Values = Values { name: "gsb", legal: 0x81, list: &[(0, Mod::Gsb0), (7, Mod::None)] };
pub(crate) static V_GSB0: Values = Values { name: "gsb0", legal: 0x1, list: &[(0, Mod::Gsb0)] };
pub(crate) static V_GSEL: Values = Values {
    name: "gsel",
    legal: 0xffff,
    list: &[
        (0, Mod::None),
        (1, Mod::Tnspa),
        (2, Mod::Tnspb),
        (3, Mod::TnspaTnspb),
        (4, Mod::Negb),
        (5, Mod::NegbTnspa),
        (6, Mod::NegbTnspb),
        (7, Mod::NegbTnspaTnspb),
        (8, Mod::Nega),
        (9, Mod::NegaTnspa),
        (10, Mod::NegaTnspb),
        (11, Mod::NegaTnspaTnspb),
        (12, Mod::NegaNegb),
        (13, Mod::NegaNegbTnspa),
        (14, Mod::NegaNegbTnspb),
        (15, Mod::NegaNegbTnspaTnspb),
    ],
};
pub(crate) static V_GSELB: Values =
    Values { name: "gselb", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Tnspb), (2, Mod::Negb), (3, Mod::NegbTnspb)] };
pub(crate) static V_H2FMT2: Values = Values { name: "h2fmt2", legal: 0x5, list: &[(0, Mod::None), (2, Mod::Bf16V2)] };
pub(crate) static V_H2SEL: Values =
    Values { name: "h2sel", legal: 0xd, list: &[(0, Mod::None), (2, Mod::H0H0), (3, Mod::H1H1)] };
pub(crate) static V_H_AND: Values = Values { name: "h_and", legal: 0x3, list: &[(0, Mod::None), (1, Mod::HAnd)] };
pub(crate) static V_HMMATY: Values = Values { name: "hmmaty", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Bf16)] };
pub(crate) static V_HSETFMT: Values = Values { name: "hsetfmt", legal: 0x5, list: &[(0, Mod::None), (2, Mod::Bf16V2)] };
pub(crate) static V_I2F16: Values = Values { name: "i2f16", legal: 0x3, list: &[(0, Mod::U16), (1, Mod::S16)] };
pub(crate) static V_I2F8: Values = Values { name: "i2f8", legal: 0x3, list: &[(0, Mod::U8), (1, Mod::S8)] };
pub(crate) static V_I2FBIG: Values =
    Values { name: "i2fbig", legal: 0xf, list: &[(0, Mod::U32), (1, Mod::U64), (2, Mod::None), (3, Mod::S64)] };
pub(crate) static V_I2FDST: Values =
    Values { name: "i2fdst", legal: 0x16, list: &[(1, Mod::F16), (2, Mod::None), (4, Mod::Bf16)] };
pub(crate) static V_I2FDST80: Values = Values { name: "i2fdst80", legal: 0x6, list: &[(1, Mod::F16), (2, Mod::None)] };
pub(crate) static V_I2FPRND: Values = Values { name: "i2fprnd", legal: 0x9, list: &[(0, Mod::None), (3, Mod::Rz)] };
pub(crate) static V_I2FPSRC: Values = Values { name: "i2fpsrc", legal: 0x30, list: &[(4, Mod::U32), (5, Mod::S32)] };
pub(crate) static V_I2FRND: Values =
    Values { name: "i2frnd", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Rm), (2, Mod::Rp), (3, Mod::Rz)] };
pub(crate) static V_I2FS64: Values = Values { name: "i2fs64", legal: 0x88, list: &[(3, Mod::U64), (7, Mod::S64)] };
pub(crate) static V_I2IDST: Values =
    Values { name: "i2idst", legal: 0xf, list: &[(0, Mod::U8), (1, Mod::S8), (2, Mod::U16), (3, Mod::S16)] };
pub(crate) static V_I2IPFOUR: Values = Values { name: "i2ipfour", legal: 0xc0, list: &[(6, Mod::U4), (7, Mod::S4)] };
pub(crate) static V_I2IPTWO: Values = Values { name: "i2iptwo", legal: 0x30, list: &[(4, Mod::U2), (5, Mod::S2)] };
pub(crate) static V_I2IPTY: Values =
    Values { name: "i2ipty", legal: 0xf, list: &[(0, Mod::U8), (1, Mod::S8), (2, Mod::U16), (3, Mod::S16)] };
pub(crate) static V_I2ISAT: Values =
    Values { name: "i2isat", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Sat), (2, Mod::Satrelu)] };
pub(crate) static V_ICMP: Values = Values {
    name: "icmp",
    legal: 0xff,
    list: &[
        (0, Mod::F),
        (1, Mod::Lt),
        (2, Mod::Eq),
        (3, Mod::Le),
        (4, Mod::Gt),
        (5, Mod::Ne),
        (6, Mod::Ge),
        (7, Mod::T),
    ],
};
pub(crate) static V_IDP: Values = Values {
    name: "idp",
    legal: 0xcf,
    list: &[
        (0, Mod::N4aU8),
        (1, Mod::N4aS8),
        (2, Mod::N2aLoU16),
        (3, Mod::N2aLoS16),
        (6, Mod::N2aHiU16),
        (7, Mod::N2aHiS16),
    ],
};
pub(crate) static V_IM2COL: Values = Values { name: "im2col", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Im2col)] };
pub(crate) static V_IMMATY: Values = Values { name: "immaty", legal: 0x3, list: &[(0, Mod::U8), (1, Mod::S8)] };
pub(crate) static V_IMMATY4: Values = Values { name: "immaty4", legal: 0x3, list: &[(0, Mod::U4), (1, Mod::S4)] };
pub(crate) static V_INCDEC: Values =
    Values { name: "incdec", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Inc), (2, Mod::Dec)] };
pub(crate) static V_IRND: Values =
    Values { name: "irnd", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Floor), (2, Mod::Ceil), (3, Mod::Trunc)] };
pub(crate) static V_LDCMODE: Values =
    Values { name: "ldcmode", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Il), (2, Mod::Is), (3, Mod::Isl)] };
pub(crate) static V_LDCSZ: Values = Values {
    name: "ldcsz",
    legal: 0x3f,
    list: &[(0, Mod::U8), (1, Mod::S8), (2, Mod::U16), (3, Mod::S16), (4, Mod::None), (5, Mod::N64)],
};
pub(crate) static V_LDSEM: Values = Values {
    name: "ldsem",
    legal: 0x15b1,
    list: &[
        (0, Mod::None),
        (4, Mod::Constant),
        (5, Mod::StrongSm),
        (7, Mod::StrongGpu),
        (8, Mod::MmioGpu),
        (10, Mod::StrongSys),
        (12, Mod::MmioSys),
    ],
};
pub(crate) static V_LDSMF: Values =
    Values { name: "ldsmf", legal: 0xf, list: &[(0, Mod::M88), (1, Mod::Mt88), (2, Mod::M816), (3, Mod::M832)] };
pub(crate) static V_LDSMN: Values =
    Values { name: "ldsmn", legal: 0x7, list: &[(0, Mod::None), (1, Mod::N2), (2, Mod::N4)] };
pub(crate) static V_LE: Values = Values { name: "le", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Le)] };
pub(crate) static V_LTC: Values =
    Values { name: "ltc", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Ltc64b), (2, Mod::Ltc128b), (3, Mod::Ltc256b)] };
pub(crate) static V_MCAST: Values = Values { name: "mcast", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Multicast)] };
pub(crate) static V_MCFTY: Values = Values {
    name: "mcfty",
    legal: 0xf03f,
    list: &[
        (0, Mod::F16x2Rn),
        (1, Mod::F16x4Rn),
        (2, Mod::F16x8Rn),
        (3, Mod::Bf16x2Rn),
        (4, Mod::Bf16x4Rn),
        (5, Mod::Bf16x8Rn),
        (12, Mod::F32Rn),
        (13, Mod::F32x2Rn),
        (14, Mod::F32x4Rn),
        (15, Mod::F64Rn),
    ],
};
pub(crate) static V_MCTY: Values =
    Values { name: "mcty", legal: 0xf, list: &[(0, Mod::N32), (1, Mod::S32), (2, Mod::N64), (3, Mod::S64)] };
pub(crate) static V_MEMBARSC: Values =
    Values { name: "membarsc", legal: 0xf, list: &[(0, Mod::Sc), (1, Mod::All), (2, Mod::None), (3, Mod::Mmio)] };
pub(crate) static V_MEMBARSCOPE: Values = Values {
    name: "membarscope",
    legal: 0x2f,
    list: &[(0, Mod::Cta), (1, Mod::Sm), (2, Mod::Gpu), (3, Mod::Sys), (5, Mod::Vc)],
};
pub(crate) static V_MINMAX3: Values =
    Values { name: "minmax3", legal: 0xf, list: &[(0, Mod::U32), (1, Mod::None), (2, Mod::U16x2), (3, Mod::S16x2)] };
pub(crate) static V_MREDOP: Values = Values {
    name: "mredop",
    legal: 0xe7,
    list: &[(0, Mod::Add), (1, Mod::Min), (2, Mod::Max), (5, Mod::And), (6, Mod::Or), (7, Mod::Xor)],
};
pub(crate) static V_MSCALE: Values = Values {
    name: "mscale",
    legal: 0xfe,
    list: &[(1, Mod::D8), (2, Mod::D4), (3, Mod::D2), (4, Mod::None), (5, Mod::M2), (6, Mod::M4), (7, Mod::M8)],
};
pub(crate) static V_MUFU16: Values = Values {
    name: "mufu16",
    legal: 0x6600666666,
    list: &[
        (1, Mod::CosF16),
        (2, Mod::CosBf16),
        (5, Mod::SinF16),
        (6, Mod::SinBf16),
        (9, Mod::Ex2F16),
        (10, Mod::Ex2Bf16),
        (13, Mod::Lg2F16),
        (14, Mod::Lg2Bf16),
        (17, Mod::RcpF16),
        (18, Mod::RcpBf16),
        (21, Mod::RsqF16),
        (22, Mod::RsqBf16),
        (33, Mod::SqrtF16),
        (34, Mod::SqrtBf16),
        (37, Mod::TanhF16),
        (38, Mod::TanhBf16),
    ],
};
pub(crate) static V_MUFU32: Values = Values {
    name: "mufu32",
    legal: 0x1111111111,
    list: &[
        (0, Mod::Cos),
        (4, Mod::Sin),
        (8, Mod::Ex2),
        (12, Mod::Lg2),
        (16, Mod::Rcp),
        (20, Mod::Rsq),
        (24, Mod::Rcp64h),
        (28, Mod::Rsq64h),
        (32, Mod::Sqrt),
        (36, Mod::Tanh),
    ],
};
pub(crate) static V_MUFU32S: Values = Values {
    name: "mufu32s",
    legal: 0x1100111111,
    list: &[
        (0, Mod::Cos),
        (4, Mod::Sin),
        (8, Mod::Ex2),
        (12, Mod::Lg2),
        (16, Mod::Rcp),
        (20, Mod::Rsq),
        (32, Mod::Sqrt),
        (36, Mod::Tanh),
    ],
};
pub(crate) static V_MUFU64: Values =
    Values { name: "mufu64", legal: 0x11000000, list: &[(24, Mod::Rcp64h), (28, Mod::Rsq64h)] };
pub(crate) static V_MUFU80: Values = Values {
    name: "mufu80",
    legal: 0x4400444444,
    list: &[
        (2, Mod::CosF16),
        (6, Mod::SinF16),
        (10, Mod::Ex2F16),
        (14, Mod::Lg2F16),
        (18, Mod::RcpF16),
        (22, Mod::RsqF16),
        (34, Mod::SqrtF16),
        (38, Mod::TanhF16),
    ],
};
pub(crate) static V_NO_ATEXIT: Values =
    Values { name: "no_atexit", legal: 0x3, list: &[(0, Mod::None), (1, Mod::NoAtexit)] };
pub(crate) static V_NOINC: Values = Values { name: "noinc", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Noinc)] };
pub(crate) static V_PRMT: Values = Values {
    name: "prmt",
    legal: 0x7f,
    list: &[(0, Mod::None), (1, Mod::F4e), (2, Mod::B4e), (3, Mod::Rc8), (4, Mod::Ecl), (5, Mod::Ecr), (6, Mod::Rc16)],
};
pub(crate) static V_QSPC: Values =
    Values { name: "qspc", legal: 0xf, list: &[(0, Mod::G), (1, Mod::L), (2, Mod::S), (3, Mod::D)] };
pub(crate) static V_QSPC80: Values =
    Values { name: "qspc80", legal: 0x7, list: &[(0, Mod::G), (1, Mod::L), (2, Mod::S)] };
pub(crate) static V_REDOP: Values = Values {
    name: "redop",
    legal: 0xff,
    list: &[
        (0, Mod::Add),
        (1, Mod::Min),
        (2, Mod::Max),
        (3, Mod::Inc),
        (4, Mod::Dec),
        (5, Mod::And),
        (6, Mod::Or),
        (7, Mod::Xor),
    ],
};
pub(crate) static V_REDTY: Values = Values {
    name: "redty",
    legal: 0x1ff,
    list: &[
        (0, Mod::None),
        (1, Mod::S32),
        (2, Mod::U64),
        (3, Mod::S64),
        (4, Mod::F16Rn),
        (5, Mod::F32Rn),
        (6, Mod::F32FtzRn),
        (7, Mod::F64Rn),
        (8, Mod::Bf16Rn),
    ],
};
pub(crate) static V_REDUX: Values = Values {
    name: "redux",
    legal: 0x3f,
    list: &[(0, Mod::None), (1, Mod::Or), (2, Mod::Xor), (3, Mod::Sum), (4, Mod::Min), (5, Mod::Max)],
};
pub(crate) static V_RELU: Values = Values { name: "relu", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Relu)] };
pub(crate) static V_RND: Values =
    Values { name: "rnd", legal: 0xf, list: &[(0, Mod::None), (1, Mod::Rm), (2, Mod::Rp), (3, Mod::Rz)] };
pub(crate) static V_RPC: Values = Values { name: "rpc", legal: 0x3, list: &[(0, Mod::RpcLo), (1, Mod::RpcHi)] };
pub(crate) static V_SGN: Values = Values { name: "sgn", legal: 0x3, list: &[(0, Mod::U32), (1, Mod::None)] };
pub(crate) static V_SHFDIR: Values = Values { name: "shfdir", legal: 0x3, list: &[(0, Mod::L), (1, Mod::R)] };
pub(crate) static V_SHFL: Values =
    Values { name: "shfl", legal: 0xf, list: &[(0, Mod::Idx), (1, Mod::Up), (2, Mod::Down), (3, Mod::Bfly)] };
pub(crate) static V_SHFTYPE: Values =
    Values { name: "shftype", legal: 0xf, list: &[(0, Mod::S64), (1, Mod::U64), (2, Mod::S32), (3, Mod::U32)] };
pub(crate) static V_STSEM: Values = Values {
    name: "stsem",
    legal: 0x15a1,
    list: &[
        (0, Mod::None),
        (5, Mod::StrongSm),
        (7, Mod::StrongGpu),
        (8, Mod::MmioGpu),
        (10, Mod::StrongSys),
        (12, Mod::MmioSys),
    ],
};
pub(crate) static V_STSMF: Values = Values { name: "stsmf", legal: 0x3, list: &[(0, Mod::M88), (1, Mod::Mt88)] };
pub(crate) static V_SUCLAMP: Values =
    Values { name: "suclamp", legal: 0x7, list: &[(0, Mod::Ign), (1, Mod::None), (2, Mod::Trap)] };
pub(crate) static V_SUDIM: Values = Values {
    name: "sudim",
    legal: 0x3f,
    list: &[(0, Mod::N1d), (1, Mod::N1dBuffer), (2, Mod::N1dArray), (3, Mod::N2d), (4, Mod::N2dArray), (5, Mod::N3d)],
};
pub(crate) static V_SURGBA: Values =
    Values { name: "surgba", legal: 0x800a, list: &[(1, Mod::R), (3, Mod::Rg), (15, Mod::None)] };
pub(crate) static V_SUTY: Values = Values {
    name: "suty",
    legal: 0xff,
    list: &[
        (0, Mod::None),
        (1, Mod::S32),
        (2, Mod::U64),
        (3, Mod::F32FtzRn),
        (4, Mod::F16x2Rn),
        (5, Mod::S64),
        (6, Mod::Sd32),
        (7, Mod::Sd64),
    ],
};
pub(crate) static V_SWIZZLE: Values = Values {
    name: "swizzle",
    legal: 0xffffffffffffffff,
    list: &[
        (0, Mod::Pppppppp),
        (1, Mod::Pppppppn),
        (2, Mod::Ppppppnp),
        (3, Mod::Ppppppzp),
        (4, Mod::Pppppnpp),
        (5, Mod::Pppppnpn),
        (6, Mod::Pppppnnp),
        (7, Mod::Pppppnzp),
        (8, Mod::Ppppnppp),
        (9, Mod::Ppppnppn),
        (10, Mod::Ppppnpnp),
        (11, Mod::Ppppnpzp),
        (12, Mod::Ppppzppp),
        (13, Mod::Ppppzppn),
        (14, Mod::Ppppzpnp),
        (15, Mod::Ppppzpzp),
        (16, Mod::Pppnpppp),
        (17, Mod::Pppnpppn),
        (18, Mod::Pppnppnp),
        (19, Mod::Pppnppzp),
        (20, Mod::Pppnpnpp),
        (21, Mod::Pppnpnpn),
        (22, Mod::Pppnpnnp),
        (23, Mod::Pppnpnzp),
        (24, Mod::Pppnnppp),
        (25, Mod::Pppnnppn),
        (26, Mod::Pppnnpnp),
        (27, Mod::Pppnnpzp),
        (28, Mod::Pppnzppp),
        (29, Mod::Pppnzppn),
        (30, Mod::Pppnzpnp),
        (31, Mod::Pppnzpzp),
        (32, Mod::Ppnppppp),
        (33, Mod::Ppnppppn),
        (34, Mod::Ppnpppnp),
        (35, Mod::Ppnpppzp),
        (36, Mod::Ppnppnpp),
        (37, Mod::Ppnppnpn),
        (38, Mod::Ppnppnnp),
        (39, Mod::Ppnppnzp),
        (40, Mod::Ppnpnppp),
        (41, Mod::Ppnpnppn),
        (42, Mod::Ppnpnpnp),
        (43, Mod::Ppnpnpzp),
        (44, Mod::Ppnpzppp),
        (45, Mod::Ppnpzppn),
        (46, Mod::Ppnpzpnp),
        (47, Mod::Ppnpzpzp),
        (48, Mod::Ppzppppp),
        (49, Mod::Ppzppppn),
        (50, Mod::Ppzpppnp),
        (51, Mod::Ppzpppzp),
        (52, Mod::Ppzppnpp),
        (53, Mod::Ppzppnpn),
        (54, Mod::Ppzppnnp),
        (55, Mod::Ppzppnzp),
        (56, Mod::Ppzpnppp),
        (57, Mod::Ppzpnppn),
        (58, Mod::Ppzpnpnp),
        (59, Mod::Ppzpnpzp),
        (60, Mod::Ppzpzppp),
        (61, Mod::Ppzpzppn),
        (62, Mod::Ppzpzpnp),
        (63, Mod::Ppzpzpzp),
        (64, Mod::Pnpppppp),
        (65, Mod::Pnpppppn),
        (66, Mod::Pnppppnp),
        (67, Mod::Pnppppzp),
        (68, Mod::Pnpppnpp),
        (69, Mod::Pnpppnpn),
        (70, Mod::Pnpppnnp),
        (71, Mod::Pnpppnzp),
        (72, Mod::Pnppnppp),
        (73, Mod::Pnppnppn),
        (74, Mod::Pnppnpnp),
        (75, Mod::Pnppnpzp),
        (76, Mod::Pnppzppp),
        (77, Mod::Pnppzppn),
        (78, Mod::Pnppzpnp),
        (79, Mod::Pnppzpzp),
        (80, Mod::Pnpnpppp),
        (81, Mod::Pnpnpppn),
        (82, Mod::Pnpnppnp),
        (83, Mod::Pnpnppzp),
        (84, Mod::Pnpnpnpp),
        (85, Mod::Pnpnpnpn),
        (86, Mod::Pnpnpnnp),
        (87, Mod::Pnpnpnzp),
        (88, Mod::Pnpnnppp),
        (89, Mod::Pnpnnppn),
        (90, Mod::Pnpnnpnp),
        (91, Mod::Pnpnnpzp),
        (92, Mod::Pnpnzppp),
        (93, Mod::Pnpnzppn),
        (94, Mod::Pnpnzpnp),
        (95, Mod::Pnpnzpzp),
        (96, Mod::Pnnppppp),
        (97, Mod::Pnnppppn),
        (98, Mod::Pnnpppnp),
        (99, Mod::Pnnpppzp),
        (100, Mod::Pnnppnpp),
        (101, Mod::Pnnppnpn),
        (102, Mod::Pnnppnnp),
        (103, Mod::Pnnppnzp),
        (104, Mod::Pnnpnppp),
        (105, Mod::Pnnpnppn),
        (106, Mod::Pnnpnpnp),
        (107, Mod::Pnnpnpzp),
        (108, Mod::Pnnpzppp),
        (109, Mod::Pnnpzppn),
        (110, Mod::Pnnpzpnp),
        (111, Mod::Pnnpzpzp),
        (112, Mod::Pnzppppp),
        (113, Mod::Pnzppppn),
        (114, Mod::Pnzpppnp),
        (115, Mod::Pnzpppzp),
        (116, Mod::Pnzppnpp),
        (117, Mod::Pnzppnpn),
        (118, Mod::Pnzppnnp),
        (119, Mod::Pnzppnzp),
        (120, Mod::Pnzpnppp),
        (121, Mod::Pnzpnppn),
        (122, Mod::Pnzpnpnp),
        (123, Mod::Pnzpnpzp),
        (124, Mod::Pnzpzppp),
        (125, Mod::Pnzpzppn),
        (126, Mod::Pnzpzpnp),
        (127, Mod::Pnzpzpzp),
        (128, Mod::Nppppppp),
        (129, Mod::Nppppppn),
        (130, Mod::Npppppnp),
        (131, Mod::Npppppzp),
        (132, Mod::Nppppnpp),
        (133, Mod::Nppppnpn),
        (134, Mod::Nppppnnp),
        (135, Mod::Nppppnzp),
        (136, Mod::Npppnppp),
        (137, Mod::Npppnppn),
        (138, Mod::Npppnpnp),
        (139, Mod::Npppnpzp),
        (140, Mod::Npppzppp),
        (141, Mod::Npppzppn),
        (142, Mod::Npppzpnp),
        (143, Mod::Npppzpzp),
        (144, Mod::Nppnpppp),
        (145, Mod::Nppnpppn),
        (146, Mod::Nppnppnp),
        (147, Mod::Nppnppzp),
        (148, Mod::Nppnpnpp),
        (149, Mod::Nppnpnpn),
        (150, Mod::Nppnpnnp),
        (151, Mod::Nppnpnzp),
        (152, Mod::Nppnnppp),
        (153, Mod::Nppnnppn),
        (154, Mod::Nppnnpnp),
        (155, Mod::Nppnnpzp),
        (156, Mod::Nppnzppp),
        (157, Mod::Nppnzppn),
        (158, Mod::Nppnzpnp),
        (159, Mod::Nppnzpzp),
        (160, Mod::Npnppppp),
        (161, Mod::Npnppppn),
        (162, Mod::Npnpppnp),
        (163, Mod::Npnpppzp),
        (164, Mod::Npnppnpp),
        (165, Mod::Npnppnpn),
        (166, Mod::Npnppnnp),
        (167, Mod::Npnppnzp),
        (168, Mod::Npnpnppp),
        (169, Mod::Npnpnppn),
        (170, Mod::Npnpnpnp),
        (171, Mod::Npnpnpzp),
        (172, Mod::Npnpzppp),
        (173, Mod::Npnpzppn),
        (174, Mod::Npnpzpnp),
        (175, Mod::Npnpzpzp),
        (176, Mod::Npzppppp),
        (177, Mod::Npzppppn),
        (178, Mod::Npzpppnp),
        (179, Mod::Npzpppzp),
        (180, Mod::Npzppnpp),
        (181, Mod::Npzppnpn),
        (182, Mod::Npzppnnp),
        (183, Mod::Npzppnzp),
        (184, Mod::Npzpnppp),
        (185, Mod::Npzpnppn),
        (186, Mod::Npzpnpnp),
        (187, Mod::Npzpnpzp),
        (188, Mod::Npzpzppp),
        (189, Mod::Npzpzppn),
        (190, Mod::Npzpzpnp),
        (191, Mod::Npzpzpzp),
        (192, Mod::Zppppppp),
        (193, Mod::Zppppppn),
        (194, Mod::Zpppppnp),
        (195, Mod::Zpppppzp),
        (196, Mod::Zppppnpp),
        (197, Mod::Zppppnpn),
        (198, Mod::Zppppnnp),
        (199, Mod::Zppppnzp),
        (200, Mod::Zpppnppp),
        (201, Mod::Zpppnppn),
        (202, Mod::Zpppnpnp),
        (203, Mod::Zpppnpzp),
        (204, Mod::Zpppzppp),
        (205, Mod::Zpppzppn),
        (206, Mod::Zpppzpnp),
        (207, Mod::Zpppzpzp),
        (208, Mod::Zppnpppp),
        (209, Mod::Zppnpppn),
        (210, Mod::Zppnppnp),
        (211, Mod::Zppnppzp),
        (212, Mod::Zppnpnpp),
        (213, Mod::Zppnpnpn),
        (214, Mod::Zppnpnnp),
        (215, Mod::Zppnpnzp),
        (216, Mod::Zppnnppp),
        (217, Mod::Zppnnppn),
        (218, Mod::Zppnnpnp),
        (219, Mod::Zppnnpzp),
        (220, Mod::Zppnzppp),
        (221, Mod::Zppnzppn),
        (222, Mod::Zppnzpnp),
        (223, Mod::Zppnzpzp),
        (224, Mod::Zpnppppp),
        (225, Mod::Zpnppppn),
        (226, Mod::Zpnpppnp),
        (227, Mod::Zpnpppzp),
        (228, Mod::Zpnppnpp),
        (229, Mod::Zpnppnpn),
        (230, Mod::Zpnppnnp),
        (231, Mod::Zpnppnzp),
        (232, Mod::Zpnpnppp),
        (233, Mod::Zpnpnppn),
        (234, Mod::Zpnpnpnp),
        (235, Mod::Zpnpnpzp),
        (236, Mod::Zpnpzppp),
        (237, Mod::Zpnpzppn),
        (238, Mod::Zpnpzpnp),
        (239, Mod::Zpnpzpzp),
        (240, Mod::Zpzppppp),
        (241, Mod::Zpzppppn),
        (242, Mod::Zpzpppnp),
        (243, Mod::Zpzpppzp),
        (244, Mod::Zpzppnpp),
        (245, Mod::Zpzppnpn),
        (246, Mod::Zpzppnnp),
        (247, Mod::Zpzppnzp),
        (248, Mod::Zpzpnppp),
        (249, Mod::Zpzpnppn),
        (250, Mod::Zpzpnpnp),
        (251, Mod::Zpzpnpzp),
        (252, Mod::Zpzpzppp),
        (253, Mod::Zpzpzppn),
        (254, Mod::Zpzpzpnp),
        (255, Mod::Zpzpzpzp),
    ],
};
pub(crate) static V_SYNCSA: Values = Values {
    name: "syncsa",
    legal: 0x3f,
    list: &[(0, Mod::None), (1, Mod::A1t0), (2, Mod::A0t1), (3, Mod::A0tr), (4, Mod::A0tx), (5, Mod::Art0)],
};
pub(crate) static V_SYNCSM: Values =
    Values { name: "syncsm", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Tmask), (2, Mod::Red)] };
pub(crate) static V_SZ: Values = Values {
    name: "sz",
    legal: 0x7f,
    list: &[(0, Mod::U8), (1, Mod::S8), (2, Mod::U16), (3, Mod::S16), (4, Mod::None), (5, Mod::N64), (6, Mod::N128)],
};
pub(crate) static V_TEXDIM: Values = Values {
    name: "texdim",
    legal: 0xbf,
    list: &[
        (0, Mod::N1d),
        (1, Mod::N2d),
        (2, Mod::N3d),
        (3, Mod::Cube),
        (4, Mod::Array1d),
        (5, Mod::Array2d),
        (7, Mod::ArrayCube),
    ],
};
pub(crate) static V_TEXF16: Values =
    Values { name: "texf16", legal: 0x7, list: &[(0, Mod::None), (1, Mod::F16Rn), (2, Mod::F16Rz)] };
pub(crate) static V_TEXLOD: Values = Values {
    name: "texlod",
    legal: 0x7f,
    list: &[(0, Mod::None), (1, Mod::Lz), (2, Mod::Lb), (3, Mod::Ll), (4, Mod::Lc), (5, Mod::LbLc), (6, Mod::LcFdv)],
};
pub(crate) static V_TLD4C: Values =
    Values { name: "tld4c", legal: 0xf, list: &[(0, Mod::R), (1, Mod::G), (2, Mod::B), (3, Mod::A)] };
pub(crate) static V_TLD4DIM: Values = Values {
    name: "tld4dim",
    legal: 0xaa,
    list: &[(1, Mod::N2d), (3, Mod::Cube), (5, Mod::Array2d), (7, Mod::ArrayCube)],
};
pub(crate) static V_TLD4O: Values =
    Values { name: "tld4o", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Aoffi), (2, Mod::Ptp)] };
pub(crate) static V_TLDDIM: Values = Values {
    name: "tlddim",
    legal: 0x37,
    list: &[(0, Mod::N1d), (1, Mod::N2d), (2, Mod::N3d), (4, Mod::Array1d), (5, Mod::Array2d)],
};
pub(crate) static V_TLDLOD: Values = Values { name: "tldlod", legal: 0xa, list: &[(1, Mod::Lz), (3, Mod::Ll)] };
pub(crate) static V_TMADIM: Values = Values {
    name: "tmadim",
    legal: 0x1f,
    list: &[(0, Mod::N1d), (1, Mod::N2d), (2, Mod::N3d), (3, Mod::N4d), (4, Mod::N5d)],
};
pub(crate) static V_TXDDIM: Values =
    Values { name: "txddim", legal: 0x33, list: &[(0, Mod::N1d), (1, Mod::N2d), (4, Mod::Array1d), (5, Mod::Array2d)] };
pub(crate) static V_TXQ: Values = Values {
    name: "txq",
    legal: 0x7,
    list: &[(0, Mod::TexHeaderDimension), (1, Mod::TexHeaderTextureType), (2, Mod::TexHeaderSamplerPos)],
};
pub(crate) static V_US8: Values = Values { name: "us8", legal: 0x3, list: &[(0, Mod::U8), (1, Mod::S8)] };
pub(crate) static V_V16X2: Values = Values { name: "v16x2", legal: 0x3, list: &[(0, Mod::None), (1, Mod::N16x2)] };
pub(crate) static V_VABS4: Values = Values { name: "vabs4", legal: 0x3, list: &[(0, Mod::U8), (1, Mod::None)] };
pub(crate) static V_VOTE: Values =
    Values { name: "vote", legal: 0x7, list: &[(0, Mod::All), (1, Mod::Any), (2, Mod::Eq)] };
pub(crate) static V_WGB: Values = Values {
    name: "wgb",
    legal: 0x3ffff,
    list: &[
        (0, Mod::N64x8x256),
        (1, Mod::N64x16x256),
        (2, Mod::N64x24x256),
        (3, Mod::N64x32x256),
        (4, Mod::N64x48x256),
        (5, Mod::N64x64x256),
        (6, Mod::N64x80x256),
        (7, Mod::N64x96x256),
        (8, Mod::N64x112x256),
        (9, Mod::N64x128x256),
        (10, Mod::N64x144x256),
        (11, Mod::N64x160x256),
        (12, Mod::N64x176x256),
        (13, Mod::N64x192x256),
        (14, Mod::N64x208x256),
        (15, Mod::N64x224x256),
        (16, Mod::N64x240x256),
        (17, Mod::N64x256x256),
    ],
};
pub(crate) static V_WGI: Values = Values {
    name: "wgi",
    legal: 0x9249249249249,
    list: &[
        (0, Mod::N64x8x32),
        (3, Mod::N64x16x32),
        (6, Mod::N64x24x32),
        (9, Mod::N64x32x32),
        (12, Mod::N64x48x32),
        (15, Mod::N64x64x32),
        (18, Mod::N64x80x32),
        (21, Mod::N64x96x32),
        (24, Mod::N64x112x32),
        (27, Mod::N64x128x32),
        (30, Mod::N64x144x32),
        (33, Mod::N64x160x32),
        (36, Mod::N64x176x32),
        (39, Mod::N64x192x32),
        (42, Mod::N64x208x32),
        (45, Mod::N64x224x32),
        (48, Mod::N64x240x32),
        (51, Mod::N64x256x32),
    ],
};
pub(crate) static V_WGIS: Values = Values {
    name: "wgis",
    legal: 0x12492492492492,
    list: &[
        (1, Mod::N64x8x64),
        (4, Mod::N64x16x64),
        (7, Mod::N64x24x64),
        (10, Mod::N64x32x64),
        (13, Mod::N64x48x64),
        (16, Mod::N64x64x64),
        (19, Mod::N64x80x64),
        (22, Mod::N64x96x64),
        (25, Mod::N64x112x64),
        (28, Mod::N64x128x64),
        (31, Mod::N64x144x64),
        (34, Mod::N64x160x64),
        (37, Mod::N64x176x64),
        (40, Mod::N64x192x64),
        (43, Mod::N64x208x64),
        (46, Mod::N64x224x64),
        (49, Mod::N64x240x64),
        (52, Mod::N64x256x64),
    ],
};
pub(crate) static V_WGM16: Values = Values {
    name: "wgm16",
    legal: 0xffffffffffffffff,
    list: &[
        (0, Mod::N64x8x16),
        (1, Mod::N64x16x16),
        (2, Mod::N64x24x16),
        (3, Mod::N64x32x16),
        (4, Mod::N64x40x16),
        (5, Mod::N64x48x16),
        (6, Mod::N64x56x16),
        (7, Mod::N64x64x16),
        (8, Mod::N64x72x16),
        (9, Mod::N64x80x16),
        (10, Mod::N64x88x16),
        (11, Mod::N64x96x16),
        (12, Mod::N64x104x16),
        (13, Mod::N64x112x16),
        (14, Mod::N64x120x16),
        (15, Mod::N64x128x16),
        (16, Mod::N64x136x16),
        (17, Mod::N64x144x16),
        (18, Mod::N64x152x16),
        (19, Mod::N64x160x16),
        (20, Mod::N64x168x16),
        (21, Mod::N64x176x16),
        (22, Mod::N64x184x16),
        (23, Mod::N64x192x16),
        (24, Mod::N64x200x16),
        (25, Mod::N64x208x16),
        (26, Mod::N64x216x16),
        (27, Mod::N64x224x16),
        (28, Mod::N64x232x16),
        (29, Mod::N64x240x16),
        (30, Mod::N64x248x16),
        (31, Mod::N64x256x16),
        (32, Mod::N64x8x8),
        (33, Mod::N64x16x8),
        (34, Mod::N64x24x8),
        (35, Mod::N64x32x8),
        (36, Mod::N64x40x8),
        (37, Mod::N64x48x8),
        (38, Mod::N64x56x8),
        (39, Mod::N64x64x8),
        (40, Mod::N64x72x8),
        (41, Mod::N64x80x8),
        (42, Mod::N64x88x8),
        (43, Mod::N64x96x8),
        (44, Mod::N64x104x8),
        (45, Mod::N64x112x8),
        (46, Mod::N64x120x8),
        (47, Mod::N64x128x8),
        (48, Mod::N64x136x8),
        (49, Mod::N64x144x8),
        (50, Mod::N64x152x8),
        (51, Mod::N64x160x8),
        (52, Mod::N64x168x8),
        (53, Mod::N64x176x8),
        (54, Mod::N64x184x8),
        (55, Mod::N64x192x8),
        (56, Mod::N64x200x8),
        (57, Mod::N64x208x8),
        (58, Mod::N64x216x8),
        (59, Mod::N64x224x8),
        (60, Mod::N64x232x8),
        (61, Mod::N64x240x8),
        (62, Mod::N64x248x8),
        (63, Mod::N64x256x8),
    ],
};
pub(crate) static V_WGM32: Values = Values {
    name: "wgm32",
    legal: 0xffffffffffffffff,
    list: &[
        (0, Mod::N64x8x16),
        (1, Mod::N64x16x16),
        (2, Mod::N64x24x16),
        (3, Mod::N64x32x16),
        (4, Mod::N64x40x16),
        (5, Mod::N64x48x16),
        (6, Mod::N64x56x16),
        (7, Mod::N64x64x16),
        (8, Mod::N64x72x16),
        (9, Mod::N64x80x16),
        (10, Mod::N64x88x16),
        (11, Mod::N64x96x16),
        (12, Mod::N64x104x16),
        (13, Mod::N64x112x16),
        (14, Mod::N64x120x16),
        (15, Mod::N64x128x16),
        (16, Mod::N64x136x16),
        (17, Mod::N64x144x16),
        (18, Mod::N64x152x16),
        (19, Mod::N64x160x16),
        (20, Mod::N64x168x16),
        (21, Mod::N64x176x16),
        (22, Mod::N64x184x16),
        (23, Mod::N64x192x16),
        (24, Mod::N64x200x16),
        (25, Mod::N64x208x16),
        (26, Mod::N64x216x16),
        (27, Mod::N64x224x16),
        (28, Mod::N64x232x16),
        (29, Mod::N64x240x16),
        (30, Mod::N64x248x16),
        (31, Mod::N64x256x16),
        (32, Mod::N64x8x8),
        (33, Mod::N64x16x8),
        (34, Mod::N64x24x8),
        (35, Mod::N64x32x8),
        (36, Mod::N64x40x8),
        (37, Mod::N64x48x8),
        (38, Mod::N64x56x8),
        (39, Mod::N64x64x8),
        (40, Mod::N64x72x8),
        (41, Mod::N64x80x8),
        (42, Mod::N64x88x8),
        (43, Mod::N64x96x8),
        (44, Mod::N64x104x8),
        (45, Mod::N64x112x8),
        (46, Mod::N64x120x8),
        (47, Mod::N64x128x8),
        (48, Mod::N64x136x8),
        (49, Mod::N64x144x8),
        (50, Mod::N64x152x8),
        (51, Mod::N64x160x8),
        (52, Mod::N64x168x8),
        (53, Mod::N64x176x8),
        (54, Mod::N64x184x8),
        (55, Mod::N64x192x8),
        (56, Mod::N64x200x8),
        (57, Mod::N64x208x8),
        (58, Mod::N64x216x8),
        (59, Mod::N64x224x8),
        (60, Mod::N64x232x8),
        (61, Mod::N64x240x8),
        (62, Mod::N64x248x8),
        (63, Mod::N64x256x8),
    ],
};
pub(crate) static V_WGQ16: Values = Values {
    name: "wgq16",
    legal: 0xffffffff,
    list: &[
        (0, Mod::N64x8x32),
        (1, Mod::N64x16x32),
        (2, Mod::N64x24x32),
        (3, Mod::N64x32x32),
        (4, Mod::N64x40x32),
        (5, Mod::N64x48x32),
        (6, Mod::N64x56x32),
        (7, Mod::N64x64x32),
        (8, Mod::N64x72x32),
        (9, Mod::N64x80x32),
        (10, Mod::N64x88x32),
        (11, Mod::N64x96x32),
        (12, Mod::N64x104x32),
        (13, Mod::N64x112x32),
        (14, Mod::N64x120x32),
        (15, Mod::N64x128x32),
        (16, Mod::N64x136x32),
        (17, Mod::N64x144x32),
        (18, Mod::N64x152x32),
        (19, Mod::N64x160x32),
        (20, Mod::N64x168x32),
        (21, Mod::N64x176x32),
        (22, Mod::N64x184x32),
        (23, Mod::N64x192x32),
        (24, Mod::N64x200x32),
        (25, Mod::N64x208x32),
        (26, Mod::N64x216x32),
        (27, Mod::N64x224x32),
        (28, Mod::N64x232x32),
        (29, Mod::N64x240x32),
        (30, Mod::N64x248x32),
        (31, Mod::N64x256x32),
    ],
};
pub(crate) static V_WGQ32: Values = Values {
    name: "wgq32",
    legal: 0xffffffff,
    list: &[
        (0, Mod::N64x8x32),
        (1, Mod::N64x16x32),
        (2, Mod::N64x24x32),
        (3, Mod::N64x32x32),
        (4, Mod::N64x40x32),
        (5, Mod::N64x48x32),
        (6, Mod::N64x56x32),
        (7, Mod::N64x64x32),
        (8, Mod::N64x72x32),
        (9, Mod::N64x80x32),
        (10, Mod::N64x88x32),
        (11, Mod::N64x96x32),
        (12, Mod::N64x104x32),
        (13, Mod::N64x112x32),
        (14, Mod::N64x120x32),
        (15, Mod::N64x128x32),
        (16, Mod::N64x136x32),
        (17, Mod::N64x144x32),
        (18, Mod::N64x152x32),
        (19, Mod::N64x160x32),
        (20, Mod::N64x168x32),
        (21, Mod::N64x176x32),
        (22, Mod::N64x184x32),
        (23, Mod::N64x192x32),
        (24, Mod::N64x200x32),
        (25, Mod::N64x208x32),
        (26, Mod::N64x216x32),
        (27, Mod::N64x224x32),
        (28, Mod::N64x232x32),
        (29, Mod::N64x240x32),
        (30, Mod::N64x248x32),
        (31, Mod::N64x256x32),
    ],
};
pub(crate) static V_WGQS16: Values = Values {
    name: "wgqs16",
    legal: 0xffffffff00000000,
    list: &[
        (32, Mod::N64x8x64),
        (33, Mod::N64x16x64),
        (34, Mod::N64x24x64),
        (35, Mod::N64x32x64),
        (36, Mod::N64x40x64),
        (37, Mod::N64x48x64),
        (38, Mod::N64x56x64),
        (39, Mod::N64x64x64),
        (40, Mod::N64x72x64),
        (41, Mod::N64x80x64),
        (42, Mod::N64x88x64),
        (43, Mod::N64x96x64),
        (44, Mod::N64x104x64),
        (45, Mod::N64x112x64),
        (46, Mod::N64x120x64),
        (47, Mod::N64x128x64),
        (48, Mod::N64x136x64),
        (49, Mod::N64x144x64),
        (50, Mod::N64x152x64),
        (51, Mod::N64x160x64),
        (52, Mod::N64x168x64),
        (53, Mod::N64x176x64),
        (54, Mod::N64x184x64),
        (55, Mod::N64x192x64),
        (56, Mod::N64x200x64),
        (57, Mod::N64x208x64),
        (58, Mod::N64x216x64),
        (59, Mod::N64x224x64),
        (60, Mod::N64x232x64),
        (61, Mod::N64x240x64),
        (62, Mod::N64x248x64),
        (63, Mod::N64x256x64),
    ],
};
pub(crate) static V_WGQS32: Values = Values {
    name: "wgqs32",
    legal: 0xffffffff00000000,
    list: &[
        (32, Mod::N64x8x64),
        (33, Mod::N64x16x64),
        (34, Mod::N64x24x64),
        (35, Mod::N64x32x64),
        (36, Mod::N64x40x64),
        (37, Mod::N64x48x64),
        (38, Mod::N64x56x64),
        (39, Mod::N64x64x64),
        (40, Mod::N64x72x64),
        (41, Mod::N64x80x64),
        (42, Mod::N64x88x64),
        (43, Mod::N64x96x64),
        (44, Mod::N64x104x64),
        (45, Mod::N64x112x64),
        (46, Mod::N64x120x64),
        (47, Mod::N64x128x64),
        (48, Mod::N64x136x64),
        (49, Mod::N64x144x64),
        (50, Mod::N64x152x64),
        (51, Mod::N64x160x64),
        (52, Mod::N64x168x64),
        (53, Mod::N64x176x64),
        (54, Mod::N64x184x64),
        (55, Mod::N64x192x64),
        (56, Mod::N64x200x64),
        (57, Mod::N64x208x64),
        (58, Mod::N64x216x64),
        (59, Mod::N64x224x64),
        (60, Mod::N64x232x64),
        (61, Mod::N64x240x64),
        (62, Mod::N64x248x64),
        (63, Mod::N64x256x64),
    ],
};
pub(crate) static V_WGS16: Values = Values {
    name: "wgs16",
    legal: 0x0,
    list: &[
        (64, Mod::N64x8x32),
        (65, Mod::N64x16x32),
        (66, Mod::N64x24x32),
        (67, Mod::N64x32x32),
        (68, Mod::N64x40x32),
        (69, Mod::N64x48x32),
        (70, Mod::N64x56x32),
        (71, Mod::N64x64x32),
        (72, Mod::N64x72x32),
        (73, Mod::N64x80x32),
        (74, Mod::N64x88x32),
        (75, Mod::N64x96x32),
        (76, Mod::N64x104x32),
        (77, Mod::N64x112x32),
        (78, Mod::N64x120x32),
        (79, Mod::N64x128x32),
        (80, Mod::N64x136x32),
        (81, Mod::N64x144x32),
        (82, Mod::N64x152x32),
        (83, Mod::N64x160x32),
        (84, Mod::N64x168x32),
        (85, Mod::N64x176x32),
        (86, Mod::N64x184x32),
        (87, Mod::N64x192x32),
        (88, Mod::N64x200x32),
        (89, Mod::N64x208x32),
        (90, Mod::N64x216x32),
        (91, Mod::N64x224x32),
        (92, Mod::N64x232x32),
        (93, Mod::N64x240x32),
        (94, Mod::N64x248x32),
        (95, Mod::N64x256x32),
    ],
};
pub(crate) static V_WGS32: Values = Values {
    name: "wgs32",
    legal: 0xffffffff,
    list: &[
        (0, Mod::N64x8x16),
        (1, Mod::N64x16x16),
        (2, Mod::N64x24x16),
        (3, Mod::N64x32x16),
        (4, Mod::N64x40x16),
        (5, Mod::N64x48x16),
        (6, Mod::N64x56x16),
        (7, Mod::N64x64x16),
        (8, Mod::N64x72x16),
        (9, Mod::N64x80x16),
        (10, Mod::N64x88x16),
        (11, Mod::N64x96x16),
        (12, Mod::N64x104x16),
        (13, Mod::N64x112x16),
        (14, Mod::N64x120x16),
        (15, Mod::N64x128x16),
        (16, Mod::N64x136x16),
        (17, Mod::N64x144x16),
        (18, Mod::N64x152x16),
        (19, Mod::N64x160x16),
        (20, Mod::N64x168x16),
        (21, Mod::N64x176x16),
        (22, Mod::N64x184x16),
        (23, Mod::N64x192x16),
        (24, Mod::N64x200x16),
        (25, Mod::N64x208x16),
        (26, Mod::N64x216x16),
        (27, Mod::N64x224x16),
        (28, Mod::N64x232x16),
        (29, Mod::N64x240x16),
        (30, Mod::N64x248x16),
        (31, Mod::N64x256x16),
        (64, Mod::N64x8x32),
        (65, Mod::N64x16x32),
        (66, Mod::N64x24x32),
        (67, Mod::N64x32x32),
        (68, Mod::N64x40x32),
        (69, Mod::N64x48x32),
        (70, Mod::N64x56x32),
        (71, Mod::N64x64x32),
        (72, Mod::N64x72x32),
        (73, Mod::N64x80x32),
        (74, Mod::N64x88x32),
        (75, Mod::N64x96x32),
        (76, Mod::N64x104x32),
        (77, Mod::N64x112x32),
        (78, Mod::N64x120x32),
        (79, Mod::N64x128x32),
        (80, Mod::N64x136x32),
        (81, Mod::N64x144x32),
        (82, Mod::N64x152x32),
        (83, Mod::N64x160x32),
        (84, Mod::N64x168x32),
        (85, Mod::N64x176x32),
        (86, Mod::N64x184x32),
        (87, Mod::N64x192x32),
        (88, Mod::N64x200x32),
        (89, Mod::N64x208x32),
        (90, Mod::N64x216x32),
        (91, Mod::N64x224x32),
        (92, Mod::N64x232x32),
        (93, Mod::N64x240x32),
        (94, Mod::N64x248x32),
        (95, Mod::N64x256x32),
    ],
};
pub(crate) static V_WGTY: Values =
    Values { name: "wgty", legal: 0x7, list: &[(0, Mod::None), (1, Mod::Bf16), (2, Mod::Tf32)] };
pub(crate) static V_WSYNC80: Values =
    Values { name: "wsync80", legal: 0x5, list: &[(0, Mod::None), (2, Mod::Exclusive)] };
pub(crate) static V_WSYNCX: Values =
    Values { name: "wsyncx", legal: 0x3, list: &[(0, Mod::None), (1, Mod::Exclusive)] };
pub(crate) static V_XSCALE: Values =
    Values { name: "xscale", legal: 0xf, list: &[(0, Mod::None), (1, Mod::X4), (2, Mod::X8), (3, Mod::X16)] };
