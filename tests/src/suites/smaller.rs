//! Reduces a PTX module that has a property: lines are removed in blocks whose size is halved until
//! no single line can be removed.
//!
//! Works on text, independently of the program's generator. The caller decides whether a candidate
//! is valid.

/// Returns the smallest module found with at most `tries` candidates; `shows` checks whether a
/// candidate still has the property. The text itself is assumed to have it.
pub fn smaller(text: &str, tries: usize, mut shows: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut left = tries;
    let mut block = lines.len().div_ceil(2).max(1);
    loop {
        let before = lines.len();
        // From the end: definitions are removed after their uses.
        let mut end = lines.len();
        while end > 0 && left > 0 {
            let from = end.saturating_sub(block);
            let candidate = [&lines[..from], &lines[end..]].concat();
            left -= 1;
            if shows(&text_of(&candidate)) {
                lines = candidate;
            }
            end = from;
        }
        if left == 0 || (block == 1 && lines.len() == before) {
            return text_of(&lines);
        }
        block = if block == 1 { 1 } else { block.div_ceil(2) };
    }
}

fn text_of(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_do_not_matter_go() {
        let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let mut asked = 0;
        let shows = |text: &str| {
            asked += 1;
            ["line 7\n", "line 41\n", "line 99\n"].iter().all(|line| text.contains(line))
        };
        assert_eq!(smaller(&text, 1000, shows), "line 7\nline 41\nline 99\n");
        assert!(asked < 100, "{asked} questions");
    }

    #[test]
    fn the_number_of_questions_is_bounded() {
        let text: String = (0..64).map(|n| format!("{n}\n")).collect();
        let mut asked = 0;
        assert_eq!(
            smaller(&text, 10, |_| {
                asked += 1;
                false
            }),
            text
        );
        assert_eq!(asked, 10);
    }
}
