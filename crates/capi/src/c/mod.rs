//! The C functions: pointers in, values and error codes out.
//!
//! Only this folder has unsafe code (D29). Each function checks its pointers, takes the lock of its
//! handle and calls safe code.
//!
//! **Invariants.** No panic leaves a function: it becomes an error code, and nothing is printed. A
//! null pointer where the interface does not allow one is an error code, too. Two threads that use
//! one handle wait for each other.
#![allow(unsafe_code, reason = "the C interfaces (D29)")]

pub mod nvfatbin;
pub mod nvjitlink;
pub mod nvptxcompiler;
pub mod raddle;

use raddle_driver::host::{lock, panics};
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, MutexGuard};

/// Runs the body of a C function; a panic becomes `otherwise`.
fn guarded<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    panics::catch(body).unwrap_or(otherwise)
}

/// What a handle points to.
type Shared<T> = Mutex<T>;

/// Makes a handle and stores it at `place`; false for a null pointer.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn create<T>(place: *mut *mut Shared<T>, value: T) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: it is not null, and the caller of this function answers for it.
    unsafe { place.write(Box::into_raw(Box::new(Mutex::new(value)))) };
    true
}

/// Destroys the handle at `place` and stores null there; false if either is null.
///
/// # Safety
/// `place` is null, or points to null or to a handle of [`create`] that is not used afterwards.
unsafe fn destroy<T>(place: *mut *mut Shared<T>) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: it is not null, and the caller of this function answers for it.
    let handle = unsafe { place.replace(std::ptr::null_mut()) };
    if handle.is_null() {
        return false;
    }
    // SAFETY: it is a handle of `create`, which made it of a box, and is not used afterwards.
    drop(unsafe { Box::from_raw(handle) });
    true
}

/// Locks what a handle points to; `None` for a null pointer.
///
/// # Safety
/// The handle is null, or one of [`create`] that is not destroyed before the result is dropped.
unsafe fn handle<'a, T>(handle: *mut Shared<T>) -> Option<MutexGuard<'a, T>> {
    // SAFETY: as above.
    unsafe { handle.as_ref() }.map(|shared| lock::lock(shared))
}

/// The bytes at a place; `None` for a null pointer.
///
/// # Safety
/// `data` is null or has `size` bytes, which do not change before the result is dropped.
unsafe fn bytes<'a>(data: *const c_void, size: usize) -> Option<&'a [u8]> {
    if data.is_null() || isize::try_from(size).is_err() {
        return None;
    }
    // SAFETY: it is not null, and its size fits; the caller of this function answers for the rest.
    Some(unsafe { std::slice::from_raw_parts(data.cast(), size) })
}

/// A text; `None` for a null pointer. What is not UTF-8 is replaced.
///
/// # Safety
/// `text` is null or ends in a NUL, and does not change before the result is dropped.
unsafe fn text<'a>(text: *const c_char) -> Option<Cow<'a, str>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: it is not null, and the caller of this function answers for the rest.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy())
}

/// An array of texts; `None` if it or one of them is null. With `count` 0 it may be null.
///
/// # Safety
/// `array` is null or has `count` pointers as in [`text`].
unsafe fn texts<'a>(array: *const *const c_char, count: usize) -> Option<Vec<Cow<'a, str>>> {
    if count == 0 {
        return Some(Vec::new());
    }
    if array.is_null() {
        return None;
    }
    // SAFETY: there are `count` pointers, each as `text` demands.
    (0..count).map(|index| unsafe { text(array.add(index).read()) }).collect()
}

/// Stores a value; false for a null pointer.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn put<T>(place: *mut T, value: T) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: it is not null, and the caller of this function answers for the rest.
    unsafe { place.write(value) };
    true
}

/// Stores bytes; false for a null pointer.
///
/// # Safety
/// `place` is null or has room for all of them.
unsafe fn copy(place: *mut c_void, from: &[u8]) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: it is not null and has room, and a caller's memory is apart from ours.
    unsafe { place.cast::<u8>().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
    true
}
