//! Entry points for the device linker: one object, and the same as a member of a library beside itself; and a cubin of another
//! assembler that becomes a unit.

use raddle_entity::Serial;
use raddle_link::objects::{Input, LinkOptions, link};
use raddle_target::Target;

/// Links `data` to an executable and to an object, looks at what came out, and reads it again. Any outcome but a panic or an output that cannot be read is right.
pub fn run(data: &[u8]) {
    let own = Input { name: "a", bytes: data, library: false };
    let member = Input { name: "b", bytes: data, library: true };
    for (inputs, keep_all, relocatable) in
        [(&[own][..], true, false), (&[own, member], false, false), (&[own, member], false, true)]
    {
        let options = LinkOptions { keep_all, relocatable, ..LinkOptions::default() };
        let Ok(linked) = link(inputs, &options, &Serial) else { continue };
        let bytes = linked.bytes(&Serial);
        assert_eq!(bytes.len() as u64, linked.size(), "the size is what was said");
        assert!(raddle_cubin::Cubin::parse(&bytes).is_ok(), "the output can be read");
        std::hint::black_box((linked.map().len(), linked.placed().len()));
    }
}

/// Takes `data`, a cubin that another assembler made, apart into a unit. Any outcome but a panic or a unit that contradicts itself is right.
///
/// # Panics
/// When a unit was made that does not hold what units promise.
pub fn import(data: &[u8]) {
    let Ok(cubin) = raddle_cubin::Cubin::parse(data) else { return };
    for target in ["sm_80", "sm_90"].into_iter().filter_map(Target::by_name) {
        if let Ok(unit) = raddle_link::import(&cubin, target, &|name| name == "counter") {
            assert!(unit.verify().is_ok(), "the unit holds what units promise");
            std::hint::black_box(raddle_link::undefined(&unit).len());
        }
    }
}
