//! Modules: parsed, linked, written.

use super::api::{BufferRef, FLAG_OVERRIDE, ModuleRef, RETURN_STATUS, ValueRef};
use super::c;
use super::context::Context;
use super::value::Value;
use crate::flags::{Flag, Rule};
use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A module of a context.
pub struct Module<'c> {
    pub(super) cx: &'c Context,
    pub(super) raw: ModuleRef,
}

impl Context {
    /// Reads a module: bitcode or textual IR, completely.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let (api, name) = (&self.llvm.api, c(name));
        let (mut module, mut message) = (ModuleRef::NULL, std::ptr::null_mut());
        // SAFETY: the buffer is a copy of `bytes`, and the parser takes it over.
        let failed = unsafe {
            let buffer =
                (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            (api.LLVMParseIRInContext)(self.raw, buffer, &mut module, &mut message)
        };
        let message = api.message(message);
        if failed != 0 {
            return Err(explained(self.error(message), self.llvm.version));
        }
        Ok(Module { cx: self, raw: module })
    }

    /// Reads the symbols of a module: of bitcode, no bodies of functions.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn parse_symbols(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        if !bytes.starts_with(b"BC") && !bytes.starts_with(b"\xde\xc0\x17\x0b") {
            return self.parse(name, bytes);
        }
        let api = &self.llvm.api;
        let mut module = ModuleRef::NULL;
        // SAFETY: the buffer is a copy of `bytes`, and the reader takes it over.
        let failed = unsafe {
            let (start, name) = (bytes.as_ptr().cast(), c(name));
            let buffer = (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(start, bytes.len(), name.as_ptr());
            (api.LLVMGetBitcodeModuleInContext2)(self.raw, buffer, &mut module)
        };
        if failed != 0 {
            return Err(explained(self.error("not LLVM bitcode".to_owned()), self.llvm.version));
        }
        Ok(Module { cx: self, raw: module })
    }

    /// Opens bitcode in a file, all of it or these bytes; bodies of functions are read when they are
    /// linked into another module.
    ///
    /// # Errors
    /// The file cannot be read, or LLVM's reason.
    pub fn open_lazily(&self, path: &Path, bytes: Option<Range<u64>>) -> Result<Module<'_>, String> {
        let buffer = match bytes {
            None => self.map(path)?,
            Some(bytes) => self.copy(path, bytes).map_err(|error| error.to_string())?,
        };
        let mut module = ModuleRef::NULL;
        // SAFETY: the buffer is valid, and the reader takes it over.
        if unsafe { (self.llvm.api.LLVMGetBitcodeModuleInContext2)(self.raw, buffer, &mut module) } != 0 {
            return Err(self.error("not LLVM bitcode".to_owned()));
        }
        Ok(Module { cx: self, raw: module })
    }

    /// A buffer that is a file, which LLVM maps if it is large.
    fn map(&self, path: &Path) -> Result<BufferRef, String> {
        let api = &self.llvm.api;
        let (mut buffer, mut message) = (BufferRef::NULL, std::ptr::null_mut());
        let path = c(&path.to_string_lossy());
        // SAFETY: the pointers are valid for the call.
        match unsafe { (api.LLVMCreateMemoryBufferWithContentsOfFile)(path.as_ptr(), &mut buffer, &mut message) } {
            0 => Ok(buffer),
            _ => Err(api.message(message)),
        }
    }

    /// A buffer with a copy of some bytes of a file.
    fn copy(&self, path: &Path, range: Range<u64>) -> io::Result<BufferRef> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        File::open(path)?.read_exact_at(&mut bytes, range.start)?;
        let name = c(&path.to_string_lossy());
        // SAFETY: the buffer is a copy of `bytes`.
        Ok(unsafe {
            (self.llvm.api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(bytes.as_ptr().cast(), bytes.len(), name.as_ptr())
        })
    }

    /// Creates an empty module.
    pub fn module(&self, name: &str) -> Module<'_> {
        // SAFETY: the context is alive.
        let raw = unsafe { (self.llvm.api.LLVMModuleCreateWithNameInContext)(c(name).as_ptr(), self.raw) };
        Module { cx: self, raw }
    }

    /// Copies a buffer of LLVM's and frees it.
    pub(super) fn take_buffer(&self, buffer: BufferRef) -> Vec<u8> {
        let api = &self.llvm.api;
        // SAFETY: the buffer is valid, and freed once.
        unsafe {
            let (start, size) = ((api.LLVMGetBufferStart)(buffer), (api.LLVMGetBufferSize)(buffer));
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec();
            (api.LLVMDisposeMemoryBuffer)(buffer);
            bytes
        }
    }
}

/// Adds to the reason for which bitcode cannot be read that it is newer than the library, if so:
/// LLVM names the version that wrote it.
fn explained(why: String, (major, minor, patch): (u32, u32, u32)) -> String {
    let writer = why.split_once("Producer: 'LLVM").and_then(|(_, rest)| rest.split('\'').next()).map(str::trim);
    let newer = |writer: &&str| writer.split('.').next().is_some_and(|n| n.parse().is_ok_and(|n: u32| n > major));
    match writer.filter(newer) {
        Some(writer) => format!(
            "it was written by LLVM {writer}, and the library is LLVM {major}.{minor}.{patch}, which reads no newer \
             bitcode: name a newer library with --llvm, or write the bitcode with an older LLVM ({})",
            why.trim()
        ),
        None => why,
    }
}

/// The named metadata that module flags are in.
pub(crate) const FLAGS: &str = "llvm.module.flags";

/// Iterates over a list of the C API: a function for its first element, and one for the next.
macro_rules! list {
    ($(#[$doc:meta])* $name:ident, $first:ident, $next:ident) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = Value<'_>> {
            let api = &self.cx.llvm.api;
            // SAFETY: the module is alive for the life of the iterator.
            let first = unsafe { (api.$first)(self.raw) }.some();
            // SAFETY: values cannot be deleted while their module is borrowed.
            let next = |raw| unsafe { (api.$next)(raw) }.some();
            std::iter::successors(first, move |&raw| next(raw)).map(|raw| Value::new(self.cx, raw))
        }
    };
}

impl<'c> Module<'c> {
    list!(
        /// Its functions, declarations and intrinsics included.
        functions, LLVMGetFirstFunction, LLVMGetNextFunction
    );
    list!(
        /// Its variables.
        variables, LLVMGetFirstGlobal, LLVMGetNextGlobal
    );
    list!(
        /// Its aliases.
        aliases, LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias
    );

    list!(
        /// Its functions that are chosen when a program is loaded.
        ifuncs, LLVMGetFirstGlobalIFunc, LLVMGetNextGlobalIFunc
    );

    /// All global values: functions, variables, aliases.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        self.functions().chain(self.variables()).chain(self.aliases())
    }

    /// The triple.
    pub fn triple(&self) -> String {
        // SAFETY: the text belongs to the module.
        unsafe { CStr::from_ptr((self.cx.llvm.api.LLVMGetTarget)(self.raw)) }.to_string_lossy().into_owned()
    }

    /// The data layout.
    pub fn layout(&self) -> String {
        // SAFETY: as in `triple`.
        unsafe { CStr::from_ptr((self.cx.llvm.api.LLVMGetDataLayoutStr)(self.raw)) }.to_string_lossy().into_owned()
    }

    /// Sets triple and data layout.
    pub fn set_target(&mut self, triple: &str, layout: &str) {
        // SAFETY: the texts are copied.
        unsafe {
            (self.cx.llvm.api.LLVMSetTarget)(self.raw, c(triple).as_ptr());
            (self.cx.llvm.api.LLVMSetDataLayout)(self.raw, c(layout).as_ptr());
        }
    }

    /// Its inline assembly outside of functions.
    pub fn assembly(&self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the module and has this length.
        let bytes = unsafe {
            let start = (self.cx.llvm.api.LLVMGetModuleInlineAsm)(self.raw, &mut len);
            if len == 0 { &[] } else { std::slice::from_raw_parts(start.cast::<u8>(), len) }
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Removes its inline assembly outside of functions.
    pub fn drop_assembly(&mut self) {
        // SAFETY: a text of no bytes.
        unsafe { (self.cx.llvm.api.LLVMSetModuleInlineAsm2)(self.raw, c"".as_ptr(), 0) }
    }

    /// The name of the source file.
    pub fn source_name(&self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the module and has this length.
        let bytes = unsafe {
            let start = (self.cx.llvm.api.LLVMGetSourceFileName)(self.raw, &mut len);
            if len == 0 { &[] } else { std::slice::from_raw_parts(start.cast::<u8>(), len) }
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Sets the identifier and the name of the source file.
    pub fn set_name(&mut self, name: &str) {
        // SAFETY: the text is copied.
        unsafe {
            (self.cx.llvm.api.LLVMSetModuleIdentifier)(self.raw, name.as_ptr().cast(), name.len());
            (self.cx.llvm.api.LLVMSetSourceFileName)(self.raw, name.as_ptr().cast(), name.len());
        }
    }

    /// Sets a module flag to a 32-bit number.
    pub fn set_flag(&mut self, name: &str, value: u32) {
        let api = &self.cx.llvm.api;
        let flags = self.nodes(FLAGS);
        let is_it = |flag: &Vec<Option<Value<'_>>>| matches!(&flag[..], [_, Some(key), Some(_)] if key.metadata_string().as_deref() == Some(name));
        let known = self.metadata(FLAGS).iter().position(is_it).map(|at| flags[at]);
        // SAFETY: the constant and its metadata belong to this context; a known flag has a value.
        unsafe {
            let value = (api.LLVMConstInt)((api.LLVMInt32TypeInContext)(self.cx.raw), value.into(), 0);
            let value = (api.LLVMValueAsMetadata)(value);
            if let Some(flag) = known {
                (api.LLVMReplaceMDNodeOperandWith)(flag, 2, value);
                return;
            }
            (api.LLVMAddModuleFlag)(self.raw, FLAG_OVERRIDE, name.as_ptr().cast(), name.len(), value);
        }
    }

    /// The value of a module flag that is a number.
    pub fn flag(&self, name: &str) -> Option<u64> {
        self.metadata(FLAGS).into_iter().find_map(|flag| match &flag[..] {
            [_, Some(key), Some(value)] if key.metadata_string().as_deref() == Some(name) => value.integer(),
            _ => None,
        })
    }

    /// The module flags that another module must not contradict.
    pub fn flags(&self) -> Vec<Flag> {
        let of = |flag: Vec<Option<Value<'_>>>| {
            let [Some(rule), Some(name), Some(value)] = flag[..] else { return None };
            // The numbers of the language reference, not those of the C API.
            let rule = match rule.integer()? {
                1 => Rule::Error,
                4 => Rule::Override,
                _ => return None,
            };
            let value = value.integer().map(|n| n.to_string()).or_else(|| value.metadata_string())?;
            Some(Flag { name: name.metadata_string()?, rule, value })
        };
        self.metadata(FLAGS).into_iter().filter_map(of).collect()
    }

    /// Returns a function.
    pub fn function(&self, name: &str) -> Option<Value<'_>> {
        // SAFETY: the name is valid for the call.
        let raw = unsafe { (self.cx.llvm.api.LLVMGetNamedFunction)(self.raw, c(name).as_ptr()) };
        raw.some().map(|raw| Value::new(self.cx, raw))
    }

    /// Returns a function, variable or alias.
    pub fn global(&self, name: &str) -> Option<Value<'_>> {
        let api = &self.cx.llvm.api;
        // SAFETY: the name is valid for the calls.
        let raw = unsafe {
            let text = c(name);
            (api.LLVMGetNamedFunction)(self.raw, text.as_ptr())
                .some()
                .or_else(|| (api.LLVMGetNamedGlobal)(self.raw, text.as_ptr()).some())
                .or_else(|| (api.LLVMGetNamedGlobalAlias)(self.raw, name.as_ptr().cast(), name.len()).some())
        };
        raw.map(|raw| Value::new(self.cx, raw))
    }

    /// Deletes a variable that nothing uses, such as `llvm.used`; returns whether it existed.
    pub fn delete_variable(&mut self, name: &str) -> bool {
        let api = &self.cx.llvm.api;
        // SAFETY: no value borrows the module now, and a variable without uses may be deleted.
        unsafe {
            let Some(raw) = (api.LLVMGetNamedGlobal)(self.raw, c(name).as_ptr()).some() else { return false };
            let unused = (api.LLVMGetFirstUse)(raw).some().is_none();
            if unused {
                (api.LLVMDeleteGlobal)(raw);
            }
            unused
        }
    }

    /// Replaces calls in this module by numbers: for every call of `callee`, `value` decides.
    pub fn fold_calls(&mut self, callee: &str, value: impl Fn(Value<'_>) -> Option<u64>) {
        let api = &self.cx.llvm.api;
        let Some(function) = self.function(callee) else { return };
        let calls: Vec<_> = function.users().filter(|user| user.is_call_of(function)).collect();
        let folded: Vec<_> = calls.into_iter().filter_map(|call| Some((call.raw, value(call)?))).collect();
        for (call, value) in folded {
            // SAFETY: the calls are different instructions of this module; each is erased after its
            // last use.
            unsafe {
                let value = (api.LLVMConstInt)((api.LLVMTypeOf)(call), value, 0);
                (api.LLVMReplaceAllUsesWith)(call, value);
                (api.LLVMInstructionEraseFromParent)(call);
            }
        }
    }

    /// Adds a node of a global value, a name and a 32-bit number to named metadata.
    pub fn annotate(&self, list: &str, value: Value<'_>, key: &str, number: u32) {
        self.add_node(list, value, key, self.number(number));
    }

    /// Adds a node of a global value, a name and a list of 32-bit numbers to named metadata.
    pub fn annotate_list(&self, list: &str, value: Value<'_>, key: &str, numbers: &[u32]) {
        let mut numbers: Vec<ValueRef> = numbers.iter().map(|&number| self.number(number)).collect();
        // SAFETY: the numbers belong to this context, and are copied.
        let numbers =
            unsafe { (self.cx.llvm.api.LLVMMDNodeInContext)(self.cx.raw, numbers.as_mut_ptr(), numbers.len() as u32) };
        self.add_node(list, value, key, numbers);
    }

    /// A 32-bit number of this context.
    fn number(&self, number: u32) -> ValueRef {
        let api = &self.cx.llvm.api;
        // SAFETY: the context is alive.
        unsafe { (api.LLVMConstInt)((api.LLVMInt32TypeInContext)(self.cx.raw), number.into(), 0) }
    }

    fn add_node(&self, list: &str, value: Value<'_>, key: &str, content: ValueRef) {
        let api = &self.cx.llvm.api;
        // SAFETY: all values belong to this context, and the texts are copied.
        unsafe {
            let key = (api.LLVMMDStringInContext)(self.cx.raw, key.as_ptr().cast(), key.len() as u32);
            let mut operands = [value.raw, key, content];
            let node = (api.LLVMMDNodeInContext)(self.cx.raw, operands.as_mut_ptr(), operands.len() as u32);
            (api.LLVMAddNamedMetadataOperand)(self.raw, c(list).as_ptr(), node);
        }
    }

    /// The nodes of named metadata.
    fn nodes(&self, name: &str) -> Vec<ValueRef> {
        let api = &self.cx.llvm.api;
        let name = c(name);
        // SAFETY: the buffer has the size that the C API asks for.
        unsafe {
            let count = (api.LLVMGetNamedMetadataNumOperands)(self.raw, name.as_ptr()) as usize;
            let mut nodes = vec![ValueRef::NULL; count];
            (api.LLVMGetNamedMetadataOperands)(self.raw, name.as_ptr(), nodes.as_mut_ptr());
            nodes
        }
    }

    /// Returns the operands of every node of named metadata.
    pub fn metadata(&self, name: &str) -> Vec<Vec<Option<Value<'_>>>> {
        let api = &self.cx.llvm.api;
        let nodes = self.nodes(name);
        // SAFETY: the buffers have the sizes that the C API asks for.
        unsafe {
            let operands = |node| {
                let count = (api.LLVMGetMDNodeNumOperands)(node) as usize;
                let mut operands = vec![ValueRef::NULL; count];
                (api.LLVMGetMDNodeOperands)(node, operands.as_mut_ptr());
                operands.into_iter().map(|raw| raw.some().map(|raw| Value::new(self.cx, raw))).collect()
            };
            nodes.into_iter().map(operands).collect()
        }
    }

    /// Links another module of the same context into this one.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: both belong to one context; the linker takes the other module over.
        let failed = unsafe { (self.cx.llvm.api.LLVMLinkModules2)(self.raw, raw) };
        if failed != 0 { Err(self.cx.error("the modules cannot be linked".to_owned())) } else { Ok(()) }
    }

    /// Checks the rules of LLVM IR; a module that was read may break those that no reader checks.
    ///
    /// # Errors
    /// The first rule that is broken, and where.
    pub fn verify(&self) -> Result<(), String> {
        let api = &self.cx.llvm.api;
        let mut message = std::ptr::null_mut();
        // SAFETY: the module is alive, and the out parameter is valid.
        let broken = unsafe { (api.LLVMVerifyModule)(self.raw, RETURN_STATUS, &mut message) };
        let message = api.message(message);
        if broken != 0 { Err(message) } else { Ok(()) }
    }

    /// Removes debug information.
    pub fn strip_debug(&mut self) {
        // SAFETY: the module is alive.
        unsafe { (self.cx.llvm.api.LLVMStripModuleDebugInfo)(self.raw) };
    }

    /// Its bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is alive and complete.
        self.cx.take_buffer(unsafe { (self.cx.llvm.api.LLVMWriteBitcodeToMemoryBuffer)(self.raw) })
    }

    /// Its text.
    pub fn text(&self) -> String {
        // SAFETY: the module is alive and complete.
        let text = unsafe { (self.cx.llvm.api.LLVMPrintModuleToString)(self.raw) };
        self.cx.llvm.api.message(text)
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: created once; `link` forgets modules that the linker has taken over.
        unsafe { (self.cx.llvm.api.LLVMDisposeModule)(self.raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::explained;

    #[test]
    fn newer_bitcode_is_told_from_bitcode_that_is_broken() {
        let newer = "x: error: Unknown attribute kind (102) (Producer: 'LLVM22.1.2-rust-1.95.0' Reader: 'LLVM 19.1.7')";
        let said = explained(format!("{newer}\n"), (19, 1, 7));
        assert!(!said.contains('\n'), "{said:?}");
        assert!(
            said.starts_with("it was written by LLVM 22.1.2-rust-1.95.0, and the library is LLVM 19.1.7"),
            "{said}"
        );
        for other in [newer.replace("LLVM22", "LLVM19"), "file too small".to_owned()] {
            assert_eq!(explained(other.clone(), (19, 1, 7)), other);
        }
    }
}
