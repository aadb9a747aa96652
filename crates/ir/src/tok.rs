//! Dotted tokens: printing and parsing of operations and their modifiers.
//!
//! An operation is a head and payload fields, each of which prints zero or one token after a dot
//! (`fadd.f32.rn.ftz`). `tokens!` defines an enumeration whose variants are tokens; a variant
//! spelled `""` is the default that prints nothing.

use std::fmt;

/// The tokens after an operation's head, consumed from the left.
pub struct Tokens<'a> {
    rest: Vec<&'a str>,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// Splits `text` at dots.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.split('.').collect(), at: 0 }
    }

    /// Returns the next token, if there is one.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.get(self.at).copied()
    }

    /// Consumes the next token.
    pub fn bump(&mut self) -> Option<&'a str> {
        let t = self.peek()?;
        self.at += 1;
        Some(t)
    }

    /// Whether all tokens have been consumed.
    pub fn done(&self) -> bool {
        self.at == self.rest.len()
    }
}

/// A payload field of an operation.
pub trait Tok: Sized {
    /// Prints `.token`, or nothing for a default.
    fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// Parses the output of [`Tok::put`].
    fn take(tokens: &mut Tokens<'_>) -> Option<Self>;
}

macro_rules! int_tok {
    ($($t:ty),*) => {$(
        impl Tok for $t {
            fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, ".{self}")
            }
            fn take(tokens: &mut Tokens<'_>) -> Option<Self> {
                tokens.bump()?.parse().ok()
            }
        }
    )*};
}
int_tok!(u8, u16, u32, u64, i32, i64);

/// Defines an enumeration whose variants are tokens.
#[macro_export]
macro_rules! tokens {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Returns the token; empty for the default.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// Returns the variant with this token.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.name() == text)
            }
        }

        impl $crate::tok::Tok for $name {
            fn put(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    "" => Ok(()),
                    t => write!(f, ".{t}"),
                }
            }
            fn take(tokens: &mut $crate::tok::Tokens<'_>) -> Option<Self> {
                if let Some(v) = tokens.peek().and_then(|t| if t.is_empty() { None } else { Self::parse(t) }) {
                    tokens.bump();
                    return Some(v);
                }
                Self::parse("")
            }
        }
    };
}

/// Defines a struct that prints as its fields' tokens, in order.
#[macro_export]
macro_rules! token_struct {
    ($(#[$meta:meta])* $name:ident { $($(#[$fmeta:meta])* $field:ident : $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty),* }

        impl $crate::tok::Tok for $name {
            fn put(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $(self.$field.put(f)?;)*
                Ok(())
            }
            fn take(tokens: &mut $crate::tok::Tokens<'_>) -> Option<Self> {
                Some(Self { $($field: <$ty as $crate::tok::Tok>::take(tokens)?),* })
            }
        }
    };
}
