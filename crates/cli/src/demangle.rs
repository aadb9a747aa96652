//! Demangles names: C++ (Itanium) and Rust; all others are unchanged.

use cpp_demangle::Symbol;

/// The longest mangled name that is demangled; longer ones are shown unchanged.
const LIMIT: usize = 4096;

/// The readable form of a symbol name.
pub fn demangle(name: &str) -> String {
    if name.len() > LIMIT {
        return name.to_string();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    if name.starts_with("_Z")
        && let Ok(symbol) = Symbol::new(name)
        && let Ok(text) = symbol.demangle()
    {
        return text;
    }
    name.to_string()
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn names_of_every_kind() {
        assert_eq!(demangle("_Z5saxpyifPKfPf"), "saxpy(int, float, float const*, float*)");
        assert_eq!(demangle("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), "core::fmt::Write::write_fmt");
        for plain in ["saxpy", "", "_Z", "_Zbroken", "ü"] {
            assert_eq!(demangle(plain), plain);
        }
        assert_eq!(demangle(&"_Z".repeat(9999)).len(), 2 * 9999);
    }
}
