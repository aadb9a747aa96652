//! `raddle link`: relocatable cubins and PTX to one executable.

use super::{build_outputs, caching, explain_build, kernels, remote, request, restart};
use crate::args::{Gc, Link};
use crate::demangle::demangle;
use crate::progress::Show;
use crate::ui::{Table, Ui};
use crate::{Done, Failure, print};
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::consensus::CarriedOptions;
use raddle_driver::host::Config;
use raddle_driver::key;
use raddle_driver::link::{Threads, diagnostic, warnings};
use raddle_driver::link_inputs::{Files, Loaded, LoadedKind, load};
use raddle_driver::link_options::CommandLineOptions;
use raddle_driver::link_ptx::assemble;
use raddle_driver::options::RunOptions;
use raddle_driver::output::Dest;
use raddle_driver::slots;
use raddle_driver::split::private::original;
use raddle_fatbin::container::{self, ModuleId};
use raddle_link::objects::{Input, LinkOptions, Linked, link, strip};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &Link, ui: &Ui) -> Done {
    if args.relocatable && args.split.verify_split {
        return Err(Failure::new(codes::E0019, super::split::NO_EXECUTABLE));
    }
    if args.relocatable && args.gc == Gc::All {
        return Err(Failure::new(codes::E0019, "-r keeps everything and cannot be combined with --gc all"));
    }
    if !args.keep.is_empty() && args.gc != Gc::All {
        request::warn(Diagnostic::warning(codes::E0019, "--keep has no effect without --gc all"), ui)?;
    }
    let begun = Instant::now();
    // The inputs are read before the output takes the place of one of them.
    let inputs = if args.as_nvlink { &[][..] } else { &args.files };
    build_outputs::check_outputs(
        inputs,
        &args.record,
        &[Some(&args.output), args.map.as_ref(), args.ir.remarks.as_ref()],
    )?;
    let run = request::run_options(&args.jobs, ui)?;
    let threads = Threads::new(Config { workers: run.jobs, jobserver: run.jobserver.clone(), ..Config::default() });
    let files = Files {
        paths: &args.files,
        library_paths: &args.library_paths,
        libraries: &args.libraries,
        wanted: args.ir.libraries.wanted(args.arch),
        as_nvlink: args.as_nvlink,
    };
    let found = load(files, &threads).map_err(|found| tell(found, ui))?;
    let (mut loaded, sm) = (found.inputs, found.sm);
    found.notices.into_iter().try_for_each(|notice| request::warn(notice, ui))?;
    idle(args, &loaded, ui)?;
    request::warn_of_useless(&args.caches, ui)?;
    let resume = restart::resume()?;
    let cache = build_outputs::cache(&args.record, ui)?;
    let isolated = resume.isolated.clone();
    let run = RunOptions { isolated, ..build_outputs::options(&args.record, cache.clone(), run) };
    let run = remote::options(&args.record.remote, ui, run)?;
    // Files can be read again.
    restart::arm(resume, Vec::new());
    if args.split.verify_split {
        verify(args, &loaded, sm, &run, &threads, ui)?;
    }
    let (server, required) = (run.jobserver.clone(), run.jobserver_required);
    let mut show = Show::new(ui, &args.jobs, &run);
    let lto_ir = loaded.iter().any(|file| file.kind.is_lto_ir());
    let report = assemble(&mut loaded, &given(args), sm, run, ui.policy(), &mut show);
    show.clear();
    // A compilation reports problems with slots itself.
    let compiled = report.is_some();
    let locals = report.as_ref().map_or_else(Vec::new, |report| report.locals.clone());
    if let Some(report) = report {
        ui.show(&report.diags, &report.sources);
        remote::finish(&report, ui)?;
        build_outputs::write(&args.record, &report, begun)?;
        build_outputs::write_remarks(&args.ir, &report)?;
        if args.record.explain {
            explain_build::show(&report, ui, begun);
        }
        if let Some(cache) = cache {
            caching::finish(&cache, ui)?;
            kernels::cache(cache.used(), !report.functions.is_empty(), ui, args.verbose);
        }
        if let Some(class) = report.diags.worst() {
            return Err(class.into());
        }
    }
    restart::disarm();
    let threads = threads.for_files(&loaded);
    let removed = dead_data(args, &mut loaded, &threads, ui)?;
    let inputs: Vec<Input<'_>> = loaded.iter().map(|file| file.input()).collect();
    let options = LinkOptions {
        target: args.arch,
        keep_all: args.gc == Gc::Off,
        may_be_empty: args.as_nvlink,
        relocatable: args.relocatable,
        original,
        locals: &locals,
        tool: key::tool_note(),
        ..LinkOptions::default()
    };
    let explained = |problem| match diagnostic(problem, &readable) {
        missing if lto_ir && missing.code == codes::E0065 => missing.help(OF_LTO_IR),
        other => other,
    };
    let linked =
        link(&inputs, &options, &threads).map_err(|found| tell(found.into_iter().map(explained).collect(), ui))?;
    let mut diags = Diags::with_policy(ui.policy());
    diags.extend(warnings(&linked.warnings, &readable));
    if !compiled {
        diags.extend(server.and_then(|client| slots::trouble(&client, required)));
    }
    ui.show(&diags, &SourceMap::new());
    if let Some(class) = diags.worst() {
        return Err(class.into());
    }
    explain(args, &linked, &removed)?;
    if args.verbose {
        match ui.tool() == NVLINK && !ui.human() {
            true => ui.note(nvlink_lines(&linked, args.relocatable, &threads)?.trim_end()),
            false => usage(&linked, ui),
        }
    }
    if let Some(path) = &args.register_link_binaries {
        Dest::new(path).write(registered(args, &linked)?.as_bytes()).map_err(|error| unwritable(path, &error))?;
    }
    if let Some(path) = &args.map {
        let mut map = linked.map();
        for (name, object) in &removed {
            map += &format!("  {name}  {object}\n");
        }
        Dest::new(path).write(map.as_bytes()).map_err(|error| unwritable(path, &error))?;
    }
    let dest = Dest::new(&args.output);
    match dest.write_parts(linked.size(), &|sink| linked.write(sink, &threads)) {
        Ok(()) => Ok(()),
        Err(error) if dest == Dest::Stdout && error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Pipe),
        Err(error) => Err(unwritable(&args.output, &error)),
    }
}

/// The name of the tool whose lines `-v` prints in its format.
const NVLINK: &str = "nvlink";

/// What may explain an undefined symbol in a link of LTO-IR.
const OF_LTO_IR: &str = "nvJitLink drops functions of LTO-IR that no kernel of LTO-IR calls: compile the input that \
                         refers to it with -dlto, too, or the one that defines it without";

/// Removes unreachable variables from the objects, if requested; returns their names, each with its
/// object.
fn dead_data(args: &Link, loaded: &mut [Loaded], threads: &Threads, ui: &Ui) -> Result<Vec<(String, String)>, Failure> {
    if args.gc != Gc::All {
        return Ok(Vec::new());
    }
    let options = LinkOptions { target: args.arch, ..LinkOptions::default() };
    let inputs: Vec<Input<'_>> = loaded.iter().map(|file| file.input()).collect();
    let keep = |name: &str| args.keep.iter().any(|kept| kept == name || original(name) == Some(kept));
    let stripped = strip(&inputs, &options, &keep, threads)
        .map_err(|found| tell(found.into_iter().map(|p| diagnostic(p, &readable)).collect(), ui))?;
    let mut removed = Vec::new();
    for object in stripped {
        let file = &mut loaded[object.input];
        file.bytes = object.bytes.into();
        let names = object.removed.into_iter().map(|name| original(&name).map_or(name.clone(), str::to_owned));
        removed.extend(names.map(|name| (name, file.name.clone())));
    }
    Ok(removed)
}

/// Warns of options for PTX if there is no PTX.
fn idle(args: &Link, loaded: &[Loaded], ui: &Ui) -> Done {
    if loaded.iter().any(|file| file.kind != LoadedKind::Cubin) {
        return Ok(());
    }
    let given = [
        ("-O", args.opt.is_some()),
        ("--maxrregcount", args.maxrregcount.is_some()),
        ("--fmad", args.fmad.is_some()),
        ("--lineinfo", args.lineinfo),
        ("--fallback", args.fallback.is_some()),
        ("--def-load-cache", args.caches.def_load_cache.is_some()),
        ("--force-load-cache", args.caches.force_load_cache.is_some()),
        ("--def-store-cache", args.caches.def_store_cache.is_some()),
        ("--force-store-cache", args.caches.force_store_cache.is_some()),
        ("--split-compile", args.split.split_compile.is_some()),
        ("--split-compile-extended", args.split.split_compile_extended.is_some()),
        ("--verify-split", args.split.verify_split),
        ("--keep-going", args.record.keep_going),
        ("--reproduce", args.record.reproduce.is_some()),
        ("--cache", !args.record.caching.cache.is_empty()),
        ("--history", args.record.history.is_some()),
        ("--remote-program", args.record.remote.remote_program.is_some()),
        ("--explain", args.record.explain),
        ("--report", args.record.report.is_some()),
        ("--timings", args.record.timings.is_some()),
        ("--kernel-timeout", args.jobs.kernel_timeout.is_some()),
        ("--kernel-steps", args.jobs.kernel_steps.is_some()),
    ];
    let given: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    if given.is_empty() {
        return Ok(());
    }
    let message = format!("no input is PTX: {} has no effect", given.join(", "));
    request::warn(Diagnostic::warning(codes::E0019, message), ui)
}

/// The options of the command line for PTX.
fn given(args: &Link) -> CommandLineOptions {
    CommandLineOptions {
        target: args.arch,
        options: CarriedOptions {
            opt: args.opt,
            maxrregcount: args.maxrregcount,
            fmad: args.fmad,
            ftz: None,
            prec_div: None,
            prec_sqrt: None,
            lineinfo: args.lineinfo.then_some(true),
            loads: args.caches.loads(),
            stores: args.caches.stores(),
            split: args.split.split_compile,
            extended: args.split.split_compile_extended,
            others: Vec::new(),
        },
        fallback: args.fallback.clone(),
        reproduce: args.record.reproduce.clone(),
        ir: args.ir.options(),
        relocatable: args.relocatable,
    }
}

/// Links with the PTX as a whole and in units, and compares both (`--verify-split`).
fn verify(args: &Link, loaded: &[Loaded], sm: Option<u32>, run: &RunOptions, threads: &Threads, ui: &Ui) -> Done {
    let mut cubins = Vec::new();
    // 0 is as many as there are CPUs, 1 is without a split.
    for extended in [Some(1), Some(0)] {
        let mut loaded = loaded.to_vec();
        let mut given = given(args);
        given.ir = if extended == Some(1) { given.ir.in_one_part() } else { given.ir.in_parts() };
        (given.options.split, given.options.extended) = (None, extended);
        let report = assemble(&mut loaded, &given, sm, run.clone(), ui.policy(), &mut ());
        let locals = report.as_ref().map_or_else(Vec::new, |report| report.locals.clone());
        if let Some(report) = report
            && let Some(class) = report.diags.worst()
        {
            ui.show(&report.diags, &report.sources);
            return Err(class.into());
        }
        let inputs: Vec<Input<'_>> = loaded.iter().map(|file| file.input()).collect();
        let (target, keep_all, locals) = (args.arch, args.gc == Gc::Off, &locals);
        let tool = key::tool_note();
        let options = LinkOptions { target, keep_all, original, locals, tool, ..LinkOptions::default() };
        let linked = link(&inputs, &options, threads)
            .map_err(|found| tell(found.into_iter().map(|p| diagnostic(p, &readable)).collect(), ui))?;
        cubins.push((inputs.len(), linked.bytes(threads)));
    }
    let [(_, whole), (units, split)] = &cubins[..] else { return Err(Failure::Told(4)) };
    super::split::verified(*units, whole, split, ui)
}

/// A demangled symbol, followed by its mangled name if that differs.
fn readable(name: &str) -> String {
    let plain = demangle(name);
    if plain == name { plain } else { format!("{plain} ({name})") }
}

/// Shows diagnostics and returns the exit code.
fn tell(found: Vec<Diagnostic>, ui: &Ui) -> Failure {
    let mut diags = Diags::with_policy(ui.policy());
    for diagnostic in found {
        diags.push(diagnostic);
    }
    ui.show(&diags, &SourceMap::new());
    diags.worst().map_or(Failure::Told(1), Failure::from)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
}

/// Writes the results of `--why-live` and `--trace-symbol` to standard output.
fn explain(args: &Link, linked: &Linked<'_>, removed: &[(String, String)]) -> Done {
    let mut text = String::new();
    let shown = |problem| Failure::Say(Box::new(diagnostic(problem, &readable)));
    for name in &args.why_live {
        let chain = match linked.why_live(name) {
            Err(_) if removed.iter().any(|(gone, _)| gone == name) => None,
            found => found.map_err(shown)?,
        };
        match chain {
            None => text += &format!("{name}: removed, no kernel reaches it\n"),
            Some(chain) => text += &format!("{}\n", chain.join(" <- ")),
        }
    }
    for name in &args.trace_symbol {
        for line in linked.trace(name).map_err(shown)? {
            text += &line;
            text.push('\n');
        }
    }
    if text.is_empty() { Ok(()) } else { print(&text) }
}

/// The lines of `nvlink -v`, the last kernel first; no stack is known before the last link (nvlink
/// 13.0.88 output).
fn nvlink_lines(linked: &Linked<'_>, relocatable: bool, threads: &Threads) -> Result<String, Failure> {
    let cubin = super::parse_cubin("<result>", &linked.bytes(threads))?;
    let size = |name: &str| cubin.sections.iter().filter(|s| s.name == name).map(|s| s.size()).sum::<u64>();
    let mut out = format!("{NVLINK} info    : {} bytes gmem", size(".nv.global") + size(".nv.global.init"));
    if size(".nv.constant3") > 0 {
        out += &format!(", {} bytes cmem[3]", size(".nv.constant3"));
    }
    out.push('\n');
    for kernel in cubin.functions().iter().rev().filter(|function| function.is_entry) {
        let stack = if relocatable || kernel.stack_size == u32::MAX { 0 } else { kernel.stack_size };
        let parameters = size(&format!(".nv.constant0.{}", kernel.name));
        out += &format!(
            "{NVLINK} info    : Function properties for '{}':\n\
             {NVLINK} info    : used {} registers, used {} barriers, {stack} stack, {} bytes smem, {parameters} bytes \
             cmem[0], 0 bytes lmem\n",
            kernel.name, kernel.registers, kernel.barriers, kernel.shared_size
        );
    }
    Ok(out)
}

/// The file of `nvlink --register-link-binaries`: the modules of host objects but whole programs,
/// of archives those that were linked, and paths of cubins, with every other character replaced;
/// each once (nvlink 13.0.88 output).
fn registered(args: &Link, linked: &Linked<'_>) -> Result<String, Failure> {
    let mut names: Vec<String> = Vec::new();
    let libraries = args.libraries.iter().filter_map(|name| {
        args.library_paths.iter().map(|folder| folder.join(format!("lib{name}.a"))).find(|path| path.is_file())
    });
    for path in args.files.iter().map(std::path::PathBuf::from).chain(libraries) {
        let shown = path.display().to_string();
        let unreadable = |error| Failure::new(codes::E0001, format!("cannot read '{shown}': {error}"));
        let bytes = std::fs::read(&path).map_err(unreadable)?;
        match container::archive(&bytes) {
            Ok(Some(members)) => {
                let taken = |member: &str| linked.objects().iter().any(|name| *name == format!("{shown}({member})"));
                let taken = members.iter().filter(|(member, _)| taken(member));
                for (_, contents) in taken {
                    if let ModuleId::Name(id) = container::module_id(contents) {
                        names.push(id.to_owned());
                    }
                }
            }
            _ => match container::module_id(&bytes) {
                ModuleId::Name(id) => names.push(id.to_owned()),
                ModuleId::None if linked.objects().iter().any(|name| *name == shown) => {
                    let path = std::path::absolute(&path).map_err(unreadable)?.display().to_string();
                    names.push(path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect());
                }
                ModuleId::None | ModuleId::Whole => {}
            },
        }
    }
    // A library that is named twice is linked once.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let lines: String = names.iter().map(|name| format!("DEFINE_REGISTER_FUNC({name})\n")).collect();
    Ok(format!("#define NUM_PRELINKED_OBJECTS {}\n{lines}", names.len()))
}

/// Shows a table of kernels, in human format.
fn usage(linked: &Linked<'_>, ui: &Ui) {
    let mut table = Table::new(&["kernel", "registers", "barriers", "stack", "shared"]);
    for k in linked.kernels() {
        let stack = k.stack.map_or("unknown".to_owned(), |s| s.to_string());
        let cells = [demangle(&k.kernel), k.registers.to_string(), k.barriers.to_string(), stack, k.shared.to_string()];
        table.row(cells);
    }
    ui.note(table.to_string().trim_end());
}
