//! `cargo campaign cubins`: writes the cubins by ptxas that `tests/corpus/cubins` and `tests/corpus/foreign` keep as text.

use std::fs;

use anyhow::{Context, Result};
use raddle_filetest::oracle;
use raddle_tests::ptxas::Assembler;
use raddle_tests::{foreign, kernel, simulate, stored};

/// Runs the command.
///
/// # Errors
/// No ptxas, trouble with files.
pub fn run() -> Result<()> {
    let ptxas = oracle::require("ptxas").context("the cubins need ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    fs::create_dir_all(kernel::corpus().join("cubins"))?;
    let kernels = kernel::all()?;
    let mut total = 0;
    for (name, arch) in stored::all() {
        let kernel = kernels.iter().find(|k| k.name == name).with_context(|| format!("no kernel {name}"))?;
        let cubin = assembler.assemble(&simulate::retarget(&kernel.ptx("nvcc")?, arch), arch)?;
        let text = stored::to_text(&cubin);
        total += text.len();
        fs::write(stored::file(name, arch), text)?;
    }
    for module in foreign::all()? {
        for kept in foreign::stored_cubins(&module)? {
            let text = stored::to_text(&assembler.assemble_at(
                &foreign::source(&module, &kept),
                &kept.arch,
                &format!("-{}", kept.level),
            )?);
            total += text.len();
            fs::write(&kept.path, text)?;
        }
    }
    println!("{total} bytes of text");
    Ok(())
}
