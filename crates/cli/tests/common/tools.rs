//! Command lines of the tools that Raddle stands in for, with what they do.

use super::{Bench, finish};
use regex_lite::Regex;
use std::process::{Command, Stdio};

/// A command line with what the tool does.
pub struct Case {
    pub words: Vec<String>,
    pub code: i32,
    /// The names of the files that it writes.
    pub files: Vec<String>,
    pub says: String,
}

/// Reads a list: `$` and the words (a tilde is a space), `=`, exit code and files, what is printed.
pub fn cases(text: &str) -> Vec<Case> {
    let blocks = text.split("\n\n").filter_map(|block| block.trim_start().strip_prefix("$"));
    let read = |block: &str| {
        let mut lines = block.lines();
        let words = lines.next().unwrap().strip_prefix(' ').into_iter().flat_map(|words| words.split(' '));
        let words = words.map(|word| word.replace('~', " ")).collect();
        let mut ends = lines.next().unwrap().strip_prefix("= ").unwrap().split(' ').map(|word| word.replace('~', " "));
        let code = ends.next().unwrap().parse().unwrap();
        Case { words, code, files: ends.collect(), says: lines.map(|line| format!("{line}\n")).collect() }
    };
    blocks.map(read).collect()
}

/// What was done in a folder and printed, without times and numbers of registers, which are ours.
pub fn outcome(mut command: Command, bench: &Bench) -> (Option<i32>, Vec<String>, String) {
    let before = bench.listing();
    command.current_dir(bench.dir.path()).stdin(Stdio::null());
    let ran = finish(command);
    let files = bench.listing().into_iter().filter(|name| !before.contains(name)).collect();
    let text = ran.stderr + &String::from_utf8(ran.stdout).unwrap();
    let text = Regex::new(r"Compile time = [\d.]+ ms").unwrap().replace_all(&text, "Compile time = T ms").into_owned();
    let text = Regex::new(r"([Uu]sed) \d+ registers").unwrap().replace_all(&text, "$1 N registers").into_owned();
    (ran.code, files, text)
}

/// Checks that the options of a table are those in the help of the tool, in its order.
pub fn help_agrees(tool: &raddle_filetest::oracle::Oracle, table: &raddle_dropin::Tool) {
    let help = String::from_utf8(tool.run(&["--help"]).unwrap()).unwrap();
    // `--name <value>      (-short)`; a long line goes on in the next one.
    let listed = help.lines().filter_map(|line| line.strip_prefix("--")).map(|line| {
        let short = line.rsplit_once("(-").and_then(|(_, rest)| rest.split_once(')')).map_or("", |(short, _)| short);
        (line.split_whitespace().next().unwrap(), short)
    });
    let listed: Vec<(&str, &str)> = listed.collect();
    let known: Vec<(&str, &str)> = table.options.iter().take(listed.len()).map(|row| (row.long, row.short)).collect();
    assert!(listed.len() > 10);
    assert_eq!(known, listed);
}
