//! Source spans, diagnostics with stable codes, and their renderings: people, peers' lines, JSON.
#![forbid(unsafe_code)]
