//! `cargo campaign jobserver-table [RADDLE]`: the same jobservers, alive, dead and hostile, for `raddle` and for `ptxas`; writes
//! `docs/jobserver.md`.
//!
//! A trial is one compilation of a module of many small kernels with four threads, a fifo with three tokens, and something
//! that happens. What counts is how the process ends, how many tokens are back, and whether there is an output. What depends on
//! the moment is tried several times: signals strike as soon as a token is out, and a competitor takes and gives back tokens
//! before it keeps them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;

use xtask::figures::root;

/// `O_NONBLOCK` of Linux.
const NONBLOCK: i32 = 0o4000;
/// Tokens in the fifo.
const TOKENS: &[u8] = b"abc";
/// After so long a process is said to hang.
const PATIENCE: Duration = Duration::from_secs(20);
/// Kernels of the module.
const KERNELS: usize = 400;
/// Trials of what depends on the moment.
const ROUNDS: usize = 5;
/// How long a competitor gives back what it takes.
const COMPETITION: Duration = Duration::from_millis(1500);

/// How the jobserver is named to the tool.
#[derive(Clone, Copy)]
enum Auth {
    /// MAKEFLAGS is this text.
    Text(&'static str),
    /// The fifo by its path.
    Fifo,
    /// The fifo as descriptors 3 and 4.
    Pipe,
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    /// The fifo is empty from the start.
    NoTokens,
    /// The input has a mistake.
    BadInput,
    /// A signal, as soon as a token is out.
    Signal(i32),
    /// Somebody takes tokens and gives them back, and after a while keeps all that there are.
    Withheld,
}

impl Event {
    fn rounds(self) -> usize {
        if matches!(self, Event::Signal(_) | Event::Withheld) { ROUNDS } else { 1 }
    }
}

/// How trials ended.
#[derive(Default)]
struct Ends {
    /// How the process ended, with how often.
    how: BTreeMap<String, usize>,
    /// Tokens that came back, of how many; `None` where there were none to come back.
    tokens: Option<(usize, usize)>,
    outputs: usize,
}

impl Ends {
    /// Three cells of the table.
    fn cells(&self) -> String {
        let rounds: usize = self.how.values().sum();
        let times = |count: usize| if rounds == 1 { String::new() } else { format!(", {count} of {rounds}") };
        let how: Vec<String> = self.how.iter().map(|(how, &count)| format!("{how}{}", times(count))).collect();
        let tokens = self.tokens.map_or("-".to_owned(), |(back, all)| match back < all {
            true => format!("**{back} of {all}**"),
            false => format!("{back} of {all}"),
        });
        let output = match self.outputs {
            0 => "no".to_owned(),
            some if some == rounds => "yes".to_owned(),
            some => format!("{some} of {rounds}"),
        };
        format!("{} | {tokens} | {output}", how.join("; "))
    }
}

const TRIALS: &[(&str, Auth, Event)] = &[
    ("a fifo with three tokens", Auth::Fifo, Event::Nothing),
    ("a pipe with three tokens", Auth::Pipe, Event::Nothing),
    ("no tokens", Auth::Fifo, Event::NoTokens),
    ("a mistake in the input", Auth::Fifo, Event::BadInput),
    ("SIGINT", Auth::Fifo, Event::Signal(2)),
    ("SIGTERM", Auth::Fifo, Event::Signal(15)),
    ("SIGTERM, pipe", Auth::Pipe, Event::Signal(15)),
    ("SIGHUP", Auth::Fifo, Event::Signal(1)),
    ("another client keeps the tokens at the end", Auth::Fifo, Event::Withheld),
    ("no MAKEFLAGS", Auth::Text(""), Event::Nothing),
    ("`--jobserver-auth=-2,-2`", Auth::Text("--jobserver-auth=-2,-2"), Event::Nothing),
    ("closed descriptors", Auth::Text(" -j --jobserver-auth=30,31"), Event::Nothing),
    ("a fifo that is not there", Auth::Text("--jobserver-auth=fifo:/nonexistent"), Event::Nothing),
    ("`--jobserver-auth=10,`", Auth::Text("--jobserver-auth=10,"), Event::Nothing),
    ("the older `--jobserver-fds=30,31`", Auth::Text("--jobserver-fds=30,31"), Event::Nothing),
];

/// A tool, with the words before the input.
struct Tool {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
}

#[derive(clap::Args)]
pub struct Options {
    /// The raddle to try [default: the build of this tree]
    #[arg(value_name = "RADDLE")]
    raddle: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and trouble with files.
pub fn run(options: Options) -> Result<()> {
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let program = match options.raddle {
        Some(path) => path,
        None => {
            let built = Command::new(env!("CARGO")).args(["build", "--package", "raddle-cli"]).status()?;
            ensure!(built.success(), "the build failed");
            root().join("target/debug/raddle")
        }
    };
    let tools = [
        Tool { name: "raddle", program, arguments: &["compile", "-j4", "--arch", "sm_90"] },
        Tool {
            name: "ptxas 13.0.88",
            program: ptxas.path().to_path_buf(),
            arguments: &["--jobserver", "--split-compile=4", "-arch=sm_90"],
        },
    ];
    let folder = tempfile::tempdir()?;
    let good = folder.path().join("good.ptx");
    fs::write(&good, module())?;
    let bad = folder.path().join("bad.ptx");
    fs::write(&bad, module().replacen("ret;", "frob;", 1))?;
    let mut page = String::from(
        "# Job tokens: raddle and ptxas on the same trials\n\nWritten by `cargo campaign jobserver-table`; do not edit. \
         Each trial is one compilation of 400 small kernels with four threads, with three tokens unless it says otherwise; what \
         depends on the moment is tried five times, and the tokens are those of all five: signals strike as soon as a \
         token is out, and the other client takes tokens and gives them back before it keeps them. *Hangs* is no end \
         within 20 s.\n\n| trial |",
    );
    for tool in &tools {
        let _ = write!(page, " {} ends | tokens back | output |", tool.name);
    }
    page.push_str("\n|---|---|---|---|---|---|---|\n");
    for &(name, auth, event) in TRIALS {
        let _ = write!(page, "| {name} |");
        for tool in &tools {
            let input = if event == Event::BadInput { &bad } else { &good };
            let mut ends = Ends::default();
            for _ in 0..event.rounds() {
                trial(tool, auth, event, input, folder.path(), &mut ends)?;
            }
            let row = ends.cells();
            println!("{name:45} {:15} {row}", tool.name);
            let _ = write!(page, " {row} |");
        }
        page.push('\n');
    }
    fs::write(root().join("docs/jobserver.md"), page)?;
    Ok(())
}

/// A module that takes long enough for something to happen.
fn module() -> String {
    let body: String = (0..60)
        .map(|i| format!("    mad.lo.u32 %r{}, %r{i}, %r{i}, {i};\n    st.global.u32 [%a], %r{};\n", i + 1, i + 1))
        .collect();
    let kernel = |i: usize| {
        format!(
            ".visible .entry k{i}(.param .u64 k{i}_p)\n{{\n    .reg .u32 %r<62>;\n    .reg .u64 %a;\n    \
             ld.param.u64 %a, [k{i}_p];\n    mov.u32 %r0, %tid.x;\n{body}    ret;\n}}\n"
        )
    };
    format!(".version 8.0\n.target sm_90\n.address_size 64\n{}", (0..KERNELS).map(kernel).collect::<String>())
}

fn trial(tool: &Tool, auth: Auth, event: Event, input: &Path, folder: &Path, ends: &mut Ends) -> Result<()> {
    let path = folder.join("tokens");
    let _ = fs::remove_file(&path);
    ensure!(Command::new("mkfifo").arg(&path).status()?.success(), "mkfifo failed");
    let mut fifo = OpenOptions::new().read(true).write(true).custom_flags(NONBLOCK).open(&path)?;
    if event != Event::NoTokens {
        fifo.write_all(TOKENS)?;
    }
    let (flags, redirections) = match auth {
        Auth::Text(text) => (text.to_owned(), ""),
        Auth::Fifo => (format!(" -j --jobserver-auth=fifo:{}", path.display()), ""),
        Auth::Pipe => (" -j --jobserver-auth=3,4".to_owned(), "3<\"$0\" 4>\"$0\""),
    };
    let out = folder.join("out");
    let _ = fs::remove_file(&out);
    let mut command = Command::new("env");
    command.args(["--default-signal", "sh", "-c", &format!("exec \"$@\" {redirections}")]).arg(&path);
    command.arg(&tool.program).args(tool.arguments).arg(input).arg("-o").arg(&out);
    command.env("MAKEFLAGS", &flags).stdout(Stdio::null()).stderr(Stdio::null());
    // Disorder lifts the clamp to the CPUs: four kernels at once on any machine.
    command.env("RADDLE_CHAOS", "1");
    let mut child = command.spawn()?;
    let mut withheld = Vec::new();
    match event {
        Event::Signal(signal) => {
            let begun = Instant::now();
            // One that takes none ends by itself.
            while there(&fifo)? == TOKENS.len() && child.try_wait()?.is_none() && begun.elapsed() < PATIENCE {
                thread::yield_now();
            }
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).stderr(Stdio::null()).status()?;
        }
        Event::Withheld => {
            let begun = Instant::now();
            while child.try_wait()?.is_none() && begun.elapsed() < COMPETITION + PATIENCE {
                drain(&mut fifo, &mut withheld);
                if begun.elapsed() < COMPETITION {
                    thread::sleep(Duration::from_micros(200));
                    fifo.write_all(&std::mem::take(&mut withheld))?;
                }
            }
        }
        Event::Nothing | Event::NoTokens | Event::BadInput => {}
    }
    let patience = if event == Event::Withheld { Duration::ZERO } else { PATIENCE };
    let ended = wait(&mut child, patience)?;
    if ended.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let mut back = withheld;
    drain(&mut fifo, &mut back);
    if !matches!(auth, Auth::Text(_)) {
        let all = if event == Event::NoTokens { 0 } else { TOKENS.len() };
        let (so_far, of) = ends.tokens.unwrap_or_default();
        ends.tokens = Some((so_far + back.len(), of + all));
    }
    ends.outputs += usize::from(out.exists());
    *ends.how.entry(ended.map_or("**hangs**".to_owned(), said)).or_default() += 1;
    Ok(())
}

/// Tokens in the fifo.
fn there(fifo: &File) -> Result<usize> {
    Ok(usize::try_from(rustix::io::ioctl_fionread(fifo)?)?)
}

fn said(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "well".to_owned(),
        (Some(code), _) => format!("exit {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or(0)),
    }
}

/// Takes what is in the fifo.
fn drain(fifo: &mut File, into: &mut Vec<u8>) {
    // The end is an error: nothing more to read now.
    let _ = fifo.read_to_end(into);
}

fn wait(child: &mut Child, patience: Duration) -> Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= patience {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
}
