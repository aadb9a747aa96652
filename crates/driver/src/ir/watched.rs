//! The report of a build, with who watches the build.

use crate::progress::Progress;
use crate::report::Report;
use std::ops::{Deref, DerefMut};

/// A report that is being written, and the observer of its tasks.
pub(super) struct Watched<'a> {
    pub report: &'a mut Report,
    pub progress: &'a mut dyn Progress,
}

impl Deref for Watched<'_> {
    type Target = Report;

    fn deref(&self) -> &Report {
        self.report
    }
}

impl DerefMut for Watched<'_> {
    fn deref_mut(&mut self) -> &mut Report {
        self.report
    }
}
