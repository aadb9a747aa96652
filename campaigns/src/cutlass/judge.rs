//! Runs a case on a machine: its launches, one after another, over the same memory.

use anyhow::{Context, Result, bail, ensure};
use raddle_sim::launch::{Arg, Launch as SimLaunch};
use raddle_sim::mem::{AllocId, Memory};
use raddle_sim::{interp, machine};
use raddle_tests::rng::Rng;

use super::product::View;
use super::script::{Case, Launch, Step};

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
        let view = [p.a, p.b, p.c, p.bias].into_iter().find(|view| view.at == buffer.at);
        view.map_or_else(|| vec![UNWRITTEN; buffer.bytes], |view| view.random(buffer.bytes, &mut rng))
    };
    case.buffers.iter().map(of).collect()
}

/// Puts real addresses in the place of those of the script.
fn relocate(bytes: &mut [u8], case: &Case, bases: &[u64]) {
    for word in bytes.chunks_exact_mut(8) {
        let mut raw = [0; 8];
        raw.copy_from_slice(word);
        if let Some((n, distance)) = case.place(u64::from_le_bytes(raw)) {
            word.copy_from_slice(&bases[n].wrapping_add_signed(distance).to_le_bytes());
        }
    }
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
                let mut bytes = bytes.clone();
                relocate(&mut bytes, case, &bases);
                inside(case, &mut contents, *at, bytes.len())?.copy_from_slice(&bytes);
            }
            Step::Launch(launch) => {
                let mut parameters = launch.parameters.clone();
                parameters.iter_mut().for_each(|bytes| relocate(bytes, case, &bases));
                contents = launch_one(launch, parameters, memory, &ids, machine, seed)?;
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
    let (n, from) = case.place(at).context("an address in no buffer")?;
    let range = usize::try_from(from).map(|from| from..from + bytes);
    range.ok().and_then(|range| contents[n].get_mut(range)).context("an address behind a buffer")
}

fn launch_one(
    launch: &Launch,
    parameters: Vec<Vec<u8>>,
    mut memory: Memory,
    ids: &[AllocId],
    machine: Machine<'_>,
    seed: u64,
) -> Result<Contents> {
    let mut sim = SimLaunch::new(&launch.kernel);
    (sim.grid, sim.block, sim.dyn_shared, sim.seed) = (launch.grid, launch.block, launch.shared, seed);
    sim.cluster = Some(launch.cluster).filter(|cluster| cluster.count() > 1);
    sim.max_steps = 1 << 31;
    sim.args = parameters.into_iter().map(Arg::Value).collect();
    match machine {
        Machine::Interpreter(ptx) => drop(interp::run(ptx, &sim, &mut memory).context("interpreter")?),
        Machine::Simulator(cubin) => drop(machine::run(cubin, &sim, &mut memory).context("simulator")?),
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
        let Some((n, 0)) = case.place(view.at) else { bail!("a matrix in no buffer") };
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
