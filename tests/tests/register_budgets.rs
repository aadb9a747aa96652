//! Kernels of specialised warps that pass registers to each other (`setmaxnreg`): a group of warps
//! returns registers, the other takes them. Code of ptxas and ours gives the bits of the interpreter,
//! and each group uses what it has.

use std::collections::BTreeMap;

use raddle_filetest::oracle;
use raddle_sass::{Isa, decode};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::compile;
use raddle_tests::level::Level;
use raddle_tests::ptxas::Assembler;
use raddle_tests::simulator;

/// Threads of a block, of which the first 128 return registers.
const THREADS: u32 = 256;
/// Words that a thread reads.
const STRIDE: u32 = 256;

/// A kernel: what the first warps leave, and the others take; values that both keep at once.
struct Groups {
    bounds: &'static str,
    less: u32,
    more: u32,
    few: u32,
    many: u32,
}

impl Groups {
    /// Reads words, and adds products of each with others, so that all are live at once.
    fn part(name: &str, count: u32) -> String {
        let mut out = "mov.f32 %sum, 0f00000000;\n".to_owned();
        for n in 0..count {
            out += &format!("ld.volatile.global.f32 %{name}{n}, [%in+{}];\n", 4 * n);
        }
        for (by, from) in [(7, 3), (5, 1)] {
            for n in 0..count {
                let m = (n * by + from) % count;
                out += &format!("fma.rn.f32 %sum, %{name}{n}, %{name}{m}, %sum;\n");
            }
        }
        out + "st.global.f32 [%out], %sum;\n"
    }

    fn text(&self) -> String {
        format!(
            ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{}\n{{\n\
             .reg .b64 %in, %out; .reg .b32 %t; .reg .f32 %sum, %a<256>, %b<256>; .reg .pred %p;\n\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n\
             mad.wide.u32 %in, %t, {}, %in; mad.wide.u32 %out, %t, 4, %out;\n\
             setp.ge.u32 %p, %t, 128; @%p bra MORE;\n\
             setmaxnreg.dec.sync.aligned.u32 {};\n{}bra DONE;\n\
             MORE: setmaxnreg.inc.sync.aligned.u32 {};\n{}DONE: ret;\n}}\n",
            self.bounds,
            4 * STRIDE,
            self.less,
            Self::part("a", self.few),
            self.more,
            Self::part("b", self.many),
        )
    }

    fn run(&self) -> (Memory, Launch) {
        let mut memory = Memory::new();
        let word = |n: u32| (n.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0;
        let bytes = (0..THREADS * STRIDE).flat_map(|n| word(n).to_le_bytes()).collect();
        let input = memory.add("in", bytes, false);
        let out = memory.add("out", vec![0; 4 * THREADS as usize], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(THREADS);
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out)];
        (memory, launch)
    }

    fn result(&self, how: impl FnOnce(&Launch, &mut Memory)) -> Vec<u8> {
        let (mut memory, launch) = self.run();
        how(&launch, &mut memory);
        let Arg::Buffer(out) = launch.args[1] else { unreachable!() };
        memory.alloc(out).seg.bytes().to_vec()
    }
}

/// Facts of code: the registers of the kernel, the highest one named, counts of operations.
fn facts(cubin: &[u8]) -> (u32, u32, BTreeMap<String, usize>) {
    let file = raddle_cubin::model::Cubin::parse(cubin).unwrap();
    let kernel = file.kernel("k").unwrap();
    let (mut top, mut names) = (0, BTreeMap::<String, usize>::new());
    for word in kernel.code.chunks_exact(16) {
        let inst = decode(Isa::Sm90a, u128::from_le_bytes(word.try_into().unwrap())).unwrap();
        for a in inst.accesses().into_iter().filter(|a| a.file == raddle_sass::row::File::Gpr) {
            top = top.max(u32::from(a.first) + u32::from(a.count));
        }
        *names.entry(inst.op().text().to_owned()).or_default() += 1;
    }
    (kernel.registers, top, names)
}

#[test]
fn each_group_of_warps_has_its_budget() {
    let all = [
        Groups { bounds: ".maxnreg 128", less: 40, more: 216, few: 8, many: 180 },
        Groups { bounds: ".maxntid 256\n.minnctapersm 2", less: 24, more: 232, few: 60, many: 200 },
        Groups { bounds: ".reqntid 256\n.minnctapersm 1", less: 232, more: 240, few: 200, many: 100 },
        Groups { bounds: ".maxnreg 168", less: 96, more: 240, few: 90, many: 240 },
    ];
    let ptxas = oracle::require("ptxas");
    let assembler = ptxas.as_ref().map(|ptxas| Assembler::new(ptxas).unwrap());
    for groups in &all {
        let text = groups.text();
        let wanted = groups.result(|launch, memory| {
            interp::run(&text, launch, memory).unwrap();
        });
        let mut codes: Vec<(String, Vec<u8>)> = Vec::new();
        if let Some(assembler) = &assembler {
            codes.push(("ptxas".into(), assembler.assemble(&text, "sm_90a").unwrap()));
        }
        for level in Level::ALL {
            codes.push((level.to_string(), compile::cubin_at(&text, "sm_90a", level).unwrap()));
        }
        let counts: Vec<u32> = codes.iter().map(|(_, cubin)| facts(cubin).0).collect();
        assert!(counts.iter().all(|n| *n == counts[0]), "{counts:?}: registers at entry");
        for (name, cubin) in codes {
            let found = groups.result(|launch, memory| {
                simulator::run(&cubin, launch, memory).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
            });
            assert_eq!(found, wanted, "{name}: {text}");
            let (registers, top, names) = facts(&cubin);
            let count = |name: &str| names.get(name).copied().unwrap_or(0);
            println!("{name}: {registers} registers, {top} used, {} stores, {} loads", count("STL"), count("LDL"));
            assert_eq!(count("USETMAXREG"), 2, "{name}");
            assert!(top <= groups.more, "{name}");
            // What fits is not spilled, also beyond what the kernel begins with.
            if groups.few + 20 < groups.less && groups.many + 20 < groups.more && name != "O0" {
                assert_eq!(count("STL"), 0, "{name}: {registers} registers, {top} used");
                assert!(groups.many < registers || top > registers, "{name}: {top} of {registers}");
            }
        }
    }
}

#[test]
fn registers_stay_where_their_number_at_entry_is_not_known() {
    let groups = Groups { bounds: ".maxntid 256", less: 40, more: 216, few: 8, many: 100 };
    let cubin = compile::cubin_at(&groups.text(), "sm_90a", Level::O3).unwrap();
    assert_eq!(facts(&cubin).2.get("USETMAXREG"), None);
}

#[test]
fn a_warp_returns_at_most_what_it_can_have() {
    let text = |body: &str| {
        let head = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() .maxnreg 64";
        format!("{head}\n{{\n{body}ret;\n}}\n")
    };
    let (taken, returned) = ("setmaxnreg.inc.sync.aligned.u32 128;\n", "setmaxnreg.dec.sync.aligned.u32 96;\n");
    let (good, bad) = (text(&format!("{taken}{returned}")), text(returned));
    if let Some(ptxas) = oracle::require("ptxas") {
        let assembler = Assembler::new(&ptxas).unwrap();
        assert!(assembler.assemble(&good, "sm_90a").is_ok() && assembler.assemble(&bad, "sm_90a").is_err());
    }
    for level in Level::ALL {
        let cubin = compile::cubin_at(&good, "sm_90a", level).unwrap();
        assert_eq!(facts(&cubin).2.get("USETMAXREG"), Some(&2), "{level}");
        let error = compile::cubin_at(&bad, "sm_90a", level).unwrap_err().to_string();
        assert!(error.contains("down to 96 by setmaxnreg, but never has more than 64"), "{level}: {error}");
    }
}

#[test]
fn a_budget_that_is_too_small_is_an_error_that_says_so() {
    // A matrix product keeps its accumulators in place.
    let product = "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {ACC}, %d, %d, 1, 1, 1, 0, 0; \
                   wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
    let list = (0..128).map(|n| format!("%a{n}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) .maxnreg 168\n{{\n\
         .reg .b64 %out, %d; .reg .f32 %a<128>; ld.param.u64 %out, [out]; mov.b64 %d, 0;\n\
         setmaxnreg.dec.sync.aligned.u32 40;\n{}\n{}ret;\n}}\n",
        product.replace("ACC", &list),
        (0..128).map(|n| format!("st.global.f32 [%out+{}], %a{n};\n", 4 * n)).collect::<String>()
    );
    let error = compile::cubin_at(&text, "sm_90a", Level::O3).unwrap_err().to_string();
    assert!(error.contains("setmaxnreg"), "{error}");
}

#[test]
fn a_warp_that_uses_more_than_it_has_is_found() {
    let groups = Groups { bounds: ".maxnreg 128", less: 40, more: 216, few: 8, many: 180 };
    let mut cubin = compile::cubin_at(&groups.text(), "sm_90a", Level::O3).unwrap();
    // It takes 40 registers fewer (bits 32 to 41 of `USETMAXREG`).
    let mut changed = 0;
    for word in cubin.chunks_exact_mut(16) {
        let low = u64::from_le_bytes(word[..8].try_into().unwrap());
        if low & 0xfff == 0x9c8 && low >> 32 == u64::from(groups.more) {
            word[..8].copy_from_slice(&(low - (40 << 32)).to_le_bytes());
            changed += 1;
        }
    }
    assert_eq!(changed, 1);
    let (mut memory, launch) = groups.run();
    let error = simulator::run(&cubin, &launch, &mut memory).unwrap_err().to_string();
    assert!(error.contains("is named by a warp with a register count of 176"), "{error}");
}
