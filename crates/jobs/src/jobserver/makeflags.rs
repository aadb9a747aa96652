//! Parses the job tokens in `MAKEFLAGS` (GNU make manual, "POSIX Jobserver").
//!
//! **Rules.** Words are separated by blanks; make quotes with a backslash. The word `--` ends the
//! options: variables follow. The last `--jobserver-auth=` (or the older `--jobserver-fds=`) wins.
//! The first word holds single letters only if it has neither `-` nor `=`; an `n` there is a dry
//! run.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The source of tokens.
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
    /// Negative descriptors: make has disabled the jobserver for this process.
    Off,
    /// An invalid value; the text as given.
    Malformed(String),
}

/// The contents of `MAKEFLAGS` that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MakeFlags {
    /// The last jobserver option.
    pub auth: Option<Auth>,
    /// `-j` or `-jN` of make itself: `Some(None)` is unlimited.
    pub jobs: Option<Option<usize>>,
    /// `make -n`.
    pub dry_run: bool,
}

impl MakeFlags {
    /// Parses the value of the variable. Words that are not valid text, such as make variables in
    /// another encoding, are ignored.
    pub fn parse(text: &OsStr) -> MakeFlags {
        let mut flags = MakeFlags::default();
        for (index, word) in words(text.as_bytes()).into_iter().enumerate() {
            if word == b"--" {
                break;
            }
            let auth =
                [&b"--jobserver-auth="[..], b"--jobserver-fds="].iter().find_map(|name| word.strip_prefix(*name));
            if let Some(value) = auth {
                flags.auth = Some(auth_of(value));
            } else if let Some(jobs) = word.strip_prefix(b"-j") {
                match number(jobs) {
                    Some(jobs) => flags.jobs = Some(Some(jobs)),
                    None if jobs.is_empty() => flags.jobs = Some(None),
                    None => {}
                }
            } else if index == 0 && !word.iter().any(|b| matches!(b, b'-' | b'=')) {
                flags.dry_run = word.contains(&b'n');
            }
        }
        flags
    }
}

fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn auth_of(value: &[u8]) -> Auth {
    let malformed = || Auth::Malformed(String::from_utf8_lossy(value).into_owned());
    if let Some(path) = value.strip_prefix(b"fifo:") {
        return if path.is_empty() {
            malformed()
        } else {
            Auth::Fifo(Path::new(OsStr::from_bytes(path)).to_path_buf())
        };
    }
    let comma = value.iter().position(|&b| b == b',');
    let pair = comma.and_then(|at| Some((number(&value[..at])?, number(&value[at + 1..])?)));
    match pair {
        Some((read, write)) if read >= 0 && write >= 0 => Auth::Pipe { read, write },
        Some::<(i32, i32)>(_) => Auth::Off,
        None => malformed(),
    }
}

/// Splits at blanks and undoes make's quoting: a backslash quotes the next character.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut bytes = text.iter().copied();
    while let Some(b) = bytes.next() {
        match b {
            b' ' | b'\t' | b'\n' => words.extend(word.take()),
            b'\\' => word.get_or_insert_default().extend(bytes.next()),
            b => word.get_or_insert_default().push(b),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> MakeFlags {
        MakeFlags::parse(OsStr::new(text))
    }

    fn auth(text: &str) -> Option<Auth> {
        parse(text).auth
    }

    #[test]
    fn bytes_that_are_no_text_hide_nothing() {
        let flags = |bytes: &[u8]| MakeFlags::parse(OsStr::from_bytes(bytes)).auth;
        assert_eq!(flags(b" -j --jobserver-auth=3,4 -- NAME=caf\xe9"), Some(Auth::Pipe { read: 3, write: 4 }));
        let path = Path::new(OsStr::from_bytes(b"/caf\xe9 s"));
        assert_eq!(flags(b"--jobserver-auth=fifo:/caf\xe9\\ s"), Some(Auth::Fifo(path.to_path_buf())));
        assert_eq!(flags(b"--jobserver-auth=\xe9,4"), Some(Auth::Malformed("\u{fffd},4".into())));
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
        assert!(parse("kn -j2").dry_run);
        for text in ["-n", "k n", "VAR=n", "--no-print-directory", " -j2 n"] {
            assert!(!parse(text).dry_run, "{text}");
        }
        // Without single letters the text begins with a blank, and the first word is an option.
        assert!(!parse(" --jobserver-auth=3,4 n").dry_run);
    }

    #[test]
    fn jobs_of_make_itself() {
        assert_eq!(parse(" -j1").jobs, Some(Some(1)));
        assert_eq!(parse(" -j").jobs, Some(None));
        assert_eq!(parse("w").jobs, None);
    }
}
