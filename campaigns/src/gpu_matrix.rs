//! The load matrix of the check on silicon: one kernel in every container, with one section after another taken away.
//!
//! Which of these a driver loads is what we want to learn, so no outcome is a failure: `gpu-collect` lists the verdicts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use raddle_cubin::{Cubin, SegmentStyle};
use raddle_target::{Isa, Target};
use raddle_tests::kernel::Kernel;
use raddle_tests::ptxas::Assembler;

use crate::gpu;

/// The kernel that is loaded in every shape: no variables, so that every section but its own can go.
const KERNEL: &str = "saxpy";
/// The part of a case's name that marks the matrix.
pub(crate) const MARK: &str = ".matrix-";
/// What nvdisasm and cuobjdump need at least; everything else is taken away for the smallest shape.
const SMALLEST: &[&str] = &[".nv.info", ".nv.info.saxpy", ".text.saxpy", ".nv.constant0.saxpy"];

/// One shape of the kernel.
struct Shape {
    name: String,
    cubin: Cubin,
}

fn shapes(cubin: &Cubin, style: SegmentStyle) -> Result<Vec<Shape>> {
    let shape = |name: &str, cubin: Cubin| Shape { name: name.to_owned(), cubin };
    let mut out = vec![shape("laid-out-again", cubin.without_sections(style, |_| false)?)];
    for (container, base) in [("new", cubin.clone()), ("old", cubin.in_old_container()?)] {
        let style = if container == "new" { style } else { SegmentStyle::AMPERE };
        out.push(shape(container, base.clone()));
        for s in &base.sections {
            if !s.name.is_empty() && !matches!(&*s.name, ".shstrtab" | ".strtab" | ".symtab" | ".text.saxpy") {
                let name = format!("{container}-without{}", s.name.replace('.', "_"));
                out.push(shape(&name, base.without_sections(style, |other| other.name == s.name)?));
            }
        }
        let smallest = base.without_sections(style, |s| !SMALLEST.contains(&&*s.name))?;
        out.push(shape(&format!("{container}-smallest"), smallest));
    }
    Ok(out)
}

/// Writes cubins and cases below `folder`; the number of cases.
///
/// # Errors
/// No such kernel, files that cannot be written, ptxas.
pub(crate) fn write(
    folder: &Path,
    kernels: &[Kernel],
    archs: &[&str],
    assembler: &Assembler,
    cases: &mut String,
) -> Result<usize> {
    let kernel = kernels.iter().find(|k| k.name == KERNEL).context("the matrix's kernel is not in the corpus")?;
    let ptx = kernel.ptx("nvcc")?;
    let mut count = 0;
    for arch in archs {
        let native =
            Target::by_name(arch).and_then(|t| t.native).with_context(|| format!("no native target {arch}"))?;
        let style = if native.isa >= Isa::Sm90 { SegmentStyle::HOPPER } else { SegmentStyle::AMPERE };
        let cubin = Cubin::parse(&assembler.assemble(&ptx, arch)?)?;
        for shape in shapes(&cubin, style)? {
            let name = format!("{KERNEL}{MARK}{}.{arch}", shape.name);
            fs::write(folder.join(format!("cubins/{name}")), shape.cubin.write()?)?;
            gpu::write_case(cases, &name, arch, kernel, 0, &kernel.launches[0])?;
            count += 1;
        }
    }
    Ok(count)
}
