//! What the text of a function says before its body is read.
//!
//! **Problem.** The order of units needs their sizes, and whether a kernel needs a linker of objects
//! depends on the functions that its text names. **Strategy.** One pass over each text finds both;
//! texts are independent of each other, so an executor surveys them at once. Most words of a body
//! are opcodes and registers: a word is looked up only if a symbol of the module has its first
//! character and its length.
//!
//! **Invariant.** A pure function of text and outline, linear in the text.

use super::cost::Size;
use super::names::{by_address, identifiers, is_part_of_name};
use super::pragmas::has_rare;
use raddle_entity::{EntityRef, Executor, map};
use raddle_ptx::{Func, FuncId, Outline, Symbol};

/// The survey of a function's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The BLAKE3 hash of the text.
    pub hash: [u8; 32],
    /// Statements and basic blocks.
    pub size: Size,
    /// Whether it calls by address.
    pub by_address: bool,
    /// The symbols of the module that it names, each once, sorted; its own header names the function
    /// itself.
    pub names: Vec<Symbol>,
    /// Whether a statement of its body ends with the name of a kernel, as a move of its address does.
    pub ends_with_kernel: bool,
    /// Whether it names a device function in a statement without a call.
    pub names_uncalled: bool,
    /// Whether it has pragmas besides the one that compilers write.
    pub rare_pragmas: bool,
}

/// The surveys of the functions of a module, by the number of the function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surveys(Vec<Survey>);

impl Surveys {
    /// Surveys all functions of a module.
    pub fn of(text: &str, outline: &Outline, executor: &dyn Executor) -> Surveys {
        let words = Words::of(outline);
        let functions: Vec<&Func> = outline.funcs.values().collect();
        Surveys(map(functions.len(), executor, |n| survey(text, outline, functions[n], &words)))
    }

    /// Whether any function has rare pragmas.
    pub fn has_rare_pragmas(&self) -> bool {
        self.0.iter().any(|survey| survey.rare_pragmas)
    }

    /// The survey of a function.
    pub fn get(&self, id: FuncId) -> &Survey {
        &self.0[id.index()]
    }
}

/// Surveys one function.
fn survey(text: &str, outline: &Outline, function: &Func, words: &Words) -> Survey {
    let all = text.get(function.text.clone()).unwrap_or_default();
    let body = function.body.clone().and_then(|body| text.get(body)).unwrap_or_default();
    let (size, rare_pragmas) = (Size::of(body), has_rare(all));
    let hash = blake3::hash(all.as_bytes()).into();
    let mut out = Survey { hash, size, by_address: by_address(all), rare_pragmas, ..Survey::default() };
    // The body is the end of the text.
    let header = all.len() - body.len();
    words.each(all, |start, word| {
        let Some(symbol) = outline.symbol(word) else { return };
        if out.names.last() != Some(&symbol) {
            out.names.push(symbol);
        }
        match symbol {
            Symbol::Func(id) if outline.funcs[id].entry => {
                let rest = all[start + word.len()..].trim_start();
                out.ends_with_kernel |= start >= header && rest.starts_with(';');
            }
            Symbol::Func(_) => out.names_uncalled |= !calls(all, start),
            Symbol::Global(_) => {}
        }
    });
    out.names.sort_unstable();
    out.names.dedup();
    out
}

/// Whether the statement around this offset has a call.
fn calls(text: &str, at: usize) -> bool {
    let start = memchr::memrchr(b';', &text.as_bytes()[..at]).map_or(0, |semicolon| semicolon + 1);
    let end = memchr::memchr(b';', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length);
    identifiers(&text[start..end]).any(|word| word == "call")
}

/// Which words may be symbols of a module.
struct Words {
    /// The first characters of symbols.
    first: [bool; 256],
    /// The lengths of symbols: bit n for length n, the last one for all greater lengths.
    lengths: u64,
    /// The length of the shortest symbol, at least 1.
    shortest: usize,
}

/// The bytes of identifiers.
static PART: [bool; 256] = {
    let (mut part, mut byte) = ([false; 256], 0);
    while byte < 256 {
        part[byte] = is_part_of_name(byte as u8);
        byte += 1;
    }
    part
};

impl Words {
    fn of(outline: &Outline) -> Words {
        let functions = outline.funcs.values().map(|function| &*function.name);
        let variables = outline.globals.values().map(|global| &*global.var.name);
        let mut out = Words { first: [false; 256], lengths: 0, shortest: usize::MAX };
        for name in functions.chain(variables) {
            let Some(&first) = name.as_bytes().first() else { continue };
            out.first[usize::from(first)] = true;
            out.lengths |= Words::length(name.len());
            out.shortest = out.shortest.min(name.len());
        }
        out
    }

    fn length(n: usize) -> u64 {
        1 << n.min(63)
    }

    /// Calls `found` for each word of the text that may be a symbol, with its offset. A symbol cannot
    /// lie between two bytes that are closer than the length of the shortest one: most bytes are not
    /// looked at.
    fn each(&self, text: &str, mut found: impl FnMut(usize, &str)) {
        let bytes = text.as_bytes();
        let part = |byte: &&u8| PART[usize::from(**byte)];
        let mut probe = self.shortest - 1;
        while let Some(&byte) = bytes.get(probe) {
            if !PART[usize::from(byte)] {
                probe = probe.saturating_add(self.shortest);
                continue;
            }
            let start = probe - bytes[..probe].iter().rev().take_while(part).count();
            let end = probe + bytes[probe..].iter().take_while(part).count();
            if self.first[usize::from(bytes[start])] && self.lengths & Words::length(end - start) != 0 {
                found(start, &text[start..end]);
            }
            probe = end.saturating_add(self.shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_diag::{Diags, FileId};
    use raddle_entity::{Serial, SplitMix};

    const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

    fn surveys(text: &str) -> (Outline, Surveys) {
        let outline = raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new());
        let surveys = Surveys::of(text, &outline, &Serial);
        (outline, surveys)
    }

    /// The survey of the kernel `k`, after functions and variables of these declarations.
    fn of_kernel(declarations: &str, body: &str) -> Survey {
        let text = format!("{HEAD}{declarations}\n.entry k() {{ {body} }}\n");
        let (outline, surveys) = surveys(&text);
        surveys.get(outline.func("k").unwrap()).clone()
    }

    #[test]
    fn functions_count_where_nothing_is_called() {
        let f = ".func f() { ret; }";
        for (body, uncalled) in [
            ("call f, ();", false),
            ("@%p call.uni f, ();", false),
            ("mov.u64 %rd1, f;", true),
            ("call f, (); mov.u64 %rd1, f;", true),
            ("mov.u64 %rd1, ff; ld.u32 %f, [f2];", false),
            ("st.global.u64 [%rd1], f\n;", true),
            ("ret", false),
        ] {
            assert_eq!(of_kernel(f, body).names_uncalled, uncalled, "{body}");
        }
    }

    #[test]
    fn kernels_count_at_the_end_of_a_statement() {
        let other = ".entry other() { ret; }";
        for (body, ends) in [
            ("mov.u64 %rd1, other;", true),
            ("mov.u64 %rd1, other // x\n;", false),
            ("mov.u64 %rd1, other \n ;", true),
            ("mov.u64 %rd1, k;", true),
            ("mov.u64 %rd1, another;", false),
            ("mov.u64 other, %rd1;", false),
        ] {
            assert_eq!(of_kernel(other, body).ends_with_kernel, ends, "{body}");
        }
    }

    /// The words that are symbols, in the order of the text, are those of a plain split.
    #[test]
    fn names_are_those_of_a_plain_split() {
        let mut rng = SplitMix(1);
        for shortest in ["f", "f1", "$f23"] {
            let text = format!("{HEAD}.func {shortest}() {{ ret; }}\n.global .u32 _long_name, %v23456;\n");
            let (outline, _) = surveys(&text);
            let words = Words::of(&outline);
            let symbol = |word: &str| outline.symbol(word).is_some();
            let pieces = [shortest, "_long_name", "%v23456", "x", " ", ";", ".", "\n", "_", "%r1", "é", "1"];
            let mut count = 0;
            for _ in 0..20_000 {
                let text: String = (0..rng.below(12)).map(|_| pieces[rng.below(12) as usize]).collect();
                let mut found = Vec::new();
                words.each(&text, |at, word| {
                    assert_eq!(&text[at..at + word.len()], word);
                    if symbol(word) {
                        found.push(word.to_owned());
                    }
                });
                assert_eq!(found, identifiers(&text).filter(|word| symbol(word)).collect::<Vec<_>>(), "{text}");
                count += found.len();
            }
            assert!(count > 5_000, "{count}");
        }
    }
}
