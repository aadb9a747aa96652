//! `raddle` under the name `nvdisasm`: the code of a cubin, as `nvdisasm -c` prints it, with that option
//! or without: tinygrad gives none.

use super::other::Other;
use super::sass::{Labels, Style, code};
use super::{note_passed_on, say, version};
use crate::print;
use raddle_cubin::Cubin;
use raddle_cubin::model::Kind;
use raddle_dropin::Meaning::NotSupported;
use raddle_dropin::line::{self, System};
use raddle_dropin::nvdisasm::NVDISASM;
use std::fmt::Write as _;

/// The name at the start of messages.
const TOOL: &str = "nvdisasm";
/// The ELF machine number of cubins.
const EM_CUDA: [u8; 2] = [190, 0];
/// The exit code after every error.
const FATAL: u8 = 1;

/// Runs the tool and returns the exit code.
pub(super) fn run(words: Vec<String>) -> u8 {
    let line = match line::read(&NVDISASM, &words, &System) {
        Ok(line) => line,
        Err(error) => {
            say(TOOL, "fatal", &error.to_string());
            return FATAL;
        }
    };
    line.warnings.iter().for_each(|warning| say(TOOL, "warning", warning));
    let has = |long| line.has(&NVDISASM, long);
    let text = match &line.inputs[..] {
        _ if has("help") => NVDISASM.help(),
        _ if has("version") => version(TOOL, "NVIDIA's disassembler", &Other::find(TOOL)),
        [file] => {
            let refused = NVDISASM.options.iter().find_map(|row| match row.under_name() {
                NotSupported(why) if has(row.long) => {
                    Some(format!("option '--{}' is not supported by Raddle: {why}", row.long))
                }
                _ => None,
            });
            let why = match refused {
                Some(why) => Err(End::Elsewhere(why)),
                None => listing(file, has("print-instruction-encoding")),
            };
            match why {
                Ok(text) => text,
                Err(End::Fatal(message)) => {
                    say(TOOL, "fatal", &message);
                    return FATAL;
                }
                Err(End::Elsewhere(why)) => {
                    let other = Other::find(TOOL);
                    note_passed_on(TOOL, &why, &other, &words);
                    let missing = other.take_over(&words, None);
                    say(TOOL, "fatal", &format!("{why}; there is no other nvdisasm to pass the call to: {missing}"));
                    return FATAL;
                }
            }
        }
        // Of several files nvdisasm reads none.
        _ => NVDISASM.help(),
    };
    if print(&text).is_ok() { 0 } else { FATAL }
}

/// Why a call is not answered.
enum End {
    /// The message of the tool.
    Fatal(String),
    /// It needs another nvdisasm, for this reason.
    Elsewhere(String),
}

/// The code of a cubin.
fn listing(file: &str, words: bool) -> Result<String, End> {
    let bytes = std::fs::read(file).map_err(|_| End::Fatal(format!("Cannot open object file {file}")))?;
    match &bytes[..] {
        [] => return Err(End::Fatal(format!("Object file {file} is not readable"))),
        bytes if !bytes.starts_with(b"\x7fELF") => {
            return Err(End::Fatal(format!("File {file} does not appear to be an Elf file")));
        }
        bytes if bytes.get(18..20) != Some(&EM_CUDA) => {
            return Err(End::Fatal(format!("{file} is not a supported Elf file")));
        }
        _ => {}
    }
    let cubin = Cubin::parse(&bytes).map_err(|error| End::Elsewhere(format!("'{file}' is no cubin: {error}")))?;
    let kind = if cubin.header.kind == Kind::Executable { "ET_EXEC" } else { "ET_REL" };
    let mut out = format!("\t.target\tsm_{}\n\n\t.elftype\t@\"{kind}\"\n\n\n", cubin.header.sm());
    let mut functions = cubin.functions();
    functions.sort_by_key(|function| function.section);
    let mut labels = Labels::default();
    for function in functions {
        let name = function.name;
        let none = || End::Elsewhere(format!("Raddle has no tables for sm_{}", cubin.header.sm()));
        let code = code(&cubin, &function, Style { words, labels: true, width: 0 }, &mut labels).ok_or_else(none)?;
        let end = labels.next();
        let section = format!(".text.{name}");
        // Older containers have the number in the section's header.
        let registers = match cubin.header.sm() {
            ..90 => format!("\t.sectioninfo\t@\"SHI_REGISTERS={}\"\n", function.registers),
            _ => String::new(),
        };
        let other = if function.is_entry { "STO_CUDA_ENTRY STV_DEFAULT" } else { "STV_DEFAULT" };
        let _ = write!(
            out,
            "//--------------------- {section:<25} --------------------------\n\
             \t.section\t{section},\"ax\",@progbits\n{registers}\t.align\t128\n        .global         {name}\n        \
             .type           {name},@function\n        .size           {name},({end} - {name})\n        \
             .other          {name},@\"{other}\"\n{name}:\n{section}:\n{code}{end}:\n\n\n"
        );
    }
    Ok(out)
}
