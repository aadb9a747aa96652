//! Operations of the IR, without their operands.
//!
//! Each line of `ops!` is one operation: its name in code, its head in text, its payload fields
//! (printed as dotted tokens after the head), and the comment that defines it. Widths are those of
//! the operands; [`crate::verify`] checks them.

use std::fmt;

use crate::asynchrony::{Bulk, ClusterOp, MapOp, Mbar, Tensor};
use crate::ids::{Slot, Sym};
use crate::texture::{Surf, SurfRed, Tex, TexBound, TexTable};
use crate::tok::{Tok, Tokens};
use crate::types::*;
use crate::wgmma::Wgmma;

macro_rules! ops {
    ($($(#[$meta:meta])* $name:ident $(($($ty:ty),*))? = $head:literal;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op { $($(#[$meta])* $name $(($($ty),*))?),* }

        impl Op {
            /// Returns the head: the first token of the text.
            pub const fn head(&self) -> &'static str {
                match self { $(ops!(@pat $name $(($($ty),*))?) => $head),* }
            }

            /// Parses the output of `Display`; returns `None` if it is no operation.
            pub fn parse(text: &str) -> Option<Op> {
                let mut t = Tokens::new(text);
                let head = t.bump()?;
                let op = match head {
                    $($head => ops!(@make t $name $(($($ty),*))?),)*
                    _ => return None,
                };
                t.done().then_some(op)
            }
        }

        impl fmt::Display for Op {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.head())?;
                match self { $(ops!(@bind a b c d e $name $(($($ty),*))?) => ops!(@put f a b c d e $(($($ty),*))?)),* }
            }
        }
    };
    (@pat $name:ident) => { Op::$name };
    (@pat $name:ident ($($ty:ty),*)) => { Op::$name(..) };
    (@make $t:ident $name:ident) => { Op::$name };
    (@make $t:ident $name:ident ($($ty:ty),*)) => { Op::$name($(<$ty as Tok>::take(&mut $t)?),*) };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident) => { Op::$name };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident ($t1:ty)) => { Op::$name($a) };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident ($t1:ty, $t2:ty)) => { Op::$name($a, $b) };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident ($t1:ty, $t2:ty, $t3:ty)) => { Op::$name($a, $b, $c) };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident ($t1:ty, $t2:ty, $t3:ty, $t4:ty)) => { Op::$name($a, $b, $c, $d) };
    (@bind $a:ident $b:ident $c:ident $d:ident $e:ident $name:ident ($t1:ty, $t2:ty, $t3:ty, $t4:ty, $t5:ty)) => { Op::$name($a, $b, $c, $d, $e) };
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident) => { Ok(()) };
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident ($t1:ty)) => { $a.put($f) };
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident ($t1:ty, $t2:ty)) => {{ $a.put($f)?; $b.put($f) }};
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident ($t1:ty, $t2:ty, $t3:ty)) => {{ $a.put($f)?; $b.put($f)?; $c.put($f) }};
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident ($t1:ty, $t2:ty, $t3:ty, $t4:ty)) => {{ $a.put($f)?; $b.put($f)?; $c.put($f)?; $d.put($f) }};
    (@put $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident ($t1:ty, $t2:ty, $t3:ty, $t4:ty, $t5:ty)) => {{ $a.put($f)?; $b.put($f)?; $c.put($f)?; $d.put($f)?; $e.put($f) }};
}

ops! {
    /// A constant with these bits, in the result's width (not 128 bits).
    Const(u64) = "const";
    /// Undefined bits: the contents of a PTX register before it is written.
    Undef = "undef";
    /// Reads a special register.
    Special(Special) = "special";
    /// Reads environment register n, which the driver fills.
    EnvReg(u8) = "envreg";
    /// The generic (= global) address of a symbol plus bytes; 64 bits. For a `.const` symbol: its
    /// offset in constant bank 3, 32 bits.
    SymbolAddr(Sym, i64) = "symaddr";
    /// The address of a shared or local variable in its window, plus bytes; 32 bits.
    SlotAddr(Slot, i32) = "slotaddr";
    /// Joins equal parts, low first: 2 x 16, 2 x 32, 4 x 32 or 2 x 64 bits.
    Pack = "pack";
    /// Splits into equal parts, low first.
    Unpack = "unpack";
    /// The low bits.
    Trunc = "trunc";
    /// Extends with zeros.
    Zext = "zext";
    /// Extends with the sign.
    Sext = "sext";
    /// Extends the low n bits (1 to 31) within the same width.
    ExtLow(Sign, u8) = "extlow";
    /// a + b.
    Add = "add";
    /// a - b.
    Sub = "sub";
    /// a + b + carry in; results sum and carry out.
    AddC = "addc";
    /// a + ~b + carry in; results difference and carry out (no borrow).
    SubC = "subc";
    /// Signed 32-bit a + b, clamped.
    AddSat = "addsat";
    /// Signed 32-bit a - b, clamped.
    SubSat = "subsat";
    /// -a.
    Neg = "neg";
    /// |a| (signed).
    Abs = "abs";
    /// Low half of a * b.
    Mul = "mul";
    /// High half of a * b.
    MulHi(Sign) = "mulhi";
    /// a * b in twice the width.
    MulWide(Sign) = "mulwide";
    /// Low half of a * b, plus c.
    Mad = "mad";
    /// High half of a * b, plus c.
    MadHi(Sign) = "madhi";
    /// a * b + c, with c and the result of twice the width.
    MadWide(Sign) = "madwide";
    /// Quotient (truncated). Division by zero gives unspecified bits.
    Div(Sign) = "div";
    /// Remainder with the dividend's sign.
    Rem(Sign) = "rem";
    /// Minimum.
    Min(Sign) = "min";
    /// Maximum.
    Max(Sign) = "max";
    /// |a - b| + c.
    Sad(Sign) = "sad";
    /// a & b; also of predicates.
    And = "and";
    /// a | b; also of predicates.
    Or = "or";
    /// a ^ b; also of predicates.
    Xor = "xor";
    /// ~a; also of a predicate.
    Not = "not";
    /// Three-input logic by truth table: bit (a << 2 | b << 1 | c).
    Lop3(u8) = "lop3";
    /// a << b; zero for b beyond the width. b has 32 bits.
    Shl = "shl";
    /// a >> b; sign or zero for b beyond the width.
    Shr(Sign) = "shr";
    /// Upper 32 bits of (b:a) << (c mod 32).
    ShfL = "shfl_wrap";
    /// Lower 32 bits of (b:a) >> (c mod 32).
    ShfR = "shfr_wrap";
    /// Upper 32 bits of (b:a) << min(c, 32).
    ShfLClamp = "shfl_clamp";
    /// Lower 32 bits of (b:a) >> min(c, 32).
    ShfRClamp = "shfr_clamp";
    /// Number of ones; result 32 bits.
    Popc = "popc";
    /// Number of leading zeros; result 32 bits.
    Clz = "clz";
    /// The bits in reverse order.
    Brev = "brev";
    /// Position of the highest bit that differs from the sign, or all ones; result 32 bits.
    Bfind(Sign) = "bfind";
    /// The same, as a left shift amount.
    BfindShift(Sign) = "bfindshift";
    /// Bit field extract a, position, length (PTX ISA 9.0, 9.7.1.20).
    Bfe(Sign) = "bfe";
    /// Bit field insert a into b, position, length.
    Bfi = "bfi";
    /// Mask of b bits from bit a, positions mod 32.
    BmskWrap = "bmsk_wrap";
    /// The same, clamped to 32.
    BmskClamp = "bmsk_clamp";
    /// Sign or zero extension of the low b bits, b mod 32.
    SzextWrap(Sign) = "szext_wrap";
    /// The same, b clamped to 32.
    SzextClamp(Sign) = "szext_clamp";
    /// Bytes of (b:a) selected by c.
    Prmt(PrmtMode) = "prmt";
    /// The sum of four byte products, plus c; signs of a and b.
    Dp4a(Sign, Sign) = "dp4a";
    /// The sum of two products of halves of a and low bytes of b, plus c.
    Dp2aLo(Sign, Sign) = "dp2alo";
    /// The same with the high bytes of b.
    Dp2aHi(Sign, Sign) = "dp2ahi";
    /// Integer comparison; result a predicate.
    Icmp(Cond, Sign) = "icmp";
    /// First operand (a predicate) ? second : third.
    Select = "select";
    /// a + b.
    Fadd(Fty, Rnd, Ftz, Sat) = "fadd";
    /// a * b.
    Fmul(Fty, Rnd, Ftz, Sat) = "fmul";
    /// a * b + c, rounded once.
    Ffma(Fty, Rnd, Ftz, Sat) = "ffma";
    /// -a.
    Fneg(Fty, Ftz) = "fneg";
    /// |a|.
    Fabs(Fty, Ftz) = "fabs";
    /// Minimum.
    Fmin(Fty, Ftz, MinMode) = "fmin";
    /// Maximum.
    Fmax(Fty, Ftz, MinMode) = "fmax";
    /// a / b, correctly rounded.
    Fdiv(Fty, Rnd, Ftz) = "fdiv";
    /// 1 / a, correctly rounded.
    Frcp(Fty, Rnd, Ftz) = "frcp";
    /// Whether an operand or a step of f32 division may leave the range of normal numbers; result a
    /// predicate.
    Fchk = "fchk";
    /// Square root, correctly rounded.
    Fsqrt(Fty, Rnd, Ftz) = "fsqrt";
    /// Floating-point comparison; result a predicate.
    Fcmp(Fty, Cond, Ftz) = "fcmp";
    /// A function of the multi-function unit on 32 bits.
    Mufu(Mufu) = "mufu";
    /// The same on 16 bits of a format.
    MufuHalf(Mufu, Fty) = "mufuhalf";
    /// Argument reduction before `mufu.sin` and `mufu.cos`: a * 0.15915494f, rounded to zero.
    Rro(Ftz) = "rro";
    /// Conversion to the first type from the second.
    Cvt(Cty, Cty, CvtRnd, Ftz, Sat) = "cvt";
    /// Conversion of two f32 (upper, lower) to the packed type.
    CvtPack(Cty, CvtRnd, Sat) = "cvtpack";
    /// Load; results are the elements.
    Load(Mem) = "load";
    /// Store of the operands after the address.
    Store(Mem) = "store";
    /// Atomic; result the old value.
    Atom(Atom) = "atom";
    /// Atomic without a result.
    Red(Atom) = "red";
    /// Load of the combined values of all replicas of multicast memory.
    LoadReduce(Atom, Accum) = "loadreduce";
    /// Named barrier; no result, a predicate (and, or) or 32 bits (popc).
    Bar(BarOp) = "bar";
    /// Fence.
    Fence(Order, Scope) = "fence";
    /// Orders generic accesses to global or shared memory with those of asynchronous copies.
    FenceAsync(Space) = "fenceasync";
    /// Shuffle of a, lane operand b, clamp and segment c, member mask; results value and "in
    /// range".
    Shfl(ShflMode) = "shfl";
    /// Vote of a predicate under a member mask; result a predicate or a mask.
    Vote(VoteMode) = "vote";
    /// Lanes with equal value; operands value, mask.
    MatchAny = "match_any";
    /// The mask if all lanes are equal, else zero; and a predicate: whether they are.
    MatchAll = "match_all";
    /// Reduction over a member mask.
    Redux(ReduxOp, Sign) = "redux";
    /// The mask of active lanes.
    ActiveMask = "activemask";
    /// Elects a leader of the member mask: its lane, and a predicate that is true in the leader.
    Elect = "elect";
    /// Waits for the lanes of a mask.
    WarpSync = "warpsync";
    /// Whether a generic address is in this space.
    IsSpace(Space) = "isspace";
    /// Whether a generic address is in the shared memory of any CTA of the cluster.
    IsClusterShared = "isclustershared";
    /// Suspends the thread for about this many nanoseconds.
    Nanosleep = "nanosleep";
    /// Waits for prerequisite grids.
    GridDepWait = "griddepwait";
    /// Lets dependent grids start.
    GridDepLaunch = "griddeplaunch";
    /// Copies bytes from global to shared memory without a register: operands shared address,
    /// global address[, bytes to read, the rest being zeros, or a predicate that disables reading].
    CpAsync(u8, Cache, Prefetch) = "cpasync";
    /// Commits a group of copies.
    CpAsyncCommit = "cpasynccommit";
    /// Waits until at most n groups are pending.
    CpAsyncWait(u8) = "cpasyncwait";
    /// An operation on an mbarrier object.
    Mbar(Mbar) = "mbar";
    /// Number of arrivals that an mbarrier object waits for, from its state.
    MbarPending = "mbarpending";
    /// Copies a number of bytes asynchronously, or reduces elements.
    Bulk(Bulk) = "bulk";
    /// Copies a box of a tensor asynchronously, or reduces its elements.
    Tensor(Tensor) = "tensor";
    /// Commits a group of bulk and tensor copies.
    BulkCommit = "bulkcommit";
    /// Waits until at most n groups of bulk and tensor copies are pending; the second field is 1 if
    /// only their sources must have been read.
    BulkWait(u8, u8) = "bulkwait";
    /// Loads a tensor map at a generic address into its cache, or removes it.
    TensorMap(MapOp) = "tensormap";
    /// Stores values in the shared memory of a CTA of the cluster and counts their bytes at an
    /// mbarrier object there: operands address, mbarrier object, values.
    StoreAsync(Mty) = "storeasync";
    /// The same with an atomic operation.
    RedAsync(AtomOp, Aty) = "redasync";
    /// An operation on the barrier of the cluster.
    ClusterBar(ClusterOp) = "clusterbar";
    /// Whether this thread is the leader of the active lanes.
    Leads = "leads";
    /// The value of the leader of the active lanes.
    Leader = "leader";
    /// Loads n 8x8 matrices of 16-bit elements; the second field is 1 if transposed.
    LdMatrix(u8, u8) = "ldmatrix";
    /// Stores n 8x8 matrices of 16-bit elements; the second field is 1 if transposed.
    StMatrix(u8, u8) = "stmatrix";
    /// Transposes an 8x8 matrix across the warp.
    MovMatrix = "movmatrix";
    /// Matrix multiply-accumulate across the warp.
    Mma(Mma) = "mma";
    /// A texture lookup.
    Tex(Tex) = "tex";
    /// The texels of a texture or surface in x, y or z: operands handle, level.
    TexExtent(u8) = "texextent";
    /// The handle of a texture, sampler or surface that the driver binds to a name.
    TexHandle(TexBound, Sym) = "texhandle";
    /// The address of the row of a handle in a table of the driver; the symbol is the size of a row.
    TexRow(TexTable, Sym) = "texrow";
    /// A load from a surface.
    SurfLoad(Surf) = "surfload";
    /// A store to a surface.
    SurfStore(Surf) = "surfstore";
    /// A reduction in a surface.
    SurfRed(SurfRed) = "surfred";
    /// Starts a matrix product of the warpgroup.
    Wgmma(Wgmma) = "wgmma";
    /// Commits the products started since the last commit as a group.
    WgmmaCommit = "wgmmacommit";
    /// Waits until at most n groups are pending. Operands: the accumulators that are complete then,
    /// their number being the second field, which are the results, too; then registers of A.
    WgmmaWait(u8, u16) = "wgmmawait";
    /// Prefetches a line: level 1 or 2.
    PrefetchLine(u8) = "prefetch";
    /// Discards a line of the second-level cache: its contents become undefined.
    DiscardLine = "discard";
    /// Demotes a line of the second-level cache to normal eviction priority.
    DemoteLine = "demote";
    /// Counts the performance events of a mask.
    Pmevent(u16) = "pmevent";
    /// Returns registers, so that the warp has this many per thread.
    GiveRegisters(u16) = "give_registers";
    /// Waits until the warp has this many registers per thread.
    TakeRegisters(u16) = "take_registers";
    /// Tries to raise the warp's registers per thread to this number; the result is whether it did.
    TryRegisters(u16) = "try_registers";
    /// Calls a function by name: operands are the argument words, results the result words, 32 bits
    /// each.
    Call(Sym) = "call";
    /// Calls the function at an address: operands the address (64 bits) and the argument words.
    CallAt = "call_at";
    /// In a called function: the n-th argument word; those from the twelfth on are in the caller's
    /// memory.
    Argument(u16) = "argument";
    /// In a called function: returns the operands as result words; ends the function.
    Return = "return";
    /// Allocates bytes of the stack (32 bits), aligned to two to the n; result their address in
    /// local memory.
    StackAlloc(u8) = "stackalloc";
    /// Reads the stack pointer.
    StackSave = "stacksave";
    /// Sets the stack pointer.
    StackRestore = "stackrestore";
    /// With `-g`: from here on the operand is the value of this PTX register, numbered as in
    /// [`DebugNames`](crate::unit::DebugNames). No code; it keeps the operand in a register up to here.
    Names(u32) = "names";
    /// Stops the kernel with an error.
    Trap = "trap";
    /// Breakpoint.
    Brkpt = "brkpt";
}

impl Op {
    /// Whether it must stay even if no result is used, and in order with others of its kind.
    pub const fn has_effect(&self) -> bool {
        use Op::*;
        match self {
            Load(m) => !m.is_weak(),
            LoadReduce(a, _) => !matches!(a.order, Order::Weak | Order::Relaxed),
            Special(s) => s.changes(),
            Store(_) | Atom(_) | Red(_) | Bar(_) | Fence(..) | FenceAsync(_) | WarpSync | Nanosleep | GridDepWait
            | GridDepLaunch | CpAsync(..) | CpAsyncCommit | CpAsyncWait(_) | StMatrix(..) | PrefetchLine(_)
            | Mbar(_) | Bulk(_) | Tensor(_) | BulkCommit | BulkWait(..) | TensorMap(_) | StoreAsync(_)
            | RedAsync(..) | DiscardLine | DemoteLine | Pmevent(_) | Trap | Brkpt | Argument(_) | Return
            | StackAlloc(_) | StackSave | StackRestore | SurfStore(_) | SurfRed(_) | Names(_) => true,
            _ => self.is_convergent(),
        }
    }

    /// Whether its result depends on the lanes that execute it together. If so, it is never sunk,
    /// hoisted or made control-dependent, and copied only if the same lanes execute it (D4).
    pub const fn is_convergent(&self) -> bool {
        use Op::*;
        matches!(
            self,
            Bar(_)
                | Shfl(_)
                | Vote(_)
                | MatchAny
                | MatchAll
                | Redux(..)
                | ActiveMask
                | Elect
                | Leads
                | Leader
                | ClusterBar(_)
                | GiveRegisters(_)
                | TakeRegisters(_)
                | TryRegisters(_)
                | WarpSync
                | LdMatrix(..)
                | StMatrix(..)
                | MovMatrix
                | Mma(_)
                | Wgmma(_)
                | WgmmaCommit
                | WgmmaWait(..)
                | Call(_)
                | CallAt
        )
    }

    /// Whether it reads memory that other threads may write.
    pub const fn reads_memory(&self) -> bool {
        match self {
            Op::Load(m) => !matches!(m.space, Space::Param | Space::Const),
            Op::Atom(_)
            | Op::LoadReduce(..)
            | Op::LdMatrix(..)
            | Op::Wgmma(_)
            | Op::Call(_)
            | Op::CallAt
            | Op::SurfLoad(_) => true,
            _ => false,
        }
    }

    /// Whether two with the same operands can be merged where one dominates the other.
    pub const fn is_pure(&self) -> bool {
        !self.has_effect() && !self.reads_memory() && !matches!(self, Op::Undef)
    }
}

impl Cond {
    /// Returns the condition that holds for integers when this one does not; `None` for conditions
    /// of floats only.
    pub const fn inverse(self) -> Option<Cond> {
        Some(match self {
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
            Cond::Lt => Cond::Ge,
            Cond::Le => Cond::Gt,
            Cond::Gt => Cond::Le,
            Cond::Ge => Cond::Lt,
            _ => return None,
        })
    }

    /// Returns the condition that holds for floats when this one does not.
    pub const fn complement(self) -> Cond {
        match self {
            Cond::Eq => Cond::Neu,
            Cond::Ne => Cond::Equ,
            Cond::Lt => Cond::Geu,
            Cond::Le => Cond::Gtu,
            Cond::Gt => Cond::Leu,
            Cond::Ge => Cond::Ltu,
            Cond::Equ => Cond::Ne,
            Cond::Neu => Cond::Eq,
            Cond::Ltu => Cond::Ge,
            Cond::Leu => Cond::Gt,
            Cond::Gtu => Cond::Le,
            Cond::Geu => Cond::Lt,
            Cond::Num => Cond::Nan,
            Cond::Nan => Cond::Num,
        }
    }

    /// Returns the condition for swapped floats.
    pub const fn mirrored(self) -> Cond {
        match self {
            Cond::Lt => Cond::Gt,
            Cond::Le => Cond::Ge,
            Cond::Gt => Cond::Lt,
            Cond::Ge => Cond::Le,
            Cond::Ltu => Cond::Gtu,
            Cond::Leu => Cond::Geu,
            Cond::Gtu => Cond::Ltu,
            Cond::Geu => Cond::Leu,
            _ => self,
        }
    }

    /// Returns the condition for swapped integers; `None` for conditions of floats only.
    pub const fn swapped(self) -> Option<Cond> {
        Some(match self {
            Cond::Eq | Cond::Ne => self,
            Cond::Lt => Cond::Gt,
            Cond::Le => Cond::Ge,
            Cond::Gt => Cond::Lt,
            Cond::Ge => Cond::Le,
            _ => return None,
        })
    }
}
