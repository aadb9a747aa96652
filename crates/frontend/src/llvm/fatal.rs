//! What the process says before LLVM ends it.
//!
//! Problem: for an intrinsic that the architecture lacks LLVM ends the process with the name of the
//! intrinsic alone. Strategy: the thread that generates code notes its module, and LLVM's handler for
//! fatal errors looks for the calls in it.

use super::Llvm;
use super::api::ModuleRef;
use super::context::Context;
use super::module::Module;
use super::value::Value;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;

/// Calls beyond this number are not named.
const MOST: usize = 6;

/// What LLVM says if no pattern of a target covers an intrinsic.
const NO_CODE: &str = "Cannot select: intrinsic %";

/// The module that code is generated for, and the target's name.
struct Emitted {
    cx: *const Context,
    module: ModuleRef,
    target: String,
}

thread_local! {
    static EMITTED: RefCell<Option<Emitted>> = const { RefCell::new(None) };
}

/// Generates code by `emit`, for a module and the target of this name.
pub(super) fn watched<T>(module: &Module<'_>, target: &str, emit: impl FnOnce() -> T) -> T {
    let emitted = Emitted { cx: module.cx, module: module.raw, target: target.to_owned() };
    EMITTED.with(|slot| slot.replace(Some(emitted)));
    let made = emit();
    EMITTED.with(|slot| slot.replace(None));
    made
}

/// Lets LLVM report fatal errors here.
pub(super) fn install(llvm: &Llvm) {
    // SAFETY: the function has the type that LLVM asks for, and lives as long as the process.
    unsafe { (llvm.api.LLVMInstallFatalErrorHandler)(on_fatal_error) }
}

/// Prints the reason, as LLVM itself does, and what is known about it. LLVM ends the process after
/// it returns.
unsafe extern "C" fn on_fatal_error(reason: *const c_char) {
    // SAFETY: LLVM gives a text that ends with a NUL byte.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    let mut text = format!("LLVM ERROR: {reason}\n");
    if let Some(at) = reason.find(NO_CODE) {
        let name = reason[at + NO_CODE.len()..].split_whitespace().next().unwrap_or_default();
        EMITTED.with(|slot| slot.borrow().as_ref().map(|emitted| text.push_str(&calls(emitted, name))));
    }
    // If standard error is closed, there is no place for a message.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}

/// The calls of an intrinsic, a line each.
fn calls(emitted: &Emitted, name: &str) -> String {
    // SAFETY: `watched` is running, so that context and module live. Instruction selection, which
    // failed, does not change IR.
    let cx = unsafe { &*emitted.cx };
    let module = ManuallyDrop::new(Module { cx, raw: emitted.module });
    let mut lines = vec![format!("this LLVM has no code for {name} on {}", emitted.target)];
    lines.extend(module.calls_of(|f| f.is_intrinsic_named(name)));
    lines.join("\n") + "\n"
}

impl Module<'_> {
    /// The calls of some functions, one for each type of an intrinsic, as lines for messages.
    pub fn calls_of(&self, is_callee: impl Fn(Value<'_>) -> bool) -> Vec<String> {
        let callees: Vec<_> = self.functions().filter(|&f| is_callee(f)).collect();
        let defined = self.functions().filter(|f| !f.is_declaration());
        let instructions = defined.flat_map(|f| f.body().map(move |instruction| (f, instruction)));
        let is_call = |(_, instruction): &(_, Value<'_>)| callees.iter().any(|&f| instruction.is_call_of(f));
        let shown = |(function, call): (Value<'_>, Value<'_>)| {
            let line = call.source_line().map_or(String::new(), |(file, line)| format!(" at {file}:{line}"));
            format!("in function {}{line}: {}", function.name(), plain(&call.text()))
        };
        instructions.filter(is_call).take(MOST).map(shown).collect()
    }
}

/// An instruction without its metadata, whose numbers are LLVM's own.
fn plain(instruction: &str) -> &str {
    instruction.split(", !").next().unwrap_or_default().trim()
}
