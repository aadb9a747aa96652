//! Launches that tests recorded ([`raddle_tests::record`]), in the folder of `gpu-check`.
//!
//! What a GPU computes is compared with what the simulator computed. Bytes of cubins and buffers are
//! in one file, `blobs.bin`, each once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use raddle_tests::record::{Buffer, Case, Passed, Patch};

/// The start of a case's name that marks a recorded launch.
pub(crate) const MARK: &str = "recorded-";

/// Blobs as they are written to `blobs.bin`, each with its place.
struct Blobs<'a> {
    folder: &'a Path,
    places: BTreeMap<String, String>,
    bytes: Vec<u8>,
}

impl Blobs<'_> {
    /// How a case names a blob.
    fn place(&mut self, name: &str) -> Result<String> {
        if let Some(place) = self.places.get(name) {
            return Ok(place.clone());
        }
        let bytes = fs::read(self.folder.join("blobs").join(name))?;
        // The driver wants cubins at aligned addresses.
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        let place = format!("@{}+{}", self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        self.places.insert(name.to_owned(), place.clone());
        Ok(place)
    }
}

/// Writes `blobs.bin` and cases of the launches recorded in `recorded`; the number of cases.
///
/// # Errors
/// Files that cannot be read or written.
pub(crate) fn write(folder: &Path, recorded: &Path, cases: &mut String) -> Result<usize> {
    let mut all = Vec::new();
    let list = recorded.join("cases");
    for entry in fs::read_dir(&list).with_context(|| list.display().to_string())? {
        let path = entry?.path();
        // Runs that were killed leave unfinished files.
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let case: Case = serde_json::from_slice(&fs::read(&path)?).with_context(|| path.display().to_string())?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.push((name(&case.test), id, case));
    }
    all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    let mut blobs = Blobs { folder: recorded, places: BTreeMap::new(), bytes: Vec::new() };
    for (test, id, case) in &all {
        write_case(cases, &format!("{MARK}{test}.{id}"), case, &mut blobs)?;
    }
    fs::write(folder.join("blobs.bin"), blobs.bytes)?;
    Ok(all.len())
}

fn name(test: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    if test.is_empty() { "unnamed".to_owned() } else { test.chars().map(allowed).collect() }
}

fn write_case(out: &mut String, name: &str, case: &Case, blobs: &mut Blobs<'_>) -> Result<()> {
    writeln!(out, "case {name}\ncubin {}\nkernel {}\narch 90", blobs.place(&case.cubin)?, case.kernel)?;
    for (word, [x, y, z]) in ["grid", "block", "cluster"].into_iter().zip(case.shape) {
        if x > 0 {
            writeln!(out, "{word} {x} {y} {z}")?;
        }
    }
    writeln!(out, "shared {}\nstack {}", case.shared, case.stack)?;
    // Arguments first, in their order; then the buffers that are not passed. A buffer that is passed
    // twice is an address of the first.
    let mut position = BTreeMap::new();
    for (n, arg) in case.args.iter().enumerate() {
        if let Passed::Buffer(buffer) = arg {
            position.entry(*buffer).or_insert(n);
        }
    }
    let hidden: Vec<usize> = (0..case.buffers.len()).filter(|n| !position.contains_key(n)).collect();
    position.extend(hidden.iter().enumerate().map(|(n, &buffer)| (buffer, case.args.len() + n)));
    let patch = |word: &str, at: usize, patches: &[Patch]| {
        let lines = patches.iter().map(|p| format!("{word} {at} {} {} {}\n", p.at, position[&p.buffer], p.plus));
        lines.collect::<String>()
    };
    let mut patches = String::new();
    for (n, arg) in case.args.iter().enumerate() {
        match arg {
            Passed::Value(hex, inside) => {
                writeln!(out, "value {hex}")?;
                patches += &patch("patch", n, inside);
            }
            Passed::Buffer(buffer) if position[buffer] == n => {
                write_buffer(out, &case.buffers[*buffer], case.checked, blobs)?;
            }
            Passed::Buffer(buffer) => {
                writeln!(out, "value {}", "00".repeat(8))?;
                patches += &patch("patch", n, &[Patch { at: 0, buffer: *buffer, plus: 0 }]);
            }
        }
    }
    for &buffer in &hidden {
        write_buffer(out, &case.buffers[buffer], case.checked, blobs)?;
        writeln!(out, "hidden")?;
    }
    for (n, buffer) in case.buffers.iter().enumerate() {
        for (word, list) in ["patch", "patched"].into_iter().zip(&buffer.patches) {
            patches += &patch(word, position[&n], list);
        }
    }
    writeln!(out, "{patches}end")?;
    Ok(())
}

/// What a run with races leaves behind is not compared.
fn write_buffer(out: &mut String, buffer: &Buffer, checked: bool, blobs: &mut Blobs<'_>) -> Result<()> {
    let before = blobs.place(&buffer.before)?;
    let after = match &buffer.after {
        Some(after) if checked => blobs.place(after)?,
        _ => "-".to_owned(),
    };
    match &buffer.image {
        Some((line, surface)) => {
            let word = if *surface { "surface" } else { "texture" };
            writeln!(out, "{word} {before} {after} {line}")?;
        }
        None => writeln!(out, "out {before} {after}")?,
    }
    Ok(())
}
