//! What a URL means: the engine with its settings, and what must not be shown.
//!
//! ```text
//! redis://[USER:PASSWORD@]HOST[:PORT][/DB][/PREFIX]     rediss:// with TLS
//! http://[USER:PASSWORD@]HOST[:PORT][/PREFIX]           https:// with TLS; GET, PUT and DELETE
//! s3://BUCKET[/PREFIX]          ?endpoint=URL, ?region=NAME
//! gcs://BUCKET[/PREFIX]         ?endpoint=URL
//! azblob://CONTAINER[/PREFIX]   ?endpoint=URL
//! ```
//!
//! URLs of gRPC are read in `execution`. Each may have `?mode=ro`. Credentials come from the environment, where each service looks for them,
//! and for Redis and HTTP from [`USER`], [`PASSWORD`] and [`TOKEN`], or from the URL.

use opendal::services::{Azblob, Gcs, Redis, S3, Webdav};
use opendal::{Builder, Operator};
use percent_encoding::percent_decode_str;
use raddle_driver::cache::shown;
use url::Url;

/// The user of a Redis or HTTP server.
const USER: &str = "RADDLE_CACHE_USER";
/// The password of a Redis or HTTP server.
const PASSWORD: &str = "RADDLE_CACHE_PASSWORD";
/// The bearer token of an HTTP server.
const TOKEN: &str = "RADDLE_CACHE_TOKEN";
/// Other variables with secrets: their values never appear in a message.
const SECRET: &[&str] = &[
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_SAS_TOKEN",
    "RADDLE_CACHE_KEY",
];
/// The region of S3 if nothing names one.
const REGION: &str = "us-east-1";

/// The reason why a URL names no remote cache. The texts contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no URL.
    #[error("it is not a URL: {0}")]
    Syntax(String),
    /// There is no engine for the scheme.
    #[error("'{0}' is none of: redis, rediss, http, https, s3, gcs, azblob, grpc, grpcs")]
    Scheme(String),
    /// Host, bucket or container is missing.
    #[error("it names no host, bucket or container")]
    NoHost,
    /// A parameter that the engine does not have.
    #[error("'{0}' is not a parameter of such a URL")]
    Parameter(String),
    /// A parameter with a value that it cannot have.
    #[error("the value of '{0}' is not possible")]
    Value(String),
    /// The engine cannot be set up.
    #[error("{0}")]
    Engine(String),
    /// It is one of gRPC, and names no server.
    #[cfg(feature = "execution")]
    #[error(transparent)]
    Grpc(#[from] crate::execution::OpenError),
}

/// What a URL means.
pub(crate) struct Address {
    pub operator: Operator,
    /// Host and port to connect to before the engine does: that of Redis tries again for seconds.
    pub listens: Option<(String, u16)>,
    pub read_only: bool,
    /// The URL without credentials.
    pub shown: String,
    /// What must not be shown.
    pub secrets: Vec<String>,
}

impl Address {
    /// Reads a URL. `variable` returns the value of an environment variable.
    pub fn of(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Address, AddressError> {
        let url = Url::parse(text).map_err(|error| AddressError::Syntax(error.to_string()))?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(AddressError::NoHost)?;
        let parameters = Parameters::of(&url)?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let user = some(decoded(url.username())).or_else(|| variable(USER));
        let password = url.password().map(decoded).or_else(|| variable(PASSWORD));
        let token = variable(TOKEN);
        let secrets = SECRET.iter().filter_map(|name| variable(name));
        let secrets = secrets.chain([&password, &token].into_iter().flatten().cloned());
        // A short text would hide parts of other words, and hides nothing.
        let secrets = secrets.filter(|secret| secret.len() >= 4).collect();
        let path = decoded(url.path());
        let mut listens = None;
        let operator = match url.scheme() {
            "redis" | "rediss" => {
                let (db, prefix) = database(&path)?;
                let port = url.port().unwrap_or(6379);
                let endpoint = format!("{}://{host}:{port}", url.scheme());
                // The address of IPv6 has brackets in a URL alone.
                listens = Some((host.trim_matches(['[', ']']).to_owned(), port));
                let mut builder = Redis::default().endpoint(&endpoint).db(db).root(prefix);
                if let Some(user) = &user {
                    builder = builder.username(user);
                }
                built(builder.password(password.as_deref().unwrap_or_default()))
            }
            "http" | "https" => {
                let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
                let endpoint = format!("{}://{host}{port}", url.scheme());
                // Plain servers know no folders: only GET and PUT.
                let builder = Webdav::default().endpoint(&endpoint).root(&path).disable_create_dir(true);
                let builder = builder.username(user.as_deref().unwrap_or_default());
                let builder = builder.password(password.as_deref().unwrap_or_default());
                built(builder.token(token.as_deref().unwrap_or_default()))
            }
            "s3" => {
                let named = parameters.region.or_else(|| variable("AWS_REGION"));
                let region = named.or_else(|| variable("AWS_DEFAULT_REGION")).unwrap_or_else(|| REGION.to_owned());
                let builder = S3::default().bucket(host).root(&path).region(&region);
                built(builder.endpoint(parameters.endpoint.as_deref().unwrap_or_default()))
            }
            "gcs" => {
                let builder = Gcs::default().bucket(host).root(&path);
                built(builder.endpoint(parameters.endpoint.as_deref().unwrap_or_default()))
            }
            "azblob" => {
                let account = variable("AZURE_STORAGE_ACCOUNT_NAME").unwrap_or_default();
                let endpoint =
                    parameters.endpoint.unwrap_or_else(|| format!("https://{account}.blob.core.windows.net"));
                let builder = Azblob::default().container(host).root(&path).endpoint(&endpoint).account_name(&account);
                let builder = builder.account_key(&variable("AZURE_STORAGE_ACCOUNT_KEY").unwrap_or_default());
                built(builder.sas_token(&variable("AZURE_STORAGE_SAS_TOKEN").unwrap_or_default()))
            }
            scheme => Err(AddressError::Scheme(scheme.to_owned())),
        }?;
        Ok(Address { operator, listens, read_only: parameters.read_only, shown: shown(text), secrets })
    }
}

/// The parameters of a URL.
#[derive(Default)]
struct Parameters {
    read_only: bool,
    endpoint: Option<String>,
    region: Option<String>,
}

impl Parameters {
    fn of(url: &Url) -> Result<Parameters, AddressError> {
        let mut out = Parameters::default();
        for (name, value) in url.query_pairs() {
            match (&*name, url.scheme()) {
                ("mode", _) if value == "ro" || value == "rw" => out.read_only = value == "ro",
                ("endpoint", "s3" | "gcs" | "azblob") => {
                    let is_usable =
                        Url::parse(&value).is_ok_and(|endpoint| matches!(endpoint.scheme(), "http" | "https"));
                    out.endpoint = Some(value.into_owned());
                    if !is_usable {
                        return Err(AddressError::Value(name.into_owned()));
                    }
                }
                ("region", "s3") => out.region = Some(value.into_owned()),
                ("mode", _) => return Err(AddressError::Value(name.into_owned())),
                _ => return Err(AddressError::Parameter(name.into_owned())),
            }
        }
        Ok(out)
    }
}

/// Number of the database and prefix in the path of a URL of Redis.
fn database(path: &str) -> Result<(i64, &str), AddressError> {
    let path = path.trim_start_matches('/');
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if first.is_empty() || !first.bytes().all(|b| b.is_ascii_digit()) {
        return Ok((0, path));
    }
    Ok((first.parse().map_err(|_| AddressError::Value("database".to_owned()))?, rest))
}

fn built(builder: impl Builder) -> Result<Operator, AddressError> {
    // Only the kind and the message: the context of an error may have the settings.
    Operator::new(builder).map_err(|error| AddressError::Engine(error.message().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Address, AddressError> {
        Address::of(text, &|_| None)
    }

    #[test]
    fn urls_name_engines() {
        let with_azure = |name: &str| (name == "AZURE_STORAGE_ACCOUNT_NAME").then(|| "account".to_owned());
        for (text, scheme, name, root) in [
            ("redis://h", "redis", "redis://h:6379", "/"),
            ("rediss://h:7/3/a/b", "redis", "rediss://h:7", "/a/b/"),
            ("redis://h/words", "redis", "redis://h:6379", "/words/"),
            ("http://h:81/a%20b", "webdav", "", "/a b/"),
            ("https://h", "webdav", "", "/"),
            ("s3://b/p?endpoint=http://127.0.0.1:9&region=eu-1", "s3", "b", "/p/"),
            ("gcs://b/p", "gcs", "b", "/p/"),
            ("azblob://c/p", "azblob", "c", "/p/"),
        ] {
            let address = Address::of(text, &with_azure).unwrap_or_else(|error| panic!("{text}: {error}"));
            let info = address.operator.info();
            assert_eq!((info.scheme(), &*info.name(), &*info.root()), (scheme, name, root), "{text}");
            assert!(!address.read_only && address.secrets.is_empty());
        }
        for (text, listens) in
            [("redis://[::1]", Some(("::1", 6379))), ("rediss://h:7", Some(("h", 7))), ("http://h", None)]
        {
            assert_eq!(read(text).unwrap().listens, listens.map(|(host, port)| (host.to_owned(), port)), "{text}");
        }
        assert!(read("redis://h?mode=ro").unwrap().read_only && !read("redis://h?mode=rw").unwrap().read_only);
    }

    #[test]
    fn other_urls_are_refused() {
        for (text, error) in [
            ("redis:", AddressError::NoHost),
            ("ftp://h", AddressError::Scheme("ftp".to_owned())),
            ("redis://h?frob=1", AddressError::Parameter("frob".to_owned())),
            ("redis://h?region=x", AddressError::Parameter("region".to_owned())),
            ("redis://h?mode=secret", AddressError::Value("mode".to_owned())),
            ("s3://b?endpoint=secret", AddressError::Value("endpoint".to_owned())),
            ("redis://h/99999999999999999999", AddressError::Value("database".to_owned())),
        ] {
            let found = read(text).err();
            assert!(!format!("{found:?}").contains("secret"));
            assert_eq!(found, Some(error), "{text}");
        }
        assert!(matches!(read("http://[x").err(), Some(AddressError::Syntax(_))));
    }

    #[test]
    fn credentials_are_known_to_be_secret() {
        let address = read("redis://user:p%40ss@h/1").unwrap();
        assert_eq!((&*address.shown, address.secrets), ("redis://h/1", vec!["p@ss".to_owned()]));
        let variable = |name: &str| name.starts_with("RADDLE_CACHE").then(|| format!("value of {name}"));
        let address = Address::of("http://h", &variable).unwrap();
        for name in [PASSWORD, TOKEN, "RADDLE_CACHE_KEY"] {
            assert!(address.secrets.contains(&format!("value of {name}")), "{name}");
        }
    }
}
