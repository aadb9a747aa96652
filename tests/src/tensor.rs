//! Published results of tensor cores, compared with the models that interpreter and simulator have of
//! them.
//!
//! The results are sums of products that the authors of arXiv 2512.07004 ran on eight machines, in
//! the folder `model_validation` of their repository (`suites::sources` has the commit). A set is
//! four files: A, B, C and D of one sum in each line; inputs as binary32 in hexadecimal digits, C
//! and D in binary ones. Nothing of it is stored here.

use anyhow::{Context, Result, ensure};
use raddle_sim::float::{BF16, E4M3, E5M2, F16, F32, Format, Mode, to_float};
use raddle_sim::interp::matrix::{Arithmetic, Element, Evidence, Input, Machine, Pair, Product, Rule, Unit, row};
use raddle_sim::machine::tensor::{self, Layout, Output};
use raddle_target::Isa;

use crate::suites::sources::Files;

/// The folder of the results.
const FOLDER: &str = "model_validation";

/// The machines, by the names of their folders.
const MACHINES: [(&str, Machine); 8] = [
    ("V100", Machine::Volta),
    ("A100", Machine::Ampere),
    ("A2", Machine::Ampere),
    ("Ada", Machine::Ada),
    ("L40S", Machine::Ada),
    ("H100", Machine::Hopper),
    ("H200", Machine::Hopper),
    ("B200", Machine::Blackwell),
];

/// The types of A and B, by the names of their folders.
const TYPES: [(&str, Element, &Format); 5] = [
    ("fp16", Element::F16, &F16),
    ("bf16", Element::Bf16, &BF16),
    ("tf32", Element::Tf32, &F32),
    ("E4M3", Element::E4m3, &E4M3),
    ("E5M2", Element::E5m2, &E5M2),
];

/// Whether a file of the checkout is read.
pub fn wanted(path: &str) -> bool {
    path.starts_with(FOLDER) && path.ends_with(".txt")
}

/// A wrong value in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// One bit less is kept of each term.
    Less,
    /// One bit more is kept.
    More,
    /// Blocks have half the length.
    Shorter,
}

impl Wrong {
    /// All of them.
    pub const ALL: [Wrong; 3] = [Wrong::Less, Wrong::More, Wrong::Shorter];

    fn of(self, rule: Rule) -> Rule {
        match self {
            Wrong::Less => Rule { fraction: rule.fraction - 1, ..rule },
            Wrong::More => Rule { fraction: rule.fraction + 1, ..rule },
            Wrong::Shorter => Rule { block: rule.block / 2, ..rule },
        }
    }
}

/// One set of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Machine and types: `A100 fp16 -> fp32`.
    pub name: String,
    /// Sums.
    pub rows: usize,
    /// Products in a sum.
    pub products: usize,
    /// Sums that the interpreter's model does not give.
    pub missed: usize,
    /// Sums that the simulator's model does not give; `None` if it has no such product.
    pub simulated: Option<usize>,
    /// The same with a wrong value in the table, for each of [`Wrong::ALL`].
    pub missed_wrongly: [usize; 3],
    /// Whether a wrong value should be noticed, by what the table says of its evidence.
    pub pinned: [bool; 3],
}

impl Set {
    /// Returns what is wrong with the model or with its evidence.
    pub fn complaints(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.missed > 0 {
            out.push(format!("{}: {} of {} sums differ", self.name, self.missed, self.rows));
        }
        if let Some(missed @ 1..) = self.simulated {
            out.push(format!("{}: {missed} of {} sums differ in the simulator", self.name, self.rows));
        }
        for ((wrong, &missed), pinned) in Wrong::ALL.iter().zip(&self.missed_wrongly).zip(self.pinned) {
            if pinned && missed == 0 {
                out.push(format!("{}: no sum differs with {wrong:?}", self.name));
            }
        }
        out
    }
}

/// Compares all sets of a checkout.
///
/// # Errors
/// Files that are missing or that are not results.
pub fn judge(files: &Files) -> Result<Vec<Set>> {
    let mut sets = Vec::new();
    for (folder, machine) in MACHINES {
        for (name, element, format) in TYPES {
            for d in ["fp32", "fp16"] {
                let path = |operand: &str, ty: &str| format!("{FOLDER}/{folder}/{name}/{operand}_{folder}_{ty}.txt");
                if !files.0.contains_key(&path("d", d)) {
                    continue;
                }
                let texts = Texts {
                    a: files.text(&path("a", name))?,
                    b: files.text(&path("b", name))?,
                    c: files.text(&path("c", "fp32"))?,
                    d: files.text(&path("d", d))?,
                };
                let set = judge_set(&texts, machine, (element, format), d == "fp16", isa(folder));
                let set = set.with_context(|| format!("{folder} {name} -> {d}"))?;
                sets.push(Set { name: format!("{folder} {name} -> {d}"), ..set });
            }
        }
    }
    ensure!(!sets.is_empty(), "no results");
    Ok(sets)
}

/// The texts of a set.
struct Texts {
    a: String,
    b: String,
    c: String,
    d: String,
}

fn judge_set(
    texts: &Texts,
    machine: Machine,
    (element, format): (Element, &'static Format),
    half: bool,
    isa: Option<Isa>,
) -> Result<Set> {
    // wgmma made the binary32 results of 8-bit elements on Hopper; their program has no C there.
    let warpgroup = machine == Machine::Hopper && Input::of(element) == Some(Input::Byte) && !half;
    let (arithmetic, evidence) = if warpgroup {
        let row = row(machine, Unit::Warpgroup, Input::Byte, false).context("no row")?;
        (Arithmetic::Tensor { rule: row.rule, a: element, b: element }, row.evidence)
    } else {
        let arithmetic = Arithmetic::tensor(machine, element, element, half).context("no row")?;
        let input = Input::of(element).context("type")?;
        (arithmetic, row(machine, Unit::Warp, input, half).map_or(Evidence::RoundingOnly, |row| row.evidence))
    };
    let wrong = Wrong::ALL.map(|wrong| Product::plain(with(arithmetic, |rule| wrong.of(rule))));
    let right = Product::plain(arithmetic);
    let block = match arithmetic {
        Arithmetic::Tensor { rule, .. } => rule.block,
        Arithmetic::Composed { rule, .. } => 2 * rule.block,
        _ => 0,
    };
    let mut set = Set {
        name: String::new(),
        rows: 0,
        products: 0,
        missed: 0,
        simulated: None,
        missed_wrongly: [0; 3],
        pinned: [evidence != Evidence::RoundingOnly, evidence != Evidence::RoundingOnly, false],
    };
    let simulated = isa.and_then(|isa| simulated(isa, element, half));
    set.simulated = simulated.map(|_| 0);
    let accumulator: &'static Format = if half { &F16 } else { &F32 };
    let lines = texts.a.lines().zip(texts.b.lines()).zip(texts.c.lines().zip(texts.d.lines()));
    for (number, ((a, b), (c, d))) in lines.enumerate() {
        let at = || format!("line {}", number + 1);
        let (a, b) = (numbers(a, format).with_context(at)?, numbers(b, format).with_context(at)?);
        ensure!(a.len() == b.len(), "{}: {} and {} numbers", at(), a.len(), b.len());
        let c = if warpgroup { 0 } else { accumulator_word(c, accumulator).with_context(at)? };
        let d = word(u32::from_str_radix(d.trim(), 2).with_context(at)?, accumulator).with_context(at)?;
        let pair = |(k, (&a, &b)): (usize, (&u64, &u64))| Pair { a, b, second: k & 2 != 0 };
        let pairs: Vec<Pair> = a.iter().zip(&b).enumerate().map(pair).collect();
        set.rows += 1;
        set.products = pairs.len();
        set.missed += usize::from(right.of(&pairs, c) != d);
        if let (Some(count), Some((rule, layout))) = (&mut set.simulated, simulated) {
            let pairs: Vec<[u32; 2]> = a.iter().zip(&b).map(|(&a, &b)| [a as u32, b as u32]).collect();
            *count += usize::from(tensor::dot(rule, [layout; 2], &pairs, c as u32) != d as u32);
        }
        for (count, wrong) in set.missed_wrongly.iter_mut().zip(&wrong) {
            *count += usize::from(wrong.of(&pairs, c) != d);
        }
    }
    for text in [&texts.b, &texts.c, &texts.d] {
        ensure!(text.lines().count() == texts.a.lines().count(), "files of different length");
    }
    // The sums of a composed product are exact in binary32, whatever the blocks.
    let exact = matches!(arithmetic, Arithmetic::Composed { .. }) && !half;
    set.pinned[2] = set.products > block / 2 && !exact;
    Ok(set)
}

/// The machine code of a machine, where the simulator runs it.
fn isa(folder: &str) -> Option<Isa> {
    match folder {
        "A100" => Some(Isa::Sm80),
        "A2" => Some(Isa::Sm86),
        "Ada" | "L40S" => Some(Isa::Sm89),
        "H100" | "H200" => Some(Isa::Sm90),
        _ => None,
    }
}

/// The simulator's rule for one instruction, with the format of its factors.
fn simulated(isa: Isa, element: Element, half: bool) -> Option<(tensor::Rule, Layout)> {
    let layout = match element {
        Element::F16 => Layout::F16,
        Element::Bf16 => Layout::BF16,
        Element::Tf32 => Layout::TF32,
        Element::E4m3 => Layout::E4M3,
        Element::E5m2 => Layout::E5M2,
        _ => return None,
    };
    let byte = layout == Layout::E4M3 || layout == Layout::E5M2;
    let wide = if byte { Output::Short } else { Output::Single };
    tensor::rule(isa, layout, if half { Output::Half } else { wide }).map(|rule| (rule, layout))
}

/// The same computation with other parameters.
fn with(arithmetic: Arithmetic, change: impl Fn(Rule) -> Rule) -> Arithmetic {
    match arithmetic {
        Arithmetic::Tensor { rule, a, b } => Arithmetic::Tensor { rule: change(rule), a, b },
        Arithmetic::Composed { rule, a, b } => Arithmetic::Composed { rule: change(rule), a, b },
        other => other,
    }
}

/// The numbers of a line in their own format, which has them.
fn numbers(line: &str, format: &'static Format) -> Result<Vec<u64>> {
    line.split_ascii_whitespace().map(|digits| word(u32::from_str_radix(digits, 16)?, format)).collect()
}

/// A number in a format that has it.
fn word(single: u32, format: &'static Format) -> Result<u64> {
    let word = to_float(&F32, format, u64::from(single), Mode::RN, false);
    ensure!(to_float(format, &F32, word, Mode::RN, false) == u64::from(single), "{single:#010x} is not in the format");
    Ok(word)
}

/// C, which their program rounds to the type of D.
fn accumulator_word(digits: &str, format: &'static Format) -> Result<u64> {
    Ok(to_float(&F32, format, u64::from(u32::from_str_radix(digits.trim(), 2)?), Mode::RN, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(d: f32) -> Result<Set> {
        // 2^12 · 2^12 + 1 · 1 - 2^12 · 2^12 + 0.5: one is one bit above the unit of sm_80.
        let texts = Texts {
            a: "45800000 3f800000 c5800000 \n".into(),
            b: "45800000 3f800000 45800000 \n".into(),
            c: format!("{:032b}\n", 0.5f32.to_bits()),
            d: format!("{:032b}\n", d.to_bits()),
        };
        judge_set(&texts, Machine::Ampere, (Element::F16, &F16), false, Some(Isa::Sm80))
    }

    #[test]
    fn a_sum_is_missed_or_not() -> Result<()> {
        let right = set(1.0)?;
        assert_eq!((right.rows, right.products, right.missed, right.simulated), (1, 3, 0, Some(0)));
        // One bit less loses the one, one bit more keeps the half; the blocks do not matter.
        assert_eq!(right.missed_wrongly, [1, 1, 0]);
        assert_eq!(right.complaints(), Vec::<String>::new());
        let wrong = set(1.5)?;
        assert_eq!((wrong.missed, wrong.missed_wrongly[1], wrong.simulated), (1, 0, Some(1)));
        assert_eq!(wrong.complaints().len(), 3, "{:?}", wrong.complaints());
        Ok(())
    }

    #[test]
    fn numbers_outside_the_format_are_errors() {
        assert!(numbers("3f800000 3f800001", &F16).is_err());
        assert!(numbers("3f80000g", &F16).is_err());
        assert_eq!(numbers("3f800000 c0000000 ", &E4M3).unwrap(), [0x38, 0xc0]);
    }
}
