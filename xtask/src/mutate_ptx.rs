//! `mutate-ptx`: seeded one-token mutations of the corpus, judged by ptxas and by us.
//!
//! A mutation deletes, doubles or swaps a token, or puts another token of its class in its place. Both judges say accept
//! or reject for the whole module; where they differ, the mutation is printed with what was said. Mutation `n` is the
//! same on every machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;

use crate::figures;
use crate::ptx_oracle::{Ptxas, corpus, for_ptxas, ours};

/// Larger files cost ptxas too much time for what one token tells.
const LARGEST: usize = 24_000;

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

/// A stream of numbers (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n.max(1) as u64) as usize
    }
}

/// `mutate-ptx [--count N] [--from N] [--out FILE]`
pub fn run(args: &[String]) -> Result<()> {
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    let count: u64 = option("--count").map_or(Ok(10_000), |n| n.parse())?;
    let from: u64 = option("--from").map_or(Ok(0), |n| n.parse())?;
    let mut seeds = Vec::new();
    for path in corpus()? {
        let (text, arch) = for_ptxas(&std::fs::read_to_string(&path)?);
        if text.len() <= LARGEST {
            let text = without_comments(&text).replace("sm_70", "sm_75");
            let tokens = tokens(&text);
            seeds.push((path, text, tokens, arch.replace("sm_", "compute_")));
        }
    }
    let mut pool: BTreeMap<Class, Vec<String>> = BTreeMap::new();
    for (_, text, tokens, _) in &seeds {
        for token in tokens {
            pool.entry(token.class).or_default().push(text[token.start..token.end].to_owned());
        }
    }
    for words in pool.values_mut() {
        words.sort();
        words.dedup();
    }
    // ptxas spends most of a short run starting: several at once.
    let jobs = std::thread::available_parallelism().map_or(2, |n| n.get() * 2) as u64;
    let judged: Vec<Result<Vec<(u64, String)>>> = std::thread::scope(|scope| {
        let (seeds, pool) = (&seeds, &pool);
        let workers: Vec<_> = (0..jobs)
            .map(|job| scope.spawn(move || judge(job, (from + job..from + count).step_by(jobs as usize), seeds, pool)))
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|_| anyhow::bail!("a judge died"))).collect()
    });
    let mut differing = Vec::new();
    for list in judged {
        differing.extend(list?);
    }
    differing.sort();
    let agree = count - differing.len() as u64;
    let report: String = differing.into_iter().map(|(_, line)| line).collect();
    let share = agree as f64 * 100.0 / count as f64;
    println!("{count} mutations, same verdict for {share:.2} %");
    match option("--out") {
        Some(path) => std::fs::write(path, &report)?,
        None => print!("{report}"),
    }
    if count >= 10_000 {
        let note = format!("{} verdicts differ", count - agree);
        figures::record("ptx.mutate.agree", (share * 100.0).round() / 100.0, "cargo xtask mutate-ptx", &note)?;
    }
    Ok(())
}

/// A module of the corpus: its name, text, tokens, and the `-arch` it is judged for.
type Seed = (std::path::PathBuf, String, Vec<Token>, String);

/// Judges some mutations; what differs, by number.
fn judge(
    job: u64,
    numbers: impl Iterator<Item = u64>,
    seeds: &[Seed],
    pool: &BTreeMap<Class, Vec<String>>,
) -> Result<Vec<(u64, String)>> {
    let ptxas = Ptxas::new(&format!("mutate{job}"))?;
    let mut differing = Vec::new();
    for n in numbers {
        let mut rng = Rng(n);
        let (path, text, tokens, arch) = &seeds[rng.below(seeds.len())];
        let Some((mutant, what)) = mutate(text, tokens, pool, &mut rng) else { continue };
        let (theirs, _) = ptxas.run(&mutant, arch)?;
        let (_, own) = ours(&mutant);
        if theirs.is_empty() == own.is_empty() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let first = |verdict: &BTreeMap<usize, Vec<String>>| {
            verdict.iter().next().map_or("accept".to_owned(), |(line, m)| format!("line {line}: {}", m[0]))
        };
        let mut line = String::new();
        writeln!(line, "{n} {name} {what} | ptxas: {} | ours: {}", first(&theirs), first(&own))?;
        differing.push((n, line));
    }
    Ok(differing)
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
