//! `raddle` under the name `fatbinary`: packs cubins and PTX into a fatbin, as a file or as C text for
//! a host object.
//!
//! Compression: PTX is packed unless told otherwise, cubins for debugging and for later links too,
//! as fatbinary does (13.0.88); always with Zstandard.

use super::other::Other;
use super::{note_passed_on, say, version};
use crate::print;
use raddle_driver::output::Dest;
use raddle_dropin::Meaning::NotSupported;
use raddle_dropin::fatbinary::FATBINARY;
use raddle_dropin::line::{self, Line, System};
use raddle_fatbin::{Compression, Kind, NewMember, flag, ptx_version};
use std::fmt::Write as _;

/// The name at the start of messages.
const TOOL: &str = "fatbinary";
/// The exit code after every error.
const FATAL: u8 = 1;

/// How a call ends that makes no fatbin.
enum End {
    /// A message of fatbinary.
    Fatal(String),
    /// A message of the library behind fatbinary, in its format.
    Library(&'static str),
    /// It needs another fatbinary, for this reason.
    Elsewhere(String),
}

/// An image to pack.
struct Image {
    kind: Kind,
    sm: u32,
    suffix: String,
    version: (u16, u16),
    contents: Vec<u8>,
}

/// Runs the tool and returns the exit code.
pub(super) fn run(words: Vec<String>) -> u8 {
    let line = match line::read(&FATBINARY, &words, &System) {
        Ok(line) => line,
        Err(error) => {
            say(TOOL, "fatal", &error.to_string());
            return FATAL;
        }
    };
    line.warnings.iter().for_each(|warning| say(TOOL, "warning", warning));
    let has = |long| line.has(&FATBINARY, long);
    let outputs = has("create") || has("embedded-fatbin");
    let shown = if has("version") && !has("help") {
        Some(version(TOOL, "NVIDIA's fatbinary", &Other::find(TOOL)))
    } else if has("help") || !line.inputs.is_empty() || line.options.is_empty() {
        Some(FATBINARY.help())
    } else {
        None
    };
    if let Some(text) = shown {
        return if print(&text).is_ok() { 0 } else { FATAL };
    }
    match if outputs { pack(&line) } else { Ok(()) } {
        Ok(()) => return 0,
        Err(End::Fatal(message)) => say(TOOL, "fatal", &message),
        Err(End::Library(message)) => eprintln!("\nnvFatbin error: {message}"),
        Err(End::Elsewhere(why)) => {
            let other = Other::find(TOOL);
            note_passed_on(TOOL, &why, &other, &words);
            let missing = other.take_over(&words, None);
            say(TOOL, "fatal", &format!("{why}; there is no other fatbinary to pass the call to: {missing}"));
        }
    }
    FATAL
}

/// Packs the images.
fn pack(line: &Line) -> Result<(), End> {
    let has = |long| line.has(&FATBINARY, long);
    if has("32") {
        return Err(End::Library(match has("64") {
            true => "unknown option",
            false => "fatbinary elf mismatch: elf size doesn't match user-specified size",
        }));
    }
    for row in FATBINARY.options {
        if let NotSupported(why) = row.under_name()
            && has(row.long)
        {
            return Err(End::Elsewhere(format!("option '--{}' is not supported by Raddle: {why}", row.long)));
        }
    }
    let mode = line.value(&FATBINARY, "compress-mode").unwrap_or("default");
    if !["default", "size", "speed", "balance", "none"].contains(&mode) {
        return Err(End::Library("unknown option"));
    }
    let (of_kind, of_profile) = (FATBINARY.index("image3"), FATBINARY.index("image"));
    let images = line.options.iter().filter_map(|given| match Some(given.index) {
        index if index == of_kind => Some(image(&given.value)),
        index if index == of_profile => Some(profiled(&given.value)),
        _ => None,
    });
    let images = images.collect::<Result<Vec<Image>, End>>()?;
    let compression = Compression {
        all: has("compress-all") || has("debug") || has("device-c") || mode == "size",
        never: mode == "none" || line.value(&FATBINARY, "compress") == Some("false"),
    };
    let member = |image| member(image, line, compression);
    let fatbin = raddle_fatbin::write(&images.iter().map(member).collect::<Vec<_>>());
    let text = || embedded(&fatbin, line);
    let outputs = [("create", None), ("embedded-fatbin", Some(text))];
    for (option, text) in outputs {
        let Some(file) = line.value(&FATBINARY, option) else { continue };
        let made = text.map(|text| text());
        let path = if file == "-" { "./-" } else { file };
        let written = Dest::new(path).write(made.as_deref().map_or(&fatbin[..], str::as_bytes));
        written.map_err(|_| End::Fatal(format!("Could not open output file '{file}'")))?;
    }
    Ok(())
}

/// The member of an image.
fn member<'a>(image: &'a Image, line: &'a Line, compression: Compression) -> NewMember<'a> {
    let new = NewMember::new(image.kind, image.sm, image.version, &image.contents);
    NewMember {
        suffix: &image.suffix,
        name: line.value(&FATBINARY, "ident").unwrap_or(""),
        options: line.value(&FATBINARY, "cmdline").unwrap_or(""),
        flags: new.flags | if line.has(&FATBINARY, "debug") { flag::DEBUG } else { 0 },
        packing: compression.of(image.kind),
        ..new
    }
}

/// Reads an image by the description of older versions, by which clang 19 gives it:
/// `profile=sm_90a,file=k.cubin`.
fn profiled(text: &str) -> Result<Image, End> {
    let [profile, file] = keywords(text, ["profile", "file"], "image")?;
    let profile = profile.ok_or_else(|| End::Fatal("Missing profile in image".to_owned()))?;
    let (kind, sm) = match profile.split_once('_') {
        Some(("sm", sm)) => ("elf", sm),
        Some(("compute", sm)) => ("ptx", sm),
        _ => return Err(End::Library("invalid architecture")),
    };
    read(Some(kind), Some(sm), file)
}

/// Reads an image by its description: `kind=elf,sm=90a,file=k.cubin`.
fn image(text: &str) -> Result<Image, End> {
    let [kind, sm, file] = keywords(text, ["kind", "sm", "file"], "image3")?;
    read(kind, sm, file)
}

/// The values of keywords: `a=1,b=2`.
fn keywords<'t, const N: usize>(text: &'t str, names: [&str; N], option: &str) -> Result<[Option<&'t str>; N], End> {
    let mut out = [None; N];
    for part in text.split(',') {
        let (key, value) =
            part.split_once('=').ok_or_else(|| End::Fatal(format!("'{part}' is not in 'keyword=value' format")))?;
        let unknown = || End::Fatal(format!("Keyword '{key}' is not defined for option '{option}'"));
        let index = names.iter().position(|name| *name == key).ok_or_else(unknown)?;
        if out[index].replace(value).is_some() {
            return Err(End::Fatal(format!("redefinition of keyword '{key}' ")));
        }
    }
    Ok(out)
}

/// Reads the file of an image.
fn read(kind: Option<&str>, sm: Option<&str>, file: Option<&str>) -> Result<Image, End> {
    let missing = |what: &str| End::Fatal(format!("Missing {what}"));
    let kind = match kind {
        Some("elf") => Kind::Cubin,
        Some("ptx") => Kind::Ptx,
        Some("nvvm") => return Err(End::Elsewhere("LTO-IR is not packed into fatbins".to_owned())),
        _ => return Err(missing("or unknown kind in image3")),
    };
    let file = file.ok_or_else(|| missing("file in image"))?;
    let sm = sm.ok_or_else(|| missing("sm in image3"))?;
    let digits = sm.trim_end_matches(['a', 'f']);
    let number = digits.parse().ok().filter(|_| sm.len() - digits.len() <= 1);
    let number: u32 = number.ok_or(End::Library("invalid architecture"))?;
    let contents = std::fs::read(file).map_err(|_| End::Fatal(format!("Could not open input file '{file}'")))?;
    let version = match kind {
        _ if contents.is_empty() => return Err(End::Library("empty input")),
        Kind::Ptx => ptx_version(&contents).ok_or(End::Library("could not find ptx version"))?,
        _ => elf_version(&contents, number)?,
    };
    Ok(Image { kind, sm: number, suffix: sm[digits.len()..].to_owned(), version, contents })
}

/// The version of a cubin's container, which is for this architecture.
fn elf_version(bytes: &[u8], sm: u32) -> Result<(u16, u16), End> {
    let cubin = raddle_cubin::Cubin::parse(bytes)
        .map_err(|_| End::Library("fatbinary elf mismatch: elf size doesn't match user-specified size"))?;
    if u32::from(cubin.header.sm()) != sm {
        return Err(End::Library("fatbinary elf mismatch: elf arch does not match user-specified arch"));
    }
    Ok((1, cubin.header.abi_version.into()))
}

/// C text that puts a fatbin into a host object, for the files that nvcc's front end and its link stub
/// include it in: they know its names.
fn embedded(fatbin: &[u8], line: &Line) -> String {
    let has = |long| line.has(&FATBINARY, long);
    let section = if has("device-c") { "__nv_relfatbin" } else { ".nv_fatbin" };
    let mut words = fatbin.to_vec();
    words.resize(words.len().next_multiple_of(8), 0);
    let words: Vec<String> = words
        .chunks_exact(8)
        .map(|word| format!("0x{}", word.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>()))
        .collect();
    let mut out = format!(
        "#ifndef __SKIP_INTERNAL_FATBINARY_HEADERS\n#include \"fatbinary_section.h\"\n#endif\n\
         #define __CUDAFATBINSECTION \".nvFatBinSegment\"\n#define __CUDAFATBINDATASECTION \"{section}\"\n"
    );
    if has("no-asm") {
        out += "static const unsigned long long fatbinData[] \
                __attribute__((section(__CUDAFATBINDATASECTION), aligned(8))) = {\n";
        out.extend(words.chunks(4).map(|row| row.join("ull,") + "ull,\n"));
        out += "};\n";
    } else {
        let _ = writeln!(out, "asm(\n\".section {section}, \\\"a\\\"\\n\"\n\".align 8\\n\"\n\"fatbinData:\\n\"");
        out.extend(words.chunks(4).map(|row| format!("\".quad {}\\n\"\n", row.join(","))));
        out += "\".text\\n\");\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
        let _ = writeln!(out, "extern const unsigned long long fatbinData[{}];", words.len());
        out += "#ifdef __cplusplus\n}\n#endif\n";
    }
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    let place = "__attribute__((aligned(8))) __attribute__((section(__CUDAFATBINSECTION)))";
    // The version of the wrapper is 2 with the fatbins that were linked.
    let (version, linked) = if has("link") { (2, "(void**)__cudaPrelinkedFatbins") } else { (1, "0") };
    let name = if has("device-c") {
        out += "#undef __FATIDNAME_CORE\n#undef __FATIDNAME\n#define __FATIDNAME_CORE(x) __fatbinwrap##x\n\
                #define __FATIDNAME(x) __FATIDNAME_CORE(x)\n";
        "extern const __fatBinC_Wrapper_t __FATIDNAME(__NV_MODULE_ID)"
    } else {
        "static const __fatBinC_Wrapper_t __fatDeviceText"
    };
    let _ = writeln!(out, "{name} {place} = {{ 0x466243b1, {version}, fatbinData, {linked} }};");
    out + "#ifdef __cplusplus\n}\n#endif\n"
}
