//! The sink for a task's diagnostics: [`Diags`], owned by the task, appended to others in input
//! order.

use crate::{Class, Code, Diagnostic, Severity};

/// Rules for keeping diagnostics and for their severity. The default keeps all unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Keep [`Severity::Info`].
    pub infos: bool,
    /// Keep [`Severity::Warning`].
    pub warnings: bool,
    /// Codes whose warnings are not kept.
    pub without: &'static [Code],
    /// Turn every kept warning into an error.
    pub warnings_as_errors: bool,
    /// The most diagnostics kept with their text; later ones are only counted.
    pub limit: usize,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { infos: true, warnings: true, without: &[], warnings_as_errors: false, limit: 10_000 }
    }
}

/// The number of diagnostics of each severity in a sink (after its policy).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// [`Severity::Info`].
    pub infos: usize,
    /// [`Severity::Warning`].
    pub warnings: usize,
    /// [`Severity::Error`].
    pub errors: usize,
    /// [`Severity::Fatal`].
    pub fatals: usize,
}

impl Counts {
    fn of(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Info => &mut self.infos,
            Severity::Warning => &mut self.warnings,
            Severity::Error => &mut self.errors,
            Severity::Fatal => &mut self.fatals,
        }
    }
}

/// A collection of diagnostics in order of discovery.
#[derive(Clone, Debug, Default)]
pub struct Diags {
    list: Vec<Diagnostic>,
    counts: Counts,
    omitted: usize,
    worst: Option<Class>,
    policy: Policy,
}

impl Diags {
    /// Creates an empty sink that keeps everything.
    pub fn new() -> Diags {
        Diags::default()
    }

    /// Creates an empty sink with a policy.
    pub fn with_policy(policy: Policy) -> Diags {
        Diags { policy, ..Diags::default() }
    }

    /// Its policy; a task's sink copies it.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Info if !self.policy.infos => return,
            Severity::Warning if !self.policy.warnings || self.policy.without.contains(&diagnostic.code) => return,
            Severity::Warning if self.policy.warnings_as_errors => diagnostic.severity = Severity::Error,
            _ => {}
        }
        *self.counts.of(diagnostic.severity) += 1;
        if diagnostic.is_error() {
            self.worst = self.worst.max(Some(diagnostic.class()));
        }
        if self.list.len() < self.policy.limit {
            self.list.push(diagnostic);
        } else {
            self.omitted += 1;
        }
    }

    /// Appends the diagnostics of another sink, in order. Its policy has been applied already.
    pub fn append(&mut self, other: Diags) {
        for severity in [Severity::Info, Severity::Warning, Severity::Error, Severity::Fatal] {
            let mut counts = other.counts;
            *self.counts.of(severity) += *counts.of(severity);
        }
        self.omitted += other.omitted;
        self.worst = self.worst.max(other.worst);
        self.list.extend(other.list);
    }

    /// The kept diagnostics, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The kept diagnostics, in order.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }

    /// Mutable access to the kept diagnostics, to add context (function, shifted places).
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.list.iter_mut()
    }

    /// Moves every place by `base` bytes: from function-relative to file offsets.
    pub fn shift(&mut self, base: u32) {
        for label in self.list.iter_mut().flat_map(|diagnostic| &mut diagnostic.labels) {
            label.span = label.span.shifted(base);
        }
    }

    /// The number of each severity, including those beyond the limit.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The number of diagnostics that were counted but not kept.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Whether there is at least one error or fatal.
    pub fn has_errors(&self) -> bool {
        self.counts.errors + self.counts.fatals > 0
    }

    /// The greatest class among errors and fatals; determines the exit code.
    pub fn worst(&self) -> Option<Class> {
        self.worst
    }

    /// Whether there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.counts == Counts::default()
    }
}

impl Extend<Diagnostic> for Diags {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        iter.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    const INPUT: Code = Code::new(1, Class::Input);
    const UNSUPPORTED: Code = Code::new(2, Class::Unsupported);

    fn all(sink: &mut Diags) {
        sink.push(Diagnostic::info(INPUT, "i"));
        sink.push(Diagnostic::warning(INPUT, "w"));
        sink.push(Diagnostic::error(INPUT, "e"));
        sink.push(Diagnostic::fatal(UNSUPPORTED, "f"));
    }

    #[test]
    fn policy_filters_and_promotes() {
        let mut quiet = Diags::with_policy(Policy { infos: false, warnings: false, ..Policy::default() });
        all(&mut quiet);
        assert_eq!(quiet.counts(), Counts { infos: 0, warnings: 0, errors: 1, fatals: 1 });
        let mut strict = Diags::with_policy(Policy { warnings_as_errors: true, ..Policy::default() });
        strict.push(Diagnostic::warning(INPUT, "w"));
        assert!(strict.has_errors());
        let mut but_one = Diags::with_policy(Policy { without: &[INPUT], ..Policy::default() });
        all(&mut but_one);
        but_one.push(Diagnostic::warning(UNSUPPORTED, "another"));
        assert_eq!(but_one.counts(), Counts { infos: 1, warnings: 1, errors: 1, fatals: 1 });
        assert_eq!(strict.iter().next().unwrap().severity, Severity::Error);
    }

    #[test]
    fn worst_class_looks_at_errors_only() {
        let mut sink = Diags::new();
        sink.push(Diagnostic::warning(UNSUPPORTED, "w"));
        assert_eq!(sink.worst(), None);
        all(&mut sink);
        assert_eq!(sink.worst(), Some(Class::Unsupported));
    }

    #[test]
    fn limit_bounds_memory_and_keeps_counting() {
        let mut sink = Diags::with_policy(Policy { limit: 2, ..Policy::default() });
        all(&mut sink);
        assert_eq!((sink.iter().count(), sink.omitted()), (2, 2));
        assert!(sink.has_errors() && sink.worst() == Some(Class::Unsupported));
    }

    #[test]
    fn appending_keeps_order_and_sums() {
        let (mut a, mut b) = (Diags::new(), Diags::new());
        a.push(Diagnostic::error(INPUT, "first"));
        all(&mut b);
        a.append(b);
        assert_eq!(a.iter().map(|d| d.message.as_str()).collect::<Vec<_>>(), ["first", "i", "w", "e", "f"]);
        assert_eq!(a.counts().errors, 2);
    }
}
