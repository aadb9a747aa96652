//! Reads declarations of variables and parameters, for the outline, bodies and prototypes.

use crate::cursor::Cursor;
use crate::errors::*;
use crate::report::Reporter;
use crate::tree::{Ptr, Variable};
use crate::ty::{Space, Ty};
use raddle_diag::{Code, quote};
use smallvec::SmallVec;
use std::ops::Range;

/// The reason why a declaration cannot be read; the caller reports it and recovers.
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(code: Code, start: usize, end: usize, message: impl Into<String>) -> Fault {
        Fault { code, at: start..end, message: message.into() }
    }

    /// The fault for unexpected text at the cursor; `what` was expected.
    pub(crate) fn expected(cur: &Cursor<'_>, what: &str) -> Fault {
        let (start, end) = token(cur);
        let found = if start >= cur.end() { "the end of the text".into() } else { quote(cur.slice(start, end)) };
        let b = cur.peek();
        if start < cur.end() && (b == 0 || b >= 0x80 || (b < b' ' && !b.is_ascii_whitespace())) {
            let message = format!("unexpected character {found}: PTX is plain ASCII text");
            return Fault::new(E0100, start, end, message);
        }
        Fault::new(E0101, start, end, format!("expected {what}, found {found}"))
    }

    pub(crate) fn report(self, errs: &mut Reporter<'_>) {
        errs.error(self.code, self.at.start, self.at.end, self.message);
    }
}

/// The range of the token at the cursor.
pub(crate) fn token(cur: &Cursor<'_>) -> (usize, usize) {
    let mut ahead = cur.clone();
    ahead.skip_space();
    let start = ahead.pos();
    if ahead.dotted().is_empty() {
        ahead.bump();
        while ahead.slice(start, ahead.pos()).is_empty() && !ahead.at_end() {
            ahead.bump();
        }
    }
    // Only the beginning of a very long token is quoted.
    (start, ahead.pos().min(start + 200))
}

/// The dotted words of a declaration.
#[derive(Default)]
pub(crate) struct Traits {
    pub(crate) ty: Option<Ty>,
    pub(crate) width: u8,
    pub(crate) align: Option<u32>,
    pub(crate) managed: bool,
    pub(crate) unified: Option<(u64, u64)>,
    pub(crate) ptr: Option<Ptr>,
    pub(crate) space: Option<Space>,
}

/// One declared name.
pub(crate) struct Declared {
    pub(crate) var: Variable,
    /// `Some(n)` for `name<n>`.
    pub(crate) count: Option<u64>,
    /// Text of the initializer.
    pub(crate) init: Option<Range<usize>>,
    pub(crate) span: Range<usize>,
}

/// Reads dotted words up to a name: `.align 16 .v4 .f32`, `.u64 .ptr .global .align 8`.
pub(crate) fn traits(cur: &mut Cursor<'_>) -> Result<Traits, Fault> {
    let mut t = Traits { width: 1, ..Traits::default() };
    loop {
        cur.skip_space();
        if cur.peek() != b'.' {
            break;
        }
        let start = cur.pos();
        let word = cur.dot_word();
        let in_ptr = t.ptr.is_some();
        match word {
            ".align" => {
                let align = alignment(cur)?;
                match &mut t.ptr {
                    Some(ptr) => ptr.align = Some(align),
                    None => t.align = Some(align),
                }
            }
            ".v2" => t.width = 2,
            ".v4" => t.width = 4,
            ".v8" => t.width = 8,
            ".ptr" => t.ptr = Some(Ptr { space: Space::Generic, align: None }),
            ".attribute" => attribute(cur, &mut t)?,
            ".const" | ".global" | ".local" | ".shared" | ".param" | ".reg" | ".tex" | ".sreg" => {
                let space = space(word).unwrap_or(Space::Generic);
                match &mut t.ptr {
                    Some(ptr) if in_ptr => ptr.space = space,
                    _ if t.space.is_some() || t.ty.is_some() => {
                        return Err(Fault::new(
                            E0115,
                            start,
                            cur.pos(),
                            "a declaration begins with its one state space",
                        ));
                    }
                    _ => t.space = Some(space),
                }
                if cur.peek() == b'[' {
                    cur.bump();
                    integer(cur)?;
                    punct(cur, b']', "']'")?;
                }
            }
            _ => match Ty::by_name(word.get(1..).unwrap_or("")) {
                Some(ty) if t.ty.is_none() && !in_ptr => t.ty = Some(ty),
                Some(_) => return Err(Fault::new(E0115, start, cur.pos(), "a declaration has one type")),
                None => {
                    let text = format!("unknown word {} in a declaration", quote(word));
                    return Err(Fault::new(E0109, start, cur.pos(), text));
                }
            },
        }
    }
    Ok(t)
}

/// The state space of a dotted word.
pub(crate) fn space(word: &str) -> Option<Space> {
    Some(match word {
        ".reg" => Space::Reg,
        ".sreg" => Space::Sreg,
        ".const" => Space::Const,
        ".global" => Space::Global,
        ".local" => Space::Local,
        ".param" => Space::Param,
        ".shared" => Space::Shared,
        ".tex" => Space::Tex,
        _ => return None,
    })
}

fn alignment(cur: &mut Cursor<'_>) -> Result<u32, Fault> {
    cur.skip_space();
    let start = cur.pos();
    let n = integer(cur)?;
    match u32::try_from(n) {
        Ok(n) if n.is_power_of_two() => Ok(n),
        _ => Err(Fault::new(E0114, start, cur.pos(), format!("alignment {n} is not a power of two"))),
    }
}

fn attribute(cur: &mut Cursor<'_>, t: &mut Traits) -> Result<(), Fault> {
    punct(cur, b'(', "'('")?;
    loop {
        cur.skip_space();
        let start = cur.pos();
        match cur.dot_word() {
            ".managed" => t.managed = true,
            ".unified" => {
                punct(cur, b'(', "'('")?;
                let a = integer(cur)?;
                punct(cur, b',', "','")?;
                let b = integer(cur)?;
                punct(cur, b')', "')'")?;
                t.unified = Some((a, b));
            }
            other => {
                let text = format!("unknown attribute {}", quote(other));
                return Err(Fault::new(E0109, start, cur.pos().max(start + 1), text));
            }
        }
        if cur.eat(b',') {
            continue;
        }
        return punct(cur, b')', "')'");
    }
}

/// Reads an integer constant expression.
pub(crate) fn integer(cur: &mut Cursor<'_>) -> Result<u64, Fault> {
    cur.skip_space();
    let start = cur.pos();
    match crate::expr::expression(cur, None) {
        Ok(imm) if imm.kind == crate::tree::ImmKind::Int => Ok(imm.bits),
        Ok(_) => Err(Fault::new(E0103, start, cur.pos(), "expected an integer")),
        Err(what) => Err(Fault::expected(cur, what)),
    }
}

/// Reads one punctuation mark.
pub(crate) fn punct(cur: &mut Cursor<'_>, b: u8, what: &str) -> Result<(), Fault> {
    if cur.eat(b) { Ok(()) } else { Err(Fault::expected(cur, what)) }
}

/// Reads a name.
pub(crate) fn name<'a>(cur: &mut Cursor<'a>, what: &str) -> Result<(&'a str, Range<usize>), Fault> {
    cur.skip_space();
    let start = cur.pos();
    let text = cur.name();
    let first = text.as_bytes().first().copied().unwrap_or(0);
    let lonely = matches!(text, "_" | "$" | "%");
    if text.is_empty() || first.is_ascii_digit() || lonely {
        cur.set_pos(start);
        return Err(Fault::expected(cur, what));
    }
    Ok((text, start..cur.pos()))
}

/// Reads a name with dimensions and initializer: `a[4][2] = {...}`, `%r<40>`; up to the following
/// `;`, `,` or `)`.
pub(crate) fn declarator(cur: &mut Cursor<'_>, space: Space, t: &Traits) -> Result<Declared, Fault> {
    cur.skip_space();
    let unnamed = cur.peek() == b'_' && !crate::cursor::is_name(cur.peek_at(1));
    let (text, span) = if unnamed {
        cur.bump();
        ("", cur.pos() - 1..cur.pos())
    } else {
        name(cur, "a name")?
    };
    if space == Space::Param && (t.width > 1 || matches!(t.ty, Some(Ty::F16x2 | Ty::Pred))) {
        let message = format!("{}: vectors, .f16x2 and .pred are not in .param", quote(text));
        return Err(Fault::new(E0115, span.start, span.end, message));
    }
    if let Some(ty) = t.ty
        && !declarable(ty)
    {
        let message = format!("nothing is declared with type .{}: it names operands of instructions only", ty.name());
        return Err(Fault::new(E0115, span.start, span.end, message));
    }
    let Some(ty) = t.ty else {
        return Err(Fault::new(E0115, span.start, span.end, format!("no type for {}", quote(text))));
    };
    let mut count = None;
    cur.skip_space();
    if cur.peek() == b'<' {
        cur.bump();
        cur.skip_space();
        count = match cur.number() {
            Ok(imm) if imm.kind == crate::tree::ImmKind::Int => Some(imm.bits),
            _ => return Err(Fault::expected(cur, "a number of registers")),
        };
        punct(cur, b'>', "'>'")?;
    }
    let mut dims = SmallVec::new();
    while cur.eat(b'[') {
        if cur.eat(b']') {
            dims.push(None);
        } else {
            let n = integer(cur)?;
            if n == 0 {
                return Err(Fault::new(E0115, span.start, span.end, format!("the array {} has no size", quote(text))));
            }
            dims.push(Some(n));
            punct(cur, b']', "']'")?;
        }
    }
    let mut init = None;
    if cur.eat(b'=') {
        cur.skip_space();
        let start = cur.pos();
        skip_init(cur)?;
        init = Some(start..cur.pos());
    }
    let var = Variable { name: text.into(), space, ty, width: t.width, align: t.align, dims, ptr: t.ptr };
    Ok(Declared { var, count, init, span })
}

/// Whether variables and registers may have this type (PTX ISA 9.0, 5.2.1; alternate formats are
/// stored in `.bN`).
fn declarable(ty: Ty) -> bool {
    let wide = ty.bits() >= 8 && !ty.is_float() && !matches!(ty, Ty::U16x2 | Ty::S16x2 | Ty::U8x4 | Ty::S8x4);
    ty == Ty::Pred || wide || matches!(ty, Ty::F16 | Ty::F16x2 | Ty::F32 | Ty::F64)
}

/// Skips an initializer: braces with anything inside, or everything up to the next `,` or `;`.
fn skip_init(cur: &mut Cursor<'_>) -> Result<(), Fault> {
    let start = cur.pos();
    let mut depth = 0u32;
    loop {
        if !cur.skip_space() || cur.at_end() {
            return Err(Fault::new(E0116, start, start + 1, "the initializer does not end"));
        }
        match cur.peek() {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => {
                let Some(less) = depth.checked_sub(1) else {
                    return Err(Fault::expected(cur, "';'"));
                };
                depth = less;
                if depth == 0 && cur.peek() == b'}' {
                    cur.bump();
                    return Ok(());
                }
            }
            b';' => {
                return if depth == 0 { Ok(()) } else { Err(Fault::expected(cur, "'}'")) };
            }
            b',' if depth == 0 => return Ok(()),
            _ => {}
        }
        cur.bump();
    }
}

/// Bytes of a parameter list that are searched for its end before it is read.
const LOOK: usize = 16 << 10;

/// Reads a parameter list after its opening parenthesis, including the closing one.
pub(crate) fn params(cur: &mut Cursor<'_>) -> Result<Vec<Variable>, Fault> {
    if cur.eat(b')') {
        return Ok(Vec::new());
    }
    // So much of the text is looked at for the length of the list; a longer one grows.
    let rest = cur.slice(cur.pos(), cur.end()).as_bytes();
    let rest = &rest[..rest.len().min(LOOK)];
    let text = &rest[..memchr::memchr(b')', rest).unwrap_or(0)];
    let mut list = Vec::with_capacity(memchr::memchr_iter(b',', text).count() + 1);
    loop {
        cur.skip_space();
        let start = cur.pos();
        let t = traits(cur)?;
        let Some(at @ (Space::Param | Space::Reg)) = t.space else {
            if start == cur.pos() {
                return Err(Fault::expected(cur, ".param or .reg"));
            }
            return Err(Fault::new(E0115, start, cur.pos(), "a parameter is in .param or .reg"));
        };
        let declared = declarator(cur, at, &t)?;
        if declared.init.is_some() || declared.count.is_some() {
            let span = declared.span;
            return Err(Fault::new(E0115, span.start, span.end, "a parameter is one name without a value"));
        }
        list.push(declared.var);
        if cur.eat(b',') {
            continue;
        }
        punct(cur, b')', "',' or ')'")?;
        return Ok(list);
    }
}
