//! The manual page of a tool that Raddle stands in for. clap does not know its options, which have
//! long names after a single dash: the page is written from the table in the language of `man`.

use raddle_dropin::page::class;
use raddle_dropin::{Takes, Tool};
use std::fmt::Write as _;

/// The page `raddle-NAME(1)`.
pub(super) fn page(tool: &Tool) -> String {
    let name = tool.name;
    let mut out = format!(
        ".TH raddle\\-{name} 1 \"\" \"raddle {version}\"\n\
         .SH NAME\nraddle\\-{name} \\- Raddle in the place of {name}\n\
         .SH SYNOPSIS\n\\fB{name}\\fR [\\fIoptions\\fR] {inputs}\n.br\n\
         \\fBraddle as {name}\\fR [\\fIoptions\\fR] {inputs}\n\
         .SH DESCRIPTION\n\
         \\fBraddle\\fR acts as \\fB{name}\\fR when it is started under that name, or by \\fBraddle as {name}\\fR; \
         \\fBraddle install\\fR makes the links. What it cannot do goes to the {name} that \\fB{variable}\\fR names, \
         or else to the first other {name} in \\fBPATH\\fR; \\fB{variable}=off\\fR forbids it.\n\
         .SH OPTIONS\n",
        version = env!("CARGO_PKG_VERSION"),
        inputs = text(tool.inputs),
        variable = format_args!("RADDLE_{}", name.to_uppercase()),
    );
    for row in tool.options {
        let value = match row.takes {
            Takes::Nothing => "",
            Takes::Number | Takes::Level => " \\fIN\\fR",
            Takes::Bool => " \\fItrue|false\\fR",
            Takes::List | Takes::Whole => " \\fIvalue\\fR,...",
            Takes::Text | Takes::Choice(_) => " \\fIvalue\\fR",
        };
        let short = if row.short.is_empty() { String::new() } else { format!(", \\fB\\-{}\\fR", text(row.short)) };
        let (class, why) = class(row.under_name());
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        let _ =
            write!(out, ".TP\n\\fB\\-\\-{}\\fR{value}{short}\n{}.\n", text(row.long), text(&format!("{class}{why}")));
    }
    out += ".SH SEE ALSO\n\\fBraddle\\fR(1), \\fBraddle\\-install\\fR(1), \\fBraddle\\-doctor\\fR(1)\n";
    out
}

/// A text without commands of `man`: a dash is the one that is typed.
fn text(plain: &str) -> String {
    let escaped = plain.replace('\\', "\\e").replace('-', "\\-");
    let is_command = escaped.starts_with(['.', '\'']);
    if is_command { format!("\\&{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_every_option_and_no_line_that_man_takes_for_a_command() {
        for tool in raddle_dropin::TOOLS {
            let page = page(tool);
            for row in tool.options {
                assert!(page.contains(&format!("\\fB\\-\\-{}\\fR", text(row.long))), "{}: {}", tool.name, row.long);
            }
            let commands = page.lines().filter(|line| line.starts_with(['.', '\'']));
            for line in commands {
                let word = line.split(' ').next().unwrap_or_default();
                assert!([".TH", ".SH", ".TP", ".br"].contains(&word), "{}: {line}", tool.name);
            }
        }
        assert_eq!(text(".a\\b-c"), "\\&.a\\eb\\-c");
    }
}
