//! Times of what callers compile: each call of ptxas is kept while a caller runs, and is then made again by Raddle and by
//! NVIDIA's ptxas, in turns.
//!
//! A script in the place of `ptxas` keeps words and inputs. Callers of libraries give the PTX themselves: their scripts write
//! it (`simulate.keep`) into the folder that the variable [`FOLDER`] names, in the same form: a folder for each call, with the
//! words in the file `words`, one a line, and the inputs beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// The variable that names the folder of calls.
const FOLDER: &str = "RADDLE_CALLS";
/// How often a call is made by each of both; the fastest counts.
const ROUNDS: usize = 3;

/// Keeps the calls of callers.
pub struct Recorder {
    folder: PathBuf,
    /// Raddle, and NVIDIA's ptxas.
    tools: [PathBuf; 2],
}

/// What the calls of a caller take, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The number of calls.
    pub calls: usize,
    /// By Raddle.
    pub ours: f64,
    /// By NVIDIA's ptxas.
    pub theirs: f64,
}

impl Recorder {
    /// Puts the script that keeps calls in the place of `ptxas` in the folder of links.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn new(raddle: &Path, ptxas: &Path, links: &Path, folder: PathBuf) -> Result<Recorder> {
        fs::create_dir_all(&folder)?;
        let link = links.join("ptxas");
        fs::remove_file(&link)?;
        let (program, calls) = (raddle.display(), folder.display());
        // A call that fails is a question, such as which versions of PTX there are.
        let script = format!(
            "#!/bin/sh\nkept=\ncase \" $* \" in *' --version '*) ;; *)\n    kept=$(mktemp -d '{calls}/XXXXXXXX')\n    \
             for word; do\n        printf '%s\\n' \"$word\" >>\"$kept/words\"\n        \
             [ ! -f \"$word\" ] || cp \"$word\" \"$kept/\"\n    done ;;\nesac\n\
             '{program}' as ptxas \"$@\"\ncode=$?\n[ $code = 0 ] || [ -z \"$kept\" ] || rm -r \"$kept\"\nexit $code\n"
        );
        fs::write(&link, script)?;
        fs::set_permissions(&link, fs::Permissions::from_mode(0o755))?;
        Ok(Recorder { folder, tools: [raddle.to_owned(), ptxas.to_owned()] })
    }

    /// Lets a caller of a library know where to keep its calls.
    pub fn tell(&self, command: &mut Command) {
        command.env(FOLDER, &self.folder);
    }

    /// Makes the calls of a caller again that were kept since the last time, and forgets them; none if there were none.
    /// Those of a library begin with the caller's name, those of ptxas are of the caller that ran last.
    ///
    /// # Errors
    /// A call that fails now.
    pub fn times(&self, caller: &str) -> Result<Option<Times>> {
        let mut out = Times::default();
        let mut calls: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let call = entry?.path();
            let name = call.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if name.rsplit_once('-').is_none_or(|(of, _)| of == caller) {
                calls.push(call);
            }
        }
        calls.sort();
        for call in &calls {
            let words = fs::read_to_string(call.join("words")).with_context(|| call.display().to_string())?;
            let words = repeated(&words, &|name| call.join(name).is_file());
            let mut fastest = [f64::INFINITY; 2];
            for _ in 0..ROUNDS {
                for (tool, fastest) in self.tools.iter().zip(&mut fastest) {
                    let mut command = Command::new(tool);
                    command.args((*tool == self.tools[0]).then_some(["as", "ptxas"]).into_iter().flatten());
                    command.args(&words).current_dir(call).env("RADDLE_PTXAS", "off").stdin(Stdio::null());
                    let begun = Instant::now();
                    let output = command.output()?;
                    *fastest = fastest.min(begun.elapsed().as_secs_f64());
                    let said = String::from_utf8_lossy(&output.stderr);
                    ensure!(output.status.success(), "{command:?}: {said}");
                }
            }
            out.calls += 1;
            out.ours += fastest[0];
            out.theirs += fastest[1];
            fs::remove_dir_all(call)?;
        }
        Ok(Some(out).filter(|times| times.calls > 0))
    }
}

/// The words of a call that is made again in the folder of its inputs: these by their names, and another output.
fn repeated(words: &str, is_kept: &dyn Fn(&str) -> bool) -> Vec<String> {
    const OUTPUTS: [&str; 2] = ["-o", "--output-file"];
    let mut is_output = false;
    let again = |word: &str| {
        if std::mem::replace(&mut is_output, OUTPUTS.contains(&word)) {
            return "out".to_owned();
        }
        if let Some((name, _)) = word.split_once('=').filter(|(name, _)| OUTPUTS.contains(name)) {
            return format!("{name}=out");
        }
        let name = Path::new(word).file_name().and_then(|name| name.to_str()).filter(|name| is_kept(name));
        name.unwrap_or(word).to_owned()
    };
    words.lines().map(again).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_made_again_beside_its_inputs() {
        let words = "-arch=sm_90\n/tmp/a/k.ptx\n-o\n/tmp/a/k.ptx\n--output-file=/tmp/x\n-v\n";
        let again = repeated(words, &|name| name == "k.ptx");
        assert_eq!(again, ["-arch=sm_90", "k.ptx", "-o", "out", "--output-file=out", "-v"]);
    }
}
