//! The driver: whole compilations, inputs and what they contain, `MAKEFLAGS`, and objects from a cache.

use raddle_diag::Class;
use raddle_driver::cache;
use raddle_driver::compile::compile as build;
use raddle_driver::host::jobserver::MakeFlags;
use raddle_driver::input::{self, Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::request::Request;
use raddle_driver::unpack::unpack as modules;
use raddle_target::Target;

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

/// Takes modules out of any bytes, for an architecture and for the newest.
///
/// # Panics
/// When modules have no name, or a module is of a kind that is not compiled.
pub fn unpack(bytes: &[u8]) {
    for target in [None, Target::by_name("sm_86"), Target::by_name("sm_90a")] {
        match modules("f", bytes, target.into()) {
            Ok(found) => assert!(found.iter().all(|input| {
                let is_known = matches!(input.content, Content::Text(_) | Content::Bitcode(_) | Content::LtoIr(_));
                input.name.starts_with('f') && is_known
            })),
            Err(error) => assert!(error.message.contains("'f") && error.class() != Class::Internal),
        }
    }
}

/// Reads any bytes as an input.
///
/// # Panics
/// When text is not the bytes that were read.
pub fn input(bytes: &[u8]) {
    match input::of_bytes("f", bytes) {
        Ok(Content::Text(text) | Content::Ir(text)) => assert_eq!(text.as_bytes(), bytes),
        Ok(Content::Bitcode(read) | Content::LtoIr(read) | Content::Elf(read)) => assert_eq!(read, bytes),
        Err(error) => assert!(error.message.contains("'f'") && error.class() != Class::Internal),
    }
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
