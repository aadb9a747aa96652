//! Entry point for the reader of fatbins, host objects, offload packages and archives.

/// Reads `data` as whatever has fatbins inside and unpacks every member. Any outcome but a panic is right.
pub fn run(data: &[u8]) {
    let Ok(members) = raddle_fatbin::members(data) else { return };
    for m in members.iter().filter(|m| m.size < 1 << 20) {
        std::hint::black_box(m.contents().is_ok());
    }
}

/// Reads `data` as an archive: its members by name, and the fatbins in them. Any outcome but a panic is right.
pub fn archive(data: &[u8]) {
    if let Ok(Some(files)) = raddle_fatbin::container::archive(data) {
        assert!(files.iter().map(|f| f.0.len()).sum::<usize>() <= 3 * data.len(), "names are no longer than the file");
        for (_, contents) in files {
            run(contents);
        }
    }
    run(data);
}
