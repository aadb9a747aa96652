//! The chart of README.md: time and memory of a whole compilation beside ptxas, from the records in `docs/figures`.
//!
//! Two groups of two bars. The bar of ptxas is 1, ours is the recorded ratio. One SVG file serves light and dark pages.

use std::fmt::Write as _;

/// A group: what is measured, against which ptxas, and our value over that of ptxas.
pub struct Group {
    /// Of our bar and of the peer's, e.g. "raddle -j2".
    pub names: [&'static str; 2],
    /// Title of the group.
    pub title: &'static str,
    /// Ours over the peer's.
    pub ratio: f64,
}

/// Left edge of the bars, their full length, the height of a bar and of a group, in pixels.
const LEFT: f64 = 190.0;
const FULL: f64 = 400.0;
const BAR: f64 = 20.0;
const GROUP: f64 = 88.0;

/// Colours of text and bars on light and dark pages.
const STYLE: &str = "text{font:13px sans-serif;fill:#1f2328}.title{font-weight:600}.ours{fill:#0969da}.theirs{fill:#afb8c1}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}.theirs{fill:#57606a}}";

/// The file.
pub fn svg(groups: &[Group], caption: &str) -> String {
    let (width, height) = (LEFT + FULL + 70.0, 24.0 + GROUP * groups.len() as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{caption}</title>\n\
         <style>{STYLE}</style>\n"
    );
    for (number, group) in groups.iter().enumerate() {
        let top = 20.0 + GROUP * number as f64;
        let _ = writeln!(out, "<text class=\"title\" x=\"0\" y=\"{top}\">{}</text>", group.title);
        // The longer bar has the full length.
        let most = group.ratio.max(1.0);
        for (row, (name, class, value)) in
            [(group.names[0], "ours", group.ratio), (group.names[1], "theirs", 1.0)].into_iter().enumerate()
        {
            let y = top + 12.0 + (BAR + 6.0) * row as f64;
            let (length, middle) = (FULL * value / most, y + BAR - 5.0);
            let _ = writeln!(
                out,
                "<text x=\"0\" y=\"{middle}\">{name}</text><rect class=\"{class}\" x=\"{LEFT}\" y=\"{y}\" width=\"{length:.1}\" \
                 height=\"{BAR}\"/><text x=\"{:.1}\" y=\"{middle}\">{value:.2}</text>",
                LEFT + length + 8.0
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_values_say() {
        let group = |ratio| Group { names: ["a", "b"], title: "t", ratio };
        let quarter = svg(&[group(0.25)], "c");
        assert!(quarter.contains("class=\"ours\" x=\"190\" y=\"32\" width=\"100.0\""), "{quarter}");
        assert!(quarter.contains("class=\"theirs\" x=\"190\" y=\"58\" width=\"400.0\""), "{quarter}");
        // Where we lose our bar is the longer one.
        let double = svg(&[group(2.0)], "c");
        assert!(double.contains("class=\"ours\" x=\"190\" y=\"32\" width=\"400.0\""), "{double}");
        assert!(double.contains("class=\"theirs\" x=\"190\" y=\"58\" width=\"200.0\""), "{double}");
    }
}
