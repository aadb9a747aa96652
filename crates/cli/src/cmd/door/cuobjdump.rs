//! `raddle` under the name `cuobjdump`: lists, extracts and disassembles the members of fatbins,
//! host objects and archives, and of a cubin.

use super::elf;
use super::other::Other;
use super::sass::{Labels, Style, code, width};
use super::{FAILED, note_passed_on, say, version};
use crate::print;
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_cubin::view::Kernel;
use raddle_driver::output::Dest;
use raddle_dropin::cuobjdump::CUOBJDUMP;
use raddle_dropin::line::{self, Line, System};
use raddle_dropin::number::integer;
use raddle_fatbin::{Kind, Member, Packing, container};
use std::fmt::Write as _;
use std::path::Path;

/// The name at the start of messages.
const TOOL: &str = "cuobjdump";
/// The exit code after a message that ends the call.
const FATAL: u8 = 1;
/// The size of the header of a fatbin, in bytes.
const HEADER: usize = 16;
/// Flags of a member for debugging, for one architecture, for a family (fatbinary 13.0.88 output).
const DEBUG: u64 = 0x2;
const SPECIFIC: u64 = 0x10_0000;
const FAMILY: u64 = 0x100_0000;

/// Why a call is not answered.
enum End {
    Fatal(String),
    /// It needs another cuobjdump, for this reason.
    Elsewhere(String),
    /// The file has no device code.
    Nothing,
}

/// An image in a file.
struct Image {
    kind: Kind,
    arch: String,
    /// Its description; empty for a cubin that is the whole file.
    head: String,
    /// The name by which it is extracted, without architecture and kind.
    name: String,
    /// That of its code.
    text_name: String,
    contents: Vec<u8>,
    /// The options of ptxas with PTX.
    options: String,
}

/// Runs the tool and returns the exit code.
pub(super) fn run(words: Vec<String>) -> u8 {
    let line = match line::read(&CUOBJDUMP, &words, &System) {
        Ok(line) => line,
        Err(error) => {
            say(TOOL, "fatal", &error.to_string());
            return FATAL;
        }
    };
    line.warnings.iter().for_each(|warning| say(TOOL, "warning", warning));
    let done = match &line.inputs[..] {
        _ if line.has(&CUOBJDUMP, "help") => Ok(CUOBJDUMP.help()),
        _ if line.has(&CUOBJDUMP, "version") => {
            Ok(version(TOOL, "NVIDIA's fat binary listing tool", &Other::find(TOOL)))
        }
        [file] => dump(&line, file),
        // Of several files cuobjdump reads none.
        _ => Ok(CUOBJDUMP.help()),
    };
    match done {
        Ok(text) => return if print(&text).is_ok() { 0 } else { FATAL },
        Err(End::Fatal(message)) => say(TOOL, "fatal", &message),
        Err(End::Nothing) => {
            say(TOOL, "info", &format!("File '{}' does not contain device code", absolute(&line.inputs[0])));
            return FAILED;
        }
        Err(End::Elsewhere(why)) => {
            let other = Other::find(TOOL);
            note_passed_on(TOOL, &why, &other, &words);
            let missing = other.take_over(&words, None);
            say(TOOL, "fatal", &format!("{why}; there is no other cuobjdump to pass the call to: {missing}"));
        }
    }
    FATAL
}

fn absolute(file: &str) -> String {
    std::path::absolute(file).map_or_else(|_| file.to_owned(), |path| path.display().to_string())
}

/// Lists, extracts or prints.
fn dump(line: &Line, file: &str) -> Result<String, End> {
    let has = |long| line.has(&CUOBJDUMP, long);
    let bytes =
        std::fs::read(file).map_err(|_| End::Fatal(format!("Could not open input file '{}'", absolute(file))))?;
    if bytes.len() < HEADER {
        return Err(End::Fatal(format!("Invalid fatbin header in '{}'", absolute(file))));
    }
    let stem = Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut counts = Counts::default();
    let mut out = String::new();
    let arch = line.value(&CUOBJDUMP, "gpu-architecture");
    match container::archive(&bytes).map_err(|error| End::Elsewhere(format!("'{file}': {error}")))? {
        None => {
            let images = images(&bytes, &stem, arch, &mut counts)?;
            out += &of_file(line, &images, &mut counts)?;
            let step = if has("extract-elf") || has("extract-ptx") { "extract" } else { "list" };
            for (kind, what) in [(Kind::Cubin, "ELF"), (Kind::Ptx, "PTX")] {
                let option = format!("{step}-{}", what.to_lowercase());
                if line.has(&CUOBJDUMP, &option) && images.iter().all(|image| image.kind != kind) {
                    let none = format!("No {what} file found to extract from '{}'", absolute(file));
                    say(TOOL, "info", &format!("{none}. You may try with -all option."));
                }
            }
        }
        Some(members) => {
            for (member, contents) in members {
                let Ok(images) = images(contents, &stem, arch, &mut counts) else { continue };
                let _ = writeln!(out, "\nmember {}:{member}:", absolute(file));
                out += &of_file(line, &images, &mut counts)?;
            }
        }
    }
    Ok(out)
}

/// The number of images of each kind so far: in their names, and in lists.
#[derive(Default)]
struct Counts {
    named: [usize; 2],
    listed: [usize; 2],
    texts: usize,
}

/// The images of one file, those of an architecture if one is wanted.
fn images(bytes: &[u8], stem: &str, arch: Option<&str>, counts: &mut Counts) -> Result<Vec<Image>, End> {
    if bytes.get(18..20) == Some(&[190, 0]) {
        let cubin = Cubin::parse(bytes).map_err(|error| End::Elsewhere(error.to_string()))?;
        let noted = |report: Report| {
            report.attributes.iter().any(|a| a.name == Some("CUDA_ACCELERATOR_TARGET") && a.value != "0x0")
        };
        let specific = cubin.header.is_accelerated().unwrap_or_else(|| noted(Report::new(&cubin)));
        let specific = if specific { "a" } else { "" };
        let own = format!("sm_{}{specific}", cubin.header.sm());
        if arch.is_some_and(|arch| !is_alike(&own, arch)) {
            return Ok(Vec::new());
        }
        return Ok(vec![Image {
            kind: Kind::Cubin,
            arch: own,
            head: String::new(),
            name: stem.to_owned(),
            text_name: stem.to_owned(),
            contents: bytes.to_vec(),
            options: String::new(),
        }]);
    }
    let members = raddle_fatbin::members(bytes).map_err(|_| End::Nothing)?;
    let wanted = members.iter().filter(|member| arch.is_none_or(|arch| arch_of(member) == arch));
    wanted.map(|member| image(member, stem, counts)).collect()
}

/// Whether a cubin by itself counts as one for an architecture: it is left out only if one of both
/// is for its architecture alone, and the other is another one (cuobjdump 13.4.92 output).
fn is_alike(own: &str, wanted: &str) -> bool {
    let [own, wanted] = [own, wanted].map(|name| (name.trim_end_matches('a'), name.ends_with('a')));
    own.0 == wanted.0 || !own.1 && !wanted.1
}

/// The architecture of a member.
fn arch_of(member: &Member<'_>) -> String {
    let suffix = match member.flags {
        flags if flags & FAMILY != 0 => "f",
        flags if flags & SPECIFIC != 0 => "a",
        _ => "",
    };
    format!("sm_{}{suffix}", member.sm)
}

fn image(member: &Member<'_>, stem: &str, counts: &mut Counts) -> Result<Image, End> {
    let number = match member.kind {
        Kind::Cubin => 0,
        Kind::Ptx => 1,
        _ => return Err(End::Elsewhere(format!("a member is {}", member.kind.name()))),
    };
    counts.named[number] += 1;
    let (arch, (major, minor)) = (arch_of(member), member.version);
    let what = ["elf", "ptx"][number];
    let mut head = format!(
        "\nFatbin {what} code:\n================\narch = {arch}\ncode version = [{major},{minor}]\nhost = linux\n\
         compile_size = 64bit\n"
    );
    if member.flags & DEBUG != 0 {
        head += "has debug info\n";
    }
    if member.packing != Packing::Plain {
        head += "compressed\n";
    }
    let (name, text_name) = match member.name {
        Some(name) => {
            let _ = writeln!(head, "identifier = {name}");
            let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (stem.clone(), stem)
        }
        None => (format!("{stem}.{}", counts.named[number]), "x".to_owned()),
    };
    if number == 1 {
        let _ = writeln!(head, "ptxasOptions = {}", member.options.unwrap_or(""));
    }
    let contents = member.contents().map_err(|error| End::Fatal(error.to_string()))?;
    // Members are padded.
    let contents = match Cubin::parse(&contents) {
        Ok(cubin) if number == 0 => cubin.write().unwrap_or(contents),
        _ => contents,
    };
    let options = member.options.unwrap_or("").to_owned();
    Ok(Image { kind: member.kind, arch, head, name, text_name, contents, options })
}

/// What is wanted of the images of a file.
fn of_file(line: &Line, images: &[Image], counts: &mut Counts) -> Result<String, End> {
    let has = |long| line.has(&CUOBJDUMP, long);
    let mut out = String::new();
    for image in images {
        let (number, ending, what) = match image.kind {
            Kind::Cubin => (0, "cubin", "ELF"),
            _ => (1, "ptx", "PTX"),
        };
        counts.listed[number] += 1;
        let (at, name) = (counts.listed[number], format!("{}.{}.{ending}", image.name, image.arch));
        let (list, extract) = (["list-elf", "list-ptx"][number], ["extract-elf", "extract-ptx"][number]);
        if ["extract-elf", "extract-ptx"].iter().any(|option| has(option)) {
            if line.values(&CUOBJDUMP, extract).any(|part| part == "all" || name.contains(part)) {
                let options = format!("-arch={} {}", image.arch, image.options);
                let _ = match number {
                    0 => writeln!(out, "Extracting ELF file {at:>4}: {name}"),
                    _ => writeln!(out, "Extracting PTX file and ptxas options {at:>4}: {name} {options}"),
                };
                let unwritable = |_| End::Fatal(format!("Could not open output file '{name}'"));
                Dest::new(format!("./{name}")).write(&image.contents).map_err(unwritable)?;
            }
        } else if has("list-elf") || has("list-ptx") {
            if has(list) {
                let _ = writeln!(out, "{what} file {at:>4}: {name}");
            }
        } else if has("list-text") || has("extract-text") {
            if image.kind == Kind::Cubin {
                out += &texts(line, image, counts)?;
            }
        } else {
            out += &image.head;
            out += &printed(line, image)?;
        }
    }
    Ok(out)
}

/// Lists or extracts the code of a cubin, a file for each function.
fn texts(line: &Line, image: &Image, counts: &mut Counts) -> Result<String, End> {
    let cubin = Cubin::parse(&image.contents).map_err(|error| End::Elsewhere(error.to_string()))?;
    let extracts = line.has(&CUOBJDUMP, "extract-text");
    let mut out = String::new();
    for section in &cubin.sections {
        let Some(function) = section.name.strip_prefix(".text.") else { continue };
        let name = format!("{}-{function}.{}.elf.bin", image.text_name, image.arch);
        let is_wanted = line.values(&CUOBJDUMP, "extract-text").any(|part| part == "all" || name.contains(part));
        if extracts && !is_wanted {
            continue;
        }
        counts.texts += 1;
        let what = if extracts { "Extracting SASS" } else { "SASS" };
        let _ = writeln!(out, "{what} text section {} : {name}", counts.texts);
        if extracts {
            let unwritable = |_| End::Fatal(format!("Could not open output file '{name}'"));
            Dest::new(format!("./{name}")).write(section.bytes()).map_err(unwritable)?;
        }
    }
    Ok(out)
}

/// The text of an image.
fn printed(line: &Line, image: &Image) -> Result<String, End> {
    let has = |long| line.has(&CUOBJDUMP, long);
    let mut out = String::new();
    if image.kind != Kind::Cubin {
        if has("dump-ptx") {
            out += &String::from_utf8_lossy(&image.contents);
            out += "\n";
        }
        return Ok(out);
    }
    let cubin = || Cubin::parse(&image.contents).map_err(|error| End::Elsewhere(error.to_string()));
    if has("dump-elf") {
        out += &elf::text(&cubin()?, &image.arch);
    }
    if has("dump-resource-usage") {
        let cubin = cubin()?;
        let wanted: Vec<&str> = line.values(&CUOBJDUMP, "function").collect();
        let mut report = Report::new(&cubin);
        report.functions.retain(|function| wanted.is_empty() || wanted.contains(&&*function.name));
        out += &report.resource_usage();
        tell_unknown(&wanted, &cubin);
    }
    if has("dump-sass") {
        out += &sass(line, &cubin()?, &image.arch)?;
    }
    if has("dump-elf-symbols") {
        out += &elf::symbols(&cubin()?);
    }
    Ok(out)
}

/// The architecture of the PTX, from the note about the device, where newer containers have it: behind
/// the header of the note and the name of its owner.
fn noted_sm(cubin: &Cubin) -> Option<u16> {
    let section = cubin.sections.iter().find(|section| section.name == ".note.nv.cuinfo")?;
    section.bytes().get(26..28).map(|sm| u16::from_le_bytes([sm[0], sm[1]]))
}

/// Warns of functions that a cubin does not have.
fn tell_unknown(wanted: &[&str], cubin: &Cubin) {
    let functions = cubin.functions();
    for name in wanted.iter().filter(|name| functions.iter().all(|function| function.name != **name)) {
        say(TOOL, "warning", &format!("Function listed in --function '{name}' not found"));
    }
}

/// The code of a cubin.
fn sass(line: &Line, cubin: &Cubin, arch: &str) -> Result<String, End> {
    let wanted: Vec<&str> = line.values(&CUOBJDUMP, "function").collect();
    let mut functions = cubin.functions();
    if line.has(&CUOBJDUMP, "sort-functions") {
        functions.sort_by(|a, b| a.name.cmp(b.name));
    }
    tell_unknown(&wanted, cubin);
    let index = line.value(&CUOBJDUMP, "function-index").and_then(integer);
    let is_wanted = |function: &Kernel<'_>| match index {
        Some(index) => i64::from(function.symbol) == index,
        None => wanted.is_empty() || wanted.contains(&function.name),
    };
    let mut out = format!("\n\tcode for {arch}\n");
    if wanted.is_empty() && index.is_none() {
        let _ = writeln!(out, "\t.target\t{arch}\n");
    }
    let sm = cubin.header.sm();
    let flags = match wanted.is_empty() && index.is_none() {
        true => {
            let virtual_sm = cubin.header.virtual_sm().or_else(|| noted_sm(cubin)).unwrap_or(sm);
            let accelerated = if arch.ends_with('a') { "EF_CUDA_ACCELERATORS " } else { "" };
            format!("\t.headerflags\t@\"{accelerated}EF_CUDA_SM{sm} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{virtual_sm})\"\n")
        }
        // Of functions that are asked for, cuobjdump says less, and says it twice.
        false => {
            let virtual_sm = format!("EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{sm})");
            format!("\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM{sm} {virtual_sm}\"\n").repeat(2)
        }
    };
    functions.retain(is_wanted);
    let none = || End::Elsewhere(format!("Raddle has no tables for {arch}"));
    let widths: Option<Vec<usize>> = functions.iter().map(|function| width(cubin, function)).collect();
    let style = Style { words: true, labels: false, width: widths.ok_or_else(none)?.into_iter().max().unwrap_or(0) };
    for function in &functions {
        let code = code(cubin, function, style, &mut Labels::default()).ok_or_else(none)?;
        let _ = write!(out, "\t\tFunction : {}\n{flags}{code}\t\t..........\n\n\n", function.name);
    }
    Ok(out)
}
