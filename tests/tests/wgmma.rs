//! `wgmma`: the code of ptxas and ours in the simulator give the results that the interpreter gives,
//! bit by bit. Every twenty-ninth spelling, at one level in turn; `cargo campaign matrix wgmma` has
//! all.

use raddle_filetest::oracle;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::wgmma_forms::{self, Form, Variant};

/// Every how manieth spelling is judged: a prime, so that no dimension of the list is left out.
const STEP: usize = 29;

#[test]
fn code_gives_what_the_interpreter_gives() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let forms: Vec<(usize, Form)> = wgmma_forms::all().into_iter().enumerate().collect();
    let some: Vec<&(usize, Form)> = forms.iter().step_by(STEP).collect();
    let judged = parallel::map(&some, |(n, form)| {
        let level = Level::ALL[n / STEP % Level::ALL.len()];
        form.judge(&[level], true, &assembler, *n as u64)
    });
    let ran: usize = judged.iter().map(|(ran, _)| ran).sum();
    let wrong: Vec<&str> = judged.iter().flat_map(|(_, wrong)| wrong).map(String::as_str).collect();
    println!("{} of {} forms, {ran} codes", some.len(), forms.len());
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}

/// Replaces the instructions of `WARPGROUP` with (`waits`) or without bit 80 by `NOP`s.
fn without(cubin: &[u8], waits: bool) -> Vec<u8> {
    // `NOP`; the control field stays.
    const NOP: u128 = 0x7918;
    let mut out = cubin.to_vec();
    let mut replaced = 0;
    for word in out.chunks_exact_mut(16) {
        let bits = u128::from_le_bytes(word.try_into().unwrap());
        // Opcode 9c5 without a guard, in code: the field of the stall is not zero.
        if bits & 0xffff == 0x79c5 && (bits >> 105) != 0 && (bits >> 80 & 1 != 0) == waits {
            word.copy_from_slice(&(NOP | bits >> 105 << 105).to_le_bytes());
            replaced += 1;
        }
    }
    assert!(replaced > 0, "no instruction to replace");
    out
}

#[test]
fn code_without_waits_or_arrivals_fails() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let assembler = Assembler::new(&ptxas).unwrap();
    let forms = wgmma_forms::all();
    let form = forms.iter().find(|form| form.registers && form.dotted.contains("m64n32k16.f32.f16")).unwrap();
    // Number 2 adds to its accumulators.
    let kernel = form.kernel(&Variant::new(2));
    let cubin = assembler.assemble(&kernel.text, "sm_90a").unwrap();
    kernel.compare(&cubin, 2).unwrap();
    let why = |waits| format!("{:#}", kernel.compare(&without(&cubin, waits), 2).unwrap_err());
    assert!(why(true).contains("before a WARPGROUP.DEPBAR has waited for HGMMA"), "{}", why(true));
    assert!(why(false).contains("was written after the last WARPGROUP.ARRIVE"), "{}", why(false));
}

/// A kernel with a product of an 8-column accumulator, and `between` after it.
fn with(between: &str) -> wgmma_forms::Kernel {
    let forms = wgmma_forms::all();
    let form = forms.iter().find(|form| !form.registers && form.dotted.contains("m64n8k16.f32.f16")).unwrap();
    // Number 1 has one product.
    let mut kernel = form.kernel(&Variant::new(1));
    let at = kernel.text.find("wgmma.mma_async").unwrap();
    let end = at + kernel.text[at..].find('\n').unwrap();
    kernel.text = format!("{}\n{between}\n{}", &kernel.text[..end], &kernel.text[end..]);
    kernel
}

#[test]
fn products_run_one_after_another_where_registers_in_flight_are_used_or_moved() {
    const WAIT: &str = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
    for between in [
        "add.f32 %d0, %d1, %d1;",
        // The same registers in another order would have to be exchanged.
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d1,%d0,%d2,%d3}, %da, %db, 1, 1, 1, 0, 0;",
    ] {
        // What PTX defines: with a wait and a fence where a register is used.
        let defined = with(&format!("{WAIT} {between} {WAIT} wgmma.fence.sync.aligned;"));
        for level in [Level::O0, Level::O1, Level::O2, Level::O3, Level::Serial] {
            let cubin = raddle_tests::compile::cubin_at(&with(between).text, "sm_90a", level).unwrap();
            defined.compare(&cubin, 2).unwrap_or_else(|error| panic!("{between} at {level:?}: {error:#}"));
        }
    }
}

/// Two products of the same A in different orders in a loop that leaves one group in flight, and
/// loads: one of them needs copies of A, which are in flight, too.
fn copies_of_a() -> wgmma_forms::Kernel {
    let forms = wgmma_forms::all();
    let form = forms.iter().find(|form| form.registers && form.dotted.contains("m64n8k16.f32.f16")).unwrap();
    let mut kernel = form.kernel(&Variant::new(1));
    let text = &kernel.text;
    let at = text.find("wgmma.fence").unwrap();
    let from = at + text[at..].find("wgmma.mma_async").unwrap();
    let end = from + text[from..].find('\n').unwrap();
    let product = &text[from..end];
    let other = product.replace("%d", "%e").replace("%eb", "%db").replace("%a0,%a1,%a2,%a3", "%a1,%a0,%a3,%a2");
    assert_ne!(product, other);
    let head = ".reg .b32 %e<4>, %sum; mov.b32 %e0,%d1; mov.b32 %e1,%d2; mov.b32 %e2,%d3; mov.b32 %e3,%d0; \
                mov.b32 %sum,0; mov.b32 %i,0;\n$M:\nwgmma.fence.sync.aligned;";
    let tail = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n\
                ld.global.v4.b32 {%v0,%v1,%v2,%v3}, [%in];\nadd.u64 %in,%in,16; xor.b32 %v0,%v0,%v1; \
                add.u32 %v2,%v2,%v3; mad.lo.u32 %sum,%v0,%v2,%sum; add.u32 %i,%i,1; setp.lt.u32 %p,%i,4; @%p bra $M;";
    let sums = "xor.b32 %d0,%d0,%e0; xor.b32 %d1,%d1,%e1; xor.b32 %d2,%d2,%e2; xor.b32 %d3,%d3,%e3; \
                add.u32 %d0,%d0,%sum;\n";
    let rest =
        text[end..].replace("wgmma.wait_group.sync.aligned 0;\n", &format!("wgmma.wait_group.sync.aligned 0;\n{sums}"));
    kernel.text = format!("{}{head}\n{product}\n{other}\n{tail}{rest}", &text[..at]);
    kernel
}

/// The error of triton-lang/triton#11781 (ptxas 12.9; 13.0.88 has it, too): copies of A are written
/// while a product that reads them is in flight.
#[test]
fn copies_of_a_written_in_flight_are_found() {
    let kernel = copies_of_a();
    for level in Level::ALL {
        let cubin = raddle_tests::compile::cubin_at(&kernel.text, "sm_90a", level).unwrap();
        kernel.compare(&cubin, 1).unwrap();
    }
    for name in ["ptxas", oracle::PTXAS12] {
        let Some(ptxas) = oracle::require(name) else { continue };
        let cubin = Assembler::new(&ptxas).unwrap().assemble_at(&kernel.text, "sm_90a", "-O1").unwrap();
        let why = format!("{:#}", kernel.compare(&cubin, 1).unwrap_err());
        assert!(why.contains(" is written before a WARPGROUP.DEPBAR has waited for HGMMA"), "{name}: {why}");
    }
}

/// `WARPGROUP.DEPBAR` cannot wait for a scoreboard itself: a `NOP` before it does.
#[test]
fn a_load_before_a_wait_for_products_is_waited_for() {
    let mut kernel = copies_of_a();
    let load = "ld.global.v4.b32 {%v0,%v1,%v2,%v3}, [%in];";
    kernel.text =
        kernel.text.replace("wgmma.wait_group.sync.aligned", &format!("{load}\nwgmma.wait_group.sync.aligned"));
    for level in Level::ALL {
        let cubin = raddle_tests::compile::cubin_at(&kernel.text, "sm_90a", level).unwrap();
        kernel.compare(&cubin, 1).unwrap();
    }
}

/// A loop leaves a group in flight, and what follows it stores the accumulators as vectors in
/// another order than that of the products: they are copied after the wait, not at the exit.
#[test]
fn accumulators_in_flight_leave_a_loop_where_they_are() {
    let forms = wgmma_forms::all();
    let form = forms.iter().find(|form| !form.registers && form.dotted.contains("m64n16k8.f32.tf32")).unwrap();
    let mut kernel = form.kernel(&Variant::new(1));
    let (head, rest) = kernel.text.split_once("wgmma.fence.sync.aligned;\n").unwrap();
    let (product, _) = rest.split_once('\n').unwrap();
    kernel.text = format!(
        "{head}mov.u32 %i, 0; setp.eq.u32 %p, %q, 12345; @%p bra $E;\n\
         $M:\nwgmma.fence.sync.aligned;\n{product}\nwgmma.commit_group.sync.aligned;\n\
         wgmma.wait_group.sync.aligned 1;\nadd.u32 %i, %i, 1; setp.lt.u32 %p, %i, 3; @%p bra $M;\n\
         $E:\nwgmma.wait_group.sync.aligned 0;\nst.global.v4.b32 [%o], {{%d4,%d1,%d6,%d3}};\n\
         st.global.v4.b32 [%o+16], {{%d0,%d5,%d2,%d7}};\nret;\n}}\n"
    );
    for level in Level::ALL {
        let cubin = raddle_tests::compile::cubin_at(&kernel.text, "sm_90a", level).unwrap();
        kernel.compare(&cubin, 1).unwrap();
    }
}
