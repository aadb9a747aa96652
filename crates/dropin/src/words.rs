//! Splits the text of an options file into words.
//!
//! Words are separated by white space; double quotes keep white space, and may begin inside a word;
//! a backslash keeps the next character. There are no comments, and single quotes have no meaning
//! (ptxas 13.0.88 output).

/// The words of a text; `None` if a quote is not closed.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_ascii_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_those_of_ptxas() {
        for (text, words) in [
            ("-arch sm_90\t-o\r\na\n", &["-arch", "sm_90", "-o", "a"][..]),
            ("\"a b\" a\"x y\"b", &["a b", "ax yb"]),
            ("a\\ b a\\nb \"a\\\\b\"", &["a b", "anb", "a\\b"]),
            ("'a b' # \"\"", &["'a", "b'", "#", ""]),
            ("", &[]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
        assert_eq!(split("-o \"a b"), None);
    }
}
