//! `ptx-roundtrip`: printed PTX gives the machine code that the original gives, on the whole corpus.

use anyhow::{Result, ensure};

use crate::figures;
use crate::ptx_oracle::{Ptxas, code_sections, corpus, for_ptxas, printed};

/// Compares every module of the corpus, or those whose path contains the argument.
pub fn run(args: &[String]) -> Result<()> {
    let ptxas = Ptxas::new("roundtrip")?;
    let (mut same, mut skipped, mut failed) = (0u32, 0u32, Vec::new());
    for path in corpus()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if args.first().is_some_and(|part| !name.contains(part.as_str())) {
            continue;
        }
        let (text, arch) = for_ptxas(&std::fs::read_to_string(&path)?);
        let (verdict, Some(before)) = ptxas.run(&text, &arch)? else {
            skipped += 1;
            eprintln!("{name}: ptxas does not take it");
            continue;
        };
        drop(verdict);
        let (verdict, after) = ptxas.run(&printed(&text)?, &arch)?;
        match after {
            Some(after) if code_sections(&before)? == code_sections(&after)? => same += 1,
            Some(_) => failed.push(format!("{name}: other machine code")),
            None => failed.push(format!("{name}: {verdict:?}")),
        }
    }
    println!(
        "{same} modules with the same machine code, {} with other, {skipped} that ptxas does not take",
        failed.len()
    );
    if args.is_empty() {
        let share = (f64::from(same) * 10_000.0 / (f64::from(same) + failed.len() as f64)).round() / 100.0;
        let note = format!("{same} modules; {}", failed.join(", ").replace(env!("CARGO_MANIFEST_DIR"), ""));
        figures::record("ptx.roundtrip.code", share, "cargo xtask ptx-roundtrip", &note)?;
    }
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}
