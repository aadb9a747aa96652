//! `probe-ptx`: every form of the PTX table as instructions, judged by ptxas and by us.
//!
//! One module holds thousands of instructions, one a line: ptxas names the line of every semantic error. A syntax error
//! ends its run; that line is taken out and the rest tried again. What differs is printed; nothing may.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use raddle_ptx::FormId;
use raddle_ptx::examples::{PREAMBLE, misfits, spellings};

use crate::ptx_oracle::{Ptxas, ours};
use xtask::figures;

/// Version and target pairs: three generations at the newest version, then version boundaries.
const WORLDS: &[(&str, &str)] = &[
    ("9.0", "sm_80"),
    ("9.0", "sm_90a"),
    ("9.0", "sm_100a"),
    ("9.0", "sm_75"),
    ("9.0", "sm_86"),
    ("9.0", "sm_89"),
    ("9.0", "sm_90"),
    ("9.0", "sm_100"),
    ("9.0", "sm_103a"),
    ("9.0", "sm_120a"),
    ("6.3", "sm_75"),
    ("6.5", "sm_75"),
    ("7.0", "sm_80"),
    ("7.1", "sm_86"),
    ("7.2", "sm_86"),
    ("7.3", "sm_86"),
    ("7.4", "sm_86"),
    ("7.6", "sm_86"),
    ("7.8", "sm_90"),
    ("8.0", "sm_90a"),
    ("8.1", "sm_90a"),
    ("8.2", "sm_90a"),
    ("8.3", "sm_90a"),
    ("8.4", "sm_90a"),
    ("8.5", "sm_90a"),
    ("8.6", "sm_100a"),
    ("8.7", "sm_100a"),
    ("8.8", "sm_100a"),
    ("8.8", "sm_103a"),
    ("8.8", "sm_120a"),
];

#[derive(clap::Args)]
pub struct Options {
    /// Write what differs to this file, too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only instructions that contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Only the Nth pair of version and target, from 0
    #[arg(long, value_name = "N")]
    world: Option<usize>,
    /// Also with operands replaced
    #[arg(long)]
    misfits: bool,
    /// Also with dotted parts written twice and swapped
    #[arg(long)]
    orders: bool,
}

/// Runs the command.
///
/// # Errors
/// No ptxas, files that cannot be written, and a verdict that differs.
pub fn run(Options { out, only, world, misfits: with_misfits, orders: with_orders }: Options) -> Result<()> {
    let mut lines = Vec::new();
    for form in FormId::all() {
        lines.extend(spellings(form).into_iter().map(|line| (form, line)));
        if with_orders {
            let others = spellings(form).iter().flat_map(|line| orders(form, line)).collect::<Vec<_>>();
            lines.extend(others.into_iter().map(|line| (form, line)));
        }
        if with_misfits {
            lines.extend(misfits(form).into_iter().map(|line| (form, line)));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    lines.retain(|(_, line)| seen.insert(line.clone()) && only.as_ref().is_none_or(|t| line.contains(t)));
    let ptxas = Ptxas::new("probe")?;
    let worlds: Vec<_> = match world {
        Some(n) => vec![*WORLDS.get(n).with_context(|| format!("--world is below {}", WORLDS.len()))?],
        None => WORLDS.to_vec(),
    };
    let (mut judged, mut report) = (0usize, String::new());
    let mut differences = 0usize;
    for (version, target) in worlds {
        let texts: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        let theirs = judge(&ptxas, version, target, &texts)?;
        let ours = judge_ours(version, target, &texts);
        judged += texts.len();
        for (i, text) in texts.iter().enumerate() {
            if theirs.contains_key(&i) != ours.contains_key(&i) {
                differences += 1;
                let (t, o) = (theirs.get(&i).map_or("ok", |m| m), ours.get(&i).map_or("ok", |m| m));
                writeln!(report, "{version} {target} {text} | ptxas: {t} | ours: {o}")?;
            }
        }
    }
    println!("{judged} judgements, {differences} differ ({} instructions)", lines.len());
    if !with_misfits && !with_orders && only.is_none() && world.is_none() {
        let note = format!("{} instructions, {} pairs of version and target", lines.len(), WORLDS.len());
        figures::record("ptx.probe.modules", judged as f64, "cargo campaign probe-ptx", &note)?;
        figures::record("ptx.probe.unlisted", differences as f64, "cargo campaign probe-ptx", "")?;
    }
    match &out {
        Some(path) => std::fs::write(path, &report)?,
        None => print!("{report}"),
    }
    ensure!(differences == 0 || out.is_some(), "acceptance differs from ptxas");
    Ok(())
}

/// One module with one instruction a line; `None` gives a blank line.
pub(crate) fn module(version: &str, target: &str, lines: &[Option<&str>]) -> String {
    // Registers of 128 bits came with PTX 8.3.
    let old = version < "8.3";
    let preamble = if old { PREAMBLE.replace(".reg .b128 %q<8>;", "") } else { PREAMBLE.to_owned() };
    let mut text = format!(".version {version}\n.target {target}\n.address_size 64\n.entry k() {{ {preamble}\n");
    for line in lines {
        match line {
            Some(line) => {
                text.push_str(line);
                text.push_str(";\n");
            }
            None => text.push('\n'),
        }
    }
    text.push_str("ret; }\n");
    text
}

/// Instructions of one module.
const CHUNK: usize = 4000;

/// Lines of a module before its first instruction.
pub(crate) const HEAD: usize = 5;

/// An instruction with each dotted part written twice, and with each two neighbours swapped.
fn orders(form: FormId, line: &str) -> Vec<String> {
    let (dotted, operands) = line.split_once(' ').unwrap_or((line, ""));
    let name = form.op().name();
    let parts: Vec<&str> = dotted[name.len()..].split('.').skip(1).collect();
    let spell = |parts: &[&str]| format!("{name}.{} {operands}", parts.join("."));
    let mut out = Vec::new();
    for i in 0..parts.len() {
        let mut twice = parts.clone();
        twice.insert(i, parts[i]);
        out.push(spell(&twice));
        if i > 0 {
            let mut swapped = parts.clone();
            swapped.swap(i - 1, i);
            out.push(spell(&swapped));
        }
    }
    out
}

/// ptxas' messages by instruction.
pub(crate) fn judge(ptxas: &Ptxas, version: &str, target: &str, texts: &[&str]) -> Result<BTreeMap<usize, String>> {
    let arch = target.replace("sm_", "compute_");
    let mut verdict = BTreeMap::new();
    for (n, chunk) in texts.chunks(CHUNK).enumerate() {
        let mut lines: Vec<Option<&str>> = chunk.iter().map(|t| Some(*t)).collect();
        loop {
            let (messages, _) = ptxas.run(&module(version, target, &lines), &arch)?;
            let mut fatal = false;
            for (line, list) in &messages {
                let Some(i) = line.checked_sub(HEAD).filter(|&i| i < chunk.len()) else {
                    bail!("{version} {target}: line {line}: {list:?}");
                };
                verdict.insert(n * CHUNK + i, list.join("; "));
                if list.iter().any(|m| m.contains("fatal")) {
                    lines[i] = None;
                    fatal = true;
                }
            }
            if !fatal {
                break;
            }
        }
    }
    Ok(verdict)
}

/// Our messages by instruction.
fn judge_ours(version: &str, target: &str, texts: &[&str]) -> BTreeMap<usize, String> {
    let mut verdict = BTreeMap::new();
    // Small modules: reading a function ends after many errors.
    for (n, chunk) in texts.chunks(100).enumerate() {
        let lines: Vec<Option<&str>> = chunk.iter().map(|t| Some(*t)).collect();
        let (_, messages) = ours(&module(version, target, &lines));
        for (line, list) in messages {
            verdict.insert(n * 100 + line.saturating_sub(HEAD), list.join("; "));
        }
    }
    verdict
}
