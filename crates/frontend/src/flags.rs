//! Module flags that have to be the same in all inputs of a link.
//!
//! Problem: LLVM's linker names one of two modules that contradict each other, and a part names none
//! that the user knows. Strategy: the flags are compared before anything is linked, by the rules of
//! the linker (LLVM Language Reference, Module Flags Metadata).

use serde::{Deserialize, Serialize};

/// A module flag that another module must not contradict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// What decides between two values.
    pub rule: Rule,
    /// Its value, as text.
    pub value: String,
}

/// What decides between two different values of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// Two values are an error.
    Error,
    /// The value of a module with this rule counts; two of them are an error.
    Override,
}

/// Two inputs with different values of a flag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' and '{}' contradict each other: the module flag {name} is {} in the one, {} in the other", .inputs[0], .inputs[1], .values[0], .values[1])]
pub struct Conflict {
    /// The flag.
    pub name: String,
    /// The names of the inputs.
    pub inputs: [String; 2],
    /// Their values.
    pub values: [String; 2],
}

/// Compares the flags of named inputs.
///
/// # Errors
/// The first [`Conflict`].
pub fn check(inputs: &[(&str, &[Flag])]) -> Result<(), Conflict> {
    let mut seen: Vec<(&str, &Flag)> = Vec::new();
    for &(input, flags) in inputs {
        for flag in flags {
            let same = |(_, other): &&(&str, &Flag)| other.name == flag.name && other.rule == flag.rule;
            match seen.iter().find(same) {
                None => seen.push((input, flag)),
                Some((_, other)) if other.value == flag.value => {}
                // A value that overrides others decides, wherever it is.
                Some(_) if flag.rule == Rule::Error && overridden(inputs, &flag.name) => {}
                Some((first, other)) => {
                    return Err(Conflict {
                        name: flag.name.clone(),
                        inputs: [(*first).to_owned(), input.to_owned()],
                        values: [other.value.clone(), flag.value.clone()],
                    });
                }
            }
        }
    }
    Ok(())
}

fn overridden(inputs: &[(&str, &[Flag])], name: &str) -> bool {
    let mut all = inputs.iter().flat_map(|(_, flags)| *flags);
    all.any(|flag| flag.name == name && flag.rule == Rule::Override)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(name: &str, rule: Rule, value: &str) -> Flag {
        Flag { name: name.to_owned(), rule, value: value.to_owned() }
    }

    #[test]
    fn two_values_are_named_with_both_inputs() {
        let (zero, one) = ([flag("f", Rule::Override, "0")], [flag("f", Rule::Override, "1")]);
        assert_eq!(check(&[("a", &zero), ("b", &[]), ("c", &zero)]), Ok(()));
        let why = check(&[("a", &zero), ("b", &[]), ("c", &one)]).unwrap_err().to_string();
        assert!(why.contains("'a' and 'c'") && why.contains("f is 0 in the one, 1 in the other"), "{why}");
        let (two, three) = ([flag("f", Rule::Error, "2")], [flag("f", Rule::Error, "3")]);
        assert!(check(&[("a", &two), ("b", &three)]).is_err());
        assert_eq!(check(&[("a", &two), ("b", &three), ("c", &one)]), Ok(()));
    }
}
