//! PTX of LLVM that depends on its module alone.
//!
//! Problem: LLVM numbers call sequences and prototypes through the whole process, so that its text
//! depends on what the process compiled before. Strategy: these numbers are replaced by others that
//! count from 0 in every module, in the order of the text; comments that repeat them are dropped.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The label of a prototype for calls by address (LLVM's NVPTX back end).
const PROTOTYPE: &str = "prototype_";

/// Returns the text with numbers of its own, and without comments and blanks at the ends of lines.
pub fn canonical(ptx: &str) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::with_capacity(ptx.len());
    for line in ptx.lines() {
        let line = without_comment(line).trim_end();
        let mut rest = line;
        while let Some(at) = rest.find(PROTOTYPE) {
            let (before, name) = rest.split_at(at + PROTOTYPE.len());
            let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let inside = before[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "_$%".contains(c));
            out.push_str(before);
            if digits > 0 && !inside {
                let next = numbers.len();
                let _ = write!(out, "{}", numbers.entry(&name[..digits]).or_insert(next));
                rest = &name[digits..];
            } else {
                rest = name;
            }
        }
        out.push_str(rest);
        // Empty lines stay where a statement of several lines could contain one, once.
        out.push('\n');
    }
    out
}

/// A line without its comment; inline assembly and strings are left alone.
fn without_comment(line: &str) -> &str {
    match line.find("//") {
        Some(at) if !line[..at].contains('"') => &line[..at],
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_process_are_replaced() {
        let text = |call: u32, prototype: u32| {
            format!(
                "\t{{ // callseq {call}, 0\n\tprototype_{prototype} : .callprototype (.param .b32 _) _ ();\n\
                 \tcall (retval0), %rd1, (), prototype_{prototype};\n\t}} // callseq {call}\n\
                 \tprototype_{}: .callprototype _ ();\n\tmov.u32 \t%r1, my_prototype_{call};  \n",
                prototype + 1
            )
        };
        let canonical = canonical(&text(0, 0));
        assert_eq!(super::canonical(&text(0, 17)), canonical);
        assert_eq!(super::canonical(&canonical), canonical);
        assert!(canonical.contains("prototype_0 :") && canonical.contains("prototype_1:"), "{canonical}");
        assert!(super::canonical(&text(12, 3)).contains("my_prototype_12;\n"));
        assert!(!canonical.contains("callseq"), "{canonical}");
    }

    #[test]
    fn strings_keep_their_slashes() {
        let line = ".file\t1 \"http://x/y.cu\"\n";
        assert_eq!(canonical(line), line);
    }
}
