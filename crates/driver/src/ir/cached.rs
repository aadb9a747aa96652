//! Results of steps in the cache of the build.
//!
//! An entry is found by everything that its step reads: the library, its process-wide options, the
//! settings, and the input, a module or the bitcode of a part. After an edit of one function, the
//! parts that cannot see it have the bitcode that they had, and their PTX is not made again.
//!
//! A result with warnings is not stored, so that a build with a warm cache has the same messages; a
//! build that asks for remarks does not use the cache.

use super::tasks::Answer;
use super::workers::CallError;
use crate::cache::Cache;
use crate::key::{self, Key};
use raddle_frontend::protocol::Response;
use raddle_frontend::settings::Settings;
use std::path::Path;
use std::sync::Arc;

/// The cache of a build, if it has one.
pub(super) struct StepCache {
    cache: Option<Arc<Cache>>,
    /// The library and its options.
    library: String,
}

impl StepCache {
    /// `identity` returns what identifies the library and its options.
    pub fn new(cache: Option<Arc<Cache>>, identity: impl FnOnce() -> String) -> StepCache {
        let library = cache.as_ref().map(|_| identity()).unwrap_or_default();
        StepCache { cache, library }
    }

    /// Identifies a device library by its content.
    pub fn device_library(&self, path: Option<&Path>) -> Vec<u8> {
        match (&self.cache, path.map(std::fs::read)) {
            (Some(_), Some(Ok(bytes))) => blake3::hash(&bytes).as_bytes().to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the result of a step that reads `contents`: from the cache, with the response
    /// `found`, or from `make`.
    pub fn of(
        &self,
        step: &str,
        settings: &Settings,
        contents: &[&[u8]],
        found: Response,
        make: impl FnOnce() -> Result<Answer, CallError>,
    ) -> Result<Answer, CallError> {
        let Some(cache) = &self.cache else { return make() };
        let key = self.key(step, settings, contents);
        if let Some(bytes) = cache.get_step(&key) {
            return Ok((found, bytes));
        }
        let (response, bytes) = make()?;
        if response.said().is_some_and(|said| said.warnings.is_empty()) {
            cache.put_step(&key, &bytes);
        }
        Ok((response, bytes))
    }

    fn key(&self, step: &str, settings: &Settings, contents: &[&[u8]]) -> Key {
        let settings = format!("{settings:?}");
        let first = [step.as_bytes(), self.library.as_bytes(), settings.as_bytes()];
        key::of_step(first.into_iter().chain(contents.iter().copied()))
    }
}
