//! `mutate-ptx`: seeded one-token mutations of the corpus, judged by ptxas and by us.
//!
//! A mutation deletes, doubles or swaps a token, or puts another token of its class in its place. Both judges say accept
//! or reject for the whole module. Where they differ, a row of `tests/corpus/mutations.toml` has to say why; a difference
//! that no row explains, and a row that explains many more than when it was counted, fail the campaign. Mutation `n` is the
//! same on every machine.

use raddle_entity::SplitMix;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::ptx_oracle::{Ptxas, Verdict, corpus, for_ptxas, ours};
use xtask::figures;

/// Larger files cost ptxas too much time for what one token tells.
const LARGEST: usize = 24_000;

/// Mutations judged by a campaign whose figure is recorded; some numbers give none (a last token has no neighbour).
const CAMPAIGN: u64 = 10_000;

/// Examples kept of each reason.
const EXAMPLES: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Register,
    Name,
    Dotted,
    Number,
    Punct,
}

struct Token {
    class: Class,
    start: usize,
    end: usize,
}

struct Rng(SplitMix);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next() % n.max(1) as u64) as usize
    }
}

/// Why verdicts differ: a row of `tests/corpus/mutations.toml`.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// What is behind the differences.
    why: String,
    /// Parts of what ptxas said, one of which has to occur; `accept` where it took the module.
    ptxas: Vec<String>,
    /// Parts of what we said, likewise.
    ours: Vec<String>,
    /// Differences that it explained when the campaign was last run.
    count: usize,
    /// Some of them.
    examples: Vec<String>,
}

#[derive(Deserialize, Serialize)]
struct Reasons {
    reason: Vec<Reason>,
}

/// A mutation on which the judges differ.
struct Difference {
    number: u64,
    mutation: String,
    theirs: String,
    own: String,
}

impl Difference {
    fn is_explained_by(&self, reason: &Reason) -> bool {
        let any = |parts: &[String], text: &str| parts.iter().any(|part| text.contains(part.as_str()));
        any(&reason.ptxas, &self.theirs) && any(&reason.ours, &self.own)
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// Mutations
    #[arg(long, value_name = "N", default_value_t = CAMPAIGN + 50)]
    count: u64,
    /// The first mutation
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Bring counts and examples of tests/corpus/mutations.toml up to date
    #[arg(long)]
    write: bool,
    /// Keep the verdicts of ptxas in this file, so that another run asks only us
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// No ptxas, unreadable files, and a difference that no row of `mutations.toml` explains.
pub fn run(Options { count, from, write, verdicts }: Options) -> Result<()> {
    let seeds = seeds()?;
    let mut pool: BTreeMap<Class, Vec<String>> = BTreeMap::new();
    for seed in &seeds {
        for token in &seed.tokens {
            pool.entry(token.class).or_default().push(seed.text[token.start..token.end].to_owned());
        }
    }
    for words in pool.values_mut() {
        words.sort();
        words.dedup();
    }
    let file = verdicts;
    let known = file.as_deref().map_or(Ok(BTreeMap::new()), said_before)?;
    // ptxas spends most of a short run starting: several at once.
    let jobs = std::thread::available_parallelism().map_or(2, std::num::NonZero::get) as u64;
    let judged: Vec<Result<Judged>> = std::thread::scope(|scope| {
        let (seeds, pool, known) = (&seeds, &pool, &known);
        let numbers = |job: u64| (from + job..from + count).step_by(jobs as usize);
        let workers: Vec<_> =
            (0..jobs).map(|job| scope.spawn(move || judge(job, numbers(job), seeds, pool, known))).collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|_| bail!("a judge died"))).collect()
    });
    let mut differing = Vec::new();
    let mut said = known;
    let mut asked = 0;
    for part in judged {
        let part = part?;
        differing.extend(part.differing);
        said.extend(part.said);
        asked += part.judged;
    }
    differing.sort_by_key(|d| d.number);
    if let Some(file) = file {
        let lines: String = said.iter().map(|(key, what)| format!("{key:016x}\t{what}\n")).collect();
        fs::write(file, lines)?;
    }
    ensure!(asked > 0, "no mutation was judged");
    let share = (asked - differing.len() as u64) as f64 * 100.0 / asked as f64;
    println!("{asked} mutations, same verdict for {share:.2} %");
    let listed = explain(&differing, write)?;
    if asked >= CAMPAIGN {
        let note = format!("{asked} mutations, {} verdicts differ; {listed}", differing.len());
        figures::record("ptx.mutate.agree", (share * 100.0).floor() / 100.0, "cargo campaign mutate-ptx", &note)?;
    }
    Ok(())
}

/// Finds the reason of each difference.
fn explain(differing: &[Difference], write: bool) -> Result<String> {
    let path = figures::root().join("tests/corpus/mutations.toml");
    let text = fs::read_to_string(&path).context("tests/corpus/mutations.toml")?;
    let comment: String = text.lines().take_while(|line| line.starts_with('#')).map(|l| format!("{l}\n")).collect();
    let mut list: Reasons = toml::from_str(&text)?;
    let mut found: Vec<Vec<String>> = list.reason.iter().map(|_| Vec::new()).collect();
    let mut complaints = String::new();
    for difference in differing {
        let Difference { number, mutation, theirs, own } = difference;
        let line = format!("{number}: {mutation} | ptxas: {theirs} | ours: {own}");
        match list.reason.iter().position(|reason| difference.is_explained_by(reason)) {
            Some(i) => found[i].push(line),
            None => writeln!(complaints, "{line}")?,
        }
    }
    for (reason, found) in list.reason.iter_mut().zip(&found) {
        println!("{:4} {}", found.len(), reason.why);
        if write {
            reason.count = found.len();
            reason.examples = found.iter().take(EXAMPLES).cloned().collect();
        } else if found.len() > 2 * reason.count + 4 {
            writeln!(complaints, "{} instead of {}: {}", found.len(), reason.count, reason.why)?;
            complaints.extend(found.iter().map(|line| format!("  {line}\n")));
        }
    }
    if write {
        fs::write(&path, comment + "\n" + &toml::to_string_pretty(&list)?)?;
    }
    ensure!(complaints.is_empty(), "differences that tests/corpus/mutations.toml does not explain:\n{complaints}");
    Ok(format!("all listed, {} reasons", list.reason.len()))
}

/// A module of the corpus and the `-arch` that it is judged for.
struct Seed {
    name: String,
    text: String,
    tokens: Vec<Token>,
    arch: String,
}

fn seeds() -> Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for path in corpus()? {
        let (text, arch) = for_ptxas(&fs::read_to_string(&path)?);
        if text.len() <= LARGEST {
            let text = without_comments(&text).replace("sm_70", "sm_75");
            let tokens = tokens(&text);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            seeds.push(Seed { name, text, tokens, arch: arch.replace("sm_", "compute_") });
        }
    }
    Ok(seeds)
}

/// What one worker found.
#[derive(Default)]
struct Judged {
    judged: u64,
    differing: Vec<Difference>,
    said: BTreeMap<u64, String>,
}

/// What ptxas said in an earlier run, by hash of the text.
fn said_before(file: &Path) -> Result<BTreeMap<u64, String>> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let text = fs::read_to_string(file)?;
    let line = |line: &str| {
        let (key, what) = line.split_once('\t').context("a verdict without a tab")?;
        Ok((u64::from_str_radix(key, 16)?, what.to_owned()))
    };
    text.lines().map(line).collect()
}

/// Judges some mutations.
fn judge(
    job: u64,
    numbers: impl Iterator<Item = u64>,
    seeds: &[Seed],
    pool: &BTreeMap<Class, Vec<String>>,
    known: &BTreeMap<u64, String>,
) -> Result<Judged> {
    let ptxas = Ptxas::new(&format!("mutate{job}"))?;
    let mut found = Judged::default();
    for number in numbers {
        let mut rng = Rng(SplitMix(number));
        let seed = &seeds[rng.below(seeds.len())];
        let Some((mutant, what)) = mutate(&seed.text, &seed.tokens, pool, &mut rng) else { continue };
        found.judged += 1;
        let mut hasher = DefaultHasher::new();
        (&mutant, &seed.arch).hash(&mut hasher);
        let key = hasher.finish();
        let theirs = match known.get(&key) {
            Some(said) => said.clone(),
            None => in_short(&ptxas.run(&mutant, &seed.arch)?.0),
        };
        let own = in_short(&ours(&mutant).1);
        found.said.insert(key, theirs.clone());
        if (theirs == ACCEPT) != (own == ACCEPT) {
            found.differing.push(Difference { number, mutation: format!("{} {what}", seed.name), theirs, own });
        }
    }
    Ok(found)
}

/// What a judge says who has nothing to say.
const ACCEPT: &str = "accept";

/// The first message of a verdict, with its line.
fn in_short(verdict: &Verdict) -> String {
    verdict
        .iter()
        .next()
        .map_or(ACCEPT.to_owned(), |(line, m)| format!("line {line}: {}", m[0].replace(['\n', '\t'], " ")))
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // No string of the corpus holds two slashes.
        out.push_str(line.split("//").next().unwrap_or(""));
        out.push('\n');
    }
    out
}

/// Tokens behind the header, debug sections left out.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = text.find(".address_size").map_or(0, |n| n + 16);
    let stop = text.find(".section").unwrap_or(text.len());
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
    while at < stop {
        let start = at;
        let b = bytes[at];
        at += 1;
        let class = match b {
            b'%' => Class::Register,
            b'.' => Class::Dotted,
            b'0'..=b'9' => Class::Number,
            b'"' => {
                while at < stop && bytes[at] != b'"' {
                    at += 1;
                }
                at += 1;
                continue;
            }
            _ if b.is_ascii_whitespace() => continue,
            _ if word(b) => Class::Name,
            _ => Class::Punct,
        };
        if class != Class::Punct {
            while at < stop
                && (word(bytes[at])
                    || (class == Class::Dotted && bytes[at] == b':' && bytes.get(at + 1) == Some(&b':')))
            {
                at += if bytes[at] == b':' { 2 } else { 1 };
            }
        }
        found.push(Token { class, start, end: at.min(stop) });
    }
    found
}

fn mutate(
    text: &str,
    tokens: &[Token],
    pool: &BTreeMap<Class, Vec<String>>,
    rng: &mut Rng,
) -> Option<(String, String)> {
    let i = rng.below(tokens.len());
    let token = tokens.get(i)?;
    let old = &text[token.start..token.end];
    let (before, after) = (&text[..token.start], &text[token.end..]);
    let line = before.matches('\n').count() + 1;
    Some(match rng.below(6) {
        0 => (format!("{before}{after}"), format!("line {line}: delete '{old}'")),
        1 => (format!("{before}{old} {old}{after}"), format!("line {line}: double '{old}'")),
        2 => {
            let next = tokens.get(i + 1)?;
            let other = &text[next.start..next.end];
            let between = &text[token.end..next.start];
            let swapped = format!("{before}{other}{between}{old}{}", &text[next.end..]);
            (swapped, format!("line {line}: swap '{old}' and '{other}'"))
        }
        _ => {
            // Registers and names come from the module itself, where they may mean something.
            let own: Vec<&str> =
                tokens.iter().filter(|t| t.class == token.class).map(|t| &text[t.start..t.end]).collect();
            let local = matches!(token.class, Class::Register | Class::Name) || rng.below(2) == 0;
            let new = if local {
                own[rng.below(own.len())].to_owned()
            } else {
                pool[&token.class][rng.below(pool[&token.class].len())].clone()
            };
            (format!("{before}{new}{after}"), format!("line {line}: '{old}' becomes '{new}'"))
        }
    })
}
