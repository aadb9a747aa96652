//! File tests: directives, runners, bless.
#![forbid(unsafe_code)]
