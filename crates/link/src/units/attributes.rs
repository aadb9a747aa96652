//! Makes `.nv.info.<kernel>`, `.nv.info` and `.nv.compat` from the units' typed facts.
//!
//! Attributes are collected in any order and sorted into the one order that all files of ptxas
//! 13.0.88 over the corpus share (4,200 files); only the place of the parameter bank differs
//! between sm_8x and sm_90.

use raddle_cubin::elf::st;
use raddle_cubin::info::{Attribute, ParamInfo, Value, code, compat};
use raddle_cubin::unit::{Entry, InstructionMarks};
use raddle_target::{Native, Target, Variant};

use super::image::Text;
use crate::notes::TOOLKIT;
use crate::options::Format;

/// The order in `.nv.info.<kernel>`. PARAM_CBANK and CBANK_PARAM_SIZE have the `_BANK` place of the
/// architecture.
const ORDER: &[u8] = &[
    code::BLOCKS_ARE_CLUSTERS,
    code::CUDA_API_VERSION,
    code::SW_WAR_SM80,
    AMPERE_BANK,
    code::KPARAM_INFO,
    code::KPARAM_INFO_V2,
    code::EXPLICIT_CLUSTER,
    code::CTA_PER_CLUSTER,
    code::MAX_CLUSTER_RANK,
    code::RESERVED_SMEM_USED,
    code::SPARSE_MMA_MASK,
    code::WMMA_USED,
    code::MAXREG_COUNT,
    code::EXTERNS,
    code::NUM_BARRIERS,
    code::BINDLESS_SURFACE_BANK,
    code::BINDLESS_TEXTURE_BANK,
    code::X5F,
    code::REG_RECONFIG,
    code::ATOM16_EMUL_INSTR_REG_MAP,
    code::INT_WARP_WIDE_INSTR_OFFSETS,
    code::UNUSED_LOAD_BYTE_OFFSET,
    code::COOP_GROUP_MASK_REGIDS,
    code::COOP_GROUP_INSTR_OFFSETS,
    code::MBARRIER_INSTR_OFFSETS,
    code::NUM_MBARRIERS,
    code::SYSCALL_OFFSETS,
    code::EXIT_INSTR_OFFSETS,
    code::CTAIDZ_USED,
    code::MAX_THREADS,
    code::REQNTID,
    code::INDIRECT_BRANCH_TARGETS,
    code::CRS_STACK_SIZE,
    HOPPER_BANK,
    code::SW_WAR,
    HOPPER_TEXTURES,
    HOPPER_SURFACES,
];
/// Places of the two attributes of the parameter bank; these are not codes of the format.
const AMPERE_BANK: u8 = 0xfe;
const HOPPER_BANK: u8 = 0xff;
/// Places of the banks with words of textures and surfaces.
const HOPPER_TEXTURES: u8 = 0xfd;
const HOPPER_SURFACES: u8 = 0xfc;

/// The numbers of symbols that attributes of a section of code refer to.
pub(super) struct Numbers {
    /// Its bank 0.
    pub params: u32,
    /// Functions that it uses and the file does not define.
    pub externals: Vec<u32>,
    /// Textures, samplers and surfaces among the parameters, by their numbers.
    pub opaque: Vec<(usize, u32)>,
}

/// The attributes of a section of code, kernel or not.
pub(super) fn of_text(text: &Text<'_>, symbols: Numbers, format: &Format, native: &Native) -> Vec<Attribute> {
    let Numbers { params, externals, opaque } = symbols;
    let functions = &text.functions;
    let mut out = Collector::default();
    out.words(code::CUDA_API_VERSION, vec![TOOLKIT.into()]);
    out.words(code::SW_WAR, if format.sw_war == 0 { vec![] } else { vec![format.sw_war] });
    out.mark(code::SW_WAR_SM80, format.sw_war_sm80);
    out.push(code::X5F, Value::Half(format.x5f));
    if !externals.is_empty() {
        out.push(code::EXTERNS, Value::Symbols(externals));
    }
    if format.hopper_order {
        let mask = functions.iter().fold(0, |mask, (f, _)| mask | f.marks.sparse_mma);
        out.push(code::SPARSE_MMA_MASK, Value::Half(mask));
    }
    if let Some(entry) = text.entry() {
        out.entry(entry, (params, &opaque), native, if format.hopper_order { HOPPER_BANK } else { AMPERE_BANK });
    }
    // Later architectures do not have it.
    out.mark(code::CTAIDZ_USED, !format.hopper_order && functions.iter().any(|(f, _)| f.marks.ctaid_z));
    if text.barriers() > 0 {
        out.push(code::NUM_BARRIERS, Value::Byte(text.barriers(), 0));
    }
    out.words_of_textures(&text.words, format.hopper_order);
    out.marks(&functions.iter().map(|(f, offset)| (&f.marks, *offset)).collect::<Vec<_>>());
    out.finish()
}

#[derive(Default)]
struct Collector {
    /// Place in [`ORDER`], attribute.
    items: Vec<(usize, Attribute)>,
}

impl Collector {
    fn push_at(&mut self, place: u8, code: u8, value: Value) {
        let place = ORDER.iter().position(|&o| o == place).unwrap_or(ORDER.len());
        self.items.push((place, Attribute { code, value }));
    }

    fn push(&mut self, code: u8, value: Value) {
        self.push_at(code, code, value);
    }

    /// Adds a list; nothing if it is empty.
    fn words(&mut self, code: u8, words: Vec<u32>) {
        if !words.is_empty() {
            self.push(code, Value::Words(words));
        }
    }

    fn mark(&mut self, code: u8, set: bool) {
        if set {
            self.push(code, Value::Mark(0));
        }
    }

    fn finish(mut self) -> Vec<Attribute> {
        self.items.sort_by_key(|i| i.0);
        self.items.into_iter().map(|i| i.1).collect()
    }

    /// The bank with the words of textures and samplers, and that of surfaces; sm_90 has both if it
    /// has one.
    fn words_of_textures(&mut self, kinds: &[u8], hopper: bool) {
        let bank = || Value::Byte(0, 0);
        let (mut textures, mut surfaces) = (code::BINDLESS_TEXTURE_BANK, code::BINDLESS_SURFACE_BANK);
        let all = hopper && !kinds.is_empty();
        if all {
            (textures, surfaces) = (HOPPER_TEXTURES, HOPPER_SURFACES);
        }
        if all || kinds.iter().any(|&kind| kind != st::CUDA_SURFACE) {
            self.push_at(textures, code::BINDLESS_TEXTURE_BANK, bank());
        }
        if all || kinds.contains(&st::CUDA_SURFACE) {
            self.push_at(surfaces, code::BINDLESS_SURFACE_BANK, bank());
        }
    }

    fn entry(
        &mut self,
        entry: &Entry,
        (params_symbol, opaque): (u32, &[(usize, u32)]),
        native: &Native,
        bank_place: u8,
    ) {
        let size = entry.params.iter().map(|p| p.offset.saturating_add(p.size)).max().unwrap_or(0);
        let offset = native.cbank.params_at(entry.many_params);
        let bank = Value::ParamBank { symbol: params_symbol, offset, size };
        // The bank precedes its size on sm_8x and follows it on sm_90.
        if bank_place == AMPERE_BANK {
            self.push_at(bank_place, code::PARAM_CBANK, bank.clone());
        }
        self.push_at(bank_place, code::CBANK_PARAM_SIZE, Value::Half(size));
        if bank_place == HOPPER_BANK {
            self.push_at(bank_place, code::PARAM_CBANK, bank);
        }
        for (ordinal, p) in entry.params.iter().enumerate().rev() {
            let mut info = ParamInfo::new(ordinal as u16, p.offset, p.size);
            (info.log_align, info.space) = (p.log_align, p.space);
            if let Some(&(_, symbol)) = opaque.iter().find(|(n, _)| *n == ordinal) {
                (info.index, info.offset) = (symbol, u16::MAX);
            }
            if entry.many_params {
                self.push(code::KPARAM_INFO_V2, Value::ParamV2(info));
            } else {
                self.push(code::KPARAM_INFO, Value::Param(info));
            }
        }
        self.push(code::MAXREG_COUNT, Value::Half(entry.max_registers.unwrap_or(255)));
        self.words(code::MAX_THREADS, entry.max_threads.map_or(vec![], |d| d.to_vec()));
        self.words(code::REQNTID, entry.required_threads.map_or(vec![], |d| d.to_vec()));
        self.words(code::CTA_PER_CLUSTER, entry.cluster.map_or(vec![], |d| d.to_vec()));
        self.words(code::MAX_CLUSTER_RANK, entry.max_cluster_rank.map_or(vec![], |r| vec![r]));
        self.mark(code::EXPLICIT_CLUSTER, entry.explicit_cluster);
    }

    /// Adds the features of the kernel and its copies, each with its offset in the text.
    fn marks(&mut self, all: &[(&InstructionMarks, u32)]) {
        let offsets = |list: fn(&InstructionMarks) -> &[u32]| -> Vec<u32> {
            all.iter().flat_map(|&(m, base)| list(m).iter().map(move |o| o + base)).collect()
        };
        let any = |f: fn(&InstructionMarks) -> bool| all.iter().any(|&(m, _)| f(m));
        self.words(code::EXIT_INSTR_OFFSETS, offsets(|m| &m.exits));
        self.words(code::INT_WARP_WIDE_INSTR_OFFSETS, offsets(|m| &m.warp_wide));
        self.words(code::SYSCALL_OFFSETS, offsets(|m| &m.syscalls));
        let coop = || all.iter().flat_map(|&(m, base)| m.coop_group.iter().map(move |g| (g.offset + base, g.mask)));
        self.words(code::COOP_GROUP_INSTR_OFFSETS, coop().map(|g| g.0).collect());
        self.words(code::COOP_GROUP_MASK_REGIDS, coop().map(|g| g.1).collect());
        let mut branches = Vec::new();
        let mut mbarriers = Vec::new();
        let mut unused = Vec::new();
        let mut atom16 = Vec::new();
        for &(m, base) in all {
            for b in &m.indirect_branches {
                branches.extend([b.offset + base, 0, b.targets.len() as u32]);
                branches.extend(b.targets.iter().map(|t| t + base));
            }
            mbarriers.extend(m.mbarriers.iter().flat_map(|&[offset, a, b, c]| [offset + base, a, b, c]));
            unused.extend(m.unused_load_bytes.iter().flat_map(|&[offset, mask]| [offset + base, mask]));
            atom16.extend(m.atom16.iter().flat_map(|&[offset, registers]| [offset + base, registers]));
        }
        if !mbarriers.is_empty() {
            let count = all.iter().map(|&(m, _)| m.mbarrier_count).max().unwrap_or(0);
            self.push(code::NUM_MBARRIERS, Value::Half(count));
        }
        self.words(code::INDIRECT_BRANCH_TARGETS, branches);
        self.words(code::MBARRIER_INSTR_OFFSETS, mbarriers);
        self.words(code::UNUSED_LOAD_BYTE_OFFSET, unused);
        self.words(code::ATOM16_EMUL_INSTR_REG_MAP, atom16);
        for a in all.iter().flat_map(|&(m, _)| &m.opaque) {
            self.push(a.code, a.value.clone());
        }
        self.mark(code::WMMA_USED, any(|m| m.uses_wmma));
        self.mark(code::REG_RECONFIG, any(|m| m.reg_reconfig));
        self.mark(code::RESERVED_SMEM_USED, any(|m| m.reserved_shared));
        if any(|m| m.uses_convergence) {
            self.push(code::CRS_STACK_SIZE, Value::Words(vec![0]));
        }
    }
}

/// `.nv.compat` of a module (sm_90).
pub(super) fn compatibility(target: &Target, marks: &[&InstructionMarks]) -> Vec<Attribute> {
    let specific = target.variant == Variant::Specific;
    let class = marks.iter().map(|m| m.isa_class).max().unwrap_or(0).max(1);
    let tensormap = marks.iter().fold(0, |bits, m| bits | m.tensormap);
    let byte = |code, value| Attribute { code, value: Value::Byte(value, 0) };
    vec![
        byte(compat::CUDA_ACCELERATOR_TARGET, specific.into()),
        byte(compat::ISA_CLASS, class),
        byte(compat::INST_TCGEN05_MMA, 5),
        Attribute { code: compat::X07, value: Value::Half(0x0101) },
        byte(compat::INST_TENSORMAP_V1, tensormap),
        byte(compat::ENABLE_OPPORTUNISTIC_FINALIZATION, 1),
        Attribute { code: compat::CAN_FASTPATH_FINALIZE, value: Value::Words(vec![0, 0]) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_there_once() {
        let mut places = ORDER.to_vec();
        places.sort_unstable();
        assert!(places.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn marks_of_copies_are_moved() {
        let kernel = InstructionMarks { exits: vec![0x40], ..InstructionMarks::default() };
        let copy = InstructionMarks { exits: vec![0x10], uses_convergence: true, ..InstructionMarks::default() };
        let mut out = Collector::default();
        out.marks(&[(&kernel, 0), (&copy, 0x100)]);
        let attributes = out.finish();
        assert_eq!(attributes[0], Attribute { code: code::EXIT_INSTR_OFFSETS, value: Value::Words(vec![0x40, 0x110]) });
        assert_eq!(attributes[1].code, code::CRS_STACK_SIZE);
    }
}
