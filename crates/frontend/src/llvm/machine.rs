//! The NVPTX target: its data layout, pipelines of passes, PTX.

use super::api::{ASSEMBLY, BufferRef, DEFAULT, MachineRef, TargetRef};
use super::fatal;
use super::module::Module;
use super::value::Value;
use super::{Llvm, c};

/// The triple of all modules: 64-bit NVPTX with CUDA's driver interface.
pub const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// What code is generated for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineOptions {
    /// The architecture, such as `sm_90a`.
    pub arch: String,
    /// The PTX version as major * 10 + minor.
    pub ptx: u32,
    /// Optimisation level, 0 to 3.
    pub level: u8,
}

/// A target machine.
pub struct Machine {
    llvm: &'static Llvm,
    raw: MachineRef,
    layout: String,
    /// Architecture and PTX version, in words.
    name: String,
}

impl Machine {
    /// Creates one.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn new(llvm: &'static Llvm, options: &MachineOptions) -> Result<Machine, String> {
        let api = &llvm.api;
        let triple = c(TRIPLE);
        let (cpu, features) = (c(&options.arch), c(&format!("+ptx{}", options.ptx)));
        let (mut target, mut message) = (TargetRef::NULL, std::ptr::null_mut());
        // SAFETY: all pointers are valid for the calls.
        unsafe {
            if (api.LLVMGetTargetFromTriple)(triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(api.message(message));
            }
            let raw = (api.LLVMCreateTargetMachine)(
                target,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                options.level.into(),
                DEFAULT,
                DEFAULT,
            );
            let Some(raw) = raw.some() else { return Err(format!("no target machine for {}", options.arch)) };
            let layout = (api.LLVMCreateTargetDataLayout)(raw);
            let text = api.message((api.LLVMCopyStringRepOfTargetData)(layout));
            (api.LLVMDisposeTargetData)(layout);
            let name = format!("{} with PTX {}.{}", options.arch, options.ptx / 10, options.ptx % 10);
            Ok(Machine { llvm, raw, layout: text, name })
        }
    }

    /// The data layout of the target, as text.
    pub fn layout(&self) -> &str {
        &self.layout
    }

    /// The size of a variable in bytes.
    pub fn size_of(&self, variable: Value<'_>) -> u64 {
        let api = &self.llvm.api;
        // SAFETY: the value is a global value, which has a value type.
        unsafe {
            let layout = (api.LLVMCreateTargetDataLayout)(self.raw);
            let size = (api.LLVMABISizeOfType)(layout, (api.LLVMGlobalGetValueType)(variable.raw));
            (api.LLVMDisposeTargetData)(layout);
            size
        }
    }

    /// Runs a pipeline, in the syntax of `opt -passes`.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn run(&self, module: &mut Module<'_>, passes: &str) -> Result<(), String> {
        let api = &self.llvm.api;
        // SAFETY: the module belongs to the same library; the error's text is freed as required.
        unsafe {
            let options = (api.LLVMCreatePassBuilderOptions)();
            let error = (api.LLVMRunPasses)(module.raw, c(passes).as_ptr(), self.raw, options);
            (api.LLVMDisposePassBuilderOptions)(options);
            let Some(error) = error.some() else { return Ok(()) };
            let message = (api.LLVMGetErrorMessage)(error);
            let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
            (api.LLVMDisposeErrorMessage)(message);
            Err(text)
        }
    }

    /// Generates PTX; the module is changed and of no further use.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn emit(&self, module: Module<'_>) -> Result<String, String> {
        let api = &self.llvm.api;
        let (mut message, mut buffer) = (std::ptr::null_mut(), BufferRef::NULL);
        // SAFETY: the out parameters are valid.
        let failed = fatal::watched(&module, &self.name, || unsafe {
            (api.LLVMTargetMachineEmitToMemoryBuffer)(self.raw, module.raw, ASSEMBLY, &mut message, &mut buffer)
        });
        let message = api.message(message);
        if failed != 0 {
            return Err(module.cx.error(message));
        }
        Ok(String::from_utf8_lossy(&module.cx.take_buffer(buffer)).into_owned())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: created by `new` and disposed of once.
        unsafe { (self.llvm.api.LLVMDisposeTargetMachine)(self.raw) }
    }
}
