//! `cargo campaign probe-sass ISA HEX...`: flips every bit of a word and prints how nvdisasm's text changes.
//!
//! This is how the fields of `isa/*.txt` were found: runs of bits with the same effect are printed as one line, a bit
//! that changes nothing as `-`, one that makes the word illegal as `illegal`.

use crate::arguments::isa;
use anyhow::{Context, Result};
use raddle_sass::Isa;

use crate::machine_code;

/// Bits outside guard and control: the ones that belong to a form.
fn bits() -> impl Iterator<Item = u32> {
    (0..12).chain(16..105)
}

#[derive(clap::Args)]
pub struct Options {
    /// Machine (sm_90 ...)
    #[arg(value_name = "SM", value_parser = isa)]
    isa: Isa,
    /// Words, 32 hexadecimal digits each
    #[arg(value_name = "HEX", required = true)]
    words: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// No nvdisasm, and a word that is not hexadecimal.
pub fn run(Options { isa, words }: Options) -> Result<()> {
    for hex in &words {
        let word = u128::from_str_radix(hex.trim_start_matches("0x"), 16).with_context(|| hex.clone())?;
        let base = machine_code::disassemble(isa, &[word])?.pop().flatten();
        println!("{word:032x} {}", base.as_deref().unwrap_or("illegal"));
        let mut run: Option<(u32, u32, String)> = None;
        let flipped: Vec<u128> = bits().map(|b| word ^ 1 << b).collect();
        for (bit, text) in bits().zip(machine_code::disassemble(isa, &flipped)?) {
            let what = match (&text, &base) {
                (None, _) => "illegal".to_owned(),
                (Some(t), Some(b)) if t == b => "-".to_owned(),
                (Some(t), _) => t.clone(),
            };
            match &mut run {
                Some((_, last, old)) if *old == what && *last + 1 == bit => *last = bit,
                _ => {
                    if let Some((first, last, old)) = run.replace((bit, bit, what)) {
                        println!("  {first:3}-{last:3} {old}");
                    }
                }
            }
        }
        if let Some((first, last, old)) = run {
            println!("  {first:3}-{last:3} {old}");
        }
    }
    Ok(())
}
