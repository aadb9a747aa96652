//! Launch bounds: those that options of ptxas give, and what ptxas says of those of a kernel (13.0.88
//! output).

use crate::line::Line;
use crate::number::{integer, leading};
use crate::ptxas::PTXAS;

/// The fewest registers that a limit leaves a kernel.
pub const FEWEST: u32 = 24;

/// Launch bounds that options give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `--maxntid`: the most threads of a block, where a kernel does not say it.
    pub threads: Option<[u32; 3]>,
    /// `--minnctapersm`: the fewest blocks of a multiprocessor, where a kernel that limits its
    /// threads does not say it.
    pub blocks: Option<u32>,
    /// `--override-directive-values`: both replace what kernels say.
    pub replace: bool,
    /// The same with `--maxrregcount`, which replaces what kernels say of registers.
    pub registers: Option<u32>,
}

impl Bounds {
    /// What a command line gives; `registers` is the limit of its `--maxrregcount`, beside which the
    /// others are ignored with a warning.
    pub(crate) fn of(line: &Line, registers: Option<u32>, warnings: &mut Vec<String>) -> Bounds {
        let replace = line.has(&PTXAS, "override-directive-values");
        if registers.is_some() {
            for option in ["minnctapersm", "maxntid"].into_iter().filter(|option| line.has(&PTXAS, option)) {
                let both = format!("-maxrregcount and -{option}");
                warnings.push(format!("Conflicting options {both} specified, ignoring -{option} option"));
            }
            return Bounds { registers: registers.filter(|_| replace), ..Bounds::default() };
        }
        let sizes: Vec<u32> = line.values(&PTXAS, "maxntid").map(leading).collect();
        let size = |number: usize| sizes.get(number).copied().unwrap_or(1).max(1);
        let threads = match sizes.first() {
            Some(_) if sizes.len() > 3 => {
                warnings.push("Too many values specified for option '-maxntid', option will be ignored".to_owned());
                None
            }
            Some(1..) => Some([size(0), size(1), size(2)]),
            _ => None,
        };
        // A negative number is too large a one for ptxas.
        let blocks = line.value(&PTXAS, "minnctapersm").and_then(integer).map(|blocks| blocks as i32 as u32);
        Bounds { threads, blocks: blocks.filter(|blocks| *blocks > 0), replace, registers: None }
    }
}

/// The words of ptxas for a launch bound that says nothing by itself, at its place.
pub const NO_THREADS: &str = ".minnctapersm is ignored when neither .maxntid nor .reqntid is specified.";

/// The words of ptxas for a launch bound of a kernel that is ignored or raised; `None` if our
/// message is another one.
pub fn launch_bound(message: &str, kernel: &str) -> Option<String> {
    let (directive, rest) = message.split_once(' ')?;
    let (number, rest) = rest.split_once(' ')?;
    let ignored = "is out of range. .minnctapersm and .maxntid will be ignored";
    Some(match (directive, rest) {
        (".maxnreg", rest) if rest.starts_with("is less than ") => {
            format!("For entry {kernel} adjusting per thread register count of {number} to lower bound of {FEWEST}")
        }
        (".maxnreg", _) => format!("Too many maxnreg specified for entry {kernel}, will be ignored"),
        (".minnctapersm", rest) if rest.ends_with(" such blocks") => {
            format!("Value of threads per SM for entry {kernel} is out of range. .minnctapersm will be ignored")
        }
        (".minnctapersm", rest) if rest.ends_with(" blocks") => {
            format!("Value of minnctapersm for entry {kernel} is out of range. minnctapersm will be ignored")
        }
        (".maxntid" | ".reqntid", rest) if rest.starts_with("is ignored") => {
            format!("Value of threads per SM for entry {kernel} {ignored}")
        }
        (".maxntid" | ".reqntid", rest) if rest.starts_with("and .minnctapersm are ignored") => {
            format!("Value of maxntid, for entry {kernel} {ignored}")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{System, read};

    fn given(words: &str, registers: Option<u32>) -> (Bounds, Vec<String>) {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let mut warnings = Vec::new();
        (Bounds::of(&read(&PTXAS, &words, &System).unwrap(), registers, &mut warnings), warnings)
    }

    #[test]
    fn bounds_are_read_as_by_ptxas() {
        let threads = |words: &str| given(words, None).0.threads;
        assert_eq!(threads("-maxntid 128"), Some([128, 1, 1]));
        assert_eq!(threads("-maxntid 128,2 -maxntid=0x3"), Some([128, 2, 1]));
        assert_eq!(threads("-maxntid 12x,0,4"), Some([12, 1, 4]));
        for words in ["-maxntid 0,2", "-maxntid x", "-maxntid ,", "-minnctapersm=2"] {
            assert_eq!(threads(words), None, "{words}");
        }
        let (many, warnings) = given("-maxntid 1,2,3,4 -override-directive-values", None);
        assert_eq!((many.threads, many.replace, warnings.len()), (None, true, 1));
        let blocks = |words: &str| given(words, None).0.blocks;
        assert_eq!([blocks("-minnctapersm 0x2"), blocks("-minnctapersm=0")], [Some(2), None]);
        assert_eq!(blocks("-minnctapersm -1"), Some(u32::MAX));
    }

    #[test]
    fn a_limit_of_registers_comes_first() {
        let (none, warnings) = given("-maxntid 128 -minnctapersm=2", Some(40));
        assert_eq!(none, Bounds::default());
        let said = "Conflicting options -maxrregcount and -minnctapersm specified, ignoring -minnctapersm option";
        assert!(warnings.len() == 2 && warnings[0] == said, "{warnings:?}");
        assert_eq!(given("-override-directive-values", Some(40)).0.registers, Some(40));
    }

    #[test]
    fn launch_bounds_are_told_in_the_words_of_ptxas() {
        for (ours, theirs) in [
            (
                ".maxnreg 16 is less than 24, the fewest registers of a kernel",
                "For entry k adjusting per thread register count of 16 to lower bound of 24",
            ),
            (
                ".maxnreg 300 is ignored: a thread has at most 255 registers",
                "Too many maxnreg specified for entry k, will be ignored",
            ),
            (
                ".minnctapersm 9 is ignored: a multiprocessor of sm_90 has too few threads for so many such blocks",
                "Value of threads per SM for entry k is out of range. .minnctapersm will be ignored",
            ),
            (
                ".minnctapersm 33 is ignored: a multiprocessor of sm_90 holds 32 blocks",
                "Value of minnctapersm for entry k is out of range. minnctapersm will be ignored",
            ),
            (
                ".maxntid 4096 is ignored: a multiprocessor of sm_80 has 2048 threads",
                "Value of threads per SM for entry k is out of range. .minnctapersm and .maxntid will be ignored",
            ),
            (
                ".reqntid 4096 and .minnctapersm are ignored: a multiprocessor of sm_80 has 2048 threads",
                "Value of maxntid, for entry k is out of range. .minnctapersm and .maxntid will be ignored",
            ),
        ] {
            assert_eq!(launch_bound(ours, "k").as_deref(), Some(theirs));
        }
        assert_eq!(launch_bound(".minnctapersm of 'k' is ignored without .maxntid or .reqntid", "k"), None);
    }
}
