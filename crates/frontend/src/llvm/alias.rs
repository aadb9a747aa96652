//! Aliases become what they name.

use super::Module;
use super::api::{AttributeRef, FIRST_PARAMETER, ON_FUNCTION, VOID, ValueRef};
use super::c;
use super::value::{Linkage, Value};

impl Value<'_> {
    /// Whether an alias is exactly the symbol that it names, and not a place in it.
    pub fn is_whole_alias(self) -> bool {
        // SAFETY: it is an alias.
        let named = unsafe { (self.cx.llvm.api.LLVMAliasGetAliasee)(self.raw) };
        self.aliasee().is_some_and(|base| base.raw == named)
    }
}

impl Module<'_> {
    /// Lets everything that refers to an alias of which there is no other definition refer to what it
    /// names.
    pub fn see_through_aliases(&mut self) {
        let api = &self.cx.llvm.api;
        let seen_through = |alias: &Value<'_>| alias.linkage() == Linkage::Internal || !alias.is_interposable();
        let aliases: Vec<ValueRef> = self.aliases().filter(seen_through).map(|alias| alias.raw).collect();
        for alias in aliases {
            // SAFETY: an alias has the type of what it names. Aliases of two modules may name each other
            // once they are linked; a value cannot take its own place.
            unsafe {
                let named = (api.LLVMAliasGetAliasee)(alias);
                if named != alias {
                    (api.LLVMReplaceAllUsesWith)(alias, named);
                }
            }
        }
    }

    /// Gives what an alias names, which is local, the name and the linkage of the alias.
    pub fn name_like(&mut self, alias: &str) {
        let Some((alias, named)) = self.global(alias).and_then(|alias| Some((alias, alias.aliasee()?))) else { return };
        let (name, linkage, visibility) = (alias.name(), alias.linkage(), alias.visibility());
        alias.set_name("");
        alias.set_default_visibility();
        alias.set_linkage(Linkage::Internal);
        named.set_name(&name);
        named.set_linkage(linkage);
        named.set_visibility(visibility);
    }

    /// Makes of an alias of a function a function that calls it, or only a declaration. Returns
    /// whether that is possible: the number of arguments must be known.
    pub fn make_function(&mut self, alias: &str, with_body: bool) -> bool {
        let api = &self.cx.llvm.api;
        let Some((alias, named)) = self.global(alias).and_then(|alias| Some((alias, alias.aliasee()?))) else {
            return false;
        };
        let (name, linkage, visibility) = (alias.name(), alias.linkage(), alias.visibility());
        // SAFETY: the function and its copy have the same type; attributes belong to the context.
        let new = unsafe {
            let kind = (api.LLVMGlobalGetValueType)(named.raw);
            if !named.is_function() || (api.LLVMIsFunctionVarArg)(kind) != 0 {
                return false;
            }
            alias.set_name("");
            let new = Value::new(self.cx, (api.LLVMAddFunction)(self.raw, c(&name).as_ptr(), kind));
            (api.LLVMReplaceAllUsesWith)(alias.raw, new.raw);
            (api.LLVMSetFunctionCallConv)(new.raw, (api.LLVMGetFunctionCallConv)(named.raw));
            new
        };
        named.copy_attributes(new, Value::add_attribute_to_function);
        if with_body {
            new.set_linkage(linkage);
            new.set_visibility(visibility);
            new.forward_to(named);
        }
        alias.set_default_visibility();
        alias.set_linkage(Linkage::Internal);
        true
    }
}

impl<'m> Value<'m> {
    /// Adds the attributes of a function, its result and its parameters to another value by `add`.
    fn copy_attributes(self, to: Value<'m>, add: fn(Value<'m>, u32, AttributeRef)) {
        let api = &self.cx.llvm.api;
        let parameters = (0..self.parameters()).map(|n| FIRST_PARAMETER + n);
        for index in [ON_FUNCTION, 0].into_iter().chain(parameters) {
            // SAFETY: the buffer has the size that the C API asks for.
            let attributes = unsafe {
                let count = (api.LLVMGetAttributeCountAtIndex)(self.raw, index) as usize;
                let mut attributes = vec![AttributeRef::NULL; count];
                (api.LLVMGetAttributesAtIndex)(self.raw, index, attributes.as_mut_ptr());
                attributes
            };
            attributes.into_iter().for_each(|attribute| add(to, index, attribute));
        }
    }

    fn add_attribute_to_function(self, index: u32, attribute: AttributeRef) {
        // SAFETY: it is a function, and the attribute belongs to its context.
        unsafe { (self.cx.llvm.api.LLVMAddAttributeAtIndex)(self.raw, index, attribute) }
    }

    fn add_attribute_to_call(self, index: u32, attribute: AttributeRef) {
        if index != ON_FUNCTION {
            // SAFETY: it is a call, and the attribute belongs to its context.
            unsafe { (self.cx.llvm.api.LLVMAddCallSiteAttribute)(self.raw, index, attribute) }
        }
    }

    /// Gives a function without a body one that calls a function of the same type.
    fn forward_to(self, callee: Value<'m>) {
        let api = &self.cx.llvm.api;
        // SAFETY: both functions have this type, so that the parameters of the one are arguments of
        // the other.
        unsafe {
            let kind = (api.LLVMGlobalGetValueType)(callee.raw);
            let mut arguments: Vec<ValueRef> =
                (0..self.parameters()).map(|n| (api.LLVMGetParam)(self.raw, n)).collect();
            let builder = (api.LLVMCreateBuilderInContext)(self.cx.raw);
            let block = (api.LLVMAppendBasicBlockInContext)(self.cx.raw, self.raw, c"".as_ptr());
            (api.LLVMPositionBuilderAtEnd)(builder, block);
            let count = arguments.len() as u32;
            let raw = (api.LLVMBuildCall2)(builder, kind, callee.raw, arguments.as_mut_ptr(), count, c"".as_ptr());
            (api.LLVMSetInstructionCallConv)(raw, (api.LLVMGetFunctionCallConv)(callee.raw));
            callee.copy_attributes(Value::new(self.cx, raw), Value::add_attribute_to_call);
            if (api.LLVMGetTypeKind)((api.LLVMGetReturnType)(kind)) == VOID {
                (api.LLVMBuildRetVoid)(builder);
            } else {
                (api.LLVMBuildRet)(builder, raw);
            }
            (api.LLVMDisposeBuilder)(builder);
        }
    }
}
