//! Describes the symbols of a module.

use super::{StepError, machine};
use crate::flags::Flag;
use crate::llvm::{Context, Linkage as Raw, Llvm, Machine, Module, Value};
use crate::settings::Settings;
use crate::summary::{Kind, Linkage, Space, Summary, Symbol, Use, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// The function attribute with the priority of a function, a number up to 65535.
pub(super) const PRIORITY: &str = "raddle-priority";

/// Returns the summary of a simplified input, and its flags.
///
/// # Errors
/// LLVM's reason.
pub fn describe(
    llvm: &'static Llvm,
    settings: &Settings,
    name: &str,
    bitcode: &[u8],
) -> Result<(Summary, Vec<Flag>), StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let module = cx.parse(name, bitcode)?;
    Ok((summarize(&module, &machine), module.flags()))
}

/// Returns the summary of a module whose bodies are read.
pub fn summarize(module: &Module<'_>, machine: &Machine) -> Summary {
    let mut values: Vec<(String, Value<'_>)> = module
        .globals()
        .filter(|value| !value.is_intrinsic())
        .map(|value| (value.name(), value))
        .filter(|(name, _)| !name.starts_with("llvm."))
        .collect();
    values.sort_by(|a, b| a.0.cmp(&b.0));
    let index: BTreeMap<&str, u32> = values.iter().zip(0..).map(|((name, _), n)| (name.as_str(), n)).collect();
    let mut uses: Vec<BTreeMap<u32, Use>> = vec![BTreeMap::new(); values.len()];
    let mut taken = BTreeSet::new();
    for ((_, value), symbol) in values.iter().zip(0..) {
        for reference in references(*value) {
            if reference.address {
                taken.insert(symbol);
            }
            let Some(&from) = index.get(reference.from.name().as_str()) else { continue };
            let entry = uses[from as usize].entry(symbol).or_insert(Use { symbol, calls: 0, address: false });
            entry.calls += u32::from(!reference.address);
            entry.address |= reference.address;
        }
    }
    let symbol = |name: String, value: &Value<'_>, uses: BTreeMap<u32, Use>, n: u32| Symbol {
        name,
        kind: kind(*value),
        linkage: linkage(*value),
        visibility: match value.visibility() {
            1 => Visibility::Hidden,
            2 => Visibility::Protected,
            _ => Visibility::Default,
        },
        size: match () {
            () if value.is_declaration() => 0,
            () if value.is_function() => value.instructions(),
            () if value.is_variable() => machine.size_of(*value),
            () => 0,
        },
        priority: match value.is_function() {
            true => value.attribute(PRIORITY).and_then(|text| text.parse().ok()).unwrap_or(0),
            false => 0,
        },
        copyable: match value.is_function() {
            // Of definitions that differ, a linker takes one.
            true => !taken.contains(&n) && !value.is_interposable(),
            false => value.is_constant() && value.is_unnamed(),
        },
        uses: uses.into_values().collect(),
    };
    let rows = values.iter().zip(uses).zip(0..);
    let symbols = rows.map(|(((name, value), uses), n)| symbol(name.clone(), value, uses, n)).collect();
    Summary { symbols, assembly: words(&module.assembly()) }
}

/// The words of inline assembly: names are among them.
pub(super) fn words(assembly: &str) -> BTreeSet<String> {
    let within = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
    let words = assembly.split(|c: char| !within(c)).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A reference to a symbol from another one.
struct Reference<'m> {
    from: Value<'m>,
    /// Whether it is not a direct call.
    address: bool,
}

/// All references to a symbol, through constants as well.
fn references(symbol: Value<'_>) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    let mut work = vec![symbol];
    while let Some(value) = work.pop() {
        // An instruction that uses the value twice is two uses.
        for user in value.users() {
            if let Some(from) = user.parent() {
                let call = value == symbol && user.is_call_of(symbol) && user.operands_that_are(symbol) == 1;
                found.push(Reference { from, address: !call });
            } else if user.is_global() {
                found.push(Reference { from: user, address: true });
            } else {
                work.push(user);
            }
        }
    }
    found
}

fn kind(value: Value<'_>) -> Kind {
    if value.is_function() {
        return if value.has_kernel_convention() { Kind::Kernel } else { Kind::Function };
    }
    if !value.is_variable() {
        return Kind::Alias;
    }
    Kind::Variable(match value.address_space() {
        0 | 1 => Space::Global,
        3 => Space::Shared,
        4 => Space::Constant,
        _ => Space::Other,
    })
}

fn linkage(value: Value<'_>) -> Linkage {
    if value.is_declaration() {
        return Linkage::Declaration;
    }
    match value.linkage() {
        Raw::Internal => Linkage::Internal,
        Raw::Weak | Raw::LinkOnce | Raw::ExternalWeak => Linkage::Weak,
        Raw::Common => Linkage::Common,
        // A body that may be inlined, and stands for a definition elsewhere.
        Raw::AvailableExternally => Linkage::Declaration,
        Raw::External | Raw::Appending => Linkage::External,
    }
}
