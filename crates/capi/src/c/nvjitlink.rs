//! nvJitLink of CUDA 13.0: PTX, cubins, fatbins, host objects, archives and LLVM IR to one cubin.
//!
//! What the functions do is described in `include/nvJitLink.h`. Each has two names: the plain one,
//! and one with the version of the interface, which programs compiled with NVIDIA's header use.

use super::{Shared, bytes, copy, create, destroy, guarded, handle, put, text, texts};
use crate::jitlink::{Code, Linker};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// A handle.
type Handle = *mut Shared<Linker>;

/// The name of an input without one.
const UNNAMED: &str = "<input>";

fn done(is_done: bool) -> Code {
    if is_done { Code::Success } else { Code::NullInput }
}

/// Runs a function of a handle.
///
/// # Safety
/// As for [`handle`].
unsafe fn with(linker: Handle, body: impl FnOnce(&mut Linker) -> Code) -> Code {
    // SAFETY: the caller of the C function answers for its handle.
    guarded(Code::Internal, || match unsafe { handle(linker) } {
        Some(mut linker) => body(&mut linker),
        None => Code::NullInput,
    })
}

/// Stores the size of a result.
///
/// # Safety
/// The place is null or may be written.
unsafe fn put_size(size: *mut usize, result: Result<&[u8], Code>) -> Code {
    match result {
        _ if size.is_null() => Code::NullInput,
        // SAFETY: the caller answers for the place.
        Ok(result) => done(unsafe { put(size, result.len()) }),
        Err(code) => code,
    }
}

/// Copies a result.
///
/// # Safety
/// The place is null or has room.
unsafe fn put_result(place: *mut c_void, result: Result<&[u8], Code>) -> Code {
    match result {
        _ if place.is_null() => Code::NullInput,
        // SAFETY: the caller answers for the place.
        Ok(result) => done(unsafe { copy(place, result) }),
        Err(code) => code,
    }
}

/// Defines a function under both of its names.
macro_rules! functions {
    ($($(#[$doc:meta])* $plain:ident $versioned:ident ($($name:ident: $ty:ty),*) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// A handle is null or valid, a text is null or ends in a NUL, and other pointers are null
        /// or have room for what is read or written there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $plain($($name: $ty),*) -> Code {
            // SAFETY: the caller answers for the arguments.
            unsafe { $body }
        }

        /// The same function under the name of its version.
        ///
        /// # Safety
        /// As for the plain name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $versioned($($name: $ty),*) -> Code {
            // SAFETY: the caller answers for the arguments.
            unsafe { $plain($($name),*) }
        }
    )*};
}

functions! {
    /// Makes a linker. It is made even if the options have errors, for the sake of its log.
    nvJitLinkCreate __nvJitLinkCreate_13_0 (linker: *mut Handle, count: u32, options: *const *const c_char) {
        guarded(Code::Internal, || {
            if options.is_null() {
                return Code::NullInput;
            }
            let Some(words) = texts(options, count as usize) else { return Code::NullInput };
            let words: Vec<&str> = words.iter().map(|word| &**word).collect();
            let (new, code) = Linker::new(&words);
            if create(linker, new) { code } else { Code::NullInput }
        })
    }

    /// Destroys a linker and stores null in its place.
    nvJitLinkDestroy __nvJitLinkDestroy_13_0 (linker: *mut Handle) {
        guarded(Code::Internal, || done(destroy(linker)))
    }

    /// Adds an input from memory. The name is for messages and may be null.
    nvJitLinkAddData __nvJitLinkAddData_13_0 (
        linker: Handle,
        kind: c_int,
        data: *const c_void,
        size: usize,
        name: *const c_char
    ) {
        with(linker, |linker| {
            if size == 0 {
                return Code::InvalidInput;
            }
            let Some(data) = bytes(data, size) else { return Code::NullInput };
            linker.add(kind, data, &text(name).unwrap_or(UNNAMED.into()))
        })
    }

    /// Adds an input from a file.
    nvJitLinkAddFile __nvJitLinkAddFile_13_0 (linker: Handle, kind: c_int, path: *const c_char) {
        with(linker, |linker| match text(path) {
            Some(path) => linker.add_file(kind, &path),
            None => Code::NullInput,
        })
    }

    /// Links all inputs.
    nvJitLinkComplete __nvJitLinkComplete_13_0 (linker: Handle) {
        with(linker, Linker::complete)
    }

    /// The size of the cubin, in bytes.
    nvJitLinkGetLinkedCubinSize __nvJitLinkGetLinkedCubinSize_13_0 (linker: Handle, size: *mut usize) {
        with(linker, |linker| put_size(size, linker.cubin()))
    }

    /// Copies the cubin.
    nvJitLinkGetLinkedCubin __nvJitLinkGetLinkedCubin_13_0 (linker: Handle, cubin: *mut c_void) {
        with(linker, |linker| put_result(cubin, linker.cubin()))
    }

    /// The size of the PTX, in bytes with its NUL.
    nvJitLinkGetLinkedPtxSize __nvJitLinkGetLinkedPtxSize_13_0 (linker: Handle, size: *mut usize) {
        with(linker, |linker| put_size(size, linker.ptx()))
    }

    /// Copies the PTX with its NUL.
    nvJitLinkGetLinkedPtx __nvJitLinkGetLinkedPtx_13_0 (linker: Handle, ptx: *mut c_char) {
        with(linker, |linker| put_result(ptx.cast(), linker.ptx()))
    }

    /// The size of the error log, in bytes with its NUL; 0 if it is empty.
    nvJitLinkGetErrorLogSize __nvJitLinkGetErrorLogSize_13_0 (linker: Handle, size: *mut usize) {
        with(linker, |linker| done(put(size, linker.errors().size())))
    }

    /// Copies the error log with its NUL, which is not counted in the size of an empty one.
    nvJitLinkGetErrorLog __nvJitLinkGetErrorLog_13_0 (linker: Handle, log: *mut c_char) {
        with(linker, |linker| done(copy(log.cast(), &linker.errors().bytes())))
    }

    /// The size of the info log, in bytes with its NUL; 0 if it is empty.
    nvJitLinkGetInfoLogSize __nvJitLinkGetInfoLogSize_13_0 (linker: Handle, size: *mut usize) {
        with(linker, |linker| done(put(size, linker.infos().size())))
    }

    /// Copies the info log with its NUL, which is not counted in the size of an empty one.
    nvJitLinkGetInfoLog __nvJitLinkGetInfoLog_13_0 (linker: Handle, log: *mut c_char) {
        with(linker, |linker| done(copy(log.cast(), &linker.infos().bytes())))
    }
}

/// The version of the interface. It has no other name.
///
/// # Safety
/// Pointers are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvJitLinkVersion(major: *mut c_uint, minor: *mut c_uint) -> Code {
    if major.is_null() || minor.is_null() {
        return Code::NullInput;
    }
    // SAFETY: the caller answers for the places.
    done(unsafe { put(major, 13) && put(minor, 0) })
}
