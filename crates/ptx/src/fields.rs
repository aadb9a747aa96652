//! Initial values of textures, samplers and surfaces (PTX ISA 9.0, 5.3): fields by name.
//!
//! The driver binds these variables, so that the values are checked and not kept: of textures and
//! surfaces ptxas 13.0.88 drops them, too; of samplers it tells the driver.

use crate::cursor::Cursor;
use crate::errors::{E0101, E0116, Finding};
use crate::expr::expression;
use crate::ty::Ty;
use raddle_diag::quote;

/// Fields that have no effect on a lookup by themselves.
const EXTENT: &[&str] = &["width", "height", "depth", "channel_data_type", "channel_order", "array_size"];
const TEXTURE: &[&str] = &["num_mipmap_levels", "num_samples", "normalized_coords"];
const LOOKUP: &[&str] = &["filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"];
const SAMPLER: &[&str] = &["force_unnormalized_coords"];
const SURFACE: &[&str] = &["memory_layout"];

/// Values with a name.
const NAMES: &[&str] = &["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border", "nearest", "linear"];

/// Checks an initial value of a variable of this type with so many dimensions; an error has its
/// place in the text.
pub(crate) fn check(mut cur: Cursor<'_>, ty: Ty, dims: usize) -> Result<(), Finding> {
    let fields = match ty {
        Ty::Texref => [EXTENT, TEXTURE, LOOKUP],
        Ty::Samplerref => [LOOKUP, SAMPLER, &[]],
        _ => [EXTENT, SURFACE, &[]],
    };
    let error = |cur: &Cursor<'_>, code, message: String| Err((code, cur.pos(), message));
    let mut depth = 0;
    loop {
        cur.skip_space();
        if cur.eat(b'{') {
            depth += 1;
            if depth > dims + 1 {
                return error(&cur, E0116, String::from("more braces than the variable has dimensions"));
            }
            cur.skip_space();
            if cur.peek() != b'}' {
                continue;
            }
        } else {
            let at = cur.clone();
            let name = cur.name();
            if depth == 0 || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
                let text = format!("an initial value of a .{} has named fields: {{width = 4}}", ty.name());
                return error(&at, E0116, text);
            }
            if !fields.iter().any(|list| list.contains(&name)) {
                return error(&at, E0116, format!("{} is no field of a .{}", quote(name), ty.name()));
            }
            if !cur.eat(b'=') {
                return error(&cur, E0101, String::from("expected '='"));
            }
            cur.skip_space();
            let at = cur.clone();
            if !NAMES.contains(&cur.name()) {
                cur = at;
                if let Err(what) = expression(&mut cur, None) {
                    return error(&cur, E0116, format!("expected {what} or one of {}", NAMES.join(", ")));
                }
            }
        }
        // After a field: a comma, closing braces, or the end.
        loop {
            cur.skip_space();
            if depth == 0 {
                return if cur.at_end() { Ok(()) } else { error(&cur, E0101, String::from("expected ';'")) };
            }
            if cur.eat(b',') {
                break;
            }
            if !cur.eat(b'}') {
                return error(&cur, E0101, String::from("expected ',' or '}'"));
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_type() {
        let found = |ty: Ty, text: &str| check(Cursor::new(text, 0, text.len()), ty, 0).map_err(|e| e.2);
        for (ty, text) in [
            (Ty::Samplerref, "{addr_mode_0=clamp_to_edge, filter_mode=linear}"),
            (Ty::Samplerref, "{ filter_mode = nearest }"),
            (Ty::Samplerref, "{}"),
            (Ty::Texref, "{width=4, height=5, normalized_coords=1, filter_mode=linear}"),
            (Ty::Surfref, "{width=2+3, memory_layout=1}"),
        ] {
            assert_eq!(found(ty, text), Ok(()), "{text}");
        }
        assert_eq!(check(Cursor::new("{{width=1},{width=2}}", 0, 21), Ty::Texref, 1), Ok(()));
        for (ty, text, why) in [
            (Ty::Samplerref, "{width=4}", "'width' is no field of a .samplerref"),
            (Ty::Texref, "{memory_layout=1}", "is no field of a .texref"),
            (Ty::Surfref, "{normalized_coords=1}", "is no field of a .surfref"),
            (Ty::Samplerref, "{filter_mode=foo}", "one of wrap, mirror"),
            (Ty::Samplerref, "{1}", "has named fields"),
            (Ty::Samplerref, "1", "has named fields"),
            (Ty::Samplerref, "{filter_mode}", "expected '='"),
            (Ty::Samplerref, "{filter_mode=linear addr_mode_0=wrap}", "expected ','"),
            (Ty::Samplerref, "{{filter_mode=linear}}", "more braces"),
        ] {
            assert!(found(ty, text).is_err_and(|message| message.contains(why)), "{text}: {:?}", found(ty, text));
        }
    }
}
