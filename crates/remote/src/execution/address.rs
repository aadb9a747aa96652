//! What a URL of an engine means: `grpc://HOST:PORT[/INSTANCE]`, or `grpcs://HOST[:PORT][/INSTANCE]` with
//! TLS. A comma may stand in the place of the slash.
//!
//! A URL has no credentials: a token comes from the environment. As a cache it may have `?mode=ro`.

use percent_encoding::percent_decode_str;
use raddle_driver::cache::shown;
use url::Url;

/// The reason why a URL names no engine. The texts contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// It is no URL.
    #[error("it is not a URL: {0}")]
    Syntax(String),
    /// It has another scheme.
    #[error("'{0}' is neither grpc nor grpcs")]
    Scheme(String),
    /// The host is missing.
    #[error("it names no host")]
    NoHost,
    /// The port is missing.
    #[error("it names no port")]
    NoPort,
    /// It has a user or a password.
    #[error("it has a user or a password: a token comes from the environment")]
    Credentials,
    /// A parameter that such a URL does not have, or a value that it cannot have.
    #[error("'{0}' is not a parameter of such a URL")]
    Parameter(String),
    /// The token cannot be sent.
    #[error("the token of {0} has characters that a header cannot have")]
    Token(&'static str),
    /// A certificate or key, in the file that a variable names, cannot be used.
    #[error("{variable}: {why}")]
    Certificate {
        /// The name of the variable.
        variable: &'static str,
        /// The reason.
        why: String,
    },
    /// The program of units cannot be read.
    #[error("cannot read the program for the engine: {0}")]
    Program(String),
    /// Connections cannot be set up.
    #[error("{0}")]
    Setup(String),
}

/// What a URL means.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// Where to connect to: a URL of HTTP.
    pub endpoint: String,
    pub tls: bool,
    /// The instance of the server; empty for the only one.
    pub instance: String,
    /// As a cache it is never written.
    pub read_only: bool,
    /// The URL without credentials.
    pub shown: String,
}

impl Address {
    pub fn of(text: &str) -> Result<Address, OpenError> {
        let url = Url::parse(&with_slash(text)).map_err(|error| OpenError::Syntax(error.to_string()))?;
        let tls = match url.scheme() {
            "grpc" => false,
            "grpcs" => true,
            scheme => return Err(OpenError::Scheme(scheme.to_owned())),
        };
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(OpenError::NoHost)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(OpenError::Credentials);
        }
        let port = url.port().or(tls.then_some(443)).ok_or(OpenError::NoPort)?;
        let mut read_only = false;
        for (name, value) in url.query_pairs() {
            match (&*name, &*value) {
                ("mode", "ro") => read_only = true,
                ("mode", "rw") => read_only = false,
                _ => return Err(OpenError::Parameter(name.into_owned())),
            }
        }
        let scheme = if tls { "https" } else { "http" };
        let instance = percent_decode_str(url.path().trim_matches('/')).decode_utf8_lossy().into_owned();
        Ok(Address { endpoint: format!("{scheme}://{host}:{port}"), tls, instance, read_only, shown: shown(text) })
    }
}

/// The URL with a slash before the instance.
fn with_slash(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    match rest.find(['/', ',', '?']) {
        Some(at) if rest[at..].starts_with(',') => format!("{scheme}://{}/{}", &rest[..at], &rest[at + 1..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_engines() {
        for (text, endpoint, instance) in [
            ("grpc://h:80", "http://h:80", ""),
            ("grpc://h:50051/main", "http://h:50051", "main"),
            ("grpc://h:50051,main", "http://h:50051", "main"),
            ("grpc://h:50051/ma,in", "http://h:50051", "ma,in"),
            ("grpcs://h,a/b?mode=rw", "https://h:443", "a/b"),
            ("grpc://h:1/a/b%20c/", "http://h:1", "a/b c"),
            ("grpc://[::1]:9/", "http://[::1]:9", ""),
            ("grpcs://h", "https://h:443", ""),
            ("grpcs://h:8/x", "https://h:8", "x"),
        ] {
            let address = Address::of(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((&*address.endpoint, &*address.instance), (endpoint, instance), "{text}");
            assert_eq!((address.tls, address.read_only), (text.starts_with("grpcs"), false));
        }
        assert!(Address::of("grpc://h:1/i?mode=ro").unwrap().read_only);
    }

    #[test]
    fn other_urls_are_refused() {
        for (text, error) in [
            ("http://h:1", OpenError::Scheme("http".to_owned())),
            ("grpc:", OpenError::NoHost),
            ("grpc://h", OpenError::NoPort),
            ("grpc://secret@h:1", OpenError::Credentials),
            ("grpc://:secret@h:1", OpenError::Credentials),
            ("grpc://h:1?token=secret", OpenError::Parameter("token".to_owned())),
            ("grpc://h:1?mode=secret", OpenError::Parameter("mode".to_owned())),
        ] {
            let found = Address::of(text).unwrap_err();
            assert!(!format!("{found:?} {found}").contains("secret"), "{found}");
            assert_eq!(found, error, "{text}");
        }
        assert!(matches!(Address::of("grpc://h:x"), Err(OpenError::Syntax(_))));
    }
}
