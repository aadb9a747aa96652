//! The probes of textures in the folder of `gpu-check`, and what `gpu-collect` finds in their results.
//!
//! What silicon answers is a finding about the model, not a failure: each probe is listed with its
//! question, and with the first rows whose results are not the interpreter's.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use raddle_sim::mem::Handle;
use raddle_sim::texture::file;
use raddle_tests::compile;
use raddle_tests::level::Level;
use raddle_tests::ptxas::Assembler;
use raddle_tests::texture_probes::{self as probes, BLOCK, INPUTS, Probe, RESULTS};

/// The start of a case's name that marks a probe.
pub(crate) const MARK: &str = "probe-";
/// Rows that are shown of each probe.
const SHOWN: usize = 6;

fn data(probe: &Probe, arch: &str, what: &str) -> String {
    format!("data/{MARK}{}.{arch}.{what}", probe.name)
}

/// Writes cubins, inputs, textures and expected results; the number of cases.
///
/// # Errors
/// Probes that do not compile, files that cannot be written.
pub(crate) fn write(folder: &Path, archs: &[&str], assembler: &Assembler, cases: &mut String) -> Result<usize> {
    let mut count = 0;
    for probe in probes::all() {
        let texels = file::read(&probe.texture)?.texels.context("no texels")?;
        for arch in archs {
            let put = |what: &str, bytes: &[u8]| fs::write(folder.join(data(&probe, arch, what)), bytes);
            let text = probe.module(arch);
            let zeros = vec![0; probe.rows.len() * RESULTS * 4];
            let expected = probe.expected(arch)?;
            let (results, after) = expected.map_or((zeros.clone(), texels.clone()), |o| (o.results, o.texels));
            put("in", &probe.inputs())?;
            put("out", &zeros)?;
            put("results", &results)?;
            put("texels", &texels)?;
            put("after", &after)?;
            let ours = compile::cubin_at(&text, arch, Level::O3).with_context(|| probe.name.clone())?;
            let theirs = assembler.assemble_at(&text, arch, probe.level).with_context(|| probe.name.clone())?;
            for (maker, cubin) in [("ours", ours), ("ptxas", theirs)] {
                let name = format!("{MARK}{}.{maker}.{arch}", probe.name);
                fs::write(folder.join(format!("cubins/{name}")), cubin)?;
                writeln!(cases, "case {name}.0\ncubin cubins/{name}\nkernel k")?;
                writeln!(cases, "arch {}", arch.trim_start_matches("sm_"))?;
                writeln!(cases, "grid {} 1 1\nblock {BLOCK} 1 1\nshared 0", probe.blocks())?;
                writeln!(cases, "in {}", data(&probe, arch, "in"))?;
                writeln!(cases, "out {} {}", data(&probe, arch, "out"), data(&probe, arch, "results"))?;
                let (word, after) = match probe.kind {
                    Handle::Surface => ("surface", data(&probe, arch, "after")),
                    _ => ("texture", "-".to_owned()),
                };
                writeln!(cases, "{word} {} {after} {}\nend", data(&probe, arch, "texels"), probes::line(&probe)?)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

/// What a case's verdict says of the model: its question, and rows that differ.
pub(crate) fn explain(folder: &Path, case: &str, verdict: &str) -> Result<String> {
    let all = probes::all();
    let parts: Vec<&str> = case.trim_start_matches(MARK).split('.').collect();
    let [name, _, arch, _] = parts[..] else { anyhow::bail!("{case} is no case of a probe") };
    let probe = all.iter().find(|probe| probe.name == name).with_context(|| format!("no probe {name}"))?;
    let as_thought = if probe.faults { verdict.starts_with("run") } else { verdict == "ok" };
    let mut out =
        format!("{case}: {} ({verdict})\n", if as_thought { "as the model says" } else { "NOT as the model says" });
    if as_thought {
        return Ok(out);
    }
    writeln!(out, "  asks {}", probe.fact)?;
    let read = |path: String| fs::read(folder.join(path));
    if let Ok(found) = read(format!("outputs/{case}.1.bin")) {
        out += &rows(probe, &found, &read(data(probe, arch, "results"))?);
    }
    if let Ok(found) = read(format!("outputs/{case}.2.bin")) {
        let expected = read(data(probe, arch, "after"))?;
        let differ: Vec<usize> = (0..found.len().min(expected.len())).filter(|&n| found[n] != expected[n]).collect();
        writeln!(out, "  {} bytes of the surface differ, the first at {:?}", differ.len(), differ.first())?;
    }
    Ok(out)
}

/// The rows whose results differ: inputs as floats, results as words.
fn rows(probe: &Probe, found: &[u8], expected: &[u8]) -> String {
    let size = 4 * RESULTS;
    let differ = found.chunks(size).zip(expected.chunks(size)).enumerate().filter(|(_, (f, e))| f != e);
    let differ: Vec<_> = differ.collect();
    let mut out = format!("  {} of {} rows differ\n", differ.len(), probe.rows.len());
    let words = |bytes: &[u8]| {
        let word = |w: &[u8]| format!("{:08x}", u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
        bytes.chunks(4).map(word).collect::<Vec<_>>().join(" ")
    };
    for (row, (found, expected)) in differ.iter().take(SHOWN) {
        let inputs = &probe.rows[*row];
        let used = inputs.iter().rposition(|word| *word != 0).map_or(0, |n| n + 1).min(INPUTS);
        let inputs: Vec<String> =
            inputs[..used].iter().map(|word| format!("{word:x} ({})", f32::from_bits(*word))).collect();
        out += &format!("  row {row}, {}: {}, not {}\n", inputs.join(" "), words(found), words(expected));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_differ_are_shown() {
        let probe = probes::all().into_iter().find(|probe| probe.name == "weights-1d").unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::create_dir(folder.path().join("outputs")).unwrap();
        let expected = probe.expected("sm_90").unwrap().unwrap().results;
        let mut found = expected.clone();
        found[16 * 5] ^= 1;
        fs::write(folder.path().join(data(&probe, "sm_90", "results")), &expected).unwrap();
        let case = "probe-weights-1d.ours.sm_90.0";
        fs::write(folder.path().join(format!("outputs/{case}.1.bin")), &found).unwrap();
        let text = explain(folder.path(), case, "different").unwrap();
        assert!(text.contains("NOT as the model says") && text.contains("asks how the place"), "{text}");
        assert!(text.contains("1 of 1024 rows differ") && text.contains("row 5, 3fc0a000 (1.5048828):"), "{text}");
        assert!(explain(folder.path(), case, "ok").unwrap().contains(": as the model says"));
        assert!(explain(folder.path(), "probe-load-trap-x.ours.sm_90.0", "run: x").unwrap().contains(": as the"));
        assert!(explain(folder.path(), "probe-load-trap-x.ours.sm_90.0", "ok").unwrap().contains("NOT"));
    }
}
