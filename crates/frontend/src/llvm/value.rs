//! Global values, instructions and constants of a module.

use super::api::{FIRST_PARAMETER, ON_FUNCTION, PTX_KERNEL, UseRef, ValueRef, linkage};
use super::context::Context;

/// A value; it borrows its module.
#[derive(Clone, Copy)]
pub struct Value<'m> {
    pub(super) cx: &'m Context,
    pub(super) raw: ValueRef,
}

/// The linkage of a global value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// `external`.
    External,
    /// `available_externally`.
    AvailableExternally,
    /// `linkonce` and `linkonce_odr`: may be dropped if nothing refers to it.
    LinkOnce,
    /// `weak` and `weak_odr`.
    Weak,
    /// `appending`: arrays such as `llvm.used`.
    Appending,
    /// `internal` and `private`.
    Internal,
    /// `extern_weak`.
    ExternalWeak,
    /// `common`.
    Common,
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<'m> Value<'m> {
    pub(super) fn new(cx: &'m Context, raw: ValueRef) -> Value<'m> {
        Value { cx, raw }
    }

    fn with(self, raw: ValueRef) -> Option<Value<'m>> {
        raw.some().map(|raw| Value { cx: self.cx, raw })
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the value and has this length.
        let bytes = unsafe {
            let start = (self.cx.llvm.api.LLVMGetValueName2)(self.raw, &mut len);
            if len == 0 { &[] } else { std::slice::from_raw_parts(start.cast::<u8>(), len) }
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Renames it; LLVM appends a number if the name is in use.
    pub fn set_name(self, name: &str) {
        // SAFETY: the text is copied.
        unsafe { (self.cx.llvm.api.LLVMSetValueName2)(self.raw, name.as_ptr().cast(), name.len()) }
    }

    /// Whether it is only declared.
    pub fn is_declaration(self) -> bool {
        // SAFETY: it is a global value.
        unsafe { (self.cx.llvm.api.LLVMIsDeclaration)(self.raw) != 0 }
    }

    /// Whether it is an intrinsic function.
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: a function is checked before.
        self.is_function() && unsafe { (self.cx.llvm.api.LLVMGetIntrinsicID)(self.raw) != 0 }
    }

    /// Whether it is the intrinsic function of this name, or that of some type.
    pub fn is_intrinsic_named(self, name: &str) -> bool {
        let api = &self.cx.llvm.api;
        // SAFETY: a function is checked before; the text has this length.
        self.is_intrinsic()
            && unsafe {
                (api.LLVMGetIntrinsicID)(self.raw) == (api.LLVMLookupIntrinsicID)(name.as_ptr().cast(), name.len())
            }
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { (self.cx.llvm.api.LLVMIsAFunction)(self.raw) }.some().is_some()
    }

    /// Whether it is a variable.
    pub fn is_variable(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { (self.cx.llvm.api.LLVMIsAGlobalVariable)(self.raw) }.some().is_some()
    }

    /// Whether a function has the calling convention of kernels.
    pub fn has_kernel_convention(self) -> bool {
        // SAFETY: a function is checked before.
        self.is_function() && unsafe { (self.cx.llvm.api.LLVMGetFunctionCallConv)(self.raw) } == PTX_KERNEL
    }

    /// Gives a function the calling convention of kernels.
    pub fn make_kernel(self) {
        if self.is_function() {
            // SAFETY: a function is checked before.
            unsafe { (self.cx.llvm.api.LLVMSetFunctionCallConv)(self.raw, PTX_KERNEL) }
        }
    }

    /// Its linkage.
    pub fn linkage(self) -> Linkage {
        // SAFETY: it is a global value.
        match unsafe { (self.cx.llvm.api.LLVMGetLinkage)(self.raw) } {
            linkage::AVAILABLE_EXTERNALLY => Linkage::AvailableExternally,
            linkage::LINK_ONCE_ANY | linkage::LINK_ONCE_ODR => Linkage::LinkOnce,
            linkage::WEAK_ANY | linkage::WEAK_ODR => Linkage::Weak,
            linkage::APPENDING => Linkage::Appending,
            linkage::INTERNAL | linkage::PRIVATE => Linkage::Internal,
            linkage::EXTERNAL_WEAK => Linkage::ExternalWeak,
            linkage::COMMON => Linkage::Common,
            _ => Linkage::External,
        }
    }

    /// Whether it is one of several definitions that may differ, of which a linker takes one.
    pub fn is_interposable(self) -> bool {
        // SAFETY: it is a global value.
        let linkage = unsafe { (self.cx.llvm.api.LLVMGetLinkage)(self.raw) };
        matches!(linkage, linkage::LINK_ONCE_ANY | linkage::WEAK_ANY)
    }

    /// Sets its linkage; `LinkOnce` and `Weak` become the kinds that may differ from other
    /// definitions.
    pub fn set_linkage(self, value: Linkage) {
        let value = match value {
            Linkage::External => linkage::EXTERNAL,
            Linkage::AvailableExternally => linkage::AVAILABLE_EXTERNALLY,
            Linkage::LinkOnce => linkage::LINK_ONCE_ANY,
            Linkage::Weak => linkage::WEAK_ANY,
            Linkage::Appending => linkage::APPENDING,
            Linkage::Internal => linkage::INTERNAL,
            Linkage::ExternalWeak => linkage::EXTERNAL_WEAK,
            Linkage::Common => linkage::COMMON,
        };
        // SAFETY: it is a global value.
        unsafe { (self.cx.llvm.api.LLVMSetLinkage)(self.raw, value) }
    }

    /// Makes a definition that is dropped where nothing refers to it one that stays.
    pub fn keep_weak(self) {
        let api = &self.cx.llvm.api;
        // SAFETY: it is a global value.
        unsafe {
            match (api.LLVMGetLinkage)(self.raw) {
                linkage::LINK_ONCE_ANY => (api.LLVMSetLinkage)(self.raw, linkage::WEAK_ANY),
                linkage::LINK_ONCE_ODR => (api.LLVMSetLinkage)(self.raw, linkage::WEAK_ODR),
                _ => {}
            }
        }
    }

    /// Takes a function or a variable out of its group of definitions.
    pub fn leave_comdat(self) {
        if self.is_function() || self.is_variable() {
            // SAFETY: functions and variables may have one, and null is none.
            unsafe { (self.cx.llvm.api.LLVMSetComdat)(self.raw, std::ptr::null_mut()) }
        }
    }

    /// Its visibility: 0 default, 1 hidden, 2 protected.
    pub fn visibility(self) -> i32 {
        // SAFETY: it is a global value.
        unsafe { (self.cx.llvm.api.LLVMGetVisibility)(self.raw) }
    }

    /// Sets its visibility.
    pub fn set_visibility(self, value: i32) {
        // SAFETY: it is a global value, and this is the visibility of one.
        unsafe { (self.cx.llvm.api.LLVMSetVisibility)(self.raw, value) }
    }

    /// Makes its visibility the default one.
    pub fn set_default_visibility(self) {
        self.set_visibility(0);
    }

    /// Whether its address has no meaning in the whole program (`unnamed_addr`).
    pub fn is_unnamed(self) -> bool {
        // SAFETY: it is a global value.
        unsafe { (self.cx.llvm.api.LLVMGetUnnamedAddress)(self.raw) == 2 }
    }

    /// The address space of a global value.
    pub fn address_space(self) -> u32 {
        let api = &self.cx.llvm.api;
        // SAFETY: the type of a global value is a pointer.
        unsafe { (api.LLVMGetPointerAddressSpace)((api.LLVMTypeOf)(self.raw)) }
    }

    /// Whether a variable is constant.
    pub fn is_constant(self) -> bool {
        // SAFETY: a variable is checked before.
        self.is_variable() && unsafe { (self.cx.llvm.api.LLVMIsGlobalConstant)(self.raw) != 0 }
    }

    /// Makes a variable a declaration.
    pub fn drop_initializer(self) {
        if self.is_variable() {
            // SAFETY: null removes the initial value (LLVM 19 to 22).
            unsafe { (self.cx.llvm.api.LLVMSetInitializer)(self.raw, ValueRef::NULL) }
        }
    }

    /// Whether it is a variable that every thread has a copy of.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: a variable is checked before.
        self.is_variable() && unsafe { (self.cx.llvm.api.LLVMIsThreadLocal)(self.raw) != 0 }
    }

    /// Whether a variable, or the memory that an instruction allocates, has an alignment beyond those
    /// that PTX has. The C API gives the low 32 bits.
    pub fn is_aligned_beyond_ptx(self) -> bool {
        let api = &self.cx.llvm.api;
        // SAFETY: any value may be asked; a variable and an allocation have an alignment.
        let low = unsafe {
            let has_one = self.is_variable() || (api.LLVMIsAAllocaInst)(self.raw).some().is_some();
            if has_one { (api.LLVMGetAlignment)(self.raw) } else { 1 }
        };
        low == 0 && self.text().contains(", align 4294967296")
    }

    /// Whether it is the address of a block of instructions.
    pub fn is_block_address(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { (self.cx.llvm.api.LLVMIsABlockAddress)(self.raw) }.some().is_some()
    }

    /// The opcode of an instruction, a number of `LLVMOpcode`.
    pub fn opcode(self) -> i32 {
        // SAFETY: it is an instruction.
        unsafe { (self.cx.llvm.api.LLVMGetInstructionOpcode)(self.raw) }
    }

    /// The text of a variable whose initial value is a string, without the final NUL.
    pub fn string(self) -> Option<String> {
        let api = &self.cx.llvm.api;
        if !self.is_variable() {
            return None;
        }
        // SAFETY: the initial value is checked to be a string before it is read as one.
        unsafe {
            let value = (api.LLVMGetInitializer)(self.raw).some()?;
            if (api.LLVMIsConstantString)(value) == 0 {
                return None;
            }
            let mut len = 0;
            let start = (api.LLVMGetAsString)(value, &mut len);
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), len);
            Some(String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned())
        }
    }

    /// The symbol that an alias names, perhaps at an offset.
    pub fn aliasee(self) -> Option<Value<'m>> {
        // SAFETY: it is an alias.
        self.with(unsafe { (self.cx.llvm.api.LLVMAliasGetAliasee)(self.raw) }).and_then(Value::base)
    }

    /// The global value that a constant is, or is computed from.
    pub fn base(self) -> Option<Value<'m>> {
        let api = &self.cx.llvm.api;
        let mut value = self;
        loop {
            // SAFETY: any value may be asked; the operand exists.
            unsafe {
                if (api.LLVMIsAGlobalValue)(value.raw).some().is_some() {
                    return Some(value);
                }
                if (api.LLVMIsAConstant)(value.raw).some().is_none() || (api.LLVMGetNumOperands)(value.raw) == 0 {
                    return None;
                }
                value = value.with((api.LLVMGetOperand)(value.raw, 0))?;
            }
        }
    }

    /// The instructions, constants and global values that use it.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        let api = &self.cx.llvm.api;
        // SAFETY: any value may be asked.
        let first = unsafe { (api.LLVMGetFirstUse)(self.raw) }.some();
        // SAFETY: uses do not change while their module is borrowed.
        let next = move |at: &UseRef| unsafe { (api.LLVMGetNextUse)(*at) }.some();
        // SAFETY: as above.
        let user = move |at| unsafe { (api.LLVMGetUser)(at) };
        std::iter::successors(first, next).filter_map(move |at| self.with(user(at)))
    }

    /// The function that contains an instruction; `None` for other values.
    pub fn parent(self) -> Option<Value<'m>> {
        let api = &self.cx.llvm.api;
        // SAFETY: an instruction is checked before it is asked for its block, which is in a
        // function.
        unsafe {
            (api.LLVMIsAInstruction)(self.raw).some()?;
            let block = (api.LLVMGetInstructionParent)(self.raw).some()?;
            self.with((api.LLVMGetBasicBlockParent)(block))
        }
    }

    /// Whether it is a global value.
    pub fn is_global(self) -> bool {
        // SAFETY: any value may be asked.
        unsafe { (self.cx.llvm.api.LLVMIsAGlobalValue)(self.raw) }.some().is_some()
    }

    /// Whether it is a call of this function.
    pub fn is_call_of(self, callee: Value<'_>) -> bool {
        let api = &self.cx.llvm.api;
        // SAFETY: a call is checked before it is asked for its callee.
        unsafe {
            let call = (api.LLVMIsACallInst)(self.raw).some().or_else(|| (api.LLVMIsAInvokeInst)(self.raw).some());
            call.is_some_and(|call| (api.LLVMGetCalledValue)(call) == callee.raw)
        }
    }

    /// The number of operands that are this value.
    pub fn operands_that_are(self, value: Value<'_>) -> usize {
        self.operands().filter(|&operand| operand == value).count()
    }

    /// Its operands.
    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        let api = &self.cx.llvm.api;
        // SAFETY: any value may be asked.
        let count = unsafe { (api.LLVMGetNumOperands)(self.raw) }.max(0) as u32;
        // SAFETY: the numbers are in range.
        (0..count).filter_map(move |n| self.with(unsafe { (api.LLVMGetOperand)(self.raw, n) }))
    }

    /// The number of instructions of a function.
    pub fn instructions(self) -> u64 {
        self.body().count() as u64
    }

    /// The instructions of a function whose body has been read, in order.
    pub fn body(self) -> impl Iterator<Item = Value<'m>> {
        let api = &self.cx.llvm.api;
        // SAFETY: it is a function.
        let first = unsafe { (api.LLVMGetFirstBasicBlock)(self.raw) }.some();
        let blocks = std::iter::successors(first, move |&at| {
            // SAFETY: it is a block of the function.
            unsafe { (api.LLVMGetNextBasicBlock)(at) }.some()
        });
        blocks.flat_map(move |block| {
            // SAFETY: it is a block of the function.
            let first = self.with(unsafe { (api.LLVMGetFirstInstruction)(block) });
            std::iter::successors(first, move |at| {
                // SAFETY: it is an instruction of the block.
                self.with(unsafe { (api.LLVMGetNextInstruction)(at.raw) })
            })
        })
    }

    /// Its text, as LLVM prints it.
    pub fn text(self) -> String {
        // SAFETY: any value may be printed.
        self.cx.llvm.api.message(unsafe { (self.cx.llvm.api.LLVMPrintValueToString)(self.raw) })
    }

    /// The file and the line that an instruction comes from, if debug information names them.
    pub fn source_line(self) -> Option<(String, u32)> {
        let api = &self.cx.llvm.api;
        let mut len = 0;
        // SAFETY: it is an instruction; the text belongs to its debug information and has this length.
        unsafe {
            let start = (api.LLVMGetDebugLocFilename)(self.raw, &mut len);
            if start.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), len as usize);
            Some((String::from_utf8_lossy(bytes).into_owned(), (api.LLVMGetDebugLocLine)(self.raw)))
        }
    }

    /// The text of metadata that is a string.
    pub fn metadata_string(self) -> Option<String> {
        let api = &self.cx.llvm.api;
        // SAFETY: a string is checked before it is read.
        unsafe {
            (api.LLVMIsAMDString)(self.raw).some()?;
            let mut len = 0;
            let start = (api.LLVMGetMDString)(self.raw, &mut len);
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), len as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    /// The value of an integer constant.
    pub fn integer(self) -> Option<u64> {
        let api = &self.cx.llvm.api;
        // SAFETY: an integer is checked before it is read.
        unsafe {
            (api.LLVMIsAConstantInt)(self.raw).some()?;
            Some((api.LLVMConstIntGetZExtValue)(self.raw))
        }
    }

    /// The text of an attribute of a function.
    pub fn attribute(self, name: &str) -> Option<String> {
        self.attribute_at(ON_FUNCTION, name)
    }

    /// The text of an attribute of a parameter of a function.
    pub fn parameter_attribute(self, parameter: u32, name: &str) -> Option<String> {
        self.attribute_at(FIRST_PARAMETER + parameter, name)
    }

    /// The number of parameters of a function.
    pub fn parameters(self) -> u32 {
        // SAFETY: it is a function.
        unsafe { (self.cx.llvm.api.LLVMCountParams)(self.raw) }
    }

    fn attribute_at(self, index: u32, name: &str) -> Option<String> {
        let api = &self.cx.llvm.api;
        let mut len = 0;
        // SAFETY: it is a function; the text belongs to the attribute and has this length.
        let bytes = unsafe {
            let (start, size) = (name.as_ptr().cast(), name.len() as u32);
            let attribute = (api.LLVMGetStringAttributeAtIndex)(self.raw, index, start, size).some()?;
            let text = (api.LLVMGetStringAttributeValue)(attribute, &mut len);
            if len == 0 { &[] } else { std::slice::from_raw_parts(text.cast::<u8>(), len as usize) }
        };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Adds an attribute with a text to a function.
    pub fn add_attribute(self, name: &str, value: &str) {
        let api = &self.cx.llvm.api;
        // SAFETY: the texts are copied.
        unsafe {
            let attribute = (api.LLVMCreateStringAttribute)(
                self.cx.raw,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            (api.LLVMAddAttributeAtIndex)(self.raw, ON_FUNCTION, attribute);
        }
    }
}
