//! The compile options that the inputs of a link carry, and the value that all of them agree on
//! (SPLIT-2).
//!
//! PTX in a fatbin may carry the options that its producer passed to the assembler, and LTO-IR those
//! for the optimiser. A link has one
//! value of each option: that of the command line, or else that of the inputs that specify one. Two
//! inputs with different values are an error that names both.

use crate::options::{CacheOperator, CacheRule, OptLevel};

/// The values of one option over the inputs of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consensus<T> {
    /// There are no inputs.
    None,
    /// No input specifies a value.
    Absent,
    /// All inputs specify this value.
    Present(T),
    /// Some inputs specify this value, the others none.
    Mixed(T),
    /// Two inputs specify different values: their names and values.
    Conflict {
        /// The first input with a value.
        first: (String, T),
        /// The first input with another value.
        second: (String, T),
    },
}

impl<T> Consensus<T> {
    /// Combines the values of the inputs, which are given by name.
    pub fn of<'a>(inputs: impl IntoIterator<Item = (&'a str, Option<T>)>) -> Consensus<T>
    where
        T: PartialEq,
    {
        let mut first: Option<(&str, T)> = None;
        let (mut any, mut silent) = (false, false);
        for (name, value) in inputs {
            any = true;
            match (value, &first) {
                (None, _) => silent = true,
                (Some(value), None) => first = Some((name, value)),
                (Some(value), Some((_, said))) if value == *said => {}
                (Some(value), Some(_)) => {
                    let second = (name.to_owned(), value);
                    if let Some((name, value)) = first {
                        return Consensus::Conflict { first: (name.to_owned(), value), second };
                    }
                    break;
                }
            }
        }
        match (first, silent) {
            (Some((_, value)), false) => Consensus::Present(value),
            (Some((_, value)), true) => Consensus::Mixed(value),
            (None, _) if any => Consensus::Absent,
            (None, _) => Consensus::None,
        }
    }
}

/// The options that an input carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CarriedOptions {
    /// `-O N`
    pub opt: Option<OptLevel>,
    /// `-maxrregcount N`
    pub maxrregcount: Option<u32>,
    /// `-fmad true|false`
    pub fmad: Option<bool>,
    /// `-ftz 0|1`
    pub ftz: Option<bool>,
    /// `-prec-div 0|1`
    pub prec_div: Option<bool>,
    /// `-prec-sqrt 0|1`
    pub prec_sqrt: Option<bool>,
    /// `-lineinfo`
    pub lineinfo: Option<bool>,
    /// `-dlcm OP`, or `-flcm OP`, which takes precedence.
    pub loads: Option<CacheRule>,
    /// `-dscm OP`, or `-fscm OP`, which takes precedence.
    pub stores: Option<CacheRule>,
    /// `-split-compile N`
    pub split: Option<usize>,
    /// `-split-compile-extended N`
    pub extended: Option<usize>,
    /// Options that have no effect here.
    pub others: Vec<String>,
}

/// Parses options in the spelling of ptxas: one dash or two, values after `=` or a blank.
pub fn parse_carried(text: &str) -> CarriedOptions {
    let mut out = CarriedOptions::default();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let plain = word.trim_start_matches('-');
        let (name, mut value) = plain.split_once('=').map_or((plain, None), |(name, value)| (name, Some(value)));
        if let Some(level) = name.strip_prefix('O').filter(|level| !level.is_empty()) {
            out.opt = level_of(level);
            continue;
        }
        let mut next = || value.take().or_else(|| words.next_if(|word| !word.starts_with('-')));
        match name {
            "O" | "opt-level" => out.opt = next().and_then(level_of),
            "maxrregcount" => out.maxrregcount = next().and_then(|value| value.parse().ok()),
            "fmad" | "fma" => out.fmad = next().and_then(switch),
            "ftz" => out.ftz = next().and_then(switch),
            "prec-div" | "prec_div" => out.prec_div = next().and_then(switch),
            "prec-sqrt" | "prec_sqrt" => out.prec_sqrt = next().and_then(switch),
            "lineinfo" | "generate-line-info" => out.lineinfo = Some(true),
            "dlcm" | "def-load-cache" => default(&mut out.loads, next().and_then(|op| named(op, &LOADS))),
            "flcm" | "force-load-cache" => forced(&mut out.loads, next().and_then(|op| named(op, &LOADS))),
            "dscm" | "def-store-cache" => default(&mut out.stores, next().and_then(|op| named(op, &STORES))),
            "fscm" | "force-store-cache" => forced(&mut out.stores, next().and_then(|op| named(op, &STORES))),
            "split-compile" => out.split = next().and_then(|value| value.parse().ok()),
            // A link compiles all PTX to objects.
            "c" | "compile-only" => {}
            "split-compile-extended" => out.extended = next().and_then(|value| value.parse().ok()),
            _ => out.others.push(word.to_owned()),
        }
    }
    out
}

/// Cache operators of loads (PTX ISA 9.0, 9.7.9.1).
const LOADS: [CacheOperator; 5] =
    [CacheOperator::Ca, CacheOperator::Cg, CacheOperator::Cs, CacheOperator::Lu, CacheOperator::Cv];

/// Cache operators of stores.
const STORES: [CacheOperator; 4] = [CacheOperator::Wb, CacheOperator::Cg, CacheOperator::Cs, CacheOperator::Wt];

fn named(name: &str, of: &[CacheOperator]) -> Option<CacheOperator> {
    of.iter().copied().find(|op| op.name() == name)
}

fn default(rule: &mut Option<CacheRule>, op: Option<CacheOperator>) {
    if !matches!(rule, Some(CacheRule::Forced(_))) {
        *rule = op.map(CacheRule::Default);
    }
}

fn forced(rule: &mut Option<CacheRule>, op: Option<CacheOperator>) {
    *rule = op.map(CacheRule::Forced).or(*rule);
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

fn level_of(text: &str) -> Option<OptLevel> {
    match text {
        "0" => Some(OptLevel::O0),
        "1" => Some(OptLevel::O1),
        "2" => Some(OptLevel::O2),
        "3" | "4" => Some(OptLevel::O3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_agree_or_two_are_named() {
        let of = |values: &[Option<u32>]| Consensus::of(["a", "b", "c"].into_iter().zip(values.iter().copied()));
        assert_eq!(of(&[]), Consensus::None);
        assert_eq!(of(&[None, None]), Consensus::Absent);
        assert_eq!(of(&[Some(2), Some(2)]), Consensus::Present(2));
        assert_eq!(of(&[None, Some(2), Some(2)]), Consensus::Mixed(2));
        let conflict = Consensus::Conflict { first: ("a".into(), 2), second: ("c".into(), 4) };
        assert_eq!(of(&[Some(2), None, Some(4)]), conflict);
    }

    #[test]
    fn options_are_read_in_every_spelling() {
        let found = parse_carried(
            "-O2 --maxrregcount=32 -fmad false -lineinfo -split-compile 2 --split-compile-extended=0 -v -dlcm=cg \
             --force-store-cache wt -dscm=cs --compile-only -ftz=1 -prec_div=0 --prec-sqrt true",
        );
        let want = CarriedOptions {
            opt: Some(OptLevel::O2),
            maxrregcount: Some(32),
            fmad: Some(false),
            ftz: Some(true),
            prec_div: Some(false),
            prec_sqrt: Some(true),
            lineinfo: Some(true),
            loads: Some(CacheRule::Default(CacheOperator::Cg)),
            stores: Some(CacheRule::Forced(CacheOperator::Wt)),
            split: Some(2),
            extended: Some(0),
            others: vec!["-v".into()],
        };
        assert_eq!(found, want);
        assert_eq!(parse_carried("--opt-level 1 -O").opt, None, "the last counts, and it has no level");
        assert_eq!(parse_carried("  "), CarriedOptions::default());
        assert_eq!(
            parse_carried("-maxrregcount -lineinfo"),
            CarriedOptions { lineinfo: Some(true), ..CarriedOptions::default() }
        );
    }
}
