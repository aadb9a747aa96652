//! The strings of `.debug_str` sections, by which `.loc` directives name functions (PTX ISA 9.0,
//! 11.5.3 and 11.5.4).

use crate::extract::section_strings;
use crate::module::Outline;
use raddle_entity::FxHashMap;

/// The bytes after each label of a module's `.debug_str` sections.
#[derive(Clone, Debug, Default)]
pub struct DebugStrings {
    labels: FxHashMap<Box<str>, Vec<u8>>,
}

impl DebugStrings {
    /// Reads a module's sections. Data other than `.b8` lists of numbers is skipped.
    pub fn of(src: &str, outline: &Outline) -> DebugStrings {
        let sections = section_strings(src, outline);
        DebugStrings { labels: sections.into_iter().map(|(label, data)| (label.into(), bytes(data))).collect() }
    }

    /// The string at `offset` bytes after a label; `None` if there is no such label, or no valid
    /// text.
    pub fn get(&self, label: &str, offset: u64) -> Option<&str> {
        let bytes = self.labels.get(label)?.get(usize::try_from(offset).ok()?..)?;
        let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).ok()
    }
}

fn bytes(data: &str) -> Vec<u8> {
    let lists = data.lines().filter_map(|line| line.trim().strip_prefix(".b8"));
    let numbers = lists.flat_map(|list| list.trim_end().trim_end_matches(';').split(','));
    let value = |text: &str| match text.trim().strip_prefix("0x") {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => text.trim().parse().ok(),
    };
    numbers.filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_diag::{Diags, FileId};

    #[test]
    fn labels_lead_to_strings() {
        let src = ".version 8.0\n.target sm_80\n.address_size 64\n.section .debug_str\n{\nS0:\n.b8 102,111\n\
                   .b8 0x6f,0\nS1:\n.b8 98,0\n}\n";
        let mut diags = Diags::new();
        let strings = DebugStrings::of(src, &crate::outline(src, FileId::FIRST, &mut diags));
        assert!(!diags.has_errors());
        let get = |label, offset| strings.get(label, offset);
        assert_eq!([get("S0", 0), get("S0", 1), get("S1", 0)], [Some("foo"), Some("oo"), Some("b")]);
        assert_eq!([get("S2", 0), get("S1", 9)], [None, None]);
    }
}
