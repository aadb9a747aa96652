//! nvPTXCompiler of CUDA 13.0: PTX to a cubin.
//!
//! What the functions do is described in `include/nvPTXCompiler.h`. Sources: NVIDIA's manual "PTX
//! Compiler API"; where it is silent, what `libnvptxcompiler_static.a` 13.0.88 does: a test runs
//! one program with both. Where that library crashes, as for a null pointer instead of the place of
//! a handle, the result here is an error code.

use super::{Shared, bytes, copy, create, destroy, guarded, handle, put, texts};
use crate::options::{Arch, Options};
use crate::ptx::{self, Logs, Outcome};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// The result of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NvPtxCompileResult {
    /// Done.
    Success = 0,
    /// The handle is null.
    InvalidCompilerHandle = 1,
    /// Another argument is invalid.
    InvalidInput = 2,
    /// Errors in the module or in the options: the error log has them.
    CompilationFailure = 3,
    /// A defect of the compiler.
    Internal = 4,
    /// No memory.
    OutOfMemory = 5,
    /// Nothing has been compiled with this handle.
    CompilerInvocationIncomplete = 6,
    /// The version of PTX is not supported.
    UnsupportedPtxVersion = 7,
    /// Not returned.
    UnsupportedDevsideSync = 8,
    /// The callback has cancelled the compilation.
    Cancelled = 9,
}

use NvPtxCompileResult as Code;

/// A callback: its first argument is the payload, the second is null; 1 cancels.
type Callback = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

/// A module and what became of it.
#[derive(Debug)]
pub struct Compiler {
    ptx: Vec<u8>,
    logs: Logs,
    program: Option<Vec<u8>>,
    callback: Option<(Callback, *mut c_void)>,
}

/// A handle.
type Handle = *mut Shared<Compiler>;

/// The versions of PTX that CUDA 13.0 supports, ascending (libnvptxcompiler_static.a 13.0.88): major
/// number, newest minor number.
const VERSIONS: [(c_int, c_int); 9] = [(1, 5), (2, 3), (3, 2), (4, 3), (5, 1), (6, 5), (7, 8), (8, 8), (9, 0)];

fn versions() -> Vec<[c_int; 2]> {
    // 3.2 is followed by 4.0, and so on.
    VERSIONS.iter().flat_map(|&(major, newest)| (0..=newest).map(move |minor| [major, minor])).collect()
}

fn done(is_done: bool) -> Code {
    if is_done { Code::Success } else { Code::InvalidInput }
}

/// Runs a function of a handle.
///
/// # Safety
/// As for [`handle`].
unsafe fn with(compiler: Handle, body: impl FnOnce(&mut Compiler) -> Code) -> Code {
    // SAFETY: the caller of the C function answers for its handle.
    guarded(Code::Internal, || match unsafe { handle(compiler) } {
        Some(mut compiler) => body(&mut compiler),
        None => Code::InvalidCompilerHandle,
    })
}

/// The version of the interface.
///
/// # Safety
/// Pointers are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetVersion(major: *mut c_uint, minor: *mut c_uint) -> Code {
    if major.is_null() || minor.is_null() {
        return Code::InvalidInput;
    }
    // SAFETY: the caller answers for the places.
    done(unsafe { put(major, 13) && put(minor, 0) })
}

/// The number of versions of PTX that are supported.
///
/// # Safety
/// The pointer is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetNumSupportedVersions(count: *mut c_int) -> Code {
    // SAFETY: the caller answers for the place.
    guarded(Code::Internal, || done(unsafe { put(count, versions().len() as c_int) }))
}

/// The versions of PTX that are supported, ascending.
///
/// # Safety
/// The pointer is null or has room for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetSupportedVersions(out: *mut [c_int; 2]) -> Code {
    guarded(Code::Internal, || {
        if out.is_null() {
            return Code::InvalidInput;
        }
        for (index, version) in versions().into_iter().enumerate() {
            // SAFETY: there is room for all versions.
            unsafe { out.add(index).write(version) };
        }
        Code::Success
    })
}

/// Makes a handle for a module.
///
/// # Safety
/// Pointers are null, or as their names say; `code` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerCreate(compiler: *mut Handle, size: usize, code: *const c_char) -> Code {
    guarded(Code::Internal, || {
        // SAFETY: the caller answers for the text.
        let Some(code) = (unsafe { bytes(code.cast(), size) }).filter(|code| !code.is_empty()) else {
            return Code::InvalidInput;
        };
        let ptx = ptx::text(code).to_vec();
        let new = Compiler { ptx, logs: Logs::default(), program: None, callback: None };
        // SAFETY: the caller answers for the place.
        done(unsafe { create(compiler, new) })
    })
}

/// Destroys a handle and stores null in its place.
///
/// # Safety
/// As for [`destroy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerDestroy(compiler: *mut Handle) -> Code {
    // SAFETY: the caller answers for the handle.
    guarded(Code::Internal, || match unsafe { destroy(compiler) } {
        true => Code::Success,
        false => Code::InvalidCompilerHandle,
    })
}

/// Compiles the module.
///
/// # Safety
/// The handle is null or valid; `options` has `count` texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerCompile(compiler: Handle, count: c_int, options: *const *const c_char) -> Code {
    // SAFETY: the caller answers for the handle and the options; the callback and its payload were
    // given for this.
    unsafe {
        with(compiler, |compiler| {
            let Some(words) = usize::try_from(count).ok().and_then(|count| texts(options, count)) else {
                return Code::InvalidInput;
            };
            let words: Vec<&str> = words.iter().map(|word| &**word).collect();
            let callback = compiler.callback;
            let mut ask = || callback.is_some_and(|(callback, payload)| callback(payload, std::ptr::null_mut()) == 1);
            compiler.compile(&words, &mut ask)
        })
    }
}

impl Compiler {
    fn compile(&mut self, words: &[&str], ask: &mut dyn FnMut() -> bool) -> Code {
        let Some(default) = Arch::read("sm_75") else { return Code::Internal };
        let mut options = Options::new(default);
        if let Err(message) = options.read(words) {
            self.logs.errors.line(&message);
            return Code::CompilationFailure;
        }
        let flow = if self.callback.is_some() { Some(ask) } else { None };
        match ptx::run(ptx::NAME, &self.ptx, &options, flow, &mut self.logs) {
            Outcome::Cubin(cubin) => {
                self.program = Some(cubin);
                Code::Success
            }
            // There is no program, which the interface has no other code for.
            Outcome::Checked | Outcome::Failed => Code::CompilationFailure,
            Outcome::Version => Code::UnsupportedPtxVersion,
            Outcome::Cancelled => Code::Cancelled,
            Outcome::Internal => Code::Internal,
        }
    }

    /// The program, or the reason why there is none.
    fn program(&self) -> Result<&[u8], Code> {
        self.program.as_deref().ok_or(Code::CompilerInvocationIncomplete)
    }
}

/// The size of the cubin, in bytes.
///
/// # Safety
/// The handle is null or valid, the pointer null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetCompiledProgramSize(compiler: Handle, size: *mut usize) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe {
        with(compiler, |compiler| match compiler.program() {
            _ if size.is_null() => Code::InvalidInput,
            Ok(program) => done(put(size, program.len())),
            Err(code) => code,
        })
    }
}

/// Copies the cubin.
///
/// # Safety
/// The handle is null or valid, the pointer null or with room for the cubin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetCompiledProgram(compiler: Handle, image: *mut c_void) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe {
        with(compiler, |compiler| match compiler.program() {
            _ if image.is_null() => Code::InvalidInput,
            Ok(program) => done(copy(image, program)),
            Err(code) => code,
        })
    }
}

/// The size of the error log, in bytes with its NUL; 0 if it is empty.
///
/// # Safety
/// The handle is null or valid, the pointer null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetErrorLogSize(compiler: Handle, size: *mut usize) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe { with(compiler, |compiler| done(put(size, compiler.logs.errors.size()))) }
}

/// Copies the error log with its NUL, which is not counted in the size of an empty one.
///
/// # Safety
/// The handle is null or valid, the pointer null or with room for the log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetErrorLog(compiler: Handle, log: *mut c_char) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe { with(compiler, |compiler| done(copy(log.cast(), &compiler.logs.errors.bytes()))) }
}

/// The size of the info log, in bytes with its NUL; 0 if it is empty.
///
/// # Safety
/// The handle is null or valid, the pointer null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetInfoLogSize(compiler: Handle, size: *mut usize) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe { with(compiler, |compiler| done(put(size, compiler.logs.infos.size()))) }
}

/// Copies the info log with its NUL, which is not counted in the size of an empty one.
///
/// # Safety
/// The handle is null or valid, the pointer null or with room for the log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerGetInfoLog(compiler: Handle, log: *mut c_char) -> Code {
    // SAFETY: the caller answers for handle and place.
    unsafe { with(compiler, |compiler| done(copy(log.cast(), &compiler.logs.infos.bytes()))) }
}

/// Sets the callback that may cancel a compilation. It is called on the thread that compiles.
///
/// # Safety
/// The handle is null or valid; the callback may be called with the payload as long as the handle
/// lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvPTXCompilerSetFlowCallback(
    compiler: Handle,
    callback: Option<Callback>,
    payload: *mut c_void,
) -> Code {
    // SAFETY: the caller answers for the handle.
    unsafe {
        with(compiler, |compiler| {
            let Some(callback) = callback else { return Code::InvalidInput };
            compiler.callback = Some((callback, payload));
            Code::Success
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_cuda_13() {
        let all = versions();
        assert_eq!((all.len(), all[0], all[43]), (44, [1, 0], [9, 0]));
        assert!(all.is_sorted());
    }
}
