//! Options for caches of compiled kernels, and `raddle cache`.

use super::numbers::{seconds, size};
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

/// Options for a cache of compiled kernels.
#[derive(Debug, Args)]
pub struct Caching {
    /// Cache of the objects of compiled kernels: a folder, or the URL of a remote cache (redis://,
    /// rediss://, http://, https://, s3://, gcs://, azblob://; `raddle cache --help` describes
    /// them). Given twice, with a folder and a URL, the folder is asked first and keeps what the
    /// server gives. The output is the same with and without it.
    #[arg(long, value_name = "DIR|URL", value_hint = ValueHint::AnyPath)]
    pub cache: Vec<PathBuf>,
    /// Never write to the remote cache (also `?mode=ro` in its URL).
    #[arg(long, requires = "cache")]
    pub cache_read_only: bool,
    /// Time limit of one request to the remote cache, and of the wait for unfinished writes at the
    /// end of the build. After three failures in a row it is not used any more.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub cache_timeout: Duration,
    /// The time that reads of the remote cache may take, of all workers together, hits included.
    /// After that it is not read any more. So no worker waits for answers longer than this, and the
    /// end of the build waits for writes at most --cache-timeout more.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub cache_max_wait: Duration,
}

const URLS: &str = "\
Remote caches, in programs with the feature `remote` (`cargo install raddle-cli --features remote`):
  redis://HOST[:PORT][/DB][/PREFIX]   rediss:// with TLS
  http://HOST[:PORT][/PREFIX]         https:// with TLS; a server that knows GET and PUT
  s3://BUCKET[/PREFIX]                ?endpoint=URL and ?region=NAME for other servers than Amazon's
  gcs://BUCKET[/PREFIX]               ?endpoint=URL
  azblob://CONTAINER[/PREFIX]         ?endpoint=URL
Each may have ?mode=ro. `dir:PATH` is a folder.

Environment:
  RADDLE_CACHE_USER, RADDLE_CACHE_PASSWORD, RADDLE_CACHE_TOKEN   for redis and http
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION           for s3; as AWS's tools have them
  GOOGLE_APPLICATION_CREDENTIALS                                 for gcs; as Google's tools have it
  AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_TOKEN   for azblob
  RADDLE_CACHE_KEY   a secret: entries are signed with it, and only entries signed with it are used";

/// `raddle cache`.
#[derive(Debug, Subcommand)]
#[command(after_help = URLS)]
pub enum Cache {
    /// Print the number of cached objects and their total size.
    Stats {
        /// The cache.
        #[arg(value_name = "DIR|URL", value_hint = ValueHint::AnyPath)]
        place: PathBuf,
    },
    /// Read and check all objects; damaged ones are an error.
    Verify {
        /// The cache.
        #[arg(value_name = "DIR|URL", value_hint = ValueHint::AnyPath)]
        place: PathBuf,
    },
    /// Remove the least recently used objects; from a remote cache, the oldest.
    Prune {
        /// The cache.
        #[arg(value_name = "DIR|URL", value_hint = ValueHint::AnyPath)]
        place: PathBuf,
        /// Maximum size to keep: bytes, or a number followed by K, M or G (powers of 1024).
        #[arg(long, value_name = "SIZE", value_parser = size)]
        max_size: u64,
    },
    /// Copy the objects of one cache that another does not have: of a folder to a remote cache, or
    /// the other way round.
    Warm {
        /// The cache with the objects.
        #[arg(value_name = "FROM", value_hint = ValueHint::AnyPath)]
        from: PathBuf,
        /// The cache that gets them.
        #[arg(value_name = "TO", value_hint = ValueHint::AnyPath)]
        to: PathBuf,
    },
}
