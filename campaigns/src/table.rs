//! The campaigns by group, with what each needs and how long it takes.

use std::fmt::Write as _;

/// What a campaign is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Whether results are right.
    Correctness,
    /// Whether tables say what NVIDIA's tools say.
    Tables,
    /// Whether concurrency and readers hold under stress.
    Stress,
    /// Time, memory and code quality, beside the peers.
    Speed,
    /// Data and pages of the repository.
    Data,
}

impl Group {
    const ALL: [Group; 5] = [Group::Correctness, Group::Tables, Group::Stress, Group::Speed, Group::Data];

    fn title(self) -> &'static str {
        match self {
            Group::Correctness => "Correctness of our code and of the machines that check it",
            Group::Tables => "Tables beside NVIDIA's tools",
            Group::Stress => "Stress",
            Group::Speed => "Speed, memory, code quality (on a quiet machine)",
            Group::Data => "Data and pages of the repository",
        }
    }
}

/// What a campaign needs beside this repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// The outside tools that `make oracles` installs.
    Oracles,
    /// Those, and a checkout that is given by `--sources`.
    Sources,
    /// What `scripts/callers.sh engine` installs, and PostgreSQL.
    Engine,
    /// A GPU.
    Gpu,
}

impl Needs {
    fn text(self) -> &'static str {
        match self {
            Needs::Nothing => "-",
            Needs::Oracles => "oracles",
            Needs::Sources => "oracles, --sources",
            Needs::Engine => "scripts/callers.sh engine",
            Needs::Gpu => "a GPU",
        }
    }
}

/// A campaign.
pub struct Campaign {
    /// The name on the command line.
    pub name: &'static str,
    pub group: Group,
    pub needs: Needs,
    /// Minutes of the whole campaign on two cores, roughly; 0 is below one.
    pub minutes: u32,
    /// The figures of docs/figures/targets.toml that it records, by id.
    pub figures: &'static [&'static str],
}

const fn campaign(
    name: &'static str,
    group: Group,
    needs: Needs,
    minutes: u32,
    figures: &'static [&'static str],
) -> Campaign {
    Campaign { name, group, needs, minutes, figures }
}

use Group::{Correctness, Data, Speed, Stress, Tables};
use Needs::{Engine, Gpu, Nothing, Oracles, Sources};

/// All campaigns; the list shows them in this order within a group.
pub const CAMPAIGNS: &[Campaign] = &[
    campaign("native", Correctness, Nothing, 5, &[]),
    campaign(
        "native-figures",
        Correctness,
        Oracles,
        5,
        &["codegen.kernels", "codegen.levels", "codegen.thread", "driver.determinism"],
    ),
    campaign("native-snippets", Correctness, Nothing, 10, &["codegen.snippets"]),
    campaign("producers", Correctness, Nothing, 5, &["codegen.producers", "codegen.producers.run"]),
    campaign("producers-fallback", Correctness, Oracles, 5, &["codegen.producers.fallback"]),
    campaign(
        "random-ptx",
        Correctness,
        Nothing,
        52,
        &["codegen.random.coverage", "codegen.random.differences", "codegen.random.kernels"],
    ),
    campaign("random-folds", Correctness, Oracles, 19, &["suites.folds", "suites.folds.wrong"]),
    campaign("random-c", Correctness, Oracles, 60, &["suites.random-c", "suites.random-c.wrong"]),
    campaign("random-ir", Correctness, Oracles, 60, &["suites.random-ir", "suites.random-ir.wrong"]),
    campaign("foreign-ir", Correctness, Sources, 4, &["ir.foreign", "ir.foreign.faults"]),
    campaign("fuzzx-generated", Correctness, Sources, 40, &["suites.generated", "suites.generated.wrong"]),
    campaign(
        "suites",
        Correctness,
        Sources,
        30,
        &[
            "suites.fuzzx.programs",
            "suites.fuzzx.wrong",
            "suites.ocelot-cases",
            "suites.ocelot-cases.wrong",
            "suites.ocelot.programs",
            "suites.ocelot.wrong",
            "suites.real.kernels",
            "suites.real.wrong",
            "suites.zluda.demands",
            "suites.zluda.wrong",
        ],
    ),
    campaign("callers", Correctness, Oracles, 5, &[]),
    campaign("cutlass", Correctness, Sources, 15, &["cutlass.kernels.80", "cutlass.kernels.90a", "cutlass.wrong"]),
    campaign(
        "tensor-vectors",
        Correctness,
        Sources,
        1,
        &[
            "sim.tensor.simulated",
            "sim.tensor.simulated.wrong",
            "sim.tensor.sums",
            "sim.tensor.unnoticed",
            "sim.tensor.wrong",
        ],
    ),
    campaign("matrix", Correctness, Oracles, 25, &["matrix.codes", "matrix.forms", "matrix.wgmma", "matrix.wrong"]),
    campaign("litmus", Correctness, Sources, 10, &["litmus.decided", "litmus.differences", "litmus.unsound"]),
    campaign("exhaustive", Correctness, Nothing, 60, &["codegen.exhaustive.f32", "codegen.exhaustive.f64"]),
    campaign("prove", Correctness, Oracles, 15, &["proofs.passes.at.zero", "proofs.refuted", "proofs.validated"]),
    campaign("prove-rules", Correctness, Oracles, 10, &["proofs.rules", "proofs.rules.unproven"]),
    campaign("seeded-bugs", Correctness, Nothing, 60, &["codegen.seeded"]),
    campaign("sim-figures", Correctness, Oracles, 5, &["sim.kernels", "sim.kernels.count", "sim.snippets"]),
    campaign("mutants", Correctness, Oracles, 20, &["sim.mutants"]),
    campaign("words", Tables, Oracles, 5, &["sass.missing.ab", "sass.reencode", "sass.reencode.wrong"]),
    campaign(
        "sass-campaign",
        Tables,
        Oracles,
        10,
        &["sass.illegal", "sass.text.coverage", "sass.text.words", "sass.text.wrong"],
    ),
    campaign("mine", Tables, Oracles, 5, &["sass.latencies"]),
    campaign("probe-sass", Tables, Oracles, 0, &[]),
    campaign("probe-ptx", Tables, Oracles, 10, &["ptx.probe.modules", "ptx.probe.unlisted"]),
    campaign("mutate-ptx", Tables, Oracles, 10, &["ptx.mutate.agree"]),
    campaign("ptx-roundtrip", Tables, Oracles, 5, &["ptx.roundtrip.code", "ptx.roundtrip.identity"]),
    campaign("forms", Tables, Oracles, 5, &[]),
    campaign(
        "objects",
        Tables,
        Oracles,
        30,
        &["object.disasm", "object.writeback", "object.writeback.nvlink", "object.writeback.older"],
    ),
    campaign("campaign-link", Tables, Oracles, 2, &["link.text"]),
    campaign("chaos", Stress, Nothing, 10, &["jobs.chaos"]),
    campaign("memory-storm", Stress, Oracles, 10, &["jobs.memory.48", "jobs.memory.512"]),
    campaign("signal-storm", Stress, Nothing, 10, &["jobs.storm.end", "jobs.storm.lost"]),
    campaign("ir-chaos", Stress, Oracles, 10, &["hardening.ir.chaos"]),
    campaign("ir-storm", Stress, Oracles, 40, &["hardening.ir.storms", "hardening.ir.storms.faults"]),
    campaign("mutate-ir", Stress, Oracles, 40, &["hardening.ir.faults", "hardening.ir.mutants"]),
    campaign("fuzz", Stress, Nothing, 15, &["input.panics"]),
    campaign("remote-faults", Stress, Engine, 15, &crate::bench_remote::FAULTS),
    campaign("loom", Stress, Nothing, 10, &["jobs.loom"]),
    campaign("shuttle", Stress, Nothing, 5, &["jobs.shuttle"]),
    campaign(
        "bench-ir",
        Speed,
        Oracles,
        5,
        &[
            "ir.instructions",
            "ir.memory",
            "ir.phase1",
            "ir.registers",
            "ir.scaling",
            "ir.serial64",
            "ir.split",
            "ir.wall",
            "ir.wall.clang",
        ],
    ),
    campaign("ir-scale", Speed, Nothing, 10, &["ir.large", "ir.large.memory", "ir.large.partial"]),
    campaign(
        "bench-compile",
        Speed,
        Oracles,
        10,
        &["build.serial", "build.workers64", "speed.memory", "speed.scaling", "speed.serial", "speed.wall"],
    ),
    campaign("scale-units", Speed, Oracles, 1, &[]),
    campaign("bench-cache", Speed, Oracles, 2, &["cache.edited", "cache.unchanged"]),
    campaign("bench-remote", Speed, Engine, 15, &crate::bench_remote::TIMES),
    campaign(
        "bench-code",
        Speed,
        Oracles,
        15,
        &["code.cycles", "code.cycles.worst", "code.executed", "code.occupancy", "code.spills"],
    ),
    campaign(
        "bench-matrix",
        Speed,
        Oracles,
        10,
        &["matrix.cycles", "matrix.cycles.worst", "matrix.spills", "matrix.time"],
    ),
    campaign(
        "bench-real",
        Speed,
        Sources,
        60,
        &[
            "real.cycles",
            "real.cycles.worst",
            "real.instructions",
            "real.instructions.worst",
            "real.occupancy",
            "real.registers",
            "real.stack",
        ],
    ),
    campaign(
        "bench-link",
        Speed,
        Oracles,
        5,
        &[
            "link.compute.speed",
            "link.large.memory",
            "link.large.time",
            "link.linear",
            "link.many.memory",
            "link.many.time",
        ],
    ),
    campaign("bench-start", Speed, Oracles, 0, &["start.milliseconds"]),
    campaign("ptx-scale", Speed, Oracles, 5, &["ptx.memory.factor", "ptx.time.linear", "ptx.time.ratio"]),
    campaign("interp-speed", Speed, Nothing, 2, &["interp.speed"]),
    campaign("sim-speed", Speed, Oracles, 2, &["sim.speed"]),
    campaign("simulate-schedule", Speed, Nothing, 2, &["schedule.other", "schedule.skewed"]),
    campaign("fit-costs", Speed, Nothing, 10, &[]),
    campaign("corpus", Data, Oracles, 5, &["corpus.megabytes"]),
    campaign("cubins", Data, Oracles, 0, &[]),
    campaign("gpu-check", Data, Oracles, 2, &["gpu.folder"]),
    campaign("gpu-collect", Data, Gpu, 0, &[]),
    campaign("gpu-replay", Data, Gpu, 1, &[]),
    campaign("gpu-latency", Data, Nothing, 1, &[]),
    campaign("gpu-latency-collect", Data, Gpu, 0, &[]),
    campaign("jobserver-table", Data, Oracles, 10, &[]),
    campaign("ptxas-page", Data, Oracles, 2, &[]),
];

#[derive(clap::Args)]
pub struct Options {
    /// Also name the figures of docs/figures.md that each records
    #[arg(long)]
    figures: bool,
}

/// The list: groups, and in each a line per campaign. `command` has the sentences.
pub fn list(command: &clap::Command, options: &Options) -> String {
    let about = |name: &str| command.find_subcommand(name).and_then(|c| c.get_about()).map(|a| a.to_string());
    let mut out = String::new();
    for group in Group::ALL {
        let _ = writeln!(out, "{}", group.title());
        for c in CAMPAIGNS.iter().filter(|c| c.group == group) {
            let time = if c.minutes == 0 { "< 1 min".to_owned() } else { format!("{} min", c.minutes) };
            let about = about(c.name).unwrap_or_default();
            let _ = writeln!(out, "  {:18} {time:>7}  {:18}  {about}", c.name, c.needs.text());
            if options.figures && !c.figures.is_empty() {
                let _ = writeln!(out, "  {:18} records {}", "", c.figures.join(", "));
            }
        }
        out.push('\n');
    }
    out += "Times are rough, of a whole campaign on two cores. `cargo campaign NAME --help` has the options.\n";
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_a_row() {
        let command = crate::Cli::command();
        let commands: BTreeSet<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let rows: BTreeSet<&str> = CAMPAIGNS.iter().map(|c| c.name).chain(["list"]).collect();
        assert_eq!(commands, rows);
        command.debug_assert();
    }

    /// Each record that names a campaign is in the campaign's row, and a row has no other figures than targets.
    #[test]
    fn figures_belong_to_the_campaign_that_records_them() {
        let targets: BTreeSet<String> =
            xtask::figures::targets().unwrap().into_iter().map(|target| target.id).collect();
        for figure in CAMPAIGNS.iter().flat_map(|c| c.figures) {
            assert!(targets.contains(*figure), "{figure} has no target");
        }
        for record in xtask::figures::records().unwrap().values() {
            let Some(rest) = record.command.strip_prefix("cargo campaign ") else { continue };
            let name = rest.split(' ').next().unwrap_or_default();
            let owners: Vec<&str> =
                CAMPAIGNS.iter().filter(|c| c.figures.contains(&record.id.as_str())).map(|c| c.name).collect();
            assert_eq!(owners, [name], "{}", record.id);
        }
    }
}
