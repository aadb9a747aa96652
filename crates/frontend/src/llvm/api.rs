//! The functions of LLVM's C API that are used here, as a table that is filled when the library is
//! loaded.
//!
//! Types are those of `llvm-c/*.h` of LLVM 19 to 22. Every function of the table must exist: a
//! library that lacks one is refused by its name.

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::path::Path;

/// Why a library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The dynamic linker refused it.
    #[error("cannot load '{path}': {source}")]
    Open {
        /// The library.
        path: String,
        /// The dynamic linker's reason.
        source: libloading::Error,
    },
    /// A function of the C API is missing.
    #[error("'{path}' has no function {name}: it is not {library}")]
    Missing {
        /// The library.
        path: String,
        /// The function.
        name: &'static str,
        /// The library that has it.
        library: &'static str,
    },
}

/// The library that has all functions.
const LIBRARY: &str = "an LLVM of version 19 or newer with NVPTX";

/// Declares pointer types of the C API.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        /// An object of LLVM; null where the C API has none to give.
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(*mut c_void);

        impl $name {
            #[allow(dead_code, reason = "not every type needs it")]
            /// No object.
            pub const NULL: $name = $name(std::ptr::null_mut());

            #[allow(dead_code, reason = "not every type needs it")]
            /// The object, unless it is null.
            pub fn some(self) -> Option<$name> {
                (!self.0.is_null()).then_some(self)
            }
        }
    )*};
}

opaque! { ContextRef ModuleRef ValueRef TypeRef BlockRef UseRef MetadataRef AttributeRef BufferRef TargetRef MachineRef
LayoutRef PassOptionsRef ErrorRef DiagnosticRef BuilderRef }

/// `LLVMBool`.
pub type Bool = c_int;
/// A text that `LLVMDisposeMessage` frees.
pub type Message = *mut c_char;
/// `LLVMDiagnosticHandler`.
pub type DiagnosticHandler = unsafe extern "C" fn(DiagnosticRef, *mut c_void);
/// `LLVMFatalErrorHandler`.
pub type FatalErrorHandler = unsafe extern "C" fn(*const c_char);

/// Declares [`Api`] and the code that fills it.
macro_rules! functions {
    ($($name:ident($($arg:ty),*) $(-> $result:ty)?;)*) => {
        /// The table of functions. A function may be called only while the library is loaded, that
        /// is, for the life of this table.
        #[allow(non_snake_case, missing_docs, reason = "names and meaning are those of the C API")]
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $result)?,)*
            /// Reads the options of LLVM's command line, where the library has it under a known name.
            pub read_options: Option<ReadOptions>,
            _library: libloading::Library,
        }

        impl Api {
            /// Loads a library.
            ///
            /// # Errors
            /// [`LoadError`].
            pub fn load(path: &Path) -> Result<Api, LoadError> {
                let shown = || path.display().to_string();
                // SAFETY: the constructors of an LLVM library have no requirements of their caller.
                let library = unsafe { libloading::Library::new(path) }
                    .map_err(|source| LoadError::Open { path: shown(), source })?;
                Ok(Api {
                    $($name: {
                        let name = stringify!($name);
                        // SAFETY: the type is that of the function in LLVM's headers.
                        let symbol = unsafe { library.get::<unsafe extern "C" fn($($arg),*) $(-> $result)?>(name.as_bytes()) };
                        *symbol.map_err(|_| LoadError::Missing { path: shown(), name, library: LIBRARY })?
                    },)*
                    read_options: ReadOptions::of(&library),
                    _library: library,
                })
            }
        }
    };
}

/// `llvm::cl::ParseCommandLineOptions`, which ends the process for an option that is wrong and prints
/// why; the function of the C API ignores it without a word.
pub enum ReadOptions {
    /// LLVM 19: arguments, overview (start and length), stream, variable, style.
    Old(
        unsafe extern "C" fn(
            c_int,
            *const *const c_char,
            *const c_char,
            usize,
            *mut c_void,
            *const c_char,
            bool,
        ) -> bool,
    ),
    /// LLVM 22: with a file system after the stream.
    New(
        unsafe extern "C" fn(
            c_int,
            *const *const c_char,
            *const c_char,
            usize,
            *mut c_void,
            *mut c_void,
            *const c_char,
            bool,
        ) -> bool,
    ),
}

impl ReadOptions {
    fn of(library: &libloading::Library) -> Option<ReadOptions> {
        let old = b"_ZN4llvm2cl23ParseCommandLineOptionsEiPKPKcNS_9StringRefEPNS_11raw_ostreamES2_b";
        let new =
            b"_ZN4llvm2cl23ParseCommandLineOptionsEiPKPKcNS_9StringRefEPNS_11raw_ostreamEPNS_3vfs10FileSystemES2_b";
        // SAFETY: the names have the types; a `StringRef` is passed as its two members.
        unsafe {
            let found = library.get(old).map(|symbol| ReadOptions::Old(*symbol));
            found.or_else(|_| library.get(new).map(|symbol| ReadOptions::New(*symbol))).ok()
        }
    }

    /// Reads options.
    ///
    /// # Safety
    /// `words` has `count` texts, and the library is loaded.
    pub unsafe fn read(&self, count: c_int, words: *const *const c_char) {
        let (text, none, no_text) = (c"".as_ptr(), std::ptr::null_mut(), std::ptr::null());
        // SAFETY: without a stream it prints to standard error; all else may be null.
        unsafe {
            match self {
                ReadOptions::Old(read) => read(count, words, text, 0, none, no_text, false),
                ReadOptions::New(read) => read(count, words, text, 0, none, none, no_text, false),
            };
        }
    }
}

functions! {
    // The library, contexts, messages.
    LLVMInstallFatalErrorHandler(FatalErrorHandler);
    LLVMGetVersion(*mut c_uint, *mut c_uint, *mut c_uint);
    LLVMParseCommandLineOptions(c_int, *const *const c_char, *const c_char);
    LLVMContextCreate() -> ContextRef;
    LLVMContextDispose(ContextRef);
    LLVMContextSetDiagnosticHandler(ContextRef, Option<DiagnosticHandler>, *mut c_void);
    LLVMGetDiagInfoDescription(DiagnosticRef) -> Message;
    LLVMGetDiagInfoSeverity(DiagnosticRef) -> c_int;
    LLVMDisposeMessage(Message);
    LLVMGetErrorMessage(ErrorRef) -> Message;
    LLVMDisposeErrorMessage(Message);

    // Buffers and modules.
    LLVMCreateMemoryBufferWithMemoryRangeCopy(*const c_char, usize, *const c_char) -> BufferRef;
    LLVMCreateMemoryBufferWithContentsOfFile(*const c_char, *mut BufferRef, *mut Message) -> Bool;
    LLVMGetBufferStart(BufferRef) -> *const c_char;
    LLVMGetBufferSize(BufferRef) -> usize;
    LLVMDisposeMemoryBuffer(BufferRef);
    LLVMParseIRInContext(ContextRef, BufferRef, *mut ModuleRef, *mut Message) -> Bool;
    LLVMGetBitcodeModuleInContext2(ContextRef, BufferRef, *mut ModuleRef) -> Bool;
    LLVMWriteBitcodeToMemoryBuffer(ModuleRef) -> BufferRef;
    LLVMPrintModuleToString(ModuleRef) -> Message;
    LLVMModuleCreateWithNameInContext(*const c_char, ContextRef) -> ModuleRef;
    LLVMDisposeModule(ModuleRef);
    LLVMSetModuleIdentifier(ModuleRef, *const c_char, usize);
    LLVMGetSourceFileName(ModuleRef, *mut usize) -> *const c_char;
    LLVMSetSourceFileName(ModuleRef, *const c_char, usize);
    LLVMGetTarget(ModuleRef) -> *const c_char;
    LLVMSetTarget(ModuleRef, *const c_char);
    LLVMGetDataLayoutStr(ModuleRef) -> *const c_char;
    LLVMSetDataLayout(ModuleRef, *const c_char);
    LLVMLinkModules2(ModuleRef, ModuleRef) -> Bool;
    LLVMStripModuleDebugInfo(ModuleRef) -> Bool;
    LLVMGetModuleInlineAsm(ModuleRef, *mut usize) -> *const c_char;
    LLVMSetModuleInlineAsm2(ModuleRef, *const c_char, usize);
    LLVMVerifyModule(ModuleRef, c_int, *mut Message) -> Bool;

    // The target and passes.
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMGetTargetFromTriple(*const c_char, *mut TargetRef, *mut Message) -> Bool;
    LLVMCreateTargetMachine(TargetRef, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> MachineRef;
    LLVMDisposeTargetMachine(MachineRef);
    LLVMCreateTargetDataLayout(MachineRef) -> LayoutRef;
    LLVMCopyStringRepOfTargetData(LayoutRef) -> Message;
    LLVMDisposeTargetData(LayoutRef);
    LLVMABISizeOfType(LayoutRef, TypeRef) -> c_ulonglong;
    LLVMTargetMachineEmitToMemoryBuffer(MachineRef, ModuleRef, c_int, *mut Message, *mut BufferRef) -> Bool;
    LLVMCreatePassBuilderOptions() -> PassOptionsRef;
    LLVMDisposePassBuilderOptions(PassOptionsRef);
    LLVMRunPasses(ModuleRef, *const c_char, MachineRef, PassOptionsRef) -> ErrorRef;

    // Global values.
    LLVMGetFirstFunction(ModuleRef) -> ValueRef;
    LLVMGetNextFunction(ValueRef) -> ValueRef;
    LLVMGetFirstGlobal(ModuleRef) -> ValueRef;
    LLVMGetNextGlobal(ValueRef) -> ValueRef;
    LLVMGetFirstGlobalAlias(ModuleRef) -> ValueRef;
    LLVMGetNextGlobalAlias(ValueRef) -> ValueRef;
    LLVMAliasGetAliasee(ValueRef) -> ValueRef;
    LLVMGetFirstGlobalIFunc(ModuleRef) -> ValueRef;
    LLVMGetNextGlobalIFunc(ValueRef) -> ValueRef;
    LLVMIsThreadLocal(ValueRef) -> Bool;
    LLVMGetAlignment(ValueRef) -> c_uint;
    LLVMAddFunction(ModuleRef, *const c_char, TypeRef) -> ValueRef;
    LLVMGetParam(ValueRef, c_uint) -> ValueRef;
    LLVMIsFunctionVarArg(TypeRef) -> Bool;
    LLVMGetReturnType(TypeRef) -> TypeRef;
    LLVMGetTypeKind(TypeRef) -> c_int;
    LLVMGetAttributeCountAtIndex(ValueRef, c_uint) -> c_uint;
    LLVMGetAttributesAtIndex(ValueRef, c_uint, *mut AttributeRef);
    LLVMAddCallSiteAttribute(ValueRef, c_uint, AttributeRef);
    LLVMGetNamedFunction(ModuleRef, *const c_char) -> ValueRef;
    LLVMGetNamedGlobal(ModuleRef, *const c_char) -> ValueRef;
    LLVMGetNamedGlobalAlias(ModuleRef, *const c_char, usize) -> ValueRef;
    LLVMGetValueName2(ValueRef, *mut usize) -> *const c_char;
    LLVMSetValueName2(ValueRef, *const c_char, usize);
    LLVMPrintValueToString(ValueRef) -> Message;
    LLVMIsDeclaration(ValueRef) -> Bool;
    LLVMSetComdat(ValueRef, *mut c_void);
    LLVMGetLinkage(ValueRef) -> c_int;
    LLVMSetLinkage(ValueRef, c_int);
    LLVMGetVisibility(ValueRef) -> c_int;
    LLVMSetVisibility(ValueRef, c_int);
    LLVMGetUnnamedAddress(ValueRef) -> c_int;
    LLVMGlobalGetValueType(ValueRef) -> TypeRef;
    LLVMTypeOf(ValueRef) -> TypeRef;
    LLVMGetPointerAddressSpace(TypeRef) -> c_uint;
    LLVMGetFunctionCallConv(ValueRef) -> c_uint;
    LLVMSetFunctionCallConv(ValueRef, c_uint);
    LLVMGetIntrinsicID(ValueRef) -> c_uint;
    LLVMCountParams(ValueRef) -> c_uint;
    LLVMGetInitializer(ValueRef) -> ValueRef;
    LLVMSetInitializer(ValueRef, ValueRef);
    LLVMIsGlobalConstant(ValueRef) -> Bool;
    LLVMDeleteGlobal(ValueRef);
    LLVMGetAsString(ValueRef, *mut usize) -> *const c_char;
    LLVMIsConstantString(ValueRef) -> Bool;
    LLVMCreateStringAttribute(ContextRef, *const c_char, c_uint, *const c_char, c_uint) -> AttributeRef;
    LLVMGetStringAttributeAtIndex(ValueRef, c_uint, *const c_char, c_uint) -> AttributeRef;
    LLVMGetStringAttributeValue(AttributeRef, *mut c_uint) -> *const c_char;
    LLVMAddAttributeAtIndex(ValueRef, c_uint, AttributeRef);

    // Uses, instructions, constants.
    LLVMGetFirstUse(ValueRef) -> UseRef;
    LLVMGetNextUse(UseRef) -> UseRef;
    LLVMGetUser(UseRef) -> ValueRef;
    LLVMIsAInstruction(ValueRef) -> ValueRef;
    LLVMIsAFunction(ValueRef) -> ValueRef;
    LLVMIsAGlobalValue(ValueRef) -> ValueRef;
    LLVMIsAGlobalVariable(ValueRef) -> ValueRef;
    LLVMIsAConstant(ValueRef) -> ValueRef;
    LLVMIsABlockAddress(ValueRef) -> ValueRef;
    LLVMIsAAllocaInst(ValueRef) -> ValueRef;
    LLVMIsACallInst(ValueRef) -> ValueRef;
    LLVMIsAInvokeInst(ValueRef) -> ValueRef;
    LLVMGetCalledValue(ValueRef) -> ValueRef;
    LLVMGetNumOperands(ValueRef) -> c_int;
    LLVMGetOperand(ValueRef, c_uint) -> ValueRef;
    LLVMGetInstructionParent(ValueRef) -> BlockRef;
    LLVMGetBasicBlockParent(BlockRef) -> ValueRef;
    LLVMGetFirstBasicBlock(ValueRef) -> BlockRef;
    LLVMGetNextBasicBlock(BlockRef) -> BlockRef;
    LLVMGetFirstInstruction(BlockRef) -> ValueRef;
    LLVMGetNextInstruction(ValueRef) -> ValueRef;
    LLVMInstructionEraseFromParent(ValueRef);
    LLVMReplaceAllUsesWith(ValueRef, ValueRef);
    LLVMConstInt(TypeRef, c_ulonglong, Bool) -> ValueRef;
    LLVMConstIntGetZExtValue(ValueRef) -> c_ulonglong;
    LLVMIsAConstantInt(ValueRef) -> ValueRef;
    LLVMGetFastMathFlags(ValueRef) -> c_uint;
    LLVMSetFastMathFlags(ValueRef, c_uint);
    LLVMLookupIntrinsicID(*const c_char, usize) -> c_uint;
    LLVMGetIntrinsicDeclaration(ModuleRef, c_uint, *mut TypeRef, usize) -> ValueRef;
    LLVMCreateBuilderInContext(ContextRef) -> BuilderRef;
    LLVMDisposeBuilder(BuilderRef);
    LLVMPositionBuilderBefore(BuilderRef, ValueRef);
    LLVMGetInstructionOpcode(ValueRef) -> c_int;
    LLVMGetDebugLocFilename(ValueRef, *mut c_uint) -> *const c_char;
    LLVMGetDebugLocLine(ValueRef) -> c_uint;
    LLVMBuildBinOp(BuilderRef, c_int, ValueRef, ValueRef, *const c_char) -> ValueRef;
    LLVMBuildFMul(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    LLVMBuildFAdd(BuilderRef, ValueRef, ValueRef, *const c_char) -> ValueRef;
    LLVMAppendBasicBlockInContext(ContextRef, ValueRef, *const c_char) -> BlockRef;
    LLVMPositionBuilderAtEnd(BuilderRef, BlockRef);
    LLVMBuildCall2(BuilderRef, TypeRef, ValueRef, *mut ValueRef, c_uint, *const c_char) -> ValueRef;
    LLVMSetInstructionCallConv(ValueRef, c_uint);
    LLVMBuildRet(BuilderRef, ValueRef) -> ValueRef;
    LLVMBuildRetVoid(BuilderRef) -> ValueRef;

    // Metadata.
    LLVMGetNamedMetadataNumOperands(ModuleRef, *const c_char) -> c_uint;
    LLVMGetNamedMetadataOperands(ModuleRef, *const c_char, *mut ValueRef);
    LLVMGetMDNodeNumOperands(ValueRef) -> c_uint;
    LLVMGetMDNodeOperands(ValueRef, *mut ValueRef);
    LLVMIsAMDString(ValueRef) -> ValueRef;
    LLVMGetMDString(ValueRef, *mut c_uint) -> *const c_char;
    LLVMInt32TypeInContext(ContextRef) -> TypeRef;
    LLVMValueAsMetadata(ValueRef) -> MetadataRef;
    LLVMMDStringInContext(ContextRef, *const c_char, c_uint) -> ValueRef;
    LLVMMDNodeInContext(ContextRef, *mut ValueRef, c_uint) -> ValueRef;
    LLVMAddNamedMetadataOperand(ModuleRef, *const c_char, ValueRef);
    LLVMReplaceMDNodeOperandWith(ValueRef, c_uint, MetadataRef);
    LLVMAddModuleFlag(ModuleRef, c_int, *const c_char, usize, MetadataRef);
}

/// `LLVMLinkage`.
pub mod linkage {
    use std::ffi::c_int;
    pub const EXTERNAL: c_int = 0;
    pub const AVAILABLE_EXTERNALLY: c_int = 1;
    pub const LINK_ONCE_ANY: c_int = 2;
    pub const LINK_ONCE_ODR: c_int = 3;
    pub const WEAK_ANY: c_int = 5;
    pub const WEAK_ODR: c_int = 6;
    pub const APPENDING: c_int = 7;
    pub const INTERNAL: c_int = 8;
    pub const PRIVATE: c_int = 9;
    pub const EXTERNAL_WEAK: c_int = 12;
    pub const COMMON: c_int = 14;
}

/// `LLVMDiagnosticSeverity`.
pub mod severity {
    use std::ffi::c_int;
    pub const ERROR: c_int = 0;
    pub const WARNING: c_int = 1;
    pub const REMARK: c_int = 2;
}

/// `LLVMCodeGenFileType`: assembly.
pub const ASSEMBLY: c_int = 0;
/// `LLVMRelocMode` and `LLVMCodeModel`: the target's default.
pub const DEFAULT: c_int = 0;
/// `LLVMAttributeFunctionIndex`.
pub const ON_FUNCTION: c_uint = c_uint::MAX;
/// The index of the attributes of the first parameter.
pub const FIRST_PARAMETER: c_uint = 1;
/// Calling convention of kernels (LLVM Language Reference, `ptx_kernel`).
pub const PTX_KERNEL: c_uint = 71;
/// `LLVMReturnStatusAction`.
pub const RETURN_STATUS: c_int = 2;
/// `LLVMFAdd`, `LLVMFSub` and `LLVMFMul`, of `LLVMOpcode`.
pub const SUMS_AND_PRODUCTS: [c_int; 3] = [9, 11, 13];
/// `LLVMVoidTypeKind`.
pub const VOID: c_int = 0;
/// `LLVMFastMathAllowContract`.
pub const CONTRACT: c_uint = 1 << 5;
/// `LLVMModuleFlagBehaviorOverride`.
pub const FLAG_OVERRIDE: c_int = 3;

impl Api {
    /// Copies a message and frees it; empty if there is none.
    pub fn message(&self, message: Message) -> String {
        if message.is_null() {
            return String::new();
        }
        // SAFETY: messages of the C API end with a NUL byte and are freed by this function.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.LLVMDisposeMessage)(message);
            text
        }
    }
}
