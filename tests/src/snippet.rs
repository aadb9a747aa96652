//! Snippets of the corpus: one instruction form each, run on many values at once.
//!
//! Problem: a snippet reads fixed offsets of one buffer, so that a launch of it as it stands tries one set of values. Strategy:
//! [`Snippet::per_thread`] gives every thread a row of its own in both buffers, and [`Snippet::inputs`] fills the rows:
//! registers used as addresses get addresses within a third buffer (each thread its own place), the others numbers that suit
//! the types of the instruction under test, edge cases among them.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};
use regex::Regex;
use serde::Deserialize;

use crate::kernel::corpus;
use crate::rng::Rng;

/// Bytes of one thread's row in the input buffer.
pub const IN_ROW: usize = 1024;
/// Bytes of one thread's row in the output buffer.
pub const OUT_ROW: usize = 1024;
/// Bytes of one thread's place that addresses point to.
pub const PLACE: usize = 256;

/// Bytes of one thread's place in shared memory.
pub const SHARED_PLACE: usize = 64;

/// Inputs that an instruction asks for: part of the file's name, offset in the row, bits kept, bits set.
const ASKED: &[(&str, usize, u64, u64)] = &[
    // Masks of participating lanes: all of them take part.
    ("shfl_sync_idx_dynmask", 24, 0, u64::MAX),
    ("vote_any_dynmask", 0, 0, u64::MAX),
    ("bar_warp_sync_dyn", 0, 0, u64::MAX),
    // A barrier and the number of its threads.
    ("bar_sync_dyn", 0, 0, 1),
    ("bar_sync_dyn", 8, 0, 64),
    // One of four branch targets.
    ("brx_idx", 0, 3, 0),
    // An aligned offset in the parameters.
    ("ld_param_idx", 0, 60, 0),
    // Position and length of a bit field are below 256 (PTX ISA 9.0, 9.7.1.19).
    ("bfe_u64", 8, 255, 0),
    ("bfe_u64", 16, 255, 0),
    ("bfi_b64", 16, 255, 0),
    ("bfi_b64", 24, 255, 0),
    // Addresses that lie in the window they are converted from.
    ("cvta_shared", 32, 0xffff, 0),
    ("cvta_local", 32, 0xffff, 0),
    ("cvta_to_shared", 32, 0xffff, 0x7e00_0000_0000),
    // The word that is read is the one that was written.
    ("ld_local", 0, 0, 12),
    ("ld_local", 16, 0, 12),
    // An index of bytes into eight words.
    ("ld_const", 0, 28, 0),
];

/// A row of `corpus/snippets/manifest.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// Name of the file.
    pub file: String,
    /// `a`, `b` or `c`.
    pub class: String,
    /// The form, such as `add.s32`.
    pub name: String,
    /// The target written in the module.
    pub target: String,
    /// Architectures for which ptxas 13.0.88 accepts it.
    pub accepted: Vec<String>,
}

/// A snippet with its text.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// Its row of the manifest.
    pub entry: Entry,
    /// The module.
    pub text: String,
}

/// All snippets, in the order of the manifest.
///
/// # Errors
/// Unreadable files.
pub fn all() -> Result<Vec<Snippet>> {
    let folder = corpus().join("snippets");
    let manifest = fs::read_to_string(folder.join("manifest.json"))?;
    let entries: Vec<Entry> = serde_json::from_str(&manifest).context("manifest.json")?;
    let read = |entry: Entry| -> Result<Snippet> {
        let text = fs::read_to_string(folder.join(&entry.file)).with_context(|| entry.file.clone())?;
        Ok(Snippet { entry, text })
    };
    entries.into_iter().map(read).collect()
}

/// Threads of a block in which a snippet runs.
pub const THREADS: usize = 64;

/// A snippet ready to run: memory and launch, used up by one run.
pub struct Prepared {
    /// Buffers.
    pub memory: Memory,
    /// The launch of entry `k`.
    pub launch: Launch,
    places: AllocId,
    output: AllocId,
}

impl Prepared {
    /// What the run left in the output rows and in the places that addresses point to.
    ///
    /// # Errors
    /// Undefined bits in either.
    pub fn results(&self) -> Result<[Vec<u8>; 2]> {
        let read = |id| self.memory.read_back(id).map(<[u8]>::to_vec).map_err(|e| anyhow::anyhow!("{e}"));
        Ok([read(self.output)?, read(self.places)?])
    }
}

impl Snippet {
    /// The file's name without its extension.
    pub fn name(&self) -> &str {
        self.entry.file.trim_end_matches(".ptx")
    }

    /// Whether code by ptxas for `arch` has to agree with the interpreter: classes a and b, and the atomics, shuffles and votes
    /// of class c.
    pub fn must_run(&self, arch: &str) -> bool {
        let warp = ["c_atom", "c_red_", "c_redux", "c_shfl", "c_vote", "c_match", "c_activemask"];
        let class = self.entry.class != "c" || warp.iter().any(|part| self.entry.file.contains(part));
        class && self.entry.accepted.iter().any(|accepted| accepted == arch)
    }

    /// A block of [`THREADS`] threads, each on rows of its own, with the inputs of a seed.
    pub fn prepare(&self, seed: u64) -> Prepared {
        let mut memory = Memory::new();
        let places: Vec<u8> = (0..THREADS * PLACE).map(|i| (i * 37) as u8).collect();
        let places = memory.add("places", places, true);
        let input = memory.add("input", self.inputs(THREADS, seed, memory.base(places)), true);
        let output = memory.add("output", vec![0; THREADS * OUT_ROW], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(THREADS as u32);
        launch.dyn_shared = (THREADS * SHARED_PLACE) as u32;
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(output), Arg::Value(vec![0; 128])];
        Prepared { memory, launch, places, output }
    }

    /// The text for `arch` with a row per thread: `%pin` and `%pout` move by the thread's number times the size of a row.
    /// `None` where the snippet does not load its buffers the common way.
    pub fn per_thread(&self, arch: &str) -> Option<String> {
        let loads = "ld.param.u64 %pin,[pi]; ld.param.u64 %pout,[po];";
        let moved = format!(
            ".reg .b32 %lane; ld.param.u64 %pin,[pi]; ld.param.u64 %pout,[po]; mov.u32 %lane,%tid.x; \
             mad.wide.u32 %pin,%lane,{IN_ROW},%pin; mad.wide.u32 %pout,%lane,{OUT_ROW},%pout;"
        );
        let target = format!(".target {}", self.entry.target);
        (self.text.matches(loads).count() == 1).then(|| {
            let text = self.text.replace(loads, &moved).replacen(&target, &format!(".target {arch}"), 1);
            self.with_shared_places(&text)
        })
    }

    /// Where the instruction under test takes an address in shared memory from a register: declares dynamic shared memory, and
    /// gives the register the thread's own place in it, filled with the thread's number.
    fn with_shared_places(&self, text: &str) -> String {
        let register = Regex::new(r"shared[\w.:]* [^;]*\[(%r\d+)\]").expect("a pattern");
        let tested: Vec<&str> = self.tested().collect();
        let Some(found) = tested.iter().find_map(|line| register.captures(line)) else { return text.to_owned() };
        let address = &found[1];
        let load = Regex::new(&format!(r"ld\.global\.nc\.b32 {address},\[%pin\+\d+\];")).expect("a pattern");
        let place = format!(
            "mov.u32 {address},dyn; mad.lo.u32 {address},%lane,{SHARED_PLACE},{address}; \
             st.shared.v4.b32 [{address}],{{%lane,%lane,%lane,%lane}};"
        );
        let text = load.replacen(text, 1, &*place);
        text.replacen(".visible .entry", ".extern .shared .align 16 .b8 dyn[];\n.visible .entry", 1)
    }

    /// The instructions under test: what is neither declaration nor the common loads and stores.
    fn tested(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| {
            let line = line.trim_start();
            !line.is_empty()
                && !matches!(line, "{" | "}")
                && !["ld.global.nc", "st.global.cs", ".", "ld.param", "ret", "//"].iter().any(|s| line.starts_with(s))
        })
    }

    /// Bytes of the input buffer for so many threads, `places` being the address of the third buffer.
    pub fn inputs(&self, threads: usize, seed: u64, places: u64) -> Vec<u8> {
        let load = Regex::new(r"ld\.global\.nc(?:\.v\d)?\.\w(\d+) (%\w+),\[%pin\+(\d+)\]").expect("a pattern");
        let address = Regex::new(r"\[\s*(%\w+)").expect("a pattern");
        let tested: Vec<&str> = self.tested().collect();
        let addresses: Vec<&str> = tested
            .iter()
            .flat_map(|line| address.captures_iter(line).map(|c| c.get(1).map_or("", |m| m.as_str())))
            .collect();
        let float = tested.iter().find_map(|line| [64, 32, 16].into_iter().find(|w| line.contains(&format!("f{w}"))));
        let loads: BTreeMap<usize, (usize, &str)> = load
            .captures_iter(&self.text)
            .filter_map(|c| Some((c[3].parse().ok()?, (c[1].parse().ok()?, c.get(2)?.as_str()))))
            .collect();
        let mut rng = Rng::new(seed, 1);
        let mut bytes = vec![0; threads * IN_ROW];
        for (thread, row) in bytes.chunks_mut(IN_ROW).enumerate() {
            for at in (0..IN_ROW).step_by(8) {
                let asked = ASKED.iter().find(|row| row.1 == at && self.entry.file.contains(row.0));
                let value = match loads.get(&at) {
                    Some((_, register)) if addresses.contains(register) => places + (thread * PLACE) as u64,
                    Some((bits, _)) => value(&mut rng, *bits, float),
                    None => rng.next(),
                };
                let value = asked.map_or(value, |(_, _, kept, set)| value & kept | set);
                row[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
        }
        bytes
    }
}

/// A number of `bits` bits for an instruction with floats of that width, or without floats.
fn value(rng: &mut Rng, bits: usize, float: Option<usize>) -> u64 {
    const EDGES: [u64; 8] = [0, 1, 2, u64::MAX, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1];
    match rng.next() % 8 {
        0 => EDGES[(rng.next() % 8) as usize],
        1 => rng.next(),
        2 => rng.next() % 64,
        _ => match float {
            Some(64) if bits == 64 => (rng.unit() * 200.0 - 100.0).to_bits(),
            Some(32) if bits == 64 => {
                let mut pair = || u64::from(((rng.unit() * 200.0 - 100.0) as f32).to_bits());
                pair() | pair() << 32
            }
            Some(16) => {
                let mut half = || u64::from(half::f16::from_f64(rng.unit() * 20.0 - 10.0).to_bits());
                half() | half() << 16 | half() << 32 | half() << 48
            }
            Some(_) if bits == 32 => u64::from(((rng.unit() * 200.0 - 100.0) as f32).to_bits()),
            _ => rng.next() >> (rng.next() % 64),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_snippets_can_run_on_rows() {
        let snippets = all().unwrap();
        let rows = snippets.iter().filter(|s| s.per_thread("sm_90").is_some()).count();
        assert!(snippets.len() >= 395 && rows * 10 >= snippets.len() * 9, "{rows} of {}", snippets.len());
    }

    #[test]
    fn addresses_point_into_the_places() {
        let snippets = all().unwrap();
        let atomic = snippets.iter().find(|s| s.entry.file.contains("atom_global_add_u32")).unwrap();
        let bytes = atomic.inputs(2, 0, 0x1000);
        let at = |thread: usize| u64::from_le_bytes(bytes[thread * IN_ROW + 32..][..8].try_into().unwrap());
        assert_eq!((at(0), at(1)), (0x1000, 0x1000 + PLACE as u64));
    }
}
