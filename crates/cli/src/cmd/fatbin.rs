//! `raddle info` for fatbins and files that contain them, and writing of fatbins.

use super::json;
use crate::ui::Table;
use crate::{Done, Failure, print};
use raddle_driver::codes;
use raddle_fatbin::{Kind, Member, NewMember, Packing, container, members};
use serde::Serialize;
use std::fs::File;
use std::io::Read;

#[derive(Serialize)]
struct Contents {
    schema: u32,
    kind: &'static str,
    members: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    target: String,
    version: String,
    packing: &'static str,
    stored: usize,
    size: u64,
    name: Option<String>,
}

fn row(m: &Member<'_>) -> Row {
    let packing = match m.packing {
        Packing::Plain => "plain",
        Packing::Lz4 => "lz4",
        Packing::Zstd => "zstd",
    };
    Row {
        kind: m.kind.name(),
        target: m.arch().unwrap_or_default(),
        version: if m.version == (0, 0) { String::new() } else { format!("{}.{}", m.version.0, m.version.1) },
        packing,
        stored: m.stored.len(),
        size: m.size,
        name: m.name.map(str::to_owned),
    }
}

/// Lists the members of a fatbin or of a file that contains one; `None` for other files.
pub(super) fn list(path: &str, as_json: bool) -> Option<Done> {
    let mut start = [0; container::START];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut start).ok()?;
    if !container::is_container(&start) {
        return None;
    }
    let mut bytes = start.to_vec();
    if let Err(error) = file.read_to_end(&mut bytes) {
        return Some(Err(Failure::new(codes::E0001, format!("cannot read '{path}': {error}"))));
    }
    let rows: Vec<Row> = match members(&bytes) {
        Ok(members) => members.iter().map(row).collect(),
        Err(error) => return Some(Err(Failure::new(codes::E0005, format!("'{path}': {error}")))),
    };
    if as_json {
        return Some(json(&Contents { schema: 1, kind: "fatbin", members: rows }).and_then(|text| print(&text)));
    }
    let mut table = Table::new(&["kind", "target", "version", "packing", "stored", "size", "name"]);
    for r in rows {
        let name = r.name.unwrap_or_default();
        let cells =
            [r.kind.into(), r.target, r.version, r.packing.into(), r.stored.to_string(), r.size.to_string(), name];
        table.row(cells);
    }
    Some(print(&table.to_string()))
}

/// The version of the container of cubins in fatbins of nvcc 13.0.88.
const CUBIN_VERSION: (u16, u16) = (1, 8);

/// Makes a fatbin with one cubin.
pub(super) fn of(cubin: &[u8]) -> Result<Vec<u8>, Failure> {
    let sm = u32::from(super::parse_cubin("<result>", cubin)?.header.sm());
    let member = NewMember::new(Kind::Cubin, sm, CUBIN_VERSION, cubin);
    Ok(raddle_fatbin::write(&[member]))
}
