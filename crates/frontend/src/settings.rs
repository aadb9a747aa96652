//! Settings that affect the PTX.

use serde::{Deserialize, Serialize};

/// What IR is compiled for, and how floating-point operations may be changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Settings {
    /// The architecture, such as `sm_90a`.
    pub arch: String,
    /// Its number, such as 90.
    pub sm: u32,
    /// Optimisation level, 0 to 3.
    pub level: u8,
    /// Flush subnormal `f32` operands and results to zero; by default each input says it by its flag
    /// `nvvm-reflect-ftz` and the attributes of its functions.
    pub ftz: Option<bool>,
    /// Divide `f32` as IEEE 754 says.
    pub prec_div: bool,
    /// Take square roots of `f32` as IEEE 754 says.
    pub prec_sqrt: bool,
    /// Contract multiplications and additions where the IR allows it.
    pub fmad: bool,
    /// Keep debug information.
    pub debug: bool,
    /// Number the instructions of each input in place of its debug information.
    pub locate: bool,
    /// Keep everything that other objects may refer to.
    pub relocatable: bool,
    /// Symbols that other inputs of the link refer to or define for others, sorted.
    pub keep: Vec<String>,
    /// Functions that inputs define under names of the device library, sorted: those of the library
    /// do not take their places.
    pub owned: Vec<String>,
}

/// The newest PTX version that LLVM of a major version writes, as major * 10 + minor (LLVM's
/// `NVPTX.td`), which is at most what is read here.
const PTX: &[(u32, u32)] = &[(19, 85), (20, 87), (21, 88), (22, 90)];

impl Settings {
    /// The process-wide options of LLVM that make it report remarks of all passes: what was
    /// optimised, what was not, and why.
    pub const REMARKS: [&str; 3] = ["-pass-remarks=.*", "-pass-remarks-missed=.*", "-pass-remarks-analysis=.*"];

    /// The PTX version to ask an LLVM of this major version for.
    pub fn ptx(llvm: u32) -> u32 {
        let known = PTX.iter().rev().find(|(major, _)| *major <= llvm);
        known.map_or(PTX[0].1, |&(_, ptx)| ptx)
    }

    /// The process-wide options of LLVM that these settings need: units that differ in them need
    /// different worker processes.
    pub fn process_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if !self.prec_div {
            options.push("-nvptx-prec-divf32=1".to_owned());
        }
        if !self.prec_sqrt {
            options.push("-nvptx-prec-sqrtf32=0".to_owned());
        }
        if !self.fmad {
            options.push("-nvptx-fma-level=0".to_owned());
        }
        options
    }

    /// The settings that a part depends on: without those for the link of the whole program.
    #[must_use]
    pub fn for_part(&self) -> Settings {
        Settings { keep: Vec::new(), owned: Vec::new(), relocatable: false, ..self.clone() }
    }

    /// The value of `__nvvm_reflect(name)` (NVVM IR specification, libdevice User's Guide) in a module
    /// that flushes subnormal numbers or not; unknown names are 0.
    pub fn reflect(&self, name: &str, flushes: bool) -> u64 {
        match name {
            "__CUDA_ARCH" => u64::from(self.sm) * 10,
            "__CUDA_FTZ" => flushes.into(),
            "__CUDA_PREC_DIV" => self.prec_div.into(),
            "__CUDA_PREC_SQRT" => self.prec_sqrt.into(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn a_worker_is_given_the_options_that_differ_from_their_defaults() {
        let settings = Settings {
            arch: "sm_90".into(),
            sm: 90,
            level: 3,
            ftz: None,
            prec_div: true,
            prec_sqrt: true,
            fmad: true,
            debug: false,
            locate: false,
            relocatable: false,
            keep: Vec::new(),
            owned: Vec::new(),
        };
        assert!(settings.process_options().is_empty());
        for (other, option) in [
            (Settings { prec_div: false, ..settings.clone() }, "-nvptx-prec-divf32=1"),
            (Settings { prec_sqrt: false, ..settings.clone() }, "-nvptx-prec-sqrtf32=0"),
            (Settings { fmad: false, ..settings.clone() }, "-nvptx-fma-level=0"),
        ] {
            assert_eq!(other.process_options(), [option]);
        }
        // What IR says itself is no option of the process.
        assert!(Settings { ftz: Some(true), level: 0, debug: true, ..settings }.process_options().is_empty());
    }
}
