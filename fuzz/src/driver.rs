//! The driver: whole compilations, `MAKEFLAGS`, and objects from a cache.

use raddle_diag::Class;
use raddle_driver::cache;
use raddle_driver::compile::compile as build;
use raddle_driver::host::jobserver::MakeFlags;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::request::Request;

/// Compiles any text, every kernel of it.
///
/// # Panics
/// When a kernel's compilation panicked or broke an invariant: whatever the text is, that is our defect.
pub fn compile(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let request = Request {
        inputs: vec![Input { name: "fuzz.ptx".into(), content: Content::Text(text) }],
        run: RunOptions { jobs: 1, keep_going: true, ..RunOptions::default() },
        ..Request::default()
    };
    let report = build(request, &mut ());
    let defect = report.diags.iter().find(|d| d.is_error() && d.class() == Class::Internal);
    assert!(defect.is_none(), "{:?}", defect.map(|d| &d.message));
    assert_eq!(report.cubin.is_some(), !report.diags.has_errors());
}

/// Reads any value of `MAKEFLAGS`.
pub fn makeflags(bytes: &[u8]) {
    std::hint::black_box(MakeFlags::parse(std::os::unix::ffi::OsStrExt::from_bytes(bytes)));
}

/// Reads any bytes as an object of a cache, with a right checksum in front too.
pub fn cached_object(bytes: &[u8]) {
    std::hint::black_box(cache::decode(bytes).is_some());
    if let Some(object) = cache::decode(&cache::sealed(bytes)) {
        assert_eq!(cache::decode(&cache::encode(&object)), Some(object));
    }
}
