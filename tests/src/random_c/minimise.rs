//! Reduces a program to a smaller one with the same difference.

use super::text::shared;
use super::tree::Program;

/// Deletes parts while `fails` reports that the difference remains; tries at most `tries`
/// candidates. Functions without callers are deleted as well.
pub fn minimise(program: &Program, tries: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut left = tries;
    loop {
        let before = shared(&best).len();
        let mut part = 0;
        while part < best.parts() && left > 0 {
            let candidate = best.without(part);
            left -= 1;
            if shared(&candidate).len() < shared(&best).len() && fails(&candidate) {
                best = candidate;
            } else {
                part += 1;
            }
        }
        if left == 0 || shared(&best).len() == before {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_c::generate::generate;

    #[test]
    fn what_does_not_matter_goes() {
        // A seed whose program has a switch, which counts as the failure.
        let program = (0..100).map(generate).find(|p| shared(p).contains("switch (")).unwrap();
        let small = minimise(&program, 2000, &mut |p| shared(p).contains("switch ("));
        let text = shared(&small);
        assert!(text.contains("switch (") && text.len() < shared(&program).len(), "{text}");
        assert!(!text.contains("for (u32 i"), "{text}");
    }
}
