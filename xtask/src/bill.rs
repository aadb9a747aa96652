//! What a distribution is made of: the packages that are linked into it, as a bill of materials in the
//! format of CycloneDX 1.5, and the texts of their licences.
//!
//! Strategy: `cargo metadata` has the graph of packages, and Cargo.lock the hashes of their files; what
//! is reachable from the packages that are distributed, without what only tests use, is listed. A
//! package that only runs in the compiler (a procedural macro, a build script and what they use) is
//! in the bill with the scope `excluded`: none of its code is in the result.
//!
//! Invariant: the output depends on Cargo.lock and the packages alone, not on folder or time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use xtask::figures::root;

/// The packages whose code is distributed: the command, and the C interfaces.
const DISTRIBUTED: &[&str] = &["raddle-cli", "raddle-capi"];

/// A package that something distributed needs.
#[derive(Debug)]
struct Package {
    name: String,
    version: String,
    licence: String,
    description: String,
    /// Whether its code is linked; otherwise it only runs while others are compiled.
    linked: bool,
    /// Whether it is of this repository.
    own: bool,
    folder: PathBuf,
    /// The hash of its file in the registry.
    sha256: Option<String>,
    /// The packages that it uses, by identifier.
    uses: BTreeSet<String>,
}

impl Package {
    /// Its address in the words of package-url.
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

fn metadata() -> Result<Value> {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let args = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &platform];
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(args)
        .current_dir(root())
        .output()
        .context("cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The hashes of Cargo.lock, by name and version.
fn hashes(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = lock.parse()?;
    let rows = lock.get("package").and_then(toml::Value::as_array).context("packages in Cargo.lock")?;
    let text = |row: &toml::Value, field: &str| Some(row.get(field)?.as_str()?.to_owned());
    Ok(rows
        .iter()
        .filter_map(|row| Some(((text(row, "name")?, text(row, "version")?), text(row, "checksum")?)))
        .collect())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Whether a package is a procedural macro.
fn is_macro(package: &Value) -> bool {
    list(&package["targets"]).iter().any(|target| list(&target["kind"]).iter().any(|kind| kind == "proc-macro"))
}

/// All packages reachable from those that are distributed, by identifier.
fn packages(metadata: &Value, hashes: &BTreeMap<(String, String), String>) -> Result<BTreeMap<String, Package>> {
    let by_id: BTreeMap<&str, &Value> = list(&metadata["packages"]).iter().map(|p| (text(p, "id"), p)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).iter().map(|node| (text(node, "id"), node)).collect();
    let mut found: BTreeMap<String, Package> = BTreeMap::new();
    let mut open: Vec<(&str, bool)> = Vec::new();
    for name in DISTRIBUTED {
        let package = by_id.values().find(|package| text(package, "name") == *name);
        open.push((text(package.with_context(|| format!("no package {name}"))?, "id"), true));
    }
    while let Some((id, linked)) = open.pop() {
        let package = by_id.get(id).with_context(|| format!("no package {id}"))?;
        let linked = linked && !is_macro(package);
        if found.get(id).is_some_and(|known| known.linked || !linked) {
            continue;
        }
        let mut uses = BTreeSet::new();
        for dependency in list(&nodes.get(id).with_context(|| format!("no node {id}"))?["deps"]) {
            let kinds: Vec<&str> = list(&dependency["dep_kinds"]).iter().map(|kind| text(kind, "kind")).collect();
            // A normal dependency has no kind.
            if kinds.iter().all(|kind| *kind == "dev") {
                continue;
            }
            uses.insert(text(dependency, "pkg").to_owned());
            open.push((text(dependency, "pkg"), linked && kinds.contains(&"")));
        }
        let (name, version) = (text(package, "name").to_owned(), text(package, "version").to_owned());
        let manifest = Path::new(text(package, "manifest_path"));
        let one = Package {
            licence: text(package, "license").replace('/', " OR ").replace("  OR  ", " OR "),
            description: text(package, "description").split_whitespace().collect::<Vec<_>>().join(" "),
            linked,
            own: package["source"].is_null(),
            folder: manifest.parent().unwrap_or(manifest).to_owned(),
            sha256: hashes.get(&(name.clone(), version.clone())).cloned(),
            uses,
            name,
            version,
        };
        found.insert(id.to_owned(), one);
    }
    Ok(found)
}

/// The bill of materials.
fn bill(packages: &BTreeMap<String, Package>, version: &str) -> Value {
    let mut sorted: Vec<&Package> = packages.values().collect();
    sorted.sort_by_key(|package| (&package.name, &package.version));
    let component = |package: &&Package| {
        let mut out = json!({
            "type": "library",
            "bom-ref": package.purl(),
            "name": package.name,
            "version": package.version,
            "description": package.description,
            "scope": if package.linked { "required" } else { "excluded" },
            "licenses": [{ "expression": package.licence }],
            "purl": package.purl(),
        });
        if let Some(hash) = &package.sha256 {
            out["hashes"] = json!([{ "alg": "SHA-256", "content": hash }]);
        }
        out
    };
    let depends = |package: &&Package| {
        let uses: BTreeSet<String> = package.uses.iter().filter_map(|id| packages.get(id)).map(Package::purl).collect();
        json!({ "ref": package.purl(), "dependsOn": uses })
    };
    let roots: Vec<String> =
        sorted.iter().filter(|package| DISTRIBUTED.contains(&&*package.name)).map(|package| package.purl()).collect();
    let mut dependencies = vec![json!({ "ref": "raddle", "dependsOn": roots })];
    dependencies.extend(sorted.iter().map(depends));
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "bom-ref": "raddle", "name": "raddle", "version": version,
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        } },
        "components": sorted.iter().map(component).collect::<Vec<_>>(),
        "dependencies": dependencies,
    })
}

/// Whether a file of a package is the text of a licence or a notice that belongs to it.
fn is_licence(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["license", "licence", "copying", "notice", "unlicense", "copyright"].iter().any(|start| name.starts_with(start))
}

/// The texts of the licences of all linked packages of others: each text once, with the packages that have it.
fn licences(packages: &BTreeMap<String, Package>) -> Result<String> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut rows, mut without) = (BTreeSet::new(), BTreeSet::new());
    for package in packages.values().filter(|package| package.linked && !package.own) {
        let name = format!("{} {}", package.name, package.version);
        rows.insert(format!("  {name:38} {}\n", package.licence));
        let mut names: Vec<PathBuf> = fs::read_dir(&package.folder)
            .with_context(|| format!("{}", package.folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_file() && path.file_name().is_some_and(|name| is_licence(&name.to_string_lossy())))
            .collect();
        names.sort();
        if names.is_empty() {
            without.insert(name.clone());
        }
        for path in names {
            let text = String::from_utf8_lossy(&fs::read(path)?).replace("\r\n", "\n");
            texts.entry(text.trim().to_owned()).or_default().insert(name.clone());
        }
    }
    let mut out = "Packages of others whose code is linked into raddle and its libraries, and their licences.\n\
                   The standard library of Rust is linked too: MIT OR Apache-2.0, see rust-COPYRIGHT.html.\n\n"
        .to_owned();
    out.extend(rows);
    if !without.is_empty() {
        let names: Vec<String> = without.into_iter().collect();
        let _ = write!(out, "\nWithout a text of its own in its package: {}.\n", names.join(", "));
    }
    for (text, names) in texts {
        let names: Vec<String> = names.into_iter().collect();
        let _ = write!(out, "\n{}\n{}:\n\n{text}\n", "-".repeat(80), names.join(", "));
    }
    Ok(out)
}

/// Writes `sbom.cdx.json` and `third-party-licences.txt` to a folder.
///
/// # Errors
/// Packages that are not downloaded, files that cannot be written, a package without a licence.
pub fn write(folder: &Path) -> Result<()> {
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    let packages = packages(&metadata()?, &hashes(&lock)?)?;
    for package in packages.values() {
        ensure!(!package.licence.is_empty(), "{} names no licence", package.name);
        ensure!(package.own || package.sha256.is_some(), "{} has no hash", package.name);
    }
    let version = packages.values().find(|package| package.name == DISTRIBUTED[0]).map(|package| &package.version);
    let bill = bill(&packages, version.context("no version")?);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("sbom.cdx.json"), serde_json::to_string_pretty(&bill)? + "\n")?;
    fs::write(folder.join("third-party-licences.txt"), licences(&packages)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> BTreeMap<String, Package> {
        let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
        packages(&metadata().unwrap(), &hashes(&lock).unwrap()).unwrap()
    }

    #[test]
    fn what_is_linked_is_told_from_what_only_compiles_and_what_only_tests() {
        let packages = found();
        let linked = |name: &str| packages.values().find(|package| package.name == name).map(|package| package.linked);
        assert_eq!(linked("clap"), Some(true));
        assert_eq!(linked("raddle-codegen"), Some(true));
        assert_eq!(linked("serde_derive"), Some(false));
        assert_eq!(linked("syn"), Some(false));
        // Of the Python module and of tests.
        for name in ["pyo3", "raddle-filetest", "rustc_apfloat", "loom"] {
            assert_eq!(linked(name), None, "{name}");
        }
    }

    #[test]
    fn every_reference_of_the_bill_is_in_it_and_each_package_of_others_has_a_hash() {
        let packages = found();
        let bill = bill(&packages, "0.1.0");
        let known: BTreeSet<&str> = list(&bill["components"]).iter().map(|c| text(c, "bom-ref")).collect();
        assert_eq!(known.len(), packages.len());
        for dependency in list(&bill["dependencies"]) {
            let uses = list(&dependency["dependsOn"]);
            assert!(uses.iter().all(|used| known.contains(used.as_str().unwrap())), "{dependency}");
        }
        for component in list(&bill["components"]) {
            let own = text(component, "name").starts_with("raddle");
            assert_eq!(component.get("hashes").is_some(), !own, "{component}");
        }
        assert_eq!(list(&bill["dependencies"][0]["dependsOn"]).len(), 2);
        assert!(!bill.to_string().contains(root().to_str().unwrap()), "no path of this machine");
    }

    #[test]
    fn each_linked_package_of_others_has_a_row_and_its_texts() {
        let packages = found();
        let page = licences(&packages).unwrap();
        for package in packages.values() {
            let row = page.contains(&format!("  {} {} ", package.name, package.version));
            assert_eq!(row, package.linked && !package.own, "{}", package.name);
        }
        assert!(page.contains("Permission is hereby granted") && page.contains("Apache License"));
    }
}
