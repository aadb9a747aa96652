//! Instruction words, the text form of the SSA, and launch descriptions.

use raddle_sim::launch::{Arg, Dim3};
use raddle_target::TARGETS;

/// Decodes any bytes as words of every native architecture.
///
/// # Panics
/// When a word is encoded back as another one.
pub fn words(bytes: &[u8]) {
    for native in TARGETS.iter().filter_map(|target| target.native.as_ref()) {
        for (index, piece) in bytes.as_chunks::<16>().0.iter().enumerate() {
            let word = u128::from_le_bytes(*piece);
            let Ok(inst) = raddle_sass::decode(native.isa, word) else { continue };
            std::hint::black_box(raddle_sass::print(&inst, index as u64 * 16));
            if let Ok(back) = raddle_sass::encode(native.isa, &inst) {
                assert_eq!(back, word, "{word:#034x}");
            }
        }
    }
}

/// Reads the text form of the SSA; what can be read is printed and read again.
///
/// # Panics
/// When printed functions cannot be read.
pub fn ir_text(bytes: &[u8]) {
    let Ok(functions) = raddle_ir::text::parse(&String::from_utf8_lossy(bytes)) else { return };
    for function in &functions {
        let printed = raddle_ir::text::print(function);
        let again = raddle_ir::text::parse(&printed).map(|again| again.iter().map(raddle_ir::text::print).collect());
        assert_eq!(again.ok(), Some(vec![printed]));
    }
}

/// Reads every line as an argument and as dimensions.
pub fn launch(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        std::hint::black_box((Arg::parse(line).is_ok(), Dim3::parse(line).is_ok()));
    }
}
