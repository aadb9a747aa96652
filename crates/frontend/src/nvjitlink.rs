//! NVIDIA's LTO-IR to PTX through nvJitLink, a library of the CUDA toolkit that is loaded at run
//! time (decision D23: foreign functions).
//!
//! LTO-IR (`nvcc -dlto`) has no public definition, and no other library reads it. Functions and
//! numbers are those of `nvJitLink.h`, CUDA 13.0; the versions since CUDA 12.0 have the same ones.

#![allow(unsafe_code, reason = "the C API of nvJitLink (decision D23)")]

use crate::llvm::LoadError;
use crate::steps::{Said, StepError};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

/// `nvJitLinkHandle`.
type Handle = *mut c_void;
/// `nvJitLinkResult`: 0 is success.
type Status = c_int;
/// `NVJITLINK_INPUT_LTOIR` and `NVJITLINK_INPUT_FATBIN`.
const LTO_IR: c_int = 3;
const FATBIN: c_int = 4;
/// The first bytes of a fatbin.
const FATBIN_MAGIC: &[u8] = b"\x50\xed\x55\xba";

type Create = unsafe extern "C" fn(*mut Handle, u32, *const *const c_char) -> Status;
type Destroy = unsafe extern "C" fn(*mut Handle) -> Status;
type AddData = unsafe extern "C" fn(Handle, c_int, *const c_void, usize, *const c_char) -> Status;
type Complete = unsafe extern "C" fn(Handle) -> Status;
/// Functions that return the size of a text with its NUL, and those that copy it.
type Size = unsafe extern "C" fn(Handle, *mut usize) -> Status;
type Copy = unsafe extern "C" fn(Handle, *mut c_char) -> Status;

/// A loaded library.
pub struct NvJitLink {
    create: Create,
    destroy: Destroy,
    add_data: AddData,
    complete: Complete,
    ptx: (Size, Copy),
    error_log: (Size, Copy),
    info_log: (Size, Copy),
    _library: libloading::Library,
}

impl NvJitLink {
    /// Loads a library.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(path: &Path) -> Result<NvJitLink, LoadError> {
        let shown = || path.display().to_string();
        // SAFETY: the constructors of the library have no requirements of their caller.
        let library =
            unsafe { libloading::Library::new(path) }.map_err(|source| LoadError::Open { path: shown(), source })?;
        /// The function with this name.
        macro_rules! function {
            ($name:literal, $type:ty) => {{
                // SAFETY: the type is that of the function in the header.
                let symbol = unsafe { library.get::<$type>($name.as_bytes()) };
                *symbol.map_err(|_| LoadError::Missing {
                    path: shown(),
                    name: $name,
                    library: "nvJitLink of CUDA 12 or newer",
                })?
            }};
        }
        Ok(NvJitLink {
            create: function!("nvJitLinkCreate", Create),
            destroy: function!("nvJitLinkDestroy", Destroy),
            add_data: function!("nvJitLinkAddData", AddData),
            complete: function!("nvJitLinkComplete", Complete),
            ptx: (function!("nvJitLinkGetLinkedPtxSize", Size), function!("nvJitLinkGetLinkedPtx", Copy)),
            error_log: (function!("nvJitLinkGetErrorLogSize", Size), function!("nvJitLinkGetErrorLog", Copy)),
            info_log: (function!("nvJitLinkGetInfoLogSize", Size), function!("nvJitLinkGetInfoLog", Copy)),
            _library: library,
        })
    }

    /// Optimises named inputs, files of LTO-IR and fatbins of it, as one program; returns its PTX. `options` are those of
    /// nvJitLink, such as `-arch=sm_90`, and `-lto -ptx` comes with them.
    ///
    /// # Errors
    /// The library refuses an option or an input.
    pub fn link(&self, options: &[String], inputs: &[(&str, &[u8])]) -> Result<(String, Said), StepError> {
        let words = ["-lto", "-ptx"].into_iter().chain(options.iter().map(String::as_str));
        let words: Vec<CString> = words.map(text).collect();
        let pointers: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
        let mut link = Link { library: self, handle: ptr::null_mut() };
        let count = u32::try_from(pointers.len()).unwrap_or(u32::MAX);
        // SAFETY: the pointers are valid for the call.
        let status = unsafe { (self.create)(&mut link.handle, count, pointers.as_ptr()) };
        link.check(status, "")?;
        for (name, bytes) in inputs {
            let c_name = text(name);
            let kind = if bytes.starts_with(FATBIN_MAGIC) { FATBIN } else { LTO_IR };
            // SAFETY: the handle was made above; the other pointers are valid for the call, and the
            // library copies what it keeps ("the data can be freed after the call", nvJitLink manual).
            let status =
                unsafe { (self.add_data)(link.handle, kind, bytes.as_ptr().cast(), bytes.len(), c_name.as_ptr()) };
            link.check(status, &format!("'{name}': "))?;
        }
        // SAFETY: the handle was made above.
        let status = unsafe { (self.complete)(link.handle) };
        link.check(status, "")?;
        let ptx = link.text(self.ptx).ok_or_else(|| StepError::Refused("nvJitLink returned no PTX".to_owned()))?;
        let warnings = link.text(self.info_log).unwrap_or_default();
        let warnings = warnings.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        Ok((ptx, Said { warnings, remarks: Vec::new() }))
    }
}

/// A link in progress.
struct Link<'a> {
    library: &'a NvJitLink,
    handle: Handle,
}

impl Link<'_> {
    /// The error for a status, with what the library logged.
    fn check(&self, status: Status, what: &str) -> Result<(), StepError> {
        if status == 0 {
            return Ok(());
        }
        let log = self.text(self.library.error_log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let name = ERRORS.get(status as usize).copied().unwrap_or("unknown error");
        let said = if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) };
        Err(StepError::Refused(format!("{what}nvJitLink: {name} ({status}){said}")))
    }

    /// A text of the library; `None` if there is none.
    fn text(&self, (size, copy): (Size, Copy)) -> Option<String> {
        // The functions do not check it.
        if self.handle.is_null() {
            return None;
        }
        let mut length = 0;
        // SAFETY: the handle is one of this library, and the pointer is valid for the call.
        if unsafe { size(self.handle, &mut length) } != 0 {
            return None;
        }
        let mut bytes = vec![0u8; length.checked_add(1)?];
        // SAFETY: the buffer has the size that the library asked for.
        if unsafe { copy(self.handle, bytes.as_mut_ptr().cast()) } != 0 {
            return None;
        }
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        bytes.truncate(end);
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the handle is one of this library and not used afterwards. It returns an error
            // only for a handle that is none.
            unsafe { (self.library.destroy)(&mut self.handle) };
        }
    }
}

/// What the values of `nvJitLinkResult` mean.
const ERRORS: &[&str] = &[
    "no error",
    "unknown option",
    "no architecture",
    "invalid input",
    "PTX is not accepted",
    "the LTO-IR is not accepted",
    "internal error",
    "threads cannot be used",
    "unknown input",
    "finalizer error",
    "no input",
    "options contradict each other",
    "input of another kind",
    "input for another architecture",
    "the library is older than the input",
    "no member of the fatbin fits",
    "unknown architecture",
    "unsupported architecture",
    "link-time optimisation is off",
];

/// A text for the C API; it ends at a NUL byte.
fn text(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}
