//! What an instruction needs around it: rows of `corpus/snippets/setup.toml`.
//!
//! Problem: the machinery of asynchronous copies, barriers and matrices has no meaning on random
//! operands: objects must be initialised, sizes be multiples of 16, descriptors be valid, and an
//! effect is seen only after it has been waited for. Strategy: PTX before and after the instruction,
//! of fragments that families share. What a machine does with the result is left to interpreter and
//! simulator, which see the same text.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use regex::{Captures, Regex};
use serde::Deserialize;

use super::{IN_ROW, THREADS};
use crate::kernel::corpus;
use crate::matrix_forms::{Element, word};
use crate::rng::Rng;

/// Bytes of shared memory of a thread.
pub(super) const SHARED: usize = 256;
/// Where in a thread's input row its tensor map is.
const MAP: usize = 768;
/// How deep fragments contain others.
const DEPTH: usize = 4;

/// A fragment's name in a text.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new("<([a-z_]+)>").expect("a pattern"));

/// The table, or why it cannot be read.
static FILE: LazyLock<Result<File, String>> = LazyLock::new(|| File::read().map_err(|error| format!("{error:#}")));

/// How a tensor map describes a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Map {
    /// 8 x 8 words, in boxes of 4 x 4.
    Tile,
    /// Four channels, a width of 4, a height of 2 and two images of words; four pixels of all
    /// channels, from one pixel before the tensor to one behind it.
    Im2col,
}

/// A row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    names: Vec<String>,
    #[serde(default)]
    before: String,
    #[serde(default)]
    after: String,
    map: Option<Map>,
    #[serde(default)]
    metadata: Vec<usize>,
    threads: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct File {
    fragments: BTreeMap<String, String>,
    setup: Vec<Setup>,
}

impl File {
    fn read() -> Result<Self> {
        let folder = corpus().join("snippets");
        let mut file: File = toml::from_str(&fs::read_to_string(folder.join("setup.toml"))?).context("setup.toml")?;
        for setup in &mut file.setup {
            for name in &setup.names {
                ensure!(folder.join(format!("{name}.ptx")).exists(), "setup.toml: no snippet {name}");
            }
            setup.before = expanded(&file.fragments, &format!("<start> {}", setup.before))?;
            setup.after = expanded(&file.fragments, &setup.after)?;
        }
        Ok(file)
    }
}

/// A text with all fragments in it.
fn expanded(fragments: &BTreeMap<String, String>, text: &str) -> Result<String> {
    let mut text = text.to_owned();
    for _ in 0..DEPTH {
        if let Some(unknown) = NAME.captures_iter(&text).find(|name| !fragments.contains_key(&name[1])) {
            anyhow::bail!("setup.toml: no fragment {}", &unknown[1]);
        }
        text = NAME.replace_all(&text, |name: &Captures<'_>| fragments[&name[1]].trim().to_owned()).into_owned();
    }
    ensure!(!NAME.is_match(&text), "setup.toml: fragments without an end");
    Ok(text)
}

impl Setup {
    /// The row of a snippet.
    pub(super) fn of(name: &str) -> Option<&'static Setup> {
        let file = FILE.as_ref().unwrap_or_else(|error| panic!("{error}"));
        file.setup.iter().find(|setup| setup.names.iter().any(|n| n == name))
    }

    /// Threads of the block.
    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or(THREADS)
    }

    /// The text with the set-up around the instructions under test.
    pub(super) fn around(&self, text: &str) -> String {
        let mut out = String::new();
        let last = |line: &&str| line.starts_with(" ld.global.nc") || line.contains("ld.param.u64 %pin");
        let loads = text.lines().count() - text.lines().rev().position(|line| last(&line)).unwrap_or_default();
        for (n, line) in text.lines().enumerate() {
            if n == loads {
                out += &format!("{}\n", self.before);
            }
            if line == " ret;" {
                out += &format!("{}\n", self.after);
            }
            out += &format!("{line}\n");
        }
        out.replacen(".visible .entry", ".extern .shared .align 1024 .b8 dyn[];\n.visible .entry", 1)
    }

    /// Puts into a thread's input row what is not random; its tensor is at `tensor`.
    pub(super) fn fill(&self, row: &mut [u8], tensor: u64, rng: &mut Rng) {
        for at in &self.metadata {
            row[*at..at + 4].copy_from_slice(&word(Element::TwoOfFour, 32, rng, 0).to_le_bytes()[..4]);
        }
        if let Some(map) = self.map {
            row[MAP..MAP + 128].copy_from_slice(&map.bytes(tensor));
        }
    }
}

impl Map {
    /// The object for a tensor at an address (docs/tensor-maps.md).
    fn bytes(self, tensor: u64) -> [u8; 128] {
        const { assert!(MAP + 128 <= IN_ROW && MAP.is_multiple_of(128)) };
        let mut map = [0; 128];
        let mut put =
            |at: usize, value: u64, size: usize| map[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        put(0, tensor, 8);
        // Words, the bytes of a box, no swizzle.
        put(0x08, 2 << 7, 4);
        put(0x40, 64, 4);
        put(0x48, 16, 4);
        let (rank, strides, sizes): (u64, &[u64], &[u64]) = match self {
            Self::Tile => (2, &[32], &[8, 8]),
            Self::Im2col => (4, &[16, 64, 128], &[4, 4, 2, 2]),
        };
        put(0x08, 2 << 7 | (rank - 1) << 4 | u64::from(self == Self::Im2col), 4);
        strides.iter().enumerate().for_each(|(n, stride)| put(0x0c + 4 * n, stride >> 4, 4));
        sizes.iter().enumerate().for_each(|(n, size)| put(0x20 + 4 * n, size - 1, 4));
        match self {
            Self::Tile => put(0x37, 0x0303, 2),
            Self::Im2col => {
                // Channels; the corners in two dimensions; pixels.
                put(0x37, 3, 1);
                put(0x38, 0xffff, 2);
                put(0x3a, 0x0101, 2);
                put(0x3c, 3, 2);
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read_and_used() {
        let file = FILE.as_ref().unwrap();
        assert!(file.setup.len() >= 30, "{} rows", file.setup.len());
        let names: Vec<&String> = file.setup.iter().flat_map(|setup| &setup.names).collect();
        let twice = names.iter().enumerate().find(|(n, name)| names[..*n].contains(name));
        assert_eq!(twice, None);
    }

    #[test]
    fn fragments_are_expanded_to_the_end() {
        let fragments: BTreeMap<String, String> =
            [("a", "1 <b>"), ("b", "2"), ("c", "<c>")].map(|(name, text)| (name.into(), text.into())).into();
        assert_eq!(expanded(&fragments, "<a>; %p<8> <b>").unwrap(), "1 2; %p<8> 2");
        assert!(expanded(&fragments, "<d>").unwrap_err().to_string().contains("no fragment d"));
        assert!(expanded(&fragments, "<c>").unwrap_err().to_string().contains("without an end"));
    }

    #[test]
    fn a_setup_stands_around_the_instructions() {
        let setup = Setup {
            names: Vec::new(),
            before: "BEFORE".into(),
            after: "AFTER".into(),
            map: None,
            metadata: Vec::new(),
            threads: None,
        };
        let text = ".visible .entry k()\n{\n ld.param.u64 %pin,[pi];\n ld.global.nc.b32 %r0,[%pin];\nop;\n ret;\n}\n";
        let around = setup.around(text);
        let at = |part: &str| around.find(part).unwrap();
        assert!(at("%r0") < at("BEFORE") && at("BEFORE") < at("op;") && at("op;") < at("AFTER"), "{around}");
        assert!(at("AFTER") < at(" ret;") && at("dyn[]") < at(".entry"), "{around}");
    }
}
