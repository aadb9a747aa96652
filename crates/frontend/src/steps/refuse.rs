//! What IR has and PTX has not: refused with its name and that of a function, where LLVM would end
//! its process or write PTX that nothing reads.

use super::StepError;
use super::summarize::PRIORITY;
use crate::llvm::{Linkage, Module, Value};

/// Refuses symbols that device code cannot have, before any pass.
pub(super) fn symbols(module: &Module<'_>) -> Result<(), StepError> {
    if let Some(function) = module.ifuncs().next() {
        let name = function.name();
        return Err(format!("the function {name} is an ifunc, chosen when a program is loaded: PTX has none").into());
    }
    for variable in module.variables() {
        let is_needed = || variable.linkage() != Linkage::Internal && !variable.is_declaration();
        if variable.is_thread_local() && (is_needed() || variable.users().next().is_some()) {
            let (name, user) = (variable.name(), user(variable));
            return Err(format!("the variable {name}{user} is thread_local: PTX has no such variables").into());
        }
        if variable.is_aligned_beyond_ptx() {
            return Err(aligned(&format!("the variable {}{}", variable.name(), user(variable))));
        }
    }
    for function in module.functions().filter(|f| !f.is_declaration()) {
        let Some(text) = function.attribute(PRIORITY) else { continue };
        if !text.parse::<u16>().is_ok_and(|number| number > 0) {
            let name = function.name();
            return Err(format!("the function {name} has {PRIORITY}=\"{text}\": a priority is 1 to 65535").into());
        }
    }
    module.functions().filter(|f| f.is_declaration()).try_for_each(intrinsic)
}

/// Refuses instructions that no pass has removed.
pub(super) fn instructions(module: &Module<'_>) -> Result<(), StepError> {
    for function in module.functions().filter(|f| !f.is_declaration()) {
        for instruction in function.body() {
            let jumps = instruction.opcode() == INDIRECT;
            let what = jumps.then_some("an indirect jump").or_else(|| names_block(instruction));
            if let Some(what) = what {
                let (name, text) = (function.name(), instruction.text());
                let message = format!("the function {name} has {what}, for which PTX has no code: {}", text.trim());
                return Err(message.into());
            }
            if instruction.is_aligned_beyond_ptx() {
                return Err(aligned(&format!(
                    "memory of the function {} ({})",
                    function.name(),
                    instruction.text().trim()
                )));
            }
        }
    }
    Ok(())
}

/// `LLVMIndirectBr`, of `LLVMOpcode`.
const INDIRECT: i32 = 4;

fn names_block(instruction: Value<'_>) -> Option<&'static str> {
    instruction.operands().any(Value::is_block_address).then_some("the address of a block (blockaddress)")
}

/// The targets of LLVM 19 to 22 whose intrinsics have the name of the target.
const TARGETS: &[&str] = &[
    "aarch64",
    "amdgcn",
    "arm",
    "bpf",
    "dx",
    "hexagon",
    "loongarch",
    "mips",
    "ppc",
    "r600",
    "riscv",
    "s390",
    "spv",
    "ve",
    "wasm",
    "x86",
    "xcore",
];

/// Refuses an intrinsic that is used, and that this LLVM does not have, or not for this machine: the
/// one would be a call of a function, for the other LLVM ends its process.
fn intrinsic(function: Value<'_>) -> Result<(), StepError> {
    let name = function.name();
    let Some(rest) = name.strip_prefix("llvm.") else { return Ok(()) };
    let known = function.is_intrinsic();
    let target = TARGETS.iter().find(|target| rest.strip_prefix(**target).is_some_and(|rest| rest.starts_with('.')));
    if (known && target.is_none()) || function.users().next().is_none() {
        return Ok(());
    }
    let caller = caller(function).map_or(String::new(), |caller| format!(", which {caller} calls"));
    Err(match target {
        Some(target) => {
            let comma = if caller.is_empty() { "" } else { "," };
            format!("the intrinsic {name}{caller}{comma} is for {target}: it has no code for NVPTX")
        }
        None => format!("this LLVM has no intrinsic {name}{caller}"),
    }
    .into())
}

/// The function that uses a symbol, if an instruction does.
fn caller(symbol: Value<'_>) -> Option<String> {
    symbol.users().find_map(Value::parent).map(Value::name)
}

/// A function that uses a variable, for messages.
fn user(variable: Value<'_>) -> String {
    caller(variable).map_or(String::new(), |name| format!(", which {name} uses,"))
}

fn aligned(what: &str) -> StepError {
    format!("{what} is aligned to 4294967296 bytes: PTX has alignments up to 2147483648").into()
}
