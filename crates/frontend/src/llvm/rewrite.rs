//! Instructions in the place of others.

use super::Module;
use super::api::{CONTRACT, SUMS_AND_PRODUCTS, ValueRef};
use super::c;
use super::value::Value;

impl Module<'_> {
    /// Lets calls of the intrinsic `old` call `new`, which has the same type. Returns whether this
    /// LLVM has both, and the module calls the old one.
    pub fn replace_intrinsic(&mut self, old: &str, new: &str) -> bool {
        let api = &self.cx.llvm.api;
        let Some(old) = self.function(old).map(|function| function.raw) else { return false };
        // SAFETY: intrinsics that are not overloaded need no types; the types are compared before
        // the one takes the place of the other.
        unsafe {
            let id = (api.LLVMLookupIntrinsicID)(new.as_ptr().cast(), new.len());
            if id == 0 {
                return false;
            }
            let new = (api.LLVMGetIntrinsicDeclaration)(self.raw, id, std::ptr::null_mut(), 0);
            let same = (api.LLVMGlobalGetValueType)(old) == (api.LLVMGlobalGetValueType)(new);
            if same {
                (api.LLVMReplaceAllUsesWith)(old, new);
            }
            same
        }
    }

    /// Replaces an intrinsic by a function of this name that another module defines; returns whether
    /// it did: functions have no parameters that are metadata.
    pub fn replace_by_function(&mut self, intrinsic: &str, name: &str) -> bool {
        let api = &self.cx.llvm.api;
        let Some(old) = self.function(intrinsic).filter(|f| !f.text().contains("metadata")) else { return false };
        // SAFETY: the new function has the same type, so that it may be called in its place.
        unsafe {
            let new = (api.LLVMAddFunction)(self.raw, c(name).as_ptr(), (api.LLVMGlobalGetValueType)(old.raw));
            (api.LLVMReplaceAllUsesWith)(old.raw, new);
        }
        true
    }

    /// Takes the permission to be contracted from sums and products, and makes of every
    /// `llvm.fmuladd`, which may be one operation or two, a product and a sum.
    pub fn forbid_contraction(&mut self) {
        let api = &self.cx.llvm.api;
        let mut calls: Vec<ValueRef> = Vec::new();
        for function in self.functions().filter(|f| f.is_intrinsic() && f.name().starts_with("llvm.fmuladd.")) {
            calls.extend(function.users().filter(|user| user.is_call_of(function)).map(|call| call.raw));
        }
        let defined = self.functions().filter(|f| !f.is_declaration());
        let bodies = defined.flat_map(Value::body).map(|value| value.raw);
        // SAFETY: sums and products of numbers have flags.
        let contracted = bodies.filter(|&raw| unsafe {
            SUMS_AND_PRODUCTS.contains(&(api.LLVMGetInstructionOpcode)(raw))
                && (api.LLVMGetFastMathFlags)(raw) & CONTRACT != 0
        });
        let contracted: Vec<ValueRef> = contracted.collect();
        // SAFETY: all are different instructions of this module, binary operations and calls with
        // three arguments. Each is erased after its last use. Flags are only added through the C
        // API, so that other instructions take the place of those with one too many.
        unsafe {
            let builder = (api.LLVMCreateBuilderInContext)(self.cx.raw);
            let operand = |of: ValueRef, number| (api.LLVMGetOperand)(of, number);
            let like = |made: ValueRef, old: ValueRef| {
                // It may be a constant.
                if (api.LLVMIsAInstruction)(made).some().is_some() {
                    (api.LLVMSetFastMathFlags)(made, (api.LLVMGetFastMathFlags)(old) & !CONTRACT);
                }
                made
            };
            for old in contracted.into_iter().chain(calls) {
                (api.LLVMPositionBuilderBefore)(builder, old);
                let opcode = (api.LLVMGetInstructionOpcode)(old);
                let new = if SUMS_AND_PRODUCTS.contains(&opcode) {
                    (api.LLVMBuildBinOp)(builder, opcode, operand(old, 0), operand(old, 1), c"".as_ptr())
                } else {
                    let product = (api.LLVMBuildFMul)(builder, operand(old, 0), operand(old, 1), c"".as_ptr());
                    (api.LLVMBuildFAdd)(builder, like(product, old), operand(old, 2), c"".as_ptr())
                };
                (api.LLVMReplaceAllUsesWith)(old, like(new, old));
                (api.LLVMInstructionEraseFromParent)(old);
            }
            (api.LLVMDisposeBuilder)(builder);
        }
    }
}
