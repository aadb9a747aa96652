//! Where a cache is: a folder, or a URL.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Where a cache is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder: a path, or `dir:` and a path.
    Folder(PathBuf),
    /// A URL.
    Url(String),
}

impl Place {
    /// Reads the argument of `--cache`. Text that starts with a name and `://` is a URL.
    pub fn of(argument: &OsStr) -> Place {
        if let Some(path) = argument.as_bytes().strip_prefix(b"dir:") {
            return Place::Folder(PathBuf::from(OsStr::from_bytes(path)));
        }
        match argument.to_str().filter(|text| is_url(text)) {
            Some(url) => Place::Url(url.to_owned()),
            None => Place::Folder(PathBuf::from(argument)),
        }
    }
}

/// Whether text starts with a scheme (RFC 3986, 3.1) and `://`.
fn is_url(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once("://") else { return false };
    let starts = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    starts && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// A URL as it may be shown: without user, password, and the values of parameters.
pub fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_folders_are_told_apart() {
        let folder = |path: &str| Place::Folder(PathBuf::from(path));
        for (argument, place) in [
            ("c", folder("c")),
            ("/a/b c", folder("/a/b c")),
            ("dir:/a/b", folder("/a/b")),
            ("dir:redis://x", folder("redis://x")),
            ("./redis://x", folder("./redis://x")),
            ("://x", folder("://x")),
            ("9p://x", folder("9p://x")),
            ("redis://x/1", Place::Url("redis://x/1".to_owned())),
            ("odd+scheme://x", Place::Url("odd+scheme://x".to_owned())),
        ] {
            assert_eq!(Place::of(OsStr::new(argument)), place, "{argument}");
        }
        assert_eq!(Place::of(OsStr::from_bytes(b"s3://\xff")), Place::Folder(OsStr::from_bytes(b"s3://\xff").into()));
    }

    #[test]
    fn secrets_are_not_shown() {
        for (url, text) in [
            ("redis://:secret@host:6379/2/p", "redis://host:6379/2/p"),
            ("https://user:se@cret@host/p?sig=secret#secret", "https://host/p"),
            ("s3://bucket", "s3://bucket"),
            ("http://host?token=secret/@x", "http://host"),
            ("secret@host", "://host"),
        ] {
            assert_eq!(shown(url), text);
        }
    }
}
