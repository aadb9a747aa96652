//! Runs a case on a machine: its launches, one after another, over the same memory.

use anyhow::{Context, Result, bail, ensure};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Launch as SimLaunch, OnFinding};
use raddle_sim::mem::{AllocId, Memory};
use raddle_tests::rng::Rng;
use raddle_tests::simulator;

use super::product::View;
use super::script::{Case, Launch, Step, Twice};

/// What runs a kernel.
#[derive(Clone, Copy)]
pub enum Machine<'a> {
    /// The interpreter, with a module.
    Interpreter(&'a str),
    /// The simulator, with a cubin.
    Simulator(&'a [u8]),
}

/// The contents of the buffers of a case, in the order of the case.
pub type Contents = Vec<Vec<u8>>;

/// What a buffer holds that nothing writes.
const UNWRITTEN: u8 = 0xa5;

/// Random operands.
pub fn operands(case: &Case, seed: u64) -> Contents {
    let p = &case.product;
    let mut rng = Rng::new(seed, 0);
    let of = |buffer: &super::script::Buffer| {
        let view = [p.a, p.b, p.c, p.bias].into_iter().find(|view| view.at == buffer.at[0]);
        view.map_or_else(|| vec![UNWRITTEN; buffer.bytes], |view| view.random(buffer.bytes, &mut rng))
    };
    case.buffers.iter().map(of).collect()
}

/// The bytes with real addresses in the place of those of the script. A word is an address if it is in the same place of
/// the same buffer in both runs.
fn relocate(bytes: &Twice, case: &Case, bases: &[u64]) -> Vec<u8> {
    let mut out = bytes[0].clone();
    let words =
        |run: usize| bytes[run].chunks_exact(8).map(|raw| raw.iter().rfold(0, |all, &b| all << 8 | u64::from(b)));
    for (word, (one, other)) in out.chunks_exact_mut(8).zip(words(0).zip(words(1))) {
        let place = case.place(one, 0).filter(|&place| case.place(other, 1) == Some(place));
        if let Some((n, distance)) = place {
            word.copy_from_slice(&bases[n].wrapping_add_signed(distance).to_le_bytes());
        }
    }
    out
}

/// Runs all steps of a case.
///
/// # Errors
/// A launch that fails, and undefined results.
pub fn run(case: &Case, contents: &Contents, machine: Machine<'_>, seed: u64) -> Result<Contents> {
    let mut contents = contents.clone();
    for step in &case.steps {
        let (memory, ids) = memory(&contents);
        let bases: Vec<u64> = ids.iter().map(|&id| memory.base(id)).collect();
        match step {
            Step::Fill { at, bytes, value } => inside(case, &mut contents, *at, *bytes)?.fill(*value),
            Step::Copy { at, bytes } => {
                let bytes = relocate(bytes, case, &bases);
                inside(case, &mut contents, *at, bytes.len())?.copy_from_slice(&bytes);
            }
            Step::Launch(launch) => {
                let parameters = launch.parameters.iter().map(|bytes| relocate(bytes, case, &bases)).collect();
                contents = launch_one((launch, case.ordered), parameters, memory, &ids, machine, seed)?;
            }
        }
    }
    Ok(contents)
}

fn memory(contents: &Contents) -> (Memory, Vec<AllocId>) {
    let mut memory = Memory::new();
    let add = |(n, bytes): (usize, &Vec<u8>)| memory.add(format!("buffer {n}"), bytes.clone(), true);
    let ids = contents.iter().enumerate().map(add).collect();
    (memory, ids)
}

fn inside<'a>(case: &Case, contents: &'a mut Contents, at: u64, bytes: usize) -> Result<&'a mut [u8]> {
    let (n, from) = case.place(at, 0).context("an address in no buffer")?;
    let range = usize::try_from(from).map(|from| from..from + bytes);
    range.ok().and_then(|range| contents[n].get_mut(range)).context("an address behind a buffer")
}

fn launch_one(
    (launch, ordered): (&Launch, bool),
    parameters: Vec<Vec<u8>>,
    mut memory: Memory,
    ids: &[AllocId],
    machine: Machine<'_>,
    seed: u64,
) -> Result<Contents> {
    let mut sim = SimLaunch::new(&launch.kernel);
    (sim.grid, sim.block, sim.dyn_shared, sim.seed) = (launch.grid, launch.block, launch.shared, seed);
    sim.cluster = Some(launch.cluster).filter(|cluster| cluster.count() > 1);
    if !ordered {
        sim.races = OnFinding::Off;
    }
    sim.max_steps = 1 << 31;
    sim.args = parameters.into_iter().map(Arg::Value).collect();
    match machine {
        Machine::Interpreter(ptx) => _ = interp::run(ptx, &sim, &mut memory).context("interpreter")?,
        Machine::Simulator(cubin) => drop(simulator::run(cubin, &sim, &mut memory).context("simulator")?),
    }
    let read = |&id: &AllocId| Ok(memory.read_back(id).map_err(anyhow::Error::msg)?.to_vec());
    ids.iter().map(read).collect()
}

/// Compares what a machine left with the product of the operands.
///
/// # Errors
/// The first element that differs.
pub fn check(case: &Case, before: &Contents, after: &Contents) -> Result<()> {
    let find = |view: &View| {
        let Some((n, 0)) = case.place(view.at, 0) else { bail!("a matrix in no buffer") };
        let whose = if view.at == case.product.d.at { after } else { before };
        Ok(whose[n].as_slice())
    };
    case.product.check(find)
}

/// Compares what two machines left, bit by bit.
///
/// # Errors
/// The first byte that differs.
pub fn same(got: &Contents, want: &Contents) -> Result<()> {
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        let first = got.iter().zip(want).position(|(g, w)| g != w);
        let text = || format!("buffer {n}, byte {}: not what the interpreter leaves", first.unwrap_or(0));
        ensure!(first.is_none(), text());
    }
    Ok(())
}
