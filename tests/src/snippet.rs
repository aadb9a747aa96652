//! Snippets of the corpus: one instruction form each, run on many values at once.
//!
//! Problem: a snippet reads fixed offsets of one buffer, so one launch tests one set of values.
//! Strategy: [`Snippet::per_thread`] gives every thread its own row in both buffers, and
//! [`Snippet::inputs`] fills the rows: registers used as addresses get addresses in a third buffer
//! (each thread its own slot), the others numbers that suit the types of the instruction under
//! test, including edge cases. What needs more around it has a row of `corpus/snippets/setup.toml`
//! ([`setup`]).

pub mod reference;
mod setup;

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::machine::Completion;
use raddle_sim::mem::{AllocId, Handle, Memory};
use raddle_sim::texture::file;
use regex::Regex;
use serde::Deserialize;

use crate::kernel::corpus;
use crate::rng::Rng;
use crate::simulate::ARCHES;
use setup::Setup;

/// Bytes of one thread's row in the input buffer.
pub const IN_ROW: usize = 1024;
/// Bytes of one thread's row in the output buffer.
pub const OUT_ROW: usize = 1024;
/// Bytes of one thread's slot that addresses point to.
pub const PLACE: usize = 256;

/// A loading of a register from the input buffer: bits, register, offset.
static LOAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"ld\.global\.nc(?:\.v[0-9])?\.[a-z]([0-9]+) (%[a-z0-9]+),\[%pin\+([0-9]+)\]").expect("a pattern")
});
/// The loading of a register of 32 bits, whole.
static LOAD_32: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"ld\.global\.nc\.b32 (%[a-z0-9]+),\[%pin\+[0-9]+\];").expect("a pattern"));
/// A register as an address.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[\s*(%[a-z0-9]+)").expect("a pattern"));
/// A register of 32 bits as a whole address.
static REGISTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[(%r[0-9]+)\]").expect("a pattern"));

/// Initial bytes of the output buffer.
pub const UNTOUCHED: u8 = 0xa5;

/// Bytes of one thread's slot in shared memory.
pub const SHARED_PLACE: usize = 64;

/// Inputs that an instruction requires: part of the file's name, offset in the row, bits kept, bits
/// set.
const ASKED: &[(&str, usize, u64, u64)] = &[
    // Masks of participating lanes: all of them participate.
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
    // Addresses in the window they are converted from.
    ("cvta_shared", 32, 0xffff, 0),
    ("cvta_local", 32, 0xffff, 0),
    ("cvta_to_shared", 32, 0xffff, 0x7e00_0000_0000),
    // The word that is read is the one that was written.
    ("ld_local", 0, 0, 12),
    ("ld_local", 16, 0, 12),
    // An index of bytes into eight words.
    ("ld_const", 0, 28, 0),
];

/// Parts of the names of snippets whose code is not run, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("c_call_indirect", "the address of the callee comes from the input"),
    ("c_vprintf", "the device library is not part of the module"),
    ("c_malloc", "the device library is not part of the module"),
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

/// Threads of a block in which most snippets run.
pub const THREADS: usize = 64;

/// A snippet ready to run: memory and launch, for a single run.
pub struct Prepared {
    /// Buffers.
    pub memory: Memory,
    /// The launch of entry `k`.
    pub launch: Launch,
    places: AllocId,
    output: AllocId,
}

impl Prepared {
    /// Bytes and their undefined bits in the output rows and in the slots that addresses point to.
    pub fn left(&self) -> [(Vec<u8>, Vec<u8>); 2] {
        [self.output, self.places].map(|id| {
            let seg = &self.memory.alloc(id).seg;
            (seg.bytes().to_vec(), seg.undefined_bits().to_vec())
        })
    }
}

/// The form of results that depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Like {
    /// Any value: opaque, or a counter that may be constant.
    Any,
    /// Any value, of which bits may be undefined.
    Token,
    /// A time: nonzero.
    Time,
    /// An address: nonzero, and the same in every thread.
    Address,
}

/// A row of `corpus/snippets/own.toml`: a snippet whose result depends on the machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The file's name without its extension.
    pub name: String,
    /// Bytes of the result, from the start of a thread's output row.
    pub bytes: usize,
    /// Its form.
    pub like: Like,
    /// The reason why no manual defines it.
    pub reason: String,
}

impl Own {
    /// The rows of `corpus/snippets/own.toml`.
    ///
    /// # Errors
    /// An unreadable file, or a row for a snippet that does not exist.
    pub fn all() -> Result<Vec<Own>> {
        #[derive(Deserialize)]
        struct File {
            own: Vec<Own>,
        }
        let folder = corpus().join("snippets");
        let file: File = toml::from_str(&fs::read_to_string(folder.join("own.toml"))?).context("own.toml")?;
        for own in &file.own {
            ensure!(folder.join(format!("{}.ptx", own.name)).exists(), "own.toml: no snippet {}", own.name);
            ensure!(!own.reason.is_empty() && own.bytes > 0 && own.bytes <= 8, "own.toml: row of {}", own.name);
        }
        Ok(file.own)
    }

    /// Checks that output rows have the form of the result, in every thread.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self, rows: &[u8]) -> Result<()> {
        let word = |row: &[u8]| row[..self.bytes].iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
        let untouched = [UNTOUCHED; 8];
        let values: Vec<u64> = rows.chunks(OUT_ROW).map(word).collect();
        ensure!(values.iter().all(|v| *v != word(&untouched)), "a result was not written");
        match self.like {
            Like::Any | Like::Token => {}
            Like::Time => ensure!(values.iter().all(|v| *v != 0), "a time is zero"),
            Like::Address => {
                ensure!(values.iter().all(|v| *v != 0 && *v == values[0]), "addresses are zero or differ");
            }
        }
        Ok(())
    }
}

impl Snippet {
    /// The file's name without its extension.
    pub fn name(&self) -> &str {
        self.entry.file.trim_end_matches(".ptx")
    }

    /// Whether code for `arch`, of ptxas and ours, must run and agree with the interpreter: what ptxas
    /// takes, except [`LEFT_OUT`].
    pub fn must_run(&self, arch: &str) -> bool {
        !LEFT_OUT.iter().any(|(part, _)| self.entry.file.contains(part))
            && self.entry.accepted.iter().any(|accepted| accepted == arch)
    }

    /// The architectures on which it must run: those that code is compared on, and sm_90a where only
    /// that has it.
    pub fn arches(&self) -> Vec<&'static str> {
        let all: Vec<&str> = ARCHES.iter().copied().filter(|arch| self.must_run(arch)).collect();
        if all.is_empty() && self.must_run("sm_90a") { vec!["sm_90a"] } else { all }
    }

    /// These architectures, one of which has its turn: another one for the snippet with the next number.
    pub fn arches_in_turn(&self, number: usize) -> impl Iterator<Item = (&'static str, bool)> + use<> {
        let all = self.arches();
        let turn = number.checked_rem(all.len());
        all.into_iter().enumerate().map(move |(n, arch)| (arch, Some(n) == turn))
    }

    /// Seeds and times of completion to run under: many where something is asynchronous.
    pub fn orders(&self) -> Vec<(u64, Completion)> {
        let seeds = if self.setup().is_some() { 4 } else { 1 };
        let early = (0..seeds).map(|seed| (seed, Completion::Early));
        early.chain((1..seeds).map(|seed| (seed, Completion::Late))).collect()
    }

    /// Whether it has a row of `corpus/snippets/setup.toml`.
    pub fn is_set_up(&self) -> bool {
        self.setup().is_some()
    }

    /// The snippet without the instructions under test, which alone (or in a block) begin at the
    /// margin.
    pub fn without_tested(&self) -> Self {
        let kept = |line: &&str| !line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.starts_with("{ ");
        let text: String = self.text.lines().filter(kept).flat_map(|line| [line, "\n"]).collect();
        Self { text, ..self.clone() }
    }

    fn setup(&self) -> Option<&'static Setup> {
        Setup::of(self.name())
    }

    /// A block of threads, each with its own rows, with the inputs of a seed.
    pub fn prepare(&self, seed: u64) -> Prepared {
        let mut memory = Memory::new();
        let (threads, shared) = self.setup().map_or((THREADS, SHARED_PLACE), |row| (row.threads(), setup::SHARED));
        let places: Vec<u8> = (0..threads * PLACE).map(|i| (i * 37) as u8).collect();
        let places = memory.add("places", places, true);
        let handle = self.texture(&mut memory);
        let at = handle.unwrap_or_else(|| memory.base(places));
        let input = memory.add("input", self.inputs(threads, seed, at, handle.is_some()), true);
        let output = memory.add("output", vec![UNTOUCHED; threads * OUT_ROW], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(threads as u32);
        launch.dyn_shared = (threads * shared) as u32;
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(output), Arg::Value(vec![0; 128])];
        // Threads store to any texel.
        if self.is_surface() {
            launch.races = OnFinding::Off;
        }
        Prepared { memory, launch, places, output }
    }

    fn is_surface(&self) -> bool {
        ["_suld_", "_sust_", "_sured", "_suq"].iter().any(|part| self.entry.file.contains(part))
    }

    /// Adds the texture `tr`, or the surface `sr`, that a snippet of their instructions uses; returns
    /// its handle.
    fn texture(&self, memory: &mut Memory) -> Option<u64> {
        let texture = ["_tex_", "_tld4_", "_txq_"].iter().any(|part| self.entry.file.contains(part));
        if !texture && !self.is_surface() {
            return None;
        }
        let (format, size) = match (self.is_surface(), self.entry.file.as_str()) {
            (true, file) if file.contains("_v4") || file.contains("_sust_p") => ("rgba32_uint", "4096 16"),
            (true, _) => ("r32_uint", "4096 16"),
            (false, file) if file.contains("_3d") => ("rgba8_unorm", "64 16 4"),
            (false, file) if file.contains("_1d") => ("rgba8_unorm", "64"),
            (false, file) if file.contains("_a2d") => ("rgba8_sint", "64 16\nlayers 4"),
            (false, _) => ("rgba8_unorm", "64 16"),
        };
        let filter = if format.ends_with("unorm") { "filter linear\n" } else { "" };
        let mut file = format!("{}\nformat {format}\nsize {size}\n{filter}data\n", file::MAGIC).into_bytes();
        let header = file.len();
        // Until the number of texels is right.
        while let Err(file::FileError::Length { wanted, .. }) = file::read(&file) {
            file.truncate(header);
            file.extend((0..wanted).map(|n| ((n * 37) >> 3) as u8));
        }
        let (kind, name) = if self.is_surface() { (Handle::Surface, "sr") } else { (Handle::Texture, "tr") };
        memory.add_texture(name, file::read(&file).ok()?, self.is_surface());
        memory.textures.handle(kind, name)
    }

    /// The text for `arch` with a row per thread: `%pin` and `%pout` are offset by the thread's
    /// number times the size of a row. `None` if the snippet does not load its buffers in the
    /// common way.
    pub fn per_thread(&self, arch: &str) -> Option<String> {
        let loads = "ld.param.u64 %pin,[pi]; ld.param.u64 %pout,[po];";
        let moved = format!(
            ".reg .b32 %lane; ld.param.u64 %pin,[pi]; ld.param.u64 %pout,[po]; mov.u32 %lane,%tid.x; \
             mad.wide.u32 %pin,%lane,{IN_ROW},%pin; mad.wide.u32 %pout,%lane,{OUT_ROW},%pout;"
        );
        let target = format!(".target {}", self.entry.target);
        (self.text.matches(loads).count() == 1).then(|| {
            let text = self.text.replace(loads, &moved).replacen(&target, &format!(".target {arch}"), 1);
            self.setup().map_or_else(|| self.with_shared_places(&text), |row| row.around(&text))
        })
    }

    /// If the instruction under test takes addresses in shared memory from registers: declares
    /// dynamic shared memory, and gives each register a slot of the thread in it, filled with the
    /// thread's number; the contents of the first slot are copied to the end of the thread's row.
    /// For warp-wide instructions the lanes fill one slot together.
    fn with_shared_places(&self, text: &str) -> String {
        let shared = self.tested().find(|line| line.contains("shared") && REGISTER.is_match(line));
        let Some(line) = shared else { return text.to_owned() };
        let addresses: Vec<&str> = REGISTER.captures_iter(line).filter_map(|c| Some(c.get(1)?.as_str())).collect();
        let mut text = text.to_owned();
        for (n, address) in addresses.iter().enumerate() {
            let place = if self.is_collective() {
                format!(
                    ".reg .b32 %first; .reg .b32 %word; and.b32 %first,%lane,-32; mov.u32 {address},dyn; \
                     mad.lo.u32 {address},%first,{SHARED_PLACE},{address}; sub.u32 %word,%lane,%first; \
                     mad.lo.u32 %word,%word,4,{address}; st.shared.b32 [%word],%lane; bar.warp.sync 0xffffffff;"
                )
            } else {
                format!(
                    "mov.u32 {address},dyn+{}; mad.lo.u32 {address},%lane,{SHARED_PLACE},{address}; \
                     st.shared.v4.b32 [{address}],{{%lane,%lane,%lane,%lane}};",
                    16 * n
                )
            };
            let load = LOAD_32.captures_iter(&text).find(|c| c[1] == **address).and_then(|c| c.get(0));
            if let Some(load) = load.map(|all| all.range()) {
                text.replace_range(load, &place);
            }
        }
        // The result of an asynchronous operation may be read only after its mbarrier.
        if !line.contains("async") && !self.is_collective() {
            let left = format!(
                " .reg .b32 %left<4>; ld.shared.v4.b32 {{%left0,%left1,%left2,%left3}},[{}]; \
                 st.global.v4.b32 [%pout+{}],{{%left0,%left1,%left2,%left3}};\n ret;\n}}",
                addresses[0],
                OUT_ROW - 16
            );
            if let Some(at) = text.rfind(" ret;\n}") {
                text.replace_range(at..at + 7, &left);
            }
        }
        text.replacen(".visible .entry", ".extern .shared .align 128 .b8 dyn[];\n.visible .entry", 1)
    }

    /// Whether it leaves undefined bytes in the slots that addresses point to.
    pub fn discards(&self) -> bool {
        self.entry.file.contains("discard")
    }

    /// Whether it ends in a trap.
    pub fn traps(&self) -> bool {
        ["c_trap", "c_brkpt"].iter().any(|part| self.entry.file.contains(part))
    }

    /// Whether all lanes of a warp must have the same addresses.
    fn is_collective(&self) -> bool {
        self.entry.file.contains("tensormap_cp_fenceproxy")
    }

    /// The instructions under test: all except declarations and the common loads and stores.
    fn tested(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| {
            let line = line.trim_start();
            !line.is_empty()
                && !matches!(line, "{" | "}")
                && !["ld.global.nc", "st.global.cs", ".", "ld.param", "ret", "//"].iter().any(|s| line.starts_with(s))
        })
    }

    /// The bytes of the input buffer for `threads` threads; `places` is the address of the third
    /// buffer, or a handle if `handle` says so. Coordinates of surfaces are inside.
    pub fn inputs(&self, threads: usize, seed: u64, places: u64, handle: bool) -> Vec<u8> {
        let tested: Vec<&str> = self.tested().collect();
        let addresses: Vec<&str> = tested
            .iter()
            .flat_map(|line| ADDRESS.captures_iter(line).map(|c| c.get(1).map_or("", |m| m.as_str())))
            .collect();
        let float = tested.iter().find_map(|line| [64, 32, 16].into_iter().find(|w| line.contains(&format!("f{w}"))));
        let loads: BTreeMap<usize, (usize, &str)> = LOAD
            .captures_iter(&self.text)
            .filter_map(|c| Some((c[3].parse().ok()?, (c[1].parse().ok()?, c.get(2)?.as_str()))))
            .collect();
        let asked: Vec<_> = ASKED.iter().filter(|row| self.entry.file.contains(row.0)).collect();
        let (collective, surface) = (self.is_collective(), self.is_surface());
        let mut rng = Rng::new(seed, 1);
        let mut bytes = vec![0; threads * IN_ROW];
        for (thread, row) in bytes.chunks_mut(IN_ROW).enumerate() {
            for at in (0..IN_ROW).step_by(8) {
                let asked = asked.iter().find(|row| row.1 == at);
                let value = match loads.get(&at) {
                    Some((_, register)) if addresses.contains(register) => {
                        let owner = if collective { thread & !31 } else { thread };
                        if handle { places } else { places + (owner * PLACE) as u64 }
                    }
                    Some(_) if surface => rng.next() % 16 * 16 % if at == 8 { 15 } else { 256 },
                    Some((bits, _)) => value(&mut rng, *bits, float),
                    None => rng.next(),
                };
                let value = asked.map_or(value, |(_, _, kept, set)| value & kept | set);
                row[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            if let Some(setup) = self.setup() {
                setup.fill(row, places + (thread * PLACE) as u64, &mut rng);
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
        let bytes = atomic.inputs(2, 0, 0x1000, false);
        let at = |thread: usize| u64::from_le_bytes(bytes[thread * IN_ROW + 32..][..8].try_into().unwrap());
        assert_eq!((at(0), at(1)), (0x1000, 0x1000 + PLACE as u64));
    }
}
