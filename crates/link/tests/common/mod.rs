//! Shared by the tests: executables made by ptxas as unit objects.

use raddle_cubin::Cubin;
use raddle_cubin::info::{Value, code};
use raddle_cubin::model::Place;
use raddle_cubin::unit::{
    ConstantPool, CoopGroup, Entry, Function, IndirectBranch, Linkage, Marks, Part, SharedArea, UnitObject,
};
use raddle_cubin::view::Kernel;
use raddle_target::Target;

/// Turns every kernel of an executable into a unit of its own: code as it is, facts from its attributes.
///
/// Variables are not imported: in an executable the code's references to them are already filled in.
pub fn import(cubin: &Cubin, target: &Target) -> Vec<UnitObject> {
    cubin.kernels().iter().map(|k| kernel(cubin, k, target)).collect()
}

fn kernel(cubin: &Cubin, k: &Kernel<'_>, target: &Target) -> UnitObject {
    let native = target.native.as_ref().unwrap();
    let mut unit = UnitObject::default();
    let name = unit.symbols.intern(k.name);
    let entry = Entry { params: k.params.clone(), ..Entry::default() };
    let mut f = Function::new(name, Linkage::Visible, Some(entry), k.code.to_vec());
    f.padded = true;
    f.registers = k.registers as u16;
    f.barriers = k.barriers as u8;
    f.frame_size = k.frame_size;
    f.stack_size = Some(k.stack_size);
    let section = |prefix: &str| cubin.section(&format!("{prefix}{}", k.name));
    if let Some(s) = section(".nv.shared.") {
        let size = (s.size() - u64::from(native.shared_base)) as u32;
        f.shared = SharedArea { size, align: s.align as u32, dynamic: true };
    }
    if let Some(s) = section(".nv.constant2.") {
        f.constants = ConstantPool { bytes: s.bytes().to_vec(), align: s.align as u32, relocations: Vec::new() };
    }
    for (index, s) in cubin.symbols.iter().enumerate() {
        if s.place == Place::Section(k.section) && s.kind == 2 && index as u32 != k.symbol {
            let frame_size = cubin.symbol_fact(code::FRAME_SIZE, index as u32).unwrap_or(0);
            let name = unit.symbols.intern(&s.name);
            f.parts.push(Part { name, offset: s.value as u32, size: s.size as u32, frame_size });
        }
    }
    f.marks = marks(k, f.entry.as_mut().unwrap());
    if let Some(s) = cubin.section(".nv.compat")
        && let raddle_cubin::model::Payload::Attributes(attributes) = &s.payload
    {
        for a in attributes {
            match (a.code, &a.value) {
                (raddle_cubin::info::compat::ISA_CLASS, Value::Byte(b, _)) => f.marks.isa_class = *b,
                (raddle_cubin::info::compat::INST_TENSORMAP_V1, Value::Byte(b, _)) => f.marks.tensormap = *b,
                _ => {}
            }
        }
    }
    unit.functions.push(f);
    unit
}

fn marks(k: &Kernel<'_>, entry: &mut Entry) -> Marks {
    let words = |wanted| -> Vec<u32> {
        let found = k.attributes.iter().find_map(|a| match &a.value {
            Value::Words(w) if a.code == wanted => Some(w.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    };
    let has = |wanted| k.attributes.iter().any(|a| a.code == wanted);
    let half = |wanted| {
        k.attributes.iter().find_map(|a| match a.value {
            Value::Half(h) if a.code == wanted => Some(h),
            _ => None,
        })
    };
    let three = |w: Vec<u32>| <[u32; 3]>::try_from(w).ok();
    entry.max_threads = three(words(code::MAX_THREADS));
    entry.required_threads = three(words(code::REQNTID));
    entry.cluster = three(words(code::CTA_PER_CLUSTER));
    entry.max_registers = half(code::MAXREG_COUNT).filter(|&h| h != 255);
    entry.max_cluster_rank = words(code::MAX_CLUSTER_RANK).first().copied();
    entry.explicit_cluster = has(code::EXPLICIT_CLUSTER);
    let coop = words(code::COOP_GROUP_INSTR_OFFSETS).into_iter().zip(words(code::COOP_GROUP_MASK_REGIDS));
    let mut branches = Vec::new();
    let table = words(code::INDIRECT_BRANCH_TARGETS);
    let mut rest = &table[..];
    while let [offset, _, count, tail @ ..] = rest {
        let (targets, next) = tail.split_at(*count as usize);
        branches.push(IndirectBranch { offset: *offset, targets: targets.to_vec() });
        rest = next;
    }
    Marks {
        ctaid_z: has(code::CTAIDZ_USED),
        exits: words(code::EXIT_INSTR_OFFSETS),
        coop_group: coop.map(|(offset, mask)| CoopGroup { offset, mask }).collect(),
        warp_wide: words(code::INT_WARP_WIDE_INSTR_OFFSETS),
        syscalls: words(code::SYSCALL_OFFSETS),
        indirect_branches: branches,
        mbarriers: words(code::MBARRIER_INSTR_OFFSETS).chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]).collect(),
        mbarrier_count: half(code::NUM_MBARRIERS).unwrap_or(0),
        unused_load_bytes: words(code::UNUSED_LOAD_BYTE_OFFSET).chunks_exact(2).map(|w| [w[0], w[1]]).collect(),
        sparse_mma: half(code::SPARSE_MMA_MASK).unwrap_or(0),
        reserved_shared: has(code::RESERVED_SMEM_USED),
        uses_wmma: has(code::WMMA_USED),
        uses_convergence: has(code::CRS_STACK_SIZE),
        reg_reconfig: has(code::REG_RECONFIG),
        atom16: words(code::ATOM16_EMUL_INSTR_REG_MAP).chunks_exact(2).map(|w| [w[0], w[1]]).collect(),
        ..Marks::default()
    }
}
