//! Reads initial values of module variables (PTX ISA 9.0, 5.4.4) as bytes and addresses.
//!
//! Strategy: open braces are kept on a stack of element numbers, without recursion; elements that
//! an inner brace omits stay zero. Names become [`InitAddress`]es, which a linker (or an
//! interpreter) fills in.

use crate::body::Body;
use crate::cursor::Cursor;
use crate::errors::{E0101, E0116};
use crate::expr::expression;
use crate::module::Outline;
use crate::tree::{GlobalId, Imm, ImmKind, VarId, Variable};
use crate::ty::{Ty, TyClass};
use raddle_diag::Code;

/// The contents of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// All bytes; zero where unspecified, and where addresses go.
    pub bytes: Vec<u8>,
    /// Addresses in the contents, in the order of their offsets.
    pub addresses: Vec<InitAddress>,
}

/// An address inside the contents of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitAddress {
    /// Byte offset in the contents.
    pub offset: u64,
    /// Bytes stored: those of the element, 1 for a masked byte.
    pub bytes: u32,
    /// The name.
    pub symbol: Box<str>,
    /// Added to the address.
    pub addend: i64,
    /// Whether it is the generic address, `generic(name)`, instead of the one in the name's own
    /// space.
    pub generic: bool,
    /// Bits by which the address is shifted right: 8 for `0xFF00(name)`.
    pub shift: u32,
}

/// An error in an initializer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitError {
    /// Stable code.
    pub code: Code,
    /// Byte offset in the module.
    pub offset: usize,
    /// A description of what was expected.
    pub message: String,
}

/// The size limit of contents, so that a declared size alone cannot exhaust the memory.
const LIMIT: u64 = 1 << 32;

/// Reads the initial value of a module variable; `None` if it has none (its bytes are zero), and
/// for what the driver binds.
///
/// # Errors
/// Text that is not an initializer for a variable of this type, with its place.
pub fn parse_init(src: &str, outline: &Outline, id: GlobalId) -> Result<Option<Contents>, InitError> {
    let Some(global) = outline.globals.get(id) else { return Ok(None) };
    let Some(range) = global.init.clone() else { return Ok(None) };
    let (cur, ty) = (Cursor::new(src, range.start, range.end), global.var.ty);
    if ty.class() == TyClass::Opaque {
        let checked = crate::fields::check(cur, ty, global.var.dims.len());
        return checked.map(|()| None).map_err(|(code, offset, message)| InitError { code, offset, message });
    }
    let mut reader = Reader::new(cur, &global.var);
    reader.run()?;
    Ok(Some(reader.contents))
}

/// Reads the initializer of a variable of a body; `None` if it has none. Places of errors count
/// from its first byte.
///
/// # Errors
/// As [`parse_init`].
pub fn parse_body_init(body: &Body, id: VarId) -> Result<Option<Contents>, InitError> {
    let Some((_, text)) = body.inits.iter().find(|(var, _)| *var == id) else { return Ok(None) };
    let mut reader = Reader::new(Cursor::new(text, 0, text.len()), &body.vars[id]);
    reader.run()?;
    Ok(Some(reader.contents))
}

struct Reader<'a> {
    cur: Cursor<'a>,
    ty: Ty,
    /// The number of elements per step at each depth of braces; the last is 1.
    strides: Vec<u64>,
    /// Number of elements, if the declaration specifies it.
    count: Option<u64>,
    contents: Contents,
}

impl<'a> Reader<'a> {
    fn new(cur: Cursor<'a>, var: &Variable) -> Reader<'a> {
        let mut sizes: Vec<Option<u64>> = var.dims.iter().copied().collect();
        if var.width > 1 {
            sizes.push(Some(u64::from(var.width)));
        }
        let mut strides = vec![1u64];
        for size in sizes.iter().skip(1).rev() {
            let inner = strides[strides.len() - 1];
            strides.push(inner.saturating_mul(size.unwrap_or(1)));
        }
        strides.reverse();
        let count = sizes.iter().try_fold(1u64, |n, size| n.checked_mul((*size)?));
        Reader { cur, ty: var.ty, strides, count, contents: Contents::default() }
    }

    fn error<T>(&self, code: Code, message: &str) -> Result<T, InitError> {
        Err(InitError { code, offset: self.cur.pos(), message: message.to_owned() })
    }

    fn run(&mut self) -> Result<(), InitError> {
        // The first element of each open brace, and the next element.
        let mut open: Vec<u64> = Vec::new();
        let mut next = 0u64;
        let mut end = 0u64;
        if self.strides.is_empty() {
            self.strides.push(1);
        }
        loop {
            self.cur.skip_space();
            if self.cur.eat(b'{') {
                if open.len() >= self.strides.len() {
                    return self.error(E0116, "more braces than the variable has dimensions");
                }
                open.push(next);
                if !self.cur.eat(b'}') {
                    continue;
                }
                self.close(&mut open, &mut next);
            } else {
                self.element(next)?;
                next += 1;
                end = end.max(next);
            }
            // After a value: a comma, closing braces, or the end.
            loop {
                self.cur.skip_space();
                if open.is_empty() {
                    if !self.cur.at_end() {
                        return self.error(E0101, "expected ';'");
                    }
                    return self.finish(end);
                }
                if self.cur.eat(b',') {
                    break;
                }
                if !self.cur.eat(b'}') {
                    return self.error(E0101, "expected ',' or '}'");
                }
                self.close(&mut open, &mut next);
            }
        }
    }

    /// Closes a brace: the next element is after all that it covers.
    fn close(&self, open: &mut Vec<u64>, next: &mut u64) {
        let Some(start) = open.pop() else { return };
        if let Some(depth) = open.len().checked_sub(1) {
            *next = start.saturating_add(self.strides[depth]).max(*next);
        }
    }

    fn finish(&mut self, end: u64) -> Result<(), InitError> {
        let inner = self.strides[0].max(1);
        let count = self.count.unwrap_or(end.div_ceil(inner) * inner);
        let bytes = count.saturating_mul(u64::from(self.ty.bytes()));
        if bytes > LIMIT {
            return self.error(E0116, "the variable is too large");
        }
        self.contents.bytes.resize(bytes as usize, 0);
        Ok(())
    }

    /// Reads one value and stores it.
    fn element(&mut self, at: u64) -> Result<(), InitError> {
        let size = u64::from(self.ty.bytes());
        if self.count.is_some_and(|count| at >= count) || at.saturating_mul(size) >= LIMIT {
            return self.error(E0116, "more values than the variable has elements");
        }
        let offset = at * size;
        if is_letter(self.cur.peek()) {
            return self.address(offset, size as u32, 0);
        }
        let start = self.cur.clone();
        // `0xFF00(name)`: one byte of an address.
        if let Ok(imm) = self.cur.number() {
            self.cur.skip_space();
            if self.cur.peek() == b'(' {
                self.cur.bump();
                if imm.bits == 0 || !imm.bits.trailing_zeros().is_multiple_of(8) {
                    return self.error(E0116, "a mask selects one byte: 0xFF, 0xFF00, ...");
                }
                self.cur.skip_space();
                self.address(offset, size as u32, imm.bits.trailing_zeros())?;
                return if self.cur.eat(b')') { Ok(()) } else { self.error(E0101, "expected ')'") };
            }
        }
        self.cur = start;
        let imm = match expression(&mut self.cur, None) {
            Ok(imm) => imm,
            Err(expected) => return self.error(E0101, &format!("expected {expected}")),
        };
        let word = self.word(imm);
        let bytes = &mut self.contents.bytes;
        let end = (offset + size) as usize;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        let word = word.to_le_bytes();
        let stored = (size as usize).min(8);
        bytes[offset as usize..offset as usize + stored].copy_from_slice(&word[..stored]);
        Ok(())
    }

    /// Reads `name`, `name+4` or `generic(name)+4`.
    fn address(&mut self, offset: u64, bytes: u32, shift: u32) -> Result<(), InitError> {
        let mut symbol = self.cur.name();
        let generic = symbol == "generic" && self.cur.eat(b'(');
        if generic {
            self.cur.skip_space();
            symbol = self.cur.name();
            if !self.cur.eat(b')') {
                return self.error(E0101, "expected ')'");
            }
        }
        if symbol.is_empty() {
            return self.error(E0101, "expected a name");
        }
        self.cur.skip_space();
        let negative = self.cur.peek() == b'-';
        let mut addend = 0i64;
        if negative || self.cur.peek() == b'+' {
            self.cur.bump();
            self.cur.skip_space();
            match self.cur.number() {
                Ok(imm) => addend = imm.bits as i64,
                Err(_) => return self.error(E0101, "expected a number"),
            }
        }
        let addend = if negative { addend.wrapping_neg() } else { addend };
        self.contents.addresses.push(InitAddress { offset, bytes, symbol: symbol.into(), addend, generic, shift });
        Ok(())
    }

    /// The bits of a literal in the variable's type.
    fn word(&self, imm: Imm) -> u64 {
        let real = match imm.kind {
            ImmKind::Int => imm.bits as i64 as f64,
            ImmKind::F32 => f64::from(f32::from_bits(imm.bits as u32)),
            ImmKind::F64 => f64::from_bits(imm.bits),
        };
        match (self.ty, imm.kind) {
            (_, ImmKind::F32) if self.ty.bits() == 32 => imm.bits,
            (Ty::F32, _) => u64::from((real as f32).to_bits()),
            (Ty::F64, ImmKind::Int | ImmKind::F32) => real.to_bits(),
            (_, ImmKind::F64) if self.ty.bits() == 32 => u64::from((real as f32).to_bits()),
            _ => imm.bits,
        }
    }
}

fn is_letter(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Symbol;
    use crate::outline::outline;
    use raddle_diag::{Diags, FileId};

    fn contents(declaration: &str) -> Result<Contents, String> {
        let text = format!(".version 9.0\n.target sm_90\n.address_size 64\n.global .b32 foo;\n{declaration}\n");
        let mut diags = Diags::new();
        let outline = outline(&text, FileId::FIRST, &mut diags);
        assert!(!diags.has_errors(), "{declaration}: {diags:?}");
        let Some(Symbol::Global(id)) = outline.symbol("x") else { panic!("no x") };
        parse_init(&text, &outline, id).map(|found| found.unwrap_or_default()).map_err(|e| e.message)
    }

    fn bytes(declaration: &str) -> Vec<u8> {
        contents(declaration).unwrap().bytes
    }

    #[test]
    fn scalars_and_arrays() {
        assert_eq!(bytes(".global .u16 x = 0x1234;"), [0x34, 0x12]);
        assert_eq!(bytes(".global .b8 x[4] = {1, 2, 0xff};"), [1, 2, 255, 0]);
        assert_eq!(bytes(".const .f32 x[] = {1.0, 0f40000000};"), [0, 0, 128, 63, 0, 0, 0, 64]);
        assert_eq!(bytes(".global .s32 x = -1;"), [255; 4]);
        assert_eq!(bytes(".global .f64 x = 1.0;"), 1f64.to_le_bytes());
    }

    #[test]
    fn nested_braces_leave_zeros() {
        assert_eq!(bytes(".global .u8 x[2][3] = {{1}, {4, 5, 6}};"), [1, 0, 0, 4, 5, 6]);
        assert_eq!(bytes(".global .u8 x[][2] = {{1}, {2}, {3, 4}};"), [1, 0, 2, 0, 3, 4]);
        assert_eq!(bytes(".global .u8 x[2][2] = {1, 2, 3, 4};"), [1, 2, 3, 4]);
        assert_eq!(bytes(".global .v2 .u8 x[2] = {{1, 2}, {3, 4}};"), [1, 2, 3, 4]);
    }

    #[test]
    fn names_become_addresses() {
        let found = contents(".global .u64 x[2] = {foo+4, generic(foo)};").unwrap();
        assert_eq!(found.bytes, [0; 16]);
        let [plain, generic] = found.addresses.as_slice() else { panic!("{found:?}") };
        assert_eq!((plain.offset, plain.bytes, plain.addend, plain.generic), (0, 8, 4, false));
        assert_eq!((generic.offset, &*generic.symbol, generic.generic), (8, "foo", true));
        let masked = contents(".global .u8 x[2] = {0xFF(foo), 0xFF00(foo)};").unwrap();
        assert_eq!(masked.addresses.iter().map(|a| (a.bytes, a.shift)).collect::<Vec<_>>(), [(1, 0), (1, 8)]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            contents(".global .u8 x[2] = {1, 2, 3};").unwrap_err(),
            "more values than the variable has elements"
        );
        assert!(contents(".global .u8 x[2] = {{1}};").is_err());
    }
}
