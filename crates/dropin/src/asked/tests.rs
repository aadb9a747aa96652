//! Command lines of ptxas and what they ask for.

use super::*;
use crate::line::{self, LineError};

fn asked(words: &str, place: Place) -> Result<Asked, Refusal> {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let line: Result<Line, LineError> = line::read(&PTXAS, &words, &line::System);
    Asked::of(&line.unwrap(), place)
}

#[test]
fn too_few_registers_have_the_words_of_ptxas() {
    let said = |message: &str| too_few_registers(message, "k").unwrap_or_default();
    let one = said("needs more than 96 registers: the instruction at line 13 needs 154");
    assert!(one.contains("(96) to compile instruction at line 13 in function k. Try to compile with register"));
    assert!(one.ends_with("target of 154 or higher."));
    assert!(said("needs more than 96 registers").ends_with("(96) to compile function k"));
    assert_eq!(said("needs more registers than setmaxnreg leaves a warp"), "");
}

#[test]
fn options_are_read_together() {
    let all = asked(
        "-arch sm_90a -O1 -c -lineinfo -maxrregcount 40 -dlcm=ca -flcm=cg --def-store-cache wt -Ofc=mid \
                     -split-compile 0",
        Place::Command,
    )
    .unwrap();
    assert_eq!(
        (all.gpu(), all.level, all.fast, all.object, all.lines),
        ("sm_90a", Some(1), Some(Fast::Mid), true, true)
    );
    assert_eq!((all.registers, all.split), (Some(40), Some(0)));
    assert_eq!(all.loads, Some(Cache { operator: "cg".into(), forced: true }));
    assert_eq!(all.stores, Some(Cache { operator: "wt".into(), forced: false }));
    assert_eq!(
        all.warnings,
        ["Conflicting options force-load-cache and def-load-cache specified, ignoring def-load-cache option"]
    );
    let few = asked("-maxrregcount=16 -g -lineinfo", Place::Library).unwrap();
    assert_eq!((few.registers, few.debug, few.lines), (Some(24), true, false));
    assert_eq!(few.warnings.len(), 2);
    assert_eq!(asked("-maxrregcount archmin", Place::Library).unwrap().registers, Some(32));
    assert_eq!(asked("-maxrregcount=300", Place::Library).unwrap().registers, Some(255));
    assert_eq!(asked("-O -O77", Place::Command).unwrap().level, Some(3));
}

#[test]
fn wrong_values_and_contradictions_have_the_messages_of_ptxas() {
    let fatal = |text: &str| Err(Refusal::Fatal(text.to_owned()));
    let error = |text: &str| Err(Refusal::Error(text.to_owned()));
    for (words, want) in [
        ("-g -O1", fatal("Optimized debugging not supported")),
        ("-Ofc max -O2", fatal("Conflicting options -opt-level=<1,2,3> and --Ofast-compile=max specified")),
        ("-Ofc x", fatal("Invalid value for --Ofast-compile/-Ofc (x), is not 'max', 'mid', 'min', or '0'")),
        ("-maxrregcount=x", fatal("Invalid value 'x' for option 'maxrregcount'")),
        ("-split-compile -3", fatal("Invalid value '-3' for option '--split-compile'")),
        ("-dlcm=frob", error("Invalid default cache modifier on load specified: frob")),
        ("-flcm=frob", error("Invalid default cache modifier on load specified: frob")),
        ("-abi=no", error("Invalid value 'no' for option -abi.")),
    ] {
        assert_eq!(asked(words, Place::Command), want, "{words}");
        assert_eq!(asked(words, Place::Library), want, "{words}");
    }
}

#[test]
fn a_library_refuses_what_only_a_command_can_do() {
    for words in ["-V", "--help", "-version-ls", "-ias x"] {
        assert!(asked(words, Place::Command).is_ok(), "{words}");
        assert!(matches!(asked(words, Place::Library), Err(Refusal::NotHere(_))), "{words}");
    }
    for place in [Place::Command, Place::Library] {
        let why =
            "option '--sp-bounds-check' is not supported by Raddle: there is no code that checks the stack pointer";
        assert_eq!(asked("-sp-bounds-check", place), Err(Refusal::NotHere(why.to_owned())));
        assert!(asked("-o x", place).is_ok());
    }
}

#[test]
fn an_older_name_of_a_level_gives_way_to_other_options() {
    let said = |words: &str| {
        let asked = asked(words, Place::Command).unwrap();
        (asked.fast, asked.warnings)
    };
    let ignored = |one: &str, other: &str| {
        vec![format!("Conflicting options '--{one}' and '--{other}' specified, ignoring '--{other}' option")]
    };
    assert_eq!(said("--fast-compile"), (Some(Fast::Max), vec![]));
    assert_eq!(said("--fast-compile -g"), (None, ignored("device-debug", "fast-compile")));
    assert_eq!(said("--fast-compile -c"), (None, ignored("compile-only", "fast-compile")));
    assert_eq!(said("--fast-compile -ewp"), (Some(Fast::Max), ignored("fast-compile", "extensible-whole-program")));
}

#[test]
fn options_that_the_help_does_not_list_are_taken() {
    let all = asked("--cloning no --uumn --jobserver -gno-tmem-access-check", Place::Command).unwrap();
    assert!(all.jobserver && all.tensor_check && all.warnings.is_empty());
}
