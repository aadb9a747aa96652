//! Units that something else compiles: what a build writes to a folder instead of compiling.
//! [`crate::collected`] reads the objects that were made of it.

use crate::key::Key;
use raddle_jobs::lock::lock;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The most bytes of a kernel's name in the name of a file.
const NAME: usize = 60;

/// A unit that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedUnit {
    /// Its number in the program.
    pub number: usize,
    /// Its name as in the text.
    pub name: String,
    /// Whether it is a device function, not a kernel.
    pub function: bool,
    /// The file with its PTX, in the folder.
    pub file: String,
    /// The file for the output of `raddle __unit`.
    pub output: String,
    /// The arguments of `raddle __unit`.
    pub arguments: Vec<String>,
    /// The key of its object.
    pub key: Key,
    /// The key of what `raddle __unit` is asked for.
    pub request: Key,
    /// Its estimated cost, in about microseconds.
    pub cost: u64,
}

/// A folder for units.
#[derive(Debug)]
pub struct UnitFolder {
    path: PathBuf,
    units: Mutex<Vec<EmittedUnit>>,
}

impl UnitFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn create(path: &Path) -> io::Result<UnitFolder> {
        fs::create_dir_all(path)?;
        Ok(UnitFolder { path: path.to_path_buf(), units: Mutex::default() })
    }

    /// The units that were written, in input order.
    pub fn units(&self) -> Vec<EmittedUnit> {
        let mut units = lock(&self.units).clone();
        units.sort_by_key(|unit| unit.number);
        units
    }

    /// Writes the text of a unit. The names of its files are filled in.
    pub(crate) fn put(&self, unit: EmittedUnit, text: &str) -> io::Result<()> {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let name: String = unit.name.chars().take(NAME).map(plain).collect();
        let stem = format!("{:04}-{name}", unit.number);
        let (file, output) = (format!("{stem}.ptx"), format!("{stem}.out"));
        fs::write(self.path.join(&file), text)?;
        // What an earlier build has left is not of this unit.
        match fs::remove_file(self.path.join(&output)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        lock(&self.units).push(EmittedUnit { file, output, ..unit });
        Ok(())
    }
}
