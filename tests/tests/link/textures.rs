//! Objects whose textures and surfaces the driver binds: of ptxas and of our compiler in any
//! mixture, linked by our linker and by nvlink, run with textures of those names.

use anyhow::{Context, Result, ensure};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::{AllocId, Handle, Memory};
use raddle_sim::texture::file;
use raddle_tests::compile::{How, object};
use raddle_tests::link::{ARCHES, Program, differences, facts_of, nvlink, ours};
use raddle_tests::simulator;

/// Declarations of the first module, of the second, of a third without textures.
const DECLARATIONS: [&str; 3] = [
    ".global .texref t;\n.global .surfref s;\n.extern .func (.param .b32 r) look(.param .b32 x);\n",
    ".global .texref u;\n.global .texref t;\n",
    "",
];

/// A function of the second module that the first calls: it reads both textures.
const LOOK: &str = ".visible .func (.param .b32 r) look(.param .b32 x)\n{\n.reg .b32 %x, %a<5>, %b<5>;\nld.param.b32 %x, [x];\n\
    tex.1d.v4.u32.s32 {%a1,%a2,%a3,%a4}, [u, {%x}];\ntex.1d.v4.u32.s32 {%b1,%b2,%b3,%b4}, [t, {%x}];\nmad.lo.u32 %a1, %b1, 100, %a1;\n\
    st.param.b32 [r], %a1;\nret;\n}\n";

/// Kernels of the modules: each stores a word for each thread. The last bank is the longest.
const KERNELS: [&[(&str, &str, &str)]; 3] = [
    &[
        ("near", "", "tex.1d.v4.u32.s32 {%a1,%a2,%a3,%a4}, [t, {%x}];"),
        (
            "surface",
            "",
            "tex.1d.v4.u32.s32 {%a1,%a2,%a3,%a4}, [t, {%x}];\nshl.b32 %b1, %x, 2;\nsuld.b.1d.b32.trap %b2, [s, {%b1}];\nadd.u32 %a1, %a1, %b2;",
        ),
        // What the driver keeps in its tables, whose rows have a size that only it knows.
        (
            "asked",
            "",
            "txq.num_samples.b32 %a1, [t];\nsuq.channel_order.b32 %a2, [s];\nmad.lo.u32 %a1, %a2, 16, %a1;\nmad.lo.u32 %a1, %x, 4096, %a1;",
        ),
        (
            "far",
            "",
            "{\n.param .b32 x0;\n.param .b32 r0;\nst.param.b32 [x0], %x;\ncall (r0), look, (x0);\nld.param.b32 %a1, [r0];\n}",
        ),
    ],
    &[
        ("given", ", .param .texref g", "tex.1d.v4.u32.s32 {%a1,%a2,%a3,%a4}, [g, {%x}];"),
        ("other", ", .param .b8 y[20]", "tex.1d.v4.u32.s32 {%a1,%a2,%a3,%a4}, [u, {%x}];"),
    ],
    &[("plain", ", .param .b8 y[44]", "mad.lo.u32 %a1, %x, 3, 1;")],
];

fn kernel(&(name, parameters, body): &(&str, &str, &str)) -> String {
    format!(
        ".visible .entry {name}(.param .u64 p{parameters})\n{{\n.reg .b64 %p, %d;\n.reg .b32 %x, %a<5>, %b<5>;\n\
         ld.param.u64 %p, [p];\nmov.u32 %x, %tid.x;\nmul.wide.u32 %d, %x, 4;\nadd.u64 %p, %p, %d;\n{body}\nst.global.u32 [%p], %a1;\nret;\n}}\n"
    )
}

/// The text of a module, or of all together.
fn module(arch: &str, numbers: &[usize]) -> String {
    let mut text = format!(".version 8.0\n.target {arch}\n.address_size 64\n");
    if numbers.len() == 1 {
        text += DECLARATIONS[numbers[0]];
    } else {
        text += ".global .texref t;\n.global .texref u;\n.global .surfref s;\n";
    }
    if numbers.contains(&1) {
        text += LOOK;
    }
    text + &numbers.iter().flat_map(|&n| KERNELS[n]).map(kernel).collect::<String>()
}

/// Memory with the three textures, and a launch of a kernel with one buffer.
fn launch(name: &str, parameters: &str) -> Result<(Memory, Launch, AllocId)> {
    let mut memory = Memory::new();
    for (texture, first) in [("t", 10u32), ("u", 1), ("s", 1000)] {
        let mut bytes = b"raddle-texture 1\nformat r32_uint\nsize 32\ndata\n".to_vec();
        bytes.extend((0..32).flat_map(|n| (first + n * n).to_le_bytes()));
        memory.add_texture(texture, file::read(&bytes)?, texture == "s");
    }
    let out = memory.add("out", vec![0; 128], true);
    let mut launch = Launch::new(name);
    launch.block.x = 32;
    launch.args.push(Arg::Buffer(out));
    if parameters.contains(".texref") {
        launch.args.push(Arg::Handle(Handle::Texture, "u".into()));
    }
    if let Some(size) = parameters.split(['[', ']']).nth(1) {
        launch.args.push(Arg::Value(vec![7; size.parse()?]));
    }
    Ok((memory, launch, out))
}

/// Runs every kernel that is `wanted`; the cubin, or the PTX where there is none.
fn results(cubin: Option<&[u8]>, ptx: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for (name, parameters, _) in KERNELS.concat().into_iter().filter(|kernel| wanted(kernel.0)) {
        let (mut memory, launch, out) = launch(name, parameters)?;
        match cubin {
            Some(cubin) => simulator::run(cubin, &launch, &mut memory).map(|_| ()).with_context(|| name.to_owned())?,
            None => interp::run(ptx, &launch, &mut memory).map(|_| ()).with_context(|| name.to_owned())?,
        }
        all.push(memory.read_back(out)?.to_vec());
    }
    Ok(all)
}

/// The facts of an executable but for the order of the words, in which nvlink's is another.
fn facts(bytes: &[u8]) -> Result<Vec<String>> {
    let mut lines = facts_of(bytes)?;
    lines.retain(|line| !line.starts_with("code "));
    for line in lines.iter_mut().filter(|line| line.starts_with("relocation .nv.constant0.")) {
        let place = line.split(' ').nth(1).and_then(|place| Some(place.split_once('+')?.0)).unwrap_or_default();
        let rest = line.split(' ').skip(2).collect::<Vec<_>>().join(" ");
        *line = format!("relocation {place} {rest}");
    }
    lines.sort();
    Ok(lines)
}

#[test]
fn bound_textures_have_words_in_the_banks_of_kernels() -> Result<()> {
    let tools = oracle::require("ptxas").zip(oracle::require("nvlink"));
    for arch in ARCHES {
        let wanted = results(None, &module(arch, &[0, 1, 2]), |_| true)?;
        ensure!(wanted.iter().flatten().any(|&b| b != 0), "nothing is stored");
        // The makers of the three objects: ours at two levels, and ptxas.
        for makers in [[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 2, 1], [2, 1, 0]] {
            if tools.is_none() && makers.contains(&2) {
                continue;
            }
            let mut objects = Vec::new();
            for (n, maker) in makers.into_iter().enumerate() {
                let text = module(arch, &[n]);
                let bytes = match (maker, &tools) {
                    (2, Some((ptxas, _))) => {
                        let folder = tempfile::tempdir()?;
                        let (from, to) = (folder.path().join("m.ptx"), folder.path().join("m.cubin"));
                        std::fs::write(&from, text)?;
                        let [from, to] = [from, to].map(|path| path.display().to_string());
                        ptxas.run(&[format!("-arch={arch}"), "-c".into(), "-o".into(), to.clone(), from])?;
                        std::fs::read(to)?
                    }
                    _ => {
                        let opt = if maker == 0 { OptLevel::O0 } else { OptLevel::O3 };
                        object(&text, How { arch, opt, jobs: 1, chaos: None })?
                    }
                };
                objects.push((format!("{n}.cubin"), bytes));
            }
            let program = Program { name: format!("textures {makers:?}"), arch, objects };
            let linked = ours(&program).map_err(|problems| anyhow::anyhow!("{arch} {makers:?}: {problems:?}"))?;
            let got = results(Some(&linked.bytes), "", |_| true).with_context(|| format!("{arch} {makers:?}"))?;
            ensure!(got == wanted, "{arch} {makers:?}: {got:?}, wanted {wanted:?}");
            if let Some((_, tool)) = &tools {
                let theirs = nvlink(tool, &program, &linked.order)?.map_err(anyhow::Error::msg)?;
                // nvlink 13.0.88 reads the wrong word for queries in objects of ptxas 13.0.88.
                let runs = |name: &str| name != "asked" || makers[0] != 2;
                let wanted = results(Some(&linked.bytes), "", runs)?;
                ensure!(results(Some(&theirs), "", runs)? == wanted, "{arch} {makers:?} by nvlink");
                let lines = differences(&facts(&linked.bytes)?, &facts(&theirs)?);
                ensure!(lines.is_empty(), "{arch} {makers:?}: {}", lines.join("\n"));
            }
        }
    }
    Ok(())
}
