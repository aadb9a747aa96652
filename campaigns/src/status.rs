//! `docs/status.md`: one section per command that measures, each written by its own command and left alone by the others.

use std::fs;

use anyhow::Result;

use xtask::figures;

/// Title of the page.
const TITLE: &str = "# What compiles and is right\n";

/// The sections, in their order on the page.
pub const SECTIONS: [&str; 4] = [
    "Kernels of the corpus",
    "Modules of real producers",
    "Kernels of real producers that ran",
    "Spellings of PTX without machine code",
];

/// Replaces the text of one of [`SECTIONS`].
///
/// # Errors
/// A page that cannot be read or written.
pub fn write(section: &str, text: &str) -> Result<()> {
    let path = figures::root().join("docs/status.md");
    let page = fs::read_to_string(&path).unwrap_or_default();
    Ok(fs::write(path, replaced(&page, section, text))?)
}

/// The page with a section replaced; what belongs to no section goes.
fn replaced(page: &str, section: &str, text: &str) -> String {
    let mut out = TITLE.to_owned();
    for name in SECTIONS {
        let heading = format!("## {name}\n");
        let old = page.split_once(&heading).map(|(_, rest)| rest.split("\n## ").next().unwrap_or(rest));
        let body = if name == section { Some(text) } else { old };
        if let Some(body) = body {
            out += &format!("\n{heading}\n{}\n", body.trim());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sections_stay() {
        let [first, second, ..] = SECTIONS;
        let page = replaced("", second, "b");
        let page = replaced(&page, first, "a\n");
        assert_eq!(page, format!("{TITLE}\n## {first}\n\na\n\n## {second}\n\nb\n"));
        assert_eq!(replaced(&page, first, "c"), page.replace("\na\n", "\nc\n"));
        assert_eq!(replaced(&page, second, "b"), page);
    }
}
