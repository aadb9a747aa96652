//! `--fallback=ptxas` for kernels whose textures, samplers and surfaces the driver binds: at every
//! level, in executables, and in objects that both linkers take.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::ptxas::Fallback;
use raddle_driver::request::{Functions, Output, Request};
use raddle_filetest::oracle::{self, Oracle};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::mem::Memory;
use raddle_sim::texture::file;
use raddle_target::Target;
use raddle_tests::link::{Program, nvlink, ours};
use raddle_tests::simulator;

/// Two textures read with two samplers, and a surface. The kernels have banks of different sizes, so
/// that the words of one begin elsewhere than those of the other.
const MODULE: &str = ".version 8.0\n.target sm_80, texmode_independent\n.address_size 64\n\
    .global .texref t;\n.global .texref u;\n.global .samplerref near;\n.global .samplerref round;\n.global .surfref s;\n\
    .visible .entry reads(.param .u64 p)\n{\n.reg .f32 %f<13>; .reg .b64 %p; .reg .b32 %r<3>;\nld.param.u64 %p, [p];\n\
    mov.f32 %f1, 0f40900000; mov.b32 %r1, 8;\n\
    tex.1d.v4.f32.f32 {%f5,%f2,%f3,%f4}, [t, near, {%f1}];\ntex.1d.v4.f32.f32 {%f6,%f2,%f3,%f4}, [t, round, {%f1}];\n\
    tex.1d.v4.f32.f32 {%f7,%f2,%f3,%f4}, [u, round, {%f1}];\nsuld.b.1d.b32.trap %r2, [s, {%r1}];\n\
    st.global.f32 [%p], %f5; st.global.f32 [%p+4], %f6; st.global.f32 [%p+8], %f7; st.global.u32 [%p+12], %r2;\nret;\n}\n\
    .visible .entry also(.param .u64 p, .param .b8 rest[20])\n{\n.reg .f32 %f<9>; .reg .b64 %p; .reg .b32 %r<3>;\nld.param.u64 %p, [p];\n\
    mov.f32 %f1, 0f40900000; mov.b32 %r1, 4;\n\
    tex.1d.v4.f32.f32 {%f5,%f2,%f3,%f4}, [u, near, {%f1}];\nsuld.b.1d.b32.trap %r2, [s, {%r1}];\n\
    st.global.f32 [%p], %f5; st.global.u32 [%p+4], %r2;\nret;\n}\n";

/// What a kernel stores; the text runs in the interpreter, a cubin in the simulator.
fn stored(cubin: Option<&[u8]>, kernel: &str) -> Result<Vec<u8>> {
    let mut memory = Memory::new();
    for (name, first, wrap) in
        [("t", 3u8, "clamp"), ("u", 40, "clamp"), ("near", 0, "clamp"), ("round", 0, "wrap\nnormalized")]
    {
        let head = format!("raddle-texture 1\nformat r32_float\nsize 4\nwrap {wrap}\ndata\n");
        let texels = (0..4).flat_map(|n| f32::from(first + 2 * n).to_le_bytes());
        memory.add_texture(name, file::read(&head.bytes().chain(texels).collect::<Vec<u8>>())?, false);
    }
    let texels = [7u32, 70, 700, 7000].map(u32::to_le_bytes).concat();
    let surface = [b"raddle-texture 1\nformat r32_uint\nsize 4\ndata\n", &texels[..]].concat();
    memory.add_texture("s", file::read(&surface)?, true);
    let out = memory.add("out", vec![0; 16], true);
    let mut launch = Launch::new(kernel);
    launch.args.push(Arg::Buffer(out));
    if kernel == "also" {
        launch.args.push(Arg::Value(vec![9; 20]));
    }
    match cubin {
        Some(cubin) => simulator::run(cubin, &launch, &mut memory).map(|_| ())?,
        None => interp::run(MODULE, &launch, &mut memory).map(|_| ())?,
    }
    Ok(memory.read_back(out)?.to_vec())
}

/// The module as we compile it, or as ptxas does for us; `debug` is `-g`.
fn compiled(arch: &str, opt: OptLevel, debug: bool, output: Output, ptxas: Option<&Oracle>) -> Result<Vec<u8>> {
    let fault = ptxas.map(|_| "unsupported:tex.1d.v4.f32.f32".parse());
    let fault = fault.transpose().map_err(|why| anyhow::anyhow!("{why}"))?;
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(MODULE.to_owned()) }],
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: CodegenOptions { opt, debug, ..CodegenOptions::default() },
        output,
        run: RunOptions { jobs: 1, fault, ..RunOptions::default() },
        fallback: ptxas.map(|ptxas| Fallback {
            ptxas: ptxas.path().to_owned(),
            limit: Duration::from_secs(300),
            options: Vec::new(),
        }),
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let errors: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(errors.is_empty(), "{}", errors.join("; "));
    ensure!(report.kernels.iter().all(|kernel| kernel.fallback == ptxas.is_some()), "who made the kernels");
    report.cubin.context("no cubin")
}

/// Compiles at every level, as executable and as object that both linkers link, and runs all.
fn hold(ptxas: Option<&Oracle>, archs: &[&'static str]) -> Result<()> {
    let linker = oracle::require("nvlink");
    let (reads, also) = (stored(None, "reads")?, stored(None, "also")?);
    ensure!(reads[..4] != reads[4..8] && reads[4..8] != reads[8..12], "what is bound makes a difference");
    let judge = |cubin: &[u8], what: &str| -> Result<()> {
        let run = |kernel| stored(Some(cubin), kernel).with_context(|| what.to_owned());
        let found = (run("reads")?, run("also")?);
        ensure!(found == (reads.clone(), also.clone()), "{what}: {found:?}");
        Ok(())
    };
    let levels = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3].map(|opt| (opt, false));
    for &arch in archs {
        for (opt, debug) in levels.into_iter().chain([(OptLevel::O0, true)]) {
            let what = format!("{arch} -{opt:?}{}", if debug { " -g" } else { "" });
            // With -g an executable is linked of objects.
            let executable = if debug { Output::LinkedExecutable } else { Output::Executable };
            let cubin = compiled(arch, opt, debug, executable, ptxas).with_context(|| what.clone())?;
            judge(&cubin, &what)?;
            let output = Output::Object(Functions::Exported);
            let object = compiled(arch, opt, debug, output, ptxas).with_context(|| format!("{what} -c"))?;
            let program = Program { name: what.clone(), arch, objects: vec![("m.o".to_owned(), object)] };
            let linked = ours(&program).map_err(|problems| anyhow::anyhow!("{what}: {problems:?}"))?;
            judge(&linked.bytes, &format!("{what}, our linker"))?;
            // nvlink 13.0.88 has samplers of sm_90 written as those of sm_80, where code of ptxas
            // 13.0.88 does not look for them.
            if let Some(linker) = linker.as_ref().filter(|_| arch != "sm_90") {
                let linked = nvlink(linker, &program, &linked.order)?.map_err(anyhow::Error::msg)?;
                judge(&linked, &format!("{what}, nvlink"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn textures_samplers_and_surfaces_of_ptxas_are_bound_at_every_level() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    hold(Some(&ptxas), &["sm_80", "sm_89", "sm_90"])
}

#[test]
fn ours_are_bound_by_both_linkers() -> Result<()> {
    hold(None, &["sm_80", "sm_90"])
}

#[test]
fn objects_of_ptxas_without_optimisation_link_to_what_they_say() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let (from, to) = (folder.path().join("m.ptx"), folder.path().join("m.o"));
    std::fs::write(&from, MODULE)?;
    for arch in ["sm_80", "sm_90"] {
        for level in ["-O0", "-O3"] {
            let [from, to] = [&from, &to].map(|path| path.display().to_string());
            ptxas.run(&[format!("-arch={arch}"), "-c".into(), level.into(), "-o".into(), to.clone(), from])?;
            let objects = vec![("m.o".to_owned(), std::fs::read(to)?)];
            let program = Program { name: format!("{arch} {level}"), arch, objects };
            let linked = ours(&program).map_err(|problems| anyhow::anyhow!("{arch} {level}: {problems:?}"))?;
            for kernel in ["reads", "also"] {
                let found = stored(Some(&linked.bytes), kernel).with_context(|| format!("{arch} {level}"))?;
                ensure!(found == stored(None, kernel)?, "{arch} {level}: {kernel} stores {found:?}");
            }
        }
    }
    Ok(())
}
