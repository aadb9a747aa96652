//! Entries of a cache on a server.

use super::PATIENCE;
use super::fake::{Fake, Fault, Settings};
use raddle_driver::cache::StoreError;
use raddle_driver::key::Key;
use raddle_remote::execution::{OpenedStore, open_store};
use std::time::Duration;
use tonic::Code;

/// A store on a server, and what it says of a key after something has gone wrong.
#[test]
fn the_action_cache_keeps_entries() {
    let key = |digit: &str| Key::parse(&digit.repeat(64)).unwrap();
    let entry: Vec<u8> = (0..5000_u32).map(|at| (at % 251) as u8).collect();
    for batch in [0, 1000] {
        let fake = Fake::start(Settings { batch, ..Settings::default() });
        let OpenedStore { store, read_only } = open_store(&format!("{}?mode=ro", fake.url())).unwrap();
        assert!(read_only && store.name() == fake.url());
        for (digit, size) in [("a", 0), ("b", 100), ("c", 5000)] {
            assert_eq!(store.get(&key(digit), PATIENCE), Ok(None));
            store.put(&key(digit), entry[..size].to_vec(), PATIENCE).unwrap();
            assert!(store.get(&key(digit), PATIENCE) == Ok(Some(entry[..size].to_vec())), "{size}");
        }
        // In the place of an older one.
        store.put(&key("a"), b"new".to_vec(), PATIENCE).unwrap();
        assert_eq!(store.get(&key("a"), PATIENCE), Ok(Some(b"new".to_vec())));
        fake.state.blobs.lock().unwrap().clear();
        assert_eq!(store.get(&key("c"), PATIENCE), Ok(None));
        assert!(matches!(store.list(), Err(StoreError::Unsupported(_))));
        assert!(matches!(store.remove(&key("a")), Err(StoreError::Unsupported(_))));
    }
    for (call, fault) in
        [("BatchReadBlobs", Fault::Flip), ("BatchReadBlobs", Fault::Cut), ("GetActionResult", Fault::Break)]
    {
        let fake = Fake::start(Settings {
            plan: Box::new(move |name, _| (name == call).then_some(fault)),
            ..Settings::default()
        });
        let store = open_store(&fake.url()).unwrap().store;
        store.put(&key("a"), entry.clone(), PATIENCE).unwrap();
        assert!(matches!(store.get(&key("a"), PATIENCE), Err(StoreError::Failed(_))), "{fault:?}");
    }
    for call in ["UpdateActionResult", "BatchUpdateBlobs", "GetCapabilities"] {
        let plan = move |name: &'static str, _| (name == call).then_some(Fault::Code(Code::PermissionDenied));
        let fake = Fake::start(Settings { plan: Box::new(plan), ..Settings::default() });
        let store = open_store(&fake.url()).unwrap().store;
        assert!(matches!(store.put(&key("a"), entry.clone(), PATIENCE), Err(StoreError::Refused(_))), "{call}");
        assert_eq!(store.get(&key("a"), PATIENCE), Ok(None));
    }
    // A server that takes connections and says nothing.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let store = open_store(&format!("grpc://{}", listener.local_addr().unwrap())).unwrap().store;
    let limit = Duration::from_millis(50);
    assert_eq!(store.get(&key("a"), limit), Err(StoreError::Timeout(limit)));
}
