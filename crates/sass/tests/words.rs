//! Instruction words of ptxas, stored as text: each decodes, encodes to the same bits, and prints
//! as nvdisasm printed it.

use std::path::{Path, PathBuf};

use raddle_sass::{Isa, decode, encode, print};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/words")
}

fn lines(isa: Isa) -> Vec<(u128, u64, String)> {
    let mut out = Vec::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus().join(isa.name())).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            let mut parts = line.splitn(3, ' ');
            let word = u128::from_str_radix(parts.next().unwrap(), 16).unwrap();
            let pc = u64::from_str_radix(parts.next().unwrap(), 16).unwrap();
            out.push((word, pc, parts.next().unwrap().to_owned()));
        }
    }
    out
}

#[test]
fn every_word_round_trips_with_nvdisasms_text() {
    let mut total = 0;
    let mut bad = Vec::new();
    for isa in Isa::ALL {
        for (word, pc, text) in lines(isa) {
            total += 1;
            match decode(isa, word) {
                Err(e) => bad.push(format!("{} {word:032x} {text}: {e}", isa.name())),
                Ok(inst) => {
                    let back = encode(isa, &inst);
                    if back != Ok(word) {
                        bad.push(format!("{} {word:032x} {text}: encodes to {back:x?}", isa.name()));
                    }
                    let ours = print(&inst, pc);
                    if ours.trim_end() != text.trim_end() {
                        bad.push(format!("{} {word:032x} {text}: prints {ours}", isa.name()));
                    }
                }
            }
        }
    }
    assert!(total > 5_000, "only {total} words found");
    assert!(bad.is_empty(), "{} of {total}:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn an_unknown_bit_is_an_error() {
    // Bits 92-104 have no meaning on sm_90: one that is set must not be dropped silently.
    for (word, _, text) in lines(Isa::Sm90) {
        assert!(decode(Isa::Sm90, word | 1 << 100).is_err(), "{text}");
    }
}
