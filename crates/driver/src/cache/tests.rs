//! The levels of a cache, with a remote store that does what a test wants.

use super::entry::tests::object;
use super::*;
use crate::key::Key;
use raddle_jobs::lock::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// What a store does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Right,
    Fails,
    Refuses,
    /// Sleeps for this long, then does right.
    Slow(Duration),
    /// Does not answer.
    Hangs,
    Cuts,
    Flips,
    /// Returns the entry of another key.
    Wrong,
}

#[derive(Debug)]
struct Fake {
    entries: Mutex<BTreeMap<Key, Vec<u8>>>,
    gets: Mutex<(Does, u32)>,
    puts: Mutex<(Does, u32)>,
}

impl Fake {
    fn new() -> Arc<Fake> {
        let [gets, puts] = [(); 2].map(|()| Mutex::new((Does::Right, 0)));
        Arc::new(Fake { entries: Mutex::default(), gets, puts })
    }

    fn act(what: &Mutex<(Does, u32)>, within: Duration) -> Result<Does, StoreError> {
        let does = {
            let mut what = lock(what);
            what.1 += 1;
            what.0
        };
        match does {
            Does::Fails => return Err(StoreError::Failed("connection refused".to_owned())),
            Does::Refuses => return Err(StoreError::Refused("status 403".to_owned())),
            Does::Hangs => {
                std::thread::sleep(within);
                return Err(StoreError::Timeout(within));
            }
            Does::Slow(time) => std::thread::sleep(time),
            _ => {}
        }
        Ok(does)
    }

    /// Lets reads or writes do something from now on, and counts from 0.
    fn let_gets(&self, does: Does) {
        *lock(&self.gets) = (does, 0);
    }

    fn let_puts(&self, does: Does) {
        *lock(&self.puts) = (does, 0);
    }
}

impl Store for Fake {
    fn get(&self, key: &Key, within: Duration) -> Result<Option<Vec<u8>>, StoreError> {
        let does = Fake::act(&self.gets, within)?;
        let entries = lock(&self.entries);
        let mut found = entries.get(key).cloned();
        if let Some(bytes) = &mut found {
            match does {
                Does::Cuts => bytes.truncate(bytes.len() / 2),
                Does::Flips => *bytes.last_mut().unwrap() ^= 1,
                Does::Wrong => *bytes = entries.iter().find(|entry| entry.0 != key).unwrap().1.clone(),
                _ => {}
            }
        }
        Ok(found)
    }

    fn put(&self, key: &Key, bytes: Vec<u8>, within: Duration) -> Result<(), StoreError> {
        Fake::act(&self.puts, within)?;
        lock(&self.entries).insert(*key, bytes);
        Ok(())
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let listed = |(key, bytes): (&Key, &Vec<u8>)| Listed { key: *key, bytes: bytes.len() as u64, used: None };
        Ok(lock(&self.entries).iter().map(listed).collect())
    }

    fn remove(&self, key: &Key) -> Result<(), StoreError> {
        lock(&self.entries).remove(key);
        Ok(())
    }

    fn name(&self) -> String {
        "fake://store".to_owned()
    }
}

/// Key number `n`.
fn key(n: u8) -> Key {
    Key::parse(&format!("{n:02x}").repeat(32)).unwrap()
}

fn remote(store: &Arc<Fake>, options: &RemoteOptions) -> Cache {
    Cache::of(None, Some((store.clone(), options)))
}

/// A store with entries 0 to 9.
fn filled() -> Arc<Fake> {
    let store = Fake::new();
    let cache = remote(&store, &RemoteOptions::default());
    (0..10).for_each(|n| cache.put(&key(n), &object()));
    cache.finish();
    assert_eq!(cache.used().remote.unwrap().written, 10);
    store
}

#[test]
fn what_the_remote_level_gives_is_kept_in_the_folder() {
    let (dir, store) = (tempfile::tempdir().unwrap(), filled());
    let two = || {
        let options = RemoteOptions::default();
        Cache::of(Some(Folder::open(dir.path()).unwrap()), Some((store.clone(), &options)))
    };
    let cache = two();
    assert_eq!(cache.get(&key(3), 5).unwrap().module, 5);
    assert!(cache.get(&key(3), 0).is_some() && cache.get(&key(99), 0).is_none());
    let used = cache.used();
    let far = used.remote.unwrap();
    assert_eq!((used.hits, used.misses, far.hits, far.misses), (2, 1, 1, 1));
    // The file is that of a cache without a remote level.
    let plain = tempfile::tempdir().unwrap();
    Cache::open(plain.path()).unwrap().put(&key(3), &object());
    let files = [&dir, &plain].map(|dir| std::fs::read(Folder::open(dir.path()).unwrap().file(&key(3))).unwrap());
    assert!(files[0] == files[1]);
    // Both levels get what is stored.
    let cache = two();
    cache.put(&key(20), &object());
    cache.put_step(&key(21), b"ptx");
    cache.finish();
    assert_eq!(cache.used().remote.unwrap().written, 2);
    let (near, far) = (Cache::open(dir.path()).unwrap(), remote(&store, &RemoteOptions::default()));
    for cache in [&near, &far] {
        assert!(cache.get(&key(20), 0).is_some());
        assert_eq!(cache.get_step(&key(21)).as_deref(), Some(&b"ptx"[..]));
        assert!(cache.get(&key(21), 0).is_none() && cache.get_step(&key(20)).is_none(), "the type counts");
    }
    // A damaged file is replaced by what the remote level has.
    std::fs::write(Folder::open(dir.path()).unwrap().file(&key(3)), b"x").unwrap();
    assert!(two().get(&key(3), 0).is_some());
    assert!(near.get(&key(3), 0).is_some());
}

#[test]
fn a_lying_store_gives_misses() {
    let store = filled();
    for does in [Does::Cuts, Does::Flips, Does::Wrong] {
        store.let_gets(does);
        let cache = remote(&store, &RemoteOptions::default());
        assert!((0..10).all(|n| cache.get(&key(n), 0).is_none()), "{does:?}");
        let far = cache.used().remote.unwrap();
        assert_eq!((far.hits, far.refused, cache.used().misses), (0, 10, 10), "{does:?}");
        assert_eq!(cache.warning(), None);
    }
}

#[test]
fn only_entries_with_the_secret_are_taken() {
    let store = filled();
    let with = |secret: &[u8]| remote(&store, &RemoteOptions { secret: secret.to_vec(), ..RemoteOptions::default() });
    let ours = with(b"one");
    assert!(ours.get(&key(1), 0).is_none());
    ours.put(&key(1), &object());
    ours.finish();
    assert!(with(b"one").get(&key(1), 0).is_some());
    for other in [&b""[..], b"two"] {
        assert!(with(other).get(&key(1), 0).is_none());
    }
}

#[test]
fn a_dead_store_is_asked_three_times() {
    let store = filled();
    for does in [Does::Fails, Does::Hangs] {
        store.let_gets(does);
        store.let_puts(does);
        let options = RemoteOptions { timeout: Duration::from_millis(5), ..RemoteOptions::default() };
        let cache = remote(&store, &options);
        assert!((0..10).all(|n| cache.get(&key(n), 0).is_none()));
        cache.put(&key(1), &object());
        cache.finish();
        let far = cache.used().remote.unwrap();
        assert_eq!((lock(&store.gets).1, lock(&store.puts).1, far.failed, far.unwritten), (3, 0, 3, 1), "{does:?}");
        let warning = cache.warning().unwrap();
        assert!(warning.starts_with("remote cache 'fake://store' was not used any more: "), "{warning}");
    }
    // A refusal is final.
    store.let_gets(Does::Refuses);
    let cache = remote(&store, &RemoteOptions::default());
    assert!((0..10).all(|n| cache.get(&key(n), 0).is_none()));
    assert_eq!(lock(&store.gets).1, 1);
}

#[test]
fn a_store_that_takes_nothing_is_still_read() {
    let store = filled();
    for (does, most) in [(Does::Refuses, 4), (Does::Fails, 6)] {
        store.let_puts(does);
        let cache = remote(&store, &RemoteOptions::default());
        (0..40).for_each(|n| cache.put(&key(100 + n), &object()));
        cache.finish();
        let far = cache.used().remote.unwrap();
        assert_eq!((far.written, far.unwritten), (0, 40));
        // Writes that were under way at the same time may end after the last that counts.
        assert!((1..=most).contains(&lock(&store.puts).1), "{does:?}");
        assert!(cache.get(&key(1), 0).is_some());
        assert!(cache.warning().unwrap().contains("was not written any more"));
    }
    store.let_puts(Does::Right);
    let cache = remote(&store, &RemoteOptions { read_only: true, ..RemoteOptions::default() });
    cache.put(&key(200), &object());
    cache.finish();
    let far = cache.used().remote.unwrap();
    assert_eq!((lock(&store.puts).1, far.written, far.unwritten, cache.warning()), (0, 0, 0, None));
}

/// The wait at the end has a limit; every entry is counted once.
#[test]
fn slow_writes_are_left_at_the_end() {
    let store = Fake::new();
    store.let_puts(Does::Slow(Duration::from_millis(400)));
    let cache = remote(&store, &RemoteOptions { timeout: Duration::from_millis(20), ..RemoteOptions::default() });
    (0..40).for_each(|n| cache.put(&key(n), &object()));
    cache.finish();
    cache.put(&key(50), &object());
    cache.finish();
    let far = cache.used().remote.unwrap();
    assert_eq!(far.written + far.unwritten, 41);
    assert!(far.unwritten > 0);
}

#[test]
fn shelves_are_checked_copied_and_reduced() {
    let dir = tempfile::tempdir().unwrap();
    let plain = || Shelf::plain(Box::new(Folder::open(dir.path()).unwrap()));
    let cache = Cache::open(dir.path()).unwrap();
    (0..20).for_each(|n| cache.put(&key(n), &object()));
    std::fs::write(Folder::open(dir.path()).unwrap().file(&key(7)), b"damage").unwrap();
    assert_eq!(plain().verify().unwrap(), Checked { whole: 19, damaged: 1 });
    let other = tempfile::tempdir().unwrap();
    let far =
        |secret: &[u8]| Shelf::remote(Box::new(Folder::open(other.path()).unwrap()), secret, Duration::from_secs(9));
    assert_eq!(plain().copy(&far(b"s")).unwrap().entries, 19);
    assert_eq!(plain().copy(&far(b"s")).unwrap().entries, 0, "they are there");
    assert_eq!(far(b"s").verify().unwrap(), Checked { whole: 19, damaged: 0 });
    assert_eq!(far(b"other").verify().unwrap(), Checked { whole: 0, damaged: 19 });
    let third = tempfile::tempdir().unwrap();
    let copied = far(b"s").copy(&Shelf::plain(Box::new(Folder::open(third.path()).unwrap()))).unwrap();
    assert_eq!(copied, Folder::open(third.path()).unwrap().contents().unwrap());
    assert!(Cache::open(third.path()).unwrap().get(&key(3), 0).is_some());
    let all = far(b"s").contents().unwrap();
    let removed = far(b"s").prune(all.bytes / 2).unwrap();
    assert_eq!((all.entries, removed.entries, far(b"s").contents().unwrap().entries), (19, 10, 9));
    assert_eq!(far(b"s").name(), other.path().display().to_string());
}

#[test]
fn a_url_is_no_folder() {
    let error = Cache::open("redis://user:secret@host/1").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    assert_eq!(error.to_string(), "'redis://host/1' is a URL, not a folder");
    assert!(!Path::new("redis:").exists());
}
