//! Raddle's own interface. What the functions do is described in `include/raddle.h`.

use super::{Shared, bytes, guarded, handle, put, text};
use crate::own::{self, Made, Success};
use raddle::{Cancel, Error, ErrorKind, Options};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::Mutex;

/// The result of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Success = 0,
    /// The input has errors.
    Input = 1,
    /// Options contradict each other or the input, or an argument is wrong.
    Usage = 2,
    /// There is no code yet for something in the input.
    Unsupported = 3,
    /// A defect of the compiler.
    Internal = 4,
    /// The callback has cancelled the call.
    Cancelled = 5,
}

/// Something that was found; texts are those of its result.
#[repr(C)]
#[derive(Debug)]
pub struct Diagnostic {
    severity: c_int,
    code: *const c_char,
    message: *const c_char,
    file: *const c_char,
    line: usize,
    column: usize,
    function: *const c_char,
    text: *const c_char,
}

/// A kernel; its name is that of its result.
#[repr(C)]
#[derive(Debug)]
pub struct Kernel {
    name: *const c_char,
    registers: c_uint,
    shared_bytes: usize,
    stack_bytes: usize,
    spill_stores: c_uint,
    spill_loads: c_uint,
}

/// What a call has made. It does not change, so that threads may read it without a lock.
#[derive(Debug, Default)]
pub struct Outcome {
    cubin: Option<Vec<u8>>,
    diagnostics: Vec<Diagnostic>,
    kernels: Vec<Kernel>,
    /// The texts that the others point to.
    texts: Vec<CString>,
}

/// A callback: a number other than 0 cancels.
type Poll = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Options, and the callback.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    options: Options,
    poll: Option<(Poll, *mut c_void)>,
}

/// A linker, with what cancels it.
#[derive(Debug)]
pub struct Linking {
    /// `None` after the link.
    linker: Option<raddle::Linker>,
    cancel: Cancel,
    poll: Option<(Poll, *mut c_void)>,
}

type OptionsHandle = *mut Shared<Settings>;
type LinkerHandle = *mut Shared<Linking>;

impl Outcome {
    /// Keeps a text, and returns where it is.
    fn keep(&mut self, text: &str) -> *const c_char {
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        let place = text.as_ptr();
        self.texts.push(text);
        place
    }

    fn add(&mut self, found: &[raddle::Diagnostic]) {
        for found in found {
            let mut optional = |text: Option<&str>| text.map_or(ptr::null(), |text| self.keep(text));
            let (file, function) = (optional(found.file()), optional(found.function()));
            let made = Diagnostic {
                severity: own::severity(found.severity()),
                code: self.keep(found.code()),
                message: self.keep(found.message()),
                file,
                line: found.line().unwrap_or(0),
                column: found.column().unwrap_or(0),
                function,
                text: self.keep(&found.to_string()),
            };
            self.diagnostics.push(made);
        }
    }

    fn of(made: Result<&Success, &Error>) -> Outcome {
        let mut out = Outcome::default();
        match made {
            Ok(Success::Cubin(cubin)) => {
                out.add(cubin.diagnostics());
                for kernel in cubin.kernels() {
                    let (spill_stores, spill_loads) = kernel.spill_bytes().unwrap_or((0, 0));
                    let bytes = |count: Option<u64>| count.and_then(|count| usize::try_from(count).ok());
                    let made = Kernel {
                        name: out.keep(kernel.name()),
                        registers: kernel.registers(),
                        shared_bytes: bytes(Some(kernel.shared_bytes())).unwrap_or(usize::MAX),
                        stack_bytes: bytes(kernel.stack_bytes()).unwrap_or(usize::MAX),
                        spill_stores,
                        spill_loads,
                    };
                    out.kernels.push(made);
                }
                out.cubin = Some(cubin.bytes().to_vec());
            }
            Ok(Success::Found(found)) => out.add(found),
            Err(error) => out.add(error.diagnostics()),
        }
        out
    }
}

/// The status of an error.
fn status(error: &Error) -> Status {
    match error.kind() {
        ErrorKind::Input => Status::Input,
        ErrorKind::Usage => Status::Usage,
        ErrorKind::Unsupported => Status::Unsupported,
        ErrorKind::Cancelled => Status::Cancelled,
        _ => Status::Internal,
    }
}

/// Stores what a call has made, where a place is given for it.
///
/// # Safety
/// `result` is null or may be written.
unsafe fn finish(made: Option<Made>, result: *mut *mut Outcome) -> Status {
    let Some(made) = made else { return Status::Internal };
    if !result.is_null() {
        let outcome = Box::new(Outcome::of(made.as_ref()));
        // SAFETY: it is not null, and the caller of this function answers for it.
        unsafe { result.write(Box::into_raw(outcome)) };
    }
    made.as_ref().map_or_else(status, |_| Status::Success)
}

/// Runs a call, which may be cancelled by the callback, on this thread or beside it.
///
/// # Safety
/// The callback may be called with its payload.
unsafe fn polled<T: Send>(
    cancel: &Cancel,
    poll: Option<(Poll, *mut c_void)>,
    call: impl FnOnce() -> T + Send,
) -> Option<T> {
    match poll {
        // SAFETY: the caller of this function answers for it.
        Some((poll, payload)) => own::polled(cancel, Some(&mut || unsafe { poll(payload) } != 0), call),
        None => own::polled(cancel, None, call),
    }
}

/// Compiles or checks a module.
///
/// # Safety
/// As for the C functions.
unsafe fn module(
    options: OptionsHandle,
    (ptx, size): (*const c_char, usize),
    result: *mut *mut Outcome,
    call: fn(&str, &Options) -> Made,
) -> Status {
    guarded(Status::Internal, || {
        // SAFETY: the caller answers for the places.
        unsafe { put(result, ptr::null_mut()) };
        // SAFETY: the caller answers for the text.
        let Some(ptx) = (unsafe { bytes(ptx.cast(), size) }) else { return Status::Usage };
        let ptx = String::from_utf8_lossy(crate::ptx::text(ptx));
        // SAFETY: the caller answers for the handle. A copy of it: another call may use it meanwhile.
        let settings = unsafe { handle(options) }.map(|settings| settings.clone()).unwrap_or_default();
        let cancel = Cancel::new();
        let given = settings.options.cancel(&cancel);
        // SAFETY: the callback was given for this; the caller answers for the place.
        unsafe { finish(polled(&cancel, settings.poll, || call(&ptx, &given)), result) }
    })
}

/// The version.
#[unsafe(no_mangle)]
pub extern "C" fn raddle_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Makes options.
#[unsafe(no_mangle)]
pub extern "C" fn raddle_options_create() -> OptionsHandle {
    guarded(ptr::null_mut(), || Box::into_raw(Box::new(Mutex::new(Settings::default()))))
}

/// Destroys what a function of this interface made with a box.
///
/// # Safety
/// The pointer is null, or was made so and is not used afterwards.
unsafe fn dispose<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller answers for it.
        guarded((), || drop(unsafe { Box::from_raw(pointer) }));
    }
}

/// Destroys options.
///
/// # Safety
/// The handle is null, or valid and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_options_destroy(options: OptionsHandle) {
    // SAFETY: the caller answers for the handle.
    unsafe { dispose(options) };
}

/// Sets an option.
///
/// # Safety
/// The handle is null or valid; texts are null or end in a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_options_set(
    options: OptionsHandle,
    name: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: the caller answers for handle and texts.
    guarded(Status::Internal, || match unsafe { (handle(options), text(name), text(value)) } {
        (Some(mut settings), Some(name), Some(value)) => match own::set(settings.options.clone(), &name, &value) {
            Some(options) => {
                settings.options = options;
                Status::Success
            }
            None => Status::Usage,
        },
        _ => Status::Usage,
    })
}

/// Sets the callback.
///
/// # Safety
/// The handle is null or valid; the callback may be called with the payload by every call with the
/// options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_options_set_poll(
    options: OptionsHandle,
    poll: Option<Poll>,
    payload: *mut c_void,
) -> Status {
    // SAFETY: the caller answers for the handle.
    guarded(Status::Internal, || match unsafe { handle(options) } {
        Some(mut settings) => {
            settings.poll = poll.map(|poll| (poll, payload));
            Status::Success
        }
        None => Status::Usage,
    })
}

/// Compiles a module.
///
/// # Safety
/// The handle is null or valid, `ptx` has `size` bytes, `result` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_compile(
    options: OptionsHandle,
    ptx: *const c_char,
    size: usize,
    result: *mut *mut Outcome,
) -> Status {
    // SAFETY: the caller answers for all of it.
    unsafe { module(options, (ptx, size), result, own::compile) }
}

/// Checks a module.
///
/// # Safety
/// As for [`raddle_compile`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_check(
    options: OptionsHandle,
    ptx: *const c_char,
    size: usize,
    result: *mut *mut Outcome,
) -> Status {
    // SAFETY: the caller answers for all of it.
    unsafe { module(options, (ptx, size), result, own::check) }
}

/// Makes a linker.
///
/// # Safety
/// The handle is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_linker_create(options: OptionsHandle) -> LinkerHandle {
    guarded(ptr::null_mut(), || {
        // SAFETY: the caller answers for the handle.
        let Some(settings) = (unsafe { handle(options) }).map(|settings| settings.clone()) else {
            return ptr::null_mut();
        };
        let Some(arch) = settings.options.arch() else { return ptr::null_mut() };
        let cancel = Cancel::new();
        let linker = raddle::Linker::new(arch, settings.options.cancel(&cancel));
        let linking = Linking { linker: Some(linker), cancel, poll: settings.poll };
        Box::into_raw(Box::new(Mutex::new(linking)))
    })
}

/// Destroys a linker.
///
/// # Safety
/// The handle is null, or valid and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_linker_destroy(linker: LinkerHandle) {
    // SAFETY: the caller answers for the handle.
    unsafe { dispose(linker) };
}

/// Adds an input.
///
/// # Safety
/// The handle is null or valid, `name` is null or ends in a NUL, `data` has `size` bytes, `result` is
/// null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_linker_add(
    linker: LinkerHandle,
    name: *const c_char,
    data: *const c_void,
    size: usize,
    result: *mut *mut Outcome,
) -> Status {
    guarded(Status::Internal, || {
        // SAFETY: the caller answers for all of it.
        let (linking, name, data) = unsafe {
            put(result, ptr::null_mut());
            (handle(linker), text(name), bytes(data, size))
        };
        let (Some(mut linking), Some(name), Some(data)) = (linking, name, data) else { return Status::Usage };
        let (cancel, poll) = (linking.cancel.clone(), linking.poll);
        let Some(linker) = &mut linking.linker else { return Status::Usage };
        // SAFETY: the callback was given for this; the caller answers for the place.
        unsafe { finish(polled(&cancel, poll, || own::add(linker, &name, data)), result) }
    })
}

/// Links.
///
/// # Safety
/// The handle is null or valid, `result` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_linker_link(linker: LinkerHandle, result: *mut *mut Outcome) -> Status {
    guarded(Status::Internal, || {
        // SAFETY: the caller answers for handle and place.
        let linking = unsafe {
            put(result, ptr::null_mut());
            handle(linker)
        };
        let Some(mut linking) = linking else { return Status::Usage };
        let Some(linker) = linking.linker.take() else { return Status::Usage };
        // SAFETY: the callback was given for this; the caller answers for the place.
        unsafe { finish(polled(&linking.cancel, linking.poll, || linker.link().map(Success::Cubin)), result) }
    })
}

/// The cubin.
///
/// # Safety
/// The result is null or valid, `size` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_cubin(result: *const Outcome, size: *mut usize) -> *const c_void {
    // SAFETY: the caller answers for the result.
    let cubin = unsafe { result.as_ref() }.and_then(|outcome| outcome.cubin.as_deref());
    // SAFETY: the caller answers for the place.
    unsafe { put(size, cubin.map_or(0, <[u8]>::len)) };
    cubin.map_or(ptr::null(), |cubin| cubin.as_ptr().cast())
}

/// The number of diagnostics.
///
/// # Safety
/// The result is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_diagnostics(result: *const Outcome) -> usize {
    // SAFETY: the caller answers for the result.
    unsafe { result.as_ref() }.map_or(0, |outcome| outcome.diagnostics.len())
}

/// A diagnostic.
///
/// # Safety
/// The result is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_diagnostic(result: *const Outcome, index: usize) -> *const Diagnostic {
    // SAFETY: the caller answers for the result.
    unsafe { result.as_ref() }.and_then(|outcome| outcome.diagnostics.get(index)).map_or(ptr::null(), ptr::from_ref)
}

/// The number of kernels.
///
/// # Safety
/// The result is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_kernels(result: *const Outcome) -> usize {
    // SAFETY: the caller answers for the result.
    unsafe { result.as_ref() }.map_or(0, |outcome| outcome.kernels.len())
}

/// A kernel.
///
/// # Safety
/// The result is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_kernel(result: *const Outcome, index: usize) -> *const Kernel {
    // SAFETY: the caller answers for the result.
    unsafe { result.as_ref() }.and_then(|outcome| outcome.kernels.get(index)).map_or(ptr::null(), ptr::from_ref)
}

/// Destroys a result.
///
/// # Safety
/// The result is null, or valid and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raddle_result_destroy(result: *mut Outcome) {
    // SAFETY: the caller answers for the result.
    unsafe { dispose(result) };
}
