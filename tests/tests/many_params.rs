//! Kernels with more than 4,352 bytes of parameters, compared with ptxas: the offsets of parameters
//! in constant bank 0 and the attributes about them, on both sides of each limit, in executables
//! and in objects linked by our linker and by nvlink. The code of both runs in the simulator as the
//! PTX does in the interpreter.

use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::info::{Value, code};
use raddle_driver::options::OptLevel;
use raddle_entity::Serial;
use raddle_filetest::corpus::assemble;
use raddle_filetest::oracle;
use raddle_link::objects::{Input, LinkOptions, link};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::Memory;
use raddle_target::Target;
use raddle_tests::compile::{How, cubin, object};
use raddle_tests::simulator;

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// The parameters of a kernel, in addition to an 8-byte pointer.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// `.align` of the array.
    align: u32,
    /// Its size in bytes.
    bytes: usize,
    /// Whether the pointer comes first.
    behind: bool,
    /// Below sm_90 the code of ptxas reads parameters at other offsets than those in its file.
    ptxas_is_wrong: bool,
}

const fn case(align: u32, bytes: usize, behind: bool) -> Case {
    Case { align, bytes, behind, ptxas_is_wrong: false }
}

/// All parameters together: 4,352, 4,356, 4,360, 32,760 and 32,764 bytes; then cases that depend on
/// the alignment.
const CASES: &[Case] = &[
    case(4, 4344, true),
    case(4, 4348, true),
    case(4, 4352, true),
    case(4, 32_752, true),
    case(4, 32_756, true),
    // Aligned in the bank, the array is 32 bytes after the first byte of parameters; counted from
    // zero, there are 4,328 and 4,352 bytes.
    case(128, 4288, false),
    Case { ptxas_is_wrong: true, ..case(128, 4344, false) },
    case(128, 4352, false),
    // Counted from zero 4,424 bytes, aligned in the bank 4,328.
    case(128, 4296, true),
    case(128, 32_752, false),
];

fn module(case: Case) -> String {
    let Case { align, bytes, behind, .. } = case;
    let [pointer, array] = [".param .u64 out".to_owned(), format!(".param .align {align} .b8 big[{bytes}]")];
    let params = if behind { [pointer, array] } else { [array, pointer] }.join(", ");
    let [last, half, near] = [bytes - 4, bytes - 10, bytes - 260];
    format!(
        ".version 8.1\n.target sm_80\n.address_size 64
.visible .entry few(.param .u64 out, .param .u32 x)
{{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out]; ld.param.u32 %r, [x]; st.global.u32 [%d], %r; ret; }}
.visible .entry k({params})
{{
    .reg .b64 %d<6>;
    .reg .b32 %r<8>;
    ld.param.u64 %d0, [out];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    mov.u64 %d2, big;
    add.u64 %d3, %d2, %d1;
    ld.param.u32 %r1, [big];
    ld.param.u32 %r2, [big+{last}];
    ld.param.u16 %r3, [big+{half}];
    ld.param.u32 %r4, [%d3+{near}];
    ld.param.u32 %r5, [%d3];
    cvta.param.u64 %d4, %d3;
    ld.u32 %r6, [%d4+{near}];
    xor.b32 %r1, %r1, %r2;
    xor.b32 %r1, %r1, %r3;
    xor.b32 %r1, %r1, %r5;
    mad.lo.u32 %r1, %r1, 3, %r4;
    mad.lo.u32 %r1, %r1, 5, %r6;
    st.global.u32 [%d0], %r1;
    ret;
}}
"
    )
}

fn how(arch: &'static str) -> How {
    How { arch, opt: OptLevel::O3, jobs: 1, chaos: None }
}

/// The attributes of kernels about their parameters, and the size of their bank.
fn facts(bytes: &[u8]) -> Result<Vec<String>> {
    let cubin = Cubin::parse(bytes)?;
    let mut out = Vec::new();
    let mut kernels = cubin.kernels();
    kernels.sort_by_key(|kernel| kernel.name);
    for kernel in kernels {
        for attribute in kernel.attributes {
            let text = match &attribute.value {
                Value::ParamBank { offset, size, .. } => format!("bank at {offset:#x}, {size:#x} bytes"),
                value => format!("{value:?}"),
            };
            let known = [code::CUDA_API_VERSION, code::PARAM_CBANK, code::CBANK_PARAM_SIZE, code::KPARAM_INFO];
            if known.contains(&attribute.code) || attribute.code == code::KPARAM_INFO_V2 {
                out.push(format!("{}: {:#x} {text}", kernel.name, attribute.code));
            }
        }
        let bank = kernel.const_banks.iter().find(|bank| bank.bank == 0).map(|bank| bank.bytes.len());
        out.push(format!("{}: bank of {bank:x?} bytes", kernel.name));
    }
    Ok(out)
}

/// The output of 64 threads; all bytes of the array differ.
fn run<E: std::fmt::Display>(case: Case, with: impl Fn(&Launch, &mut Memory) -> Result<(), E>) -> Result<Vec<u32>> {
    let mut memory = Memory::new();
    let out = memory.add("out", vec![0; 256], true);
    let mut launch = Launch::new("k");
    launch.block = 64.into();
    launch.args = vec![Arg::Buffer(out), Arg::Value(array(case))];
    if !case.behind {
        launch.args.reverse();
    }
    with(&launch, &mut memory).map_err(|e| anyhow!("{e}"))?;
    let bytes = memory.read_back(out)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

fn array(case: Case) -> Vec<u8> {
    (0..case.bytes as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// The expected output, computed on the CPU.
fn expected(case: Case) -> Vec<u32> {
    let bytes = array(case);
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let half = |at: usize| u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let of = |t: usize| {
        let (last, near) = (case.bytes - 4, word(case.bytes - 260 + 4 * t));
        let all = word(0) ^ word(last) ^ half(case.bytes - 10) ^ word(4 * t);
        all.wrapping_mul(3).wrapping_add(near).wrapping_mul(5).wrapping_add(near)
    };
    (0..64).map(of).collect()
}

fn simulated(case: Case, cubin: &[u8]) -> Result<Vec<u32>> {
    run(case, |l, m| simulator::run(cubin, l, m).map(drop))
}

#[test]
fn parameters_lie_where_ptxas_has_them() -> Result<()> {
    let (ptxas, nvlink) = (oracle::require("ptxas"), oracle::require("nvlink"));
    let scratch = tempfile::tempdir()?;
    for (&case, arch) in CASES.iter().flat_map(|case| ARCHS.map(|arch| (case, arch))) {
        let at = || format!("{case:?} for {arch}");
        let text = module(case);
        let want = expected(case);
        let path = scratch.path().join("k.ptx");
        fs::write(&path, &text)?;
        let got =
            run(case, |l, m| interp::run(&text, l, m).map(drop)).with_context(|| format!("{}: interpreter", at()))?;
        ensure!(got == want, "{}: interpreter", at());
        let ours = cubin(&text, how(arch)).with_context(at)?;
        ensure!(simulated(case, &ours).with_context(at)? == want, "{}: our code", at());
        let own = object(&text, how(arch)).with_context(at)?;
        let options = LinkOptions { target: Target::by_name(arch), ..LinkOptions::default() };
        let linked = link(&[Input { name: "k.o", bytes: &own, library: false }], &options, &Serial);
        let linked = linked.map_err(|problems| anyhow!("{}: {problems:?}", at()))?.bytes(&Serial);
        ensure!(simulated(case, &linked).with_context(at)? == want, "{}: our object, linked", at());
        let Some(ptxas) = &ptxas else { continue };
        for (options, ours) in [(&["-O3"][..], &ours), (&["-O3", "-c"], &own)] {
            let theirs = assemble(ptxas, scratch.path(), &path, arch, options).with_context(at)?;
            ensure!(
                facts(ours)? == facts(&theirs)?,
                "{}: {:#?} is {:#?} with ptxas",
                at(),
                facts(ours)?,
                facts(&theirs)?
            );
            if options.len() == 1 {
                match (simulated(case, &theirs), case.ptxas_is_wrong && arch != "sm_90") {
                    (Ok(got), false) => ensure!(got == want, "{}: code of ptxas", at()),
                    (Err(why), true) => ensure!(why.to_string().contains("constant bank"), "{}: {why}", at()),
                    (got, _) => anyhow::bail!("{}: code of ptxas: {got:?}", at()),
                }
            }
        }
        let Some(nvlink) = &nvlink else { continue };
        let (file, out) = (scratch.path().join("k.cubin"), scratch.path().join("linked.cubin"));
        fs::write(&file, &own)?;
        nvlink.run(&[format!("-arch={arch}").as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()])?;
        let theirs = fs::read(&out)?;
        ensure!(simulated(case, &theirs).with_context(at)? == want, "{}: our object, linked by nvlink", at());
        let mut sorted = [facts(&linked)?, facts(&theirs)?];
        sorted.iter_mut().for_each(|list| list.sort());
        ensure!(sorted[0] == sorted[1], "{}: linked by nvlink: {sorted:#?}", at());
    }
    Ok(())
}

/// Version, target, size of the array besides the pointer, and the message for larger ones.
const TOO_MANY: &[(&str, &str, usize, &str)] = &[
    ("8.1", "sm_80", 32_760, "the parameters of 'k' fill 32768 bytes, 32764 are possible"),
    ("9.0", "sm_90", 32_760, "the parameters of 'k' fill 32768 bytes, 32764 are possible"),
    ("8.0", "sm_80", 4_348, "the parameters of 'k' fill 4356 bytes, 4352 are possible before `.version 8.1`"),
    ("8.1", "sm_60", 4_348, "the parameters of 'k' fill 4356 bytes, 4352 are possible before `.target sm_70`"),
];

#[test]
fn more_parameters_than_possible_are_an_error() -> Result<()> {
    let ptxas = oracle::require("ptxas");
    let scratch = tempfile::tempdir()?;
    let path = scratch.path().join("k.ptx");
    for &(version, target, bytes, want) in TOO_MANY {
        let of = |bytes: usize| {
            format!(
                ".version {version}\n.target {target}\n.address_size 64
.visible .entry k(.param .u64 out, .param .align 4 .b8 big[{bytes}])
{{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [out]; ld.param.u32 %r, [big]; st.global.u32 [%d], %r; ret; }}"
            )
        };
        let arch = if target == "sm_90" { "sm_90" } else { "sm_80" };
        let Err(said) = cubin(&of(bytes), how(arch)) else {
            anyhow::bail!("{version} {target}: {bytes} bytes compile")
        };
        ensure!(said.to_string().contains(want), "{version} {target}: {said}");
        cubin(&of(bytes - 4), how(arch)).with_context(|| format!("{version} {target}: {bytes} less 4"))?;
        let Some(ptxas) = &ptxas else { continue };
        for (bytes, compiles) in [(bytes, false), (bytes - 4, true)] {
            fs::write(&path, of(bytes))?;
            let arch = format!("-arch={arch}");
            let out = scratch.path().join("k.cubin");
            let ran = ptxas.output(&[arch.as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()])?;
            ensure!(ran.status.success() == compiles, "{version} {target}: ptxas and {bytes} bytes");
        }
    }
    Ok(())
}
