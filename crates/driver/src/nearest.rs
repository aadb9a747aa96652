//! Suggestions for misspelled names.

/// The longest name that is compared character by character, in bytes.
const LONGEST: usize = 200;

/// The name most similar to `wanted`: one that contains it (a mangled name contains the plain one),
/// or else the one with the smallest edit distance, at most a third of the length. Ties go to the
/// first.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = wanted.len() / 3;
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let changes = match wanted.len() > 2 && name.contains(wanted) {
            true => 0,
            false if name.len().abs_diff(wanted.len()) > most || name.len() > LONGEST => continue,
            false => changes(wanted.as_bytes(), name.as_bytes()).max(1),
        };
        if changes <= most && best.is_none_or(|(fewest, _)| changes < fewest) {
            best = Some((changes, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of
/// neighbours that turn one word into the other.
fn changes(from: &[u8], to: &[u8]) -> usize {
    let first: Vec<usize> = (0..=to.len()).collect();
    let (mut before, mut last) = (first.clone(), first);
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *b && to[j - 1] == *a {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_mangled_names_are_found_and_nothing_else() {
        let names = ["saxpy", "_Z6matmulPfS_", "scan", "reduce_shared", "reduce_shuffle"];
        let near = |wanted| nearest(wanted, names);
        assert_eq!(
            ["saxyp", "matmul", "reduce_shufle", "sacn"].map(near).map(Option::unwrap),
            ["saxpy", "_Z6matmulPfS_", "reduce_shuffle", "scan"]
        );
        assert_eq!(["", "x", "sa", "histogram"].map(near), [None; 4]);
        assert_eq!(nearest("abc", []), None);
    }

    #[test]
    fn changes_are_counted() {
        for (from, to, count) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 1)] {
            assert_eq!(changes(from.as_bytes(), to.as_bytes()), count, "{from} {to}");
        }
    }
}
