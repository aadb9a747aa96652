//! Options converted to command-line arguments.

use crate::options::IrOptions;
use raddle_ir::{CodegenOptions, OptLevel};

/// The command-line arguments that pass `options` to the process of a unit; options with default
/// values are omitted (SPLIT-3).
pub fn options(options: &CodegenOptions, arch: &str) -> Vec<String> {
    let mut words = vec!["--arch".to_string(), arch.to_string()];
    words.extend((options.opt != OptLevel::O3).then(|| format!("-O{}", options.opt as u8)));
    words.extend((!options.fmad).then(|| "--fmad=false".to_string()));
    words.extend(options.maxrregcount.map(|registers| format!("--maxrregcount={registers}")));
    words.extend(options.lineinfo.then(|| "--lineinfo".to_string()));
    words.extend(options.debug.then(|| "--device-debug".to_string()));
    words.extend(options.serial.then(|| "--sched=serial".to_string()));
    words.extend(options.relocatable.then(|| "-c".to_string()));
    words.extend(options.cache_words().map(|rule| format!("--{rule}")));
    words
}

/// The command-line arguments for LLVM IR that decide what its functions become; options with default
/// values are omitted.
pub fn ir(options: &IrOptions) -> Vec<String> {
    let switch = |name: &str, value: Option<bool>| value.map(|value| format!("--{name}={value}"));
    let switches = [("ftz", options.ftz), ("prec-div", options.prec_div), ("prec-sqrt", options.prec_sqrt)].into_iter();
    let mut words: Vec<String> = switches.filter_map(|(name, value)| switch(name, value)).collect();
    words.extend(options.llvm_options.iter().map(|option| format!("--mllvm={option}")));
    words
}

/// The argument that sets the step limit of a unit.
pub fn limits(steps: Option<u64>) -> Option<String> {
    steps.map(|steps| format!("--kernel-steps={steps}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Cache, CacheRule};

    #[test]
    fn only_what_differs_from_the_default_is_passed_on() {
        let default = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
        assert_eq!(options(&default, "sm_90"), ["--arch", "sm_90"]);
        let other = CodegenOptions {
            opt: OptLevel::O0,
            fmad: false,
            maxrregcount: Some(40),
            lineinfo: true,
            debug: true,
            serial: true,
            relocatable: true,
            loads: CacheRule::Default(Cache::Cg),
            stores: CacheRule::Forced(Cache::Wt),
        };
        let mut want = vec!["--arch", "sm_80", "-O0", "--fmad=false", "--maxrregcount=40", "--lineinfo"];
        want.extend(["--device-debug", "--sched=serial", "-c"]);
        want.extend(["--def-load-cache=cg", "--force-store-cache=wt"]);
        assert_eq!(options(&other, "sm_80"), want);
        assert!(ir(&IrOptions::default()).is_empty());
        let llvm_options = ["-a=b", "-c"].map(str::to_owned).to_vec();
        let other = IrOptions { ftz: Some(true), prec_sqrt: Some(false), llvm_options, ..IrOptions::default() };
        assert_eq!(ir(&other), ["--ftz=true", "--prec-sqrt=false", "--mllvm=-a=b", "--mllvm=-c"]);
    }
}
