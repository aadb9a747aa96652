//! What was found out about a library, kept in the user's cache folder: to hash one of 200 MB takes a
//! tenth of a second, and `raddle --version` names it.
//!
//! A line of the file is the state of a library (device, inode, size, times of the last change of
//! contents and of the inode), a question, its answer and the path. **Invariant.** An answer counts
//! only for a file in the same state. The system sets the second time at every change, and answers
//! about a file that changed a moment ago are not kept: its clock may be too coarse to tell the next
//! change from it.

use crate::output::Dest;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The answers that are kept, the newest first.
const KEPT: usize = 32;

/// How long a file must have been as it is.
const SETTLED: Duration = Duration::from_secs(3);

/// The folder that the answers are in: that of the user's caches.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    Some(absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?.join("raddle"))
}

/// The answer to a question about a file: a known one, or what `find` says, which is kept if it is an
/// answer.
pub(super) fn answer<E>(path: &Path, question: &str, find: impl FnOnce() -> Result<String, E>) -> Result<String, E> {
    answer_in(folder().as_deref(), path, question, find)
}

fn answer_in<E>(
    folder: Option<&Path>,
    path: &Path,
    question: &str,
    find: impl FnOnce() -> Result<String, E>,
) -> Result<String, E> {
    let state = state(path).filter(|_| path.to_str().is_some_and(|path| !path.contains(['\t', '\n'])));
    let (Some(folder), Some(state)) = (folder, state) else { return find() };
    let file = folder.join("libraries");
    let lines = fs::read_to_string(&file).unwrap_or_default();
    let rest = format!("\t{}", path.display());
    let start = format!("{state}\t{question}\t");
    let known = lines.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix(&rest));
    if let Some(known) = known.filter(|known| !known.contains('\t')) {
        return Ok(known.to_owned());
    }
    let found = find()?;
    if is_settled(path) && !found.contains(['\t', '\n']) {
        let same = |line: &&str| line.ends_with(&rest) && line.contains(&format!("\t{question}\t"));
        let old = lines.lines().filter(|line| !same(line)).take(KEPT - 1);
        let new: String =
            [format!("{start}{found}{rest}").as_str()].into_iter().chain(old).map(|l| format!("{l}\n")).collect();
        // Without it the question is asked again.
        let _ = fs::create_dir_all(folder).and_then(|()| Dest::new(file).write(new.as_bytes()));
    }
    Ok(found)
}

/// The state of a file.
fn state(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    let times = [meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()];
    Some(format!("{} {} {} {times:?}", meta.dev(), meta.ino(), meta.size()))
}

/// Whether a file is as it is for long enough; one from the future is not.
fn is_settled(path: &Path) -> bool {
    let Ok(meta) = fs::metadata(path) else { return false };
    let changed = UNIX_EPOCH + Duration::from_secs(u64::try_from(meta.ctime()).unwrap_or_default());
    SystemTime::now().duration_since(changed).is_ok_and(|age| age > SETTLED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::thread::sleep;

    /// The answer, and whether it had to be found.
    fn ask(folder: &Path, path: &Path, question: &str) -> (String, bool) {
        let mut found = false;
        let find = || {
            found = true;
            Ok::<_, Infallible>(fs::read_to_string(path).unwrap())
        };
        let Ok(answer) = answer_in(Some(folder), path, question, find);
        (answer, found)
    }

    #[test]
    fn an_answer_is_kept_as_long_as_the_file_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [cache, one, two] = ["cache", "one", "two"].map(|name| folder.path().join(name));
        fs::write(&one, "abc").unwrap();
        fs::write(&two, "xyz").unwrap();
        // What has changed a moment ago is asked about again.
        assert_eq!(ask(&cache, &one, "what"), ("abc".to_owned(), true));
        assert_eq!(ask(&cache, &one, "what"), ("abc".to_owned(), true));
        sleep(SETTLED + Duration::from_millis(1100));
        assert_eq!(ask(&cache, &one, "what"), ("abc".to_owned(), true));
        assert_eq!(ask(&cache, &two, "what"), ("xyz".to_owned(), true));
        assert_eq!(ask(&cache, &one, "why"), ("abc".to_owned(), true));
        for (path, question, answer) in [(&one, "what", "abc"), (&two, "what", "xyz"), (&one, "why", "abc")] {
            assert_eq!(ask(&cache, path, question), (answer.to_owned(), false));
        }
        // Other contents of the same size, with the time of the old ones.
        let time = fs::metadata(&one).unwrap().modified().unwrap();
        fs::write(&one, "abd").unwrap();
        fs::File::options().write(true).open(&one).unwrap().set_modified(time).unwrap();
        assert_eq!(ask(&cache, &one, "what"), ("abd".to_owned(), true));
        // A damaged file is as good as none.
        fs::write(cache.join("libraries"), "\t\tfrob\n\n").unwrap();
        assert_eq!(ask(&cache, &two, "what"), ("xyz".to_owned(), true));
        assert_eq!(ask(&cache, &two, "what"), ("xyz".to_owned(), false));
    }
}
