//! nvFatbin of CUDA 13.0: PTX, cubins and LTO-IR to a fatbin.
//!
//! What the functions do is described in `include/nvFatbin.h`.

use super::{Shared, bytes, copy, create, destroy, guarded, handle, put, text, texts};
use crate::fatbin::{Builder, Code, TEXTS};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// A handle.
type Handle = *mut Shared<Builder>;

fn done(is_done: bool) -> Code {
    if is_done { Code::Success } else { Code::NullPointer }
}

/// Runs a function of a handle.
///
/// # Safety
/// As for [`handle`].
unsafe fn with(fatbin: Handle, body: impl FnOnce(&mut Builder) -> Code) -> Code {
    // SAFETY: the caller of the C function answers for its handle.
    guarded(Code::Internal, || match unsafe { handle(fatbin) } {
        Some(mut fatbin) => body(&mut fatbin),
        None => Code::NullPointer,
    })
}

fn code(result: Result<(), Code>) -> Code {
    result.err().unwrap_or(Code::Success)
}

/// The text for a code, which lives as long as the library; null for success.
#[unsafe(no_mangle)]
pub extern "C" fn nvFatbinGetErrorString(result: c_int) -> *const c_char {
    static ALL: OnceLock<Vec<CString>> = OnceLock::new();
    guarded(std::ptr::null(), || {
        if result == 0 {
            return std::ptr::null();
        }
        let all = ALL.get_or_init(|| {
            let texts = TEXTS.iter().chain(&["an unknown code"]);
            texts.map(|text| CString::new(*text).unwrap_or_default()).collect()
        });
        let known = usize::try_from(result).ok().and_then(|index| all[..TEXTS.len()].get(index));
        known.or(all.last()).map_or(std::ptr::null(), |text| text.as_ptr())
    })
}

/// The version of the interface.
///
/// # Safety
/// Pointers are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinVersion(major: *mut c_uint, minor: *mut c_uint) -> Code {
    if major.is_null() || minor.is_null() {
        return Code::NullPointer;
    }
    // SAFETY: the caller answers for the places.
    done(unsafe { put(major, 13) && put(minor, 0) })
}

/// Makes an empty fatbin.
///
/// # Safety
/// Pointers are null or valid; `options` has `count` texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinCreate(fatbin: *mut Handle, options: *mut *const c_char, count: usize) -> Code {
    guarded(Code::Internal, || {
        // SAFETY: the caller answers for the options.
        let Some(words) = (unsafe { texts(options.cast_const(), count) }) else { return Code::NullPointer };
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let (new, code) = Builder::new(&words);
        // SAFETY: the caller answers for the place.
        if unsafe { create(fatbin, new) } { code } else { Code::NullPointer }
    })
}

/// Destroys a fatbin and stores null in its place.
///
/// # Safety
/// As for [`destroy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinDestroy(fatbin: *mut Handle) -> Code {
    // SAFETY: the caller answers for the handle.
    guarded(Code::Internal, || done(unsafe { destroy(fatbin) }))
}

/// Adds PTX.
///
/// # Safety
/// The handle is null or valid, texts are null or end in a NUL, and `code` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinAddPTX(
    fatbin: Handle,
    ptx: *const c_char,
    size: usize,
    arch: *const c_char,
    identifier: *const c_char,
    options: *const c_char,
) -> Code {
    // SAFETY: the caller answers for the arguments.
    unsafe {
        with(fatbin, |fatbin| match (bytes(ptx.cast(), size), text(arch)) {
            (Some(ptx), Some(arch)) => {
                code(fatbin.ptx(ptx, &arch, &text(identifier).unwrap_or_default(), &text(options).unwrap_or_default()))
            }
            _ => Code::NullPointer,
        })
    }
}

/// Adds a cubin.
///
/// # Safety
/// The handle is null or valid, texts are null or end in a NUL, and `cubin` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinAddCubin(
    fatbin: Handle,
    cubin: *const c_void,
    size: usize,
    arch: *const c_char,
    identifier: *const c_char,
) -> Code {
    // SAFETY: the caller answers for the arguments.
    unsafe {
        with(fatbin, |fatbin| match (bytes(cubin, size), text(arch)) {
            (Some(cubin), Some(arch)) => code(fatbin.cubin(cubin, &arch, &text(identifier).unwrap_or_default())),
            _ => Code::NullPointer,
        })
    }
}

/// Adds LTO-IR.
///
/// # Safety
/// The handle is null or valid, texts are null or end in a NUL, and `ir` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinAddLTOIR(
    fatbin: Handle,
    ir: *const c_void,
    size: usize,
    arch: *const c_char,
    identifier: *const c_char,
    options: *const c_char,
) -> Code {
    // SAFETY: the caller answers for the arguments.
    unsafe {
        with(fatbin, |fatbin| match (bytes(ir, size), text(arch)) {
            (Some(ir), Some(arch)) => code(fatbin.lto_ir(
                ir,
                &arch,
                &text(identifier).unwrap_or_default(),
                &text(options).unwrap_or_default(),
            )),
            _ => Code::NullPointer,
        })
    }
}

/// Adds an index, which is not supported.
///
/// # Safety
/// The handle is null or valid, and `index` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinAddIndex(
    fatbin: Handle,
    index: *const c_void,
    size: usize,
    _identifier: *const c_char,
) -> Code {
    // SAFETY: the caller answers for the arguments.
    unsafe {
        with(fatbin, |_| match bytes(index, size) {
            Some(index) => code(Builder::index(index)),
            None => Code::NullPointer,
        })
    }
}

/// Adds the PTX of relocatable code in a host object.
///
/// # Safety
/// The handle is null or valid, and `object` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinAddReloc(fatbin: Handle, object: *const c_void, size: usize) -> Code {
    // SAFETY: the caller answers for the arguments.
    unsafe {
        with(fatbin, |fatbin| match bytes(object, size) {
            Some(object) => code(fatbin.relocatable(object)),
            None => Code::NullPointer,
        })
    }
}

/// The size of the fatbin, in bytes.
///
/// # Safety
/// The handle is null or valid, the pointer null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinSize(fatbin: Handle, size: *mut usize) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe { with(fatbin, |fatbin| done(put(size, fatbin.size()))) }
}

/// Copies the fatbin.
///
/// # Safety
/// The handle is null or valid, the pointer null or with room for the fatbin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvFatbinGet(fatbin: Handle, buffer: *mut c_void) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe {
        with(fatbin, |fatbin| match fatbin.get() {
            _ if buffer.is_null() => Code::NullPointer,
            Ok(all) => done(copy(buffer, &all)),
            Err(code) => code,
        })
    }
}
