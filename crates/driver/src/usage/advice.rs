//! The order of warnings of launch bounds and of those on request (ptxas 13.0.88 output).

use crate::codes;
use raddle_diag::Diagnostic;

/// Puts warnings of bounds and those on request into the order of ptxas: those of the text as in
/// the text, then those of bounds, then those of code, by the order of functions. An error ends it
/// after its part.
pub fn arrange(said: Vec<Diagnostic>, functions: &[&str]) -> Vec<Diagnostic> {
    let index = |made: &Diagnostic| functions.iter().position(|name| made.function.as_deref() == Some(name));
    let part = |made: &Diagnostic| match made.span() {
        Some(_) => 0,
        None if made.code == codes::E0084 => 1,
        None => 2,
    };
    let (mut advice, mut out): (Vec<_>, Vec<_>) =
        said.into_iter().partition(|made| [codes::E0084, codes::E0087].contains(&made.code));
    advice.sort_by_key(|made| (part(made), made.span().map(|span| (span.file, span.start)), index(made)));
    let end = advice.iter().filter(|made| made.is_error()).map(part).min();
    advice.retain(|made| end.is_none_or(|end| part(made) <= end));
    out.append(&mut advice);
    out
}

/// Whether a warning is about code, which is made last.
pub fn is_of_code(made: &Diagnostic) -> bool {
    made.code == codes::E0087 && made.span().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_diag::{FileId, Span};

    #[test]
    fn what_the_text_says_is_first_and_functions_are_in_their_order() {
        let at = |start| Span::new(FileId::FIRST, start, start + 1);
        let of = |code, name: &str| Diagnostic::warning(code, name).in_function(name);
        let said = || {
            vec![
                of(codes::E0087, "a"),
                of(codes::E0084, "a"),
                of(codes::E0084, "b"),
                Diagnostic::warning(codes::E0068, "other"),
                of(codes::E0087, "late").at(at(9), ""),
                of(codes::E0087, "early").at(at(3), ""),
            ]
        };
        let texts = |said: Vec<Diagnostic>| said.into_iter().map(|made| made.message).collect::<Vec<_>>();
        assert_eq!(texts(arrange(said(), &["b", "a"])), ["other", "early", "late", "b", "a", "a"]);
        let errors = said().into_iter().map(|made| Diagnostic { severity: raddle_diag::Severity::Error, ..made });
        assert_eq!(texts(arrange(errors.collect(), &["b", "a"])), ["other", "early", "late"]);
    }
}
