//! Mutants of ptxas' machine code: how many wrong control fields the simulator notices.
//!
//! Each instruction that a corpus kernel executes is weakened in one field at a time: a stall one less, a wait bit
//! dropped, a read barrier dropped. `raddle_sim::mutation_check` decides which mutants matter; those the simulator must
//! stop with a hazard. Survivors are listed by kind.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use raddle_cubin::model::Cubin;
use raddle_filetest::oracle;
use raddle_sass::{Isa, Op};
use raddle_sim::failure::FailureKind;
use raddle_sim::launch::OnFinding;
use raddle_sim::machine::{self, Setup};
use raddle_sim::mutation_check::{Listing, Mutation, mutate};
use raddle_tests::ptxas::Assembler;
use raddle_tests::{kernel, run, simulate};

/// What became of the mutants of one kind.
#[derive(Default)]
struct Tally {
    all: usize,
    matter: usize,
    caught: usize,
    /// Caught although the static check saw no harm.
    beyond: usize,
}

#[derive(clap::Args)]
pub struct Options {
    /// Only kernels whose name contains this
    #[arg(value_name = "NAME")]
    only: Option<String>,
}

/// `cargo campaign mutants [KERNEL]`: mutates what ptxas makes of the corpus kernels (nvcc's PTX, four architectures).
///
/// # Errors
/// No ptxas, kernels that do not run, fewer caught than the figure asks for is *not* an error.
pub fn run(Options { only }: Options) -> Result<()> {
    let ptxas = oracle::require("ptxas").context("mutants need ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut survivors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut cubins = 0;
    for kernel in kernel::all()? {
        if only.as_ref().is_some_and(|o| !kernel.name.contains(o)) {
            continue;
        }
        for arch in simulate::ARCHES {
            let ptx = simulate::retarget(&kernel.ptx(&kernel.producers[0])?, arch);
            let file = assembler.assemble(&ptx, arch)?;
            let executed = executed(&kernel, &file)?;
            if executed.is_empty() {
                continue;
            }
            cubins += 1;
            let cubin = Cubin::parse(&file)?;
            let k = cubin.kernel(&kernel.entry).context("kernel")?;
            let offset = cubin.sections[k.section as usize].offset as usize;
            let isa = Isa::by_name(arch).context("no tables")?;
            let listing = Listing::new(isa, k.code);
            for &pc in &executed {
                let at = offset + pc * 16;
                let word = file[at..at + 16].iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
                let kinds = [Mutation::Stall, Mutation::ReadBarrier].into_iter().chain((0..6).map(Mutation::Wait));
                for mutation in kinds {
                    let Some(weak) = mutate(word, mutation) else { continue };
                    let kind = match mutation {
                        Mutation::Stall => "stall",
                        Mutation::Wait(_) => "wait",
                        Mutation::ReadBarrier => "read barrier",
                    };
                    let mut mutant = file.clone();
                    mutant[at..at + 16].copy_from_slice(&weak.to_le_bytes());
                    let (matters, caught) = (listing.matters(pc, mutation), is_caught(&kernel, &mutant));
                    let tally = tallies.entry(kind).or_default();
                    tally.all += 1;
                    tally.matter += usize::from(matters);
                    tally.caught += usize::from(matters && caught);
                    tally.beyond += usize::from(!matters && caught);
                    if matters && !caught {
                        let op = listing.get(pc).map_or(Op::Nop, |i| i.op());
                        let place = format!("{} {arch} {:#06x}", kernel.name, pc * 16);
                        survivors.entry(format!("{kind} of {op:?}")).or_default().push(place);
                    }
                }
            }
        }
    }
    ensure!(cubins > 0, "no kernel ran");
    let (mut matter, mut caught) = (0, 0);
    println!("{:14} {:>8} {:>8} {:>8} {:>8}", "kind", "mutants", "matter", "caught", "beyond");
    for (kind, t) in &tallies {
        println!("{kind:14} {:>8} {:>8} {:>8} {:>8}", t.all, t.matter, t.caught, t.beyond);
        matter += t.matter;
        caught += t.caught;
    }
    println!("survivors by kind:");
    let mut list: Vec<_> = survivors.iter().collect();
    list.sort_by_key(|(kind, places)| (usize::MAX - places.len(), *kind));
    for (kind, places) in list.iter().take(40) {
        println!("  {:4} {kind}: {}", places.len(), places.iter().take(3).cloned().collect::<Vec<_>>().join("; "));
    }
    let value = (1000.0 * caught as f64 / matter.max(1) as f64).round() / 10.0;
    let note = format!(
        "{caught} of {matter} that matter, of all mutants of executed instructions in {cubins} cubins by ptxas"
    );
    println!("{value} %: {note}");
    if only.is_none() {
        xtask::figures::record("sim.mutants", value, "cargo campaign mutants", &note)?;
    }
    Ok(())
}

/// Indices of the instructions that the kernel's launches execute; empty if a launch does not run unmutated.
fn executed(kernel: &kernel::Kernel, file: &[u8]) -> Result<BTreeSet<usize>> {
    let seen = RefCell::new(BTreeSet::new());
    for launch in &kernel.launches {
        let mut setup = run::setup(&kernel.entry, launch);
        let mut note = |e: &machine::Event<'_>| {
            if e.mask != 0 {
                seen.borrow_mut().insert((e.pc / 16) as usize);
            }
        };
        let machine_setup = Setup { trace: Some(&mut note), ..Setup::default() };
        if machine::run_with(file, &setup.launch, &mut setup.memory, machine_setup).is_err() {
            return Ok(BTreeSet::new());
        }
    }
    Ok(seen.into_inner())
}

/// Whether a launch of the mutant ends with a hazard.
fn is_caught(kernel: &kernel::Kernel, file: &[u8]) -> bool {
    kernel.launches.iter().any(|launch| {
        let mut setup = run::setup(&kernel.entry, launch);
        setup.launch.races = OnFinding::Off;
        let result = machine::run(file, &setup.launch, &mut setup.memory);
        matches!(result, Err(f) if matches!(*f.kind, FailureKind::Hazard(_)))
    })
}
