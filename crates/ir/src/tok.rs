//! Dotted tokens: how operations and their modifiers are written and read back.
//!
//! An operation is a head and payload fields, each of which writes zero or one token after a dot (`fadd.f32.rn.ftz`).
//! `tokens!` makes an enumeration whose variants are tokens; a variant spelled `""` is the default that writes nothing.

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

    /// The next token, if there is one.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.get(self.at).copied()
    }

    /// Takes the next token.
    pub fn bump(&mut self) -> Option<&'a str> {
        let t = self.peek()?;
        self.at += 1;
        Some(t)
    }

    /// Have all tokens been read?
    pub fn done(&self) -> bool {
        self.at == self.rest.len()
    }
}

/// A payload field of an operation.
pub trait Tok: Sized {
    /// Writes `.token`, or nothing for a default.
    fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// Reads what [`Tok::put`] wrote.
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

/// Makes an enumeration whose variants are tokens.
#[macro_export]
macro_rules! tokens {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The token; empty for the default.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The variant with this token.
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

/// Makes a struct that is written as its fields' tokens, in order.
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
