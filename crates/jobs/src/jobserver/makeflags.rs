//! What `MAKEFLAGS` says about job tokens (GNU make manual, "POSIX Jobserver").
//!
//! **Rules.** Words are separated by blanks; make quotes with a backslash. The word `--` ends the options: variables
//! follow. The last `--jobserver-auth=` (or the older `--jobserver-fds=`) wins. The first word holds single letters
//! only if it has neither `-` nor `=`; an `n` there is a dry run.

use std::path::PathBuf;

/// Where tokens come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    /// Two inherited descriptors: read a token from the first, write it back to the second.
    Pipe {
        /// Descriptor to read.
        read: i32,
        /// Descriptor to write.
        write: i32,
    },
    /// A named pipe.
    Fifo(PathBuf),
    /// Negative descriptors: make has turned the jobserver off for us.
    Off,
    /// Something that is neither; the text as given.
    Malformed(String),
}

/// `MAKEFLAGS`, as far as we care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MakeFlags {
    /// The last jobserver named.
    pub auth: Option<Auth>,
    /// `-j` or `-jN` of make itself: `Some(None)` is without limit.
    pub jobs: Option<Option<usize>>,
    /// `make -n`.
    pub dry_run: bool,
}

impl MakeFlags {
    /// Reads the value of the variable.
    pub fn parse(text: &str) -> MakeFlags {
        let mut flags = MakeFlags::default();
        for (index, word) in words(text).into_iter().enumerate() {
            if word == "--" {
                break;
            }
            let auth = ["--jobserver-auth=", "--jobserver-fds="].iter().find_map(|name| word.strip_prefix(name));
            if let Some(value) = auth {
                flags.auth = Some(auth_of(value));
            } else if let Some(jobs) = word.strip_prefix("-j") {
                match jobs.parse() {
                    Ok(jobs) => flags.jobs = Some(Some(jobs)),
                    Err(_) if jobs.is_empty() => flags.jobs = Some(None),
                    Err(_) => {}
                }
            } else if index == 0 && !word.contains(['-', '=']) {
                flags.dry_run = word.contains('n');
            }
        }
        flags
    }
}

fn auth_of(value: &str) -> Auth {
    if let Some(path) = value.strip_prefix("fifo:") {
        return if path.is_empty() { Auth::Malformed(value.to_string()) } else { Auth::Fifo(path.into()) };
    }
    let pair = value.split_once(',').and_then(|(read, write)| Some((read.parse().ok()?, write.parse().ok()?)));
    match pair {
        Some((read, write)) if read >= 0 && write >= 0 => Auth::Pipe { read, write },
        Some(_) => Auth::Off,
        None => Auth::Malformed(value.to_string()),
    }
}

/// Splits at blanks, undoing make's quoting: a backslash takes the next character as it is.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(text: &str) -> Option<Auth> {
        MakeFlags::parse(text).auth
    }

    #[test]
    fn the_last_auth_wins_in_every_spelling() {
        let pipe = |read, write| Some(Auth::Pipe { read, write });
        assert_eq!(auth(" -j8 --jobserver-auth=3,4"), pipe(3, 4));
        assert_eq!(auth("--jobserver-fds=3,4 -j"), pipe(3, 4));
        assert_eq!(auth("kns --jobserver-auth=3,4 --jobserver-auth=5,6"), pipe(5, 6));
        assert_eq!(auth("--jobserver-auth=fifo:/tmp/a\\ b"), Some(Auth::Fifo("/tmp/a b".into())));
        assert_eq!(auth("--jobserver-auth=-1,-1"), Some(Auth::Off));
        assert_eq!(auth("--jobserver-auth=-2,-2"), Some(Auth::Off));
        for broken in ["10,", "", ",", "a,b", "fifo:"] {
            assert_eq!(auth(&format!("--jobserver-auth={broken}")), Some(Auth::Malformed(broken.into())));
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_is_meant() {
        for text in ["", " ", "kns", "-one-flag", "-j4", "w -- X=--jobserver-auth=3,4", "k -- --jobserver-auth=3,4"] {
            assert_eq!(auth(text), None, "{text}");
        }
    }

    #[test]
    fn single_letters_are_the_first_word_only() {
        assert!(MakeFlags::parse("kn -j2").dry_run);
        for text in ["-n", "k n", "VAR=n", "--no-print-directory", " -j2 n"] {
            assert!(!MakeFlags::parse(text).dry_run, "{text}");
        }
        // Without single letters the text begins with a blank, and the first word is an option.
        assert!(!MakeFlags::parse(" --jobserver-auth=3,4 n").dry_run);
    }

    #[test]
    fn jobs_of_make_itself() {
        assert_eq!(MakeFlags::parse(" -j1").jobs, Some(Some(1)));
        assert_eq!(MakeFlags::parse(" -j").jobs, Some(None));
        assert_eq!(MakeFlags::parse("w").jobs, None);
    }
}
