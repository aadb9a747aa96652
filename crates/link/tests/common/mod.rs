//! Shared by the tests: imports executables of ptxas as unit objects.

use raddle_cubin::Cubin;
use raddle_cubin::elf::sht;
use raddle_cubin::unit::UnitObject;
use raddle_target::Target;

/// Converts an executable to a unit: its code unchanged, facts from its attributes.
///
/// Variables are not imported: in an executable the code's references to them are already filled
/// in.
pub fn import(cubin: &Cubin, target: &Target) -> Vec<UnitObject> {
    let mut cubin = cubin.clone();
    for s in &mut cubin.sections {
        if matches!(&*s.name, ".nv.constant3" | ".nv.constant4" | ".nv.global" | ".nv.global.init") {
            (s.name, s.kind) = (".dropped".into(), sht::PROGBITS);
        }
    }
    vec![raddle_link::import(&cubin, target, &|_| true).unwrap()]
}
