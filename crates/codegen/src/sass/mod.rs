//! Constructors of the mnemonics that this crate emits, with their variable tokens as arguments.
//!
//! A token is a value of an enum ([`tokens`]), so that a misspelt mnemonic does not compile; a test
//! checks that the table has a row for every combination that the constructors can make.
//! [`raddle_sass::form::find`] can then fail only for what an architecture lacks, and for operands.

pub mod tokens;

pub use raddle_sass::Mnemonic;
use raddle_sass::{Mod, Op};
use tokens::*;

macro_rules! token {
    (($arg:ident)) => {
        $arg.token()
    };
    ($token:ident) => {
        Mod::$token
    };
}

#[cfg(test)]
macro_rules! walk {
    ($out:ident; $one:expr;) => {
        $out.push($one)
    };
    ($out:ident; $one:expr; $arg:ident: $ty:ty, $($rest:tt)*) => {
        for &$arg in <$ty as Token>::ALL {
            walk!($out; $one; $($rest)*);
        }
    };
}

/// `name(argument: Type, ..) = [Operation Token (argument) ..];`
macro_rules! mnemonics {
    ($($name:ident($($arg:ident: $ty:ty),*) = [$op:ident $($token:tt)*];)*) => {
        $(
            #[inline]
            pub fn $name($($arg: $ty),*) -> Mnemonic {
                Mnemonic::new(Op::$op, &[$(token!($token)),*])
            }
        )*

        /// Every mnemonic that the constructors can make.
        #[cfg(test)]
        fn all() -> Vec<Mnemonic> {
            let mut out = Vec::new();
            $(walk!(out; $name($($arg),*); $($arg: $ty,)*);)*
            out
        }
    };
}

mnemonics! {
    // Moves and integers.
    mov() = [Mov];
    sel() = [Sel];
    fsel() = [Fsel];
    prmt(mode: Permute) = [Prmt (mode)];
    iadd3() = [Iadd3];
    iadd3_x() = [Iadd3 X];
    imad() = [Imad];
    imad_u32() = [Imad U32];
    imad_wide(u: Unsigned) = [Imad Wide (u)];
    imad_hi(u: Unsigned) = [Imad Hi (u)];
    iabs() = [Iabs];
    imnmx(u: Unsigned) = [Imnmx (u)];
    vimnmx(u: Unsigned) = [Vimnmx (u)];
    vabsdiff(u: Unsigned) = [Vabsdiff (u)];
    idp(dot: Dot, byte: Byte) = [Idp (dot) (byte)];
    lea() = [Lea];
    lea_hi() = [Lea Hi];
    lea_hi_x() = [Lea Hi X];
    isetp(c: IntCmp, u: Unsigned) = [Isetp (c) (u) And];
    isetp_ex(c: IntCmp, u: Unsigned) = [Isetp (c) (u) And Ex];
    plop3() = [Plop3 Lut];
    lop3() = [Lop3 Lut];
    shf_l() = [Shf L U32];
    shf_r_hi(ty: Int32) = [Shf R (ty) Hi];
    shf_l_u64_hi() = [Shf L U64 Hi];
    shf_r_64(ty: Int64) = [Shf R (ty)];
    funnel(to: Direction, wrap: Wrap, half: Half) = [Shf (to) (wrap) U32 (half)];
    sgxt(wrap: Wrap, u: Unsigned) = [Sgxt (wrap) (u)];
    bmsk(wrap: Wrap) = [Bmsk (wrap)];
    brev() = [Brev];
    popc() = [Popc];
    flo(u: Unsigned, distance: Distance) = [Flo (u) (distance)];

    // Floating point.
    fadd(z: Ftz, r: Round, s: Sat) = [Fadd (z) (r) (s)];
    fmul(z: Ftz, r: Round, s: Sat) = [Fmul (z) (r) (s)];
    ffma(z: Ftz, r: Round, s: Sat) = [Ffma (z) (r) (s)];
    fswzadd() = [Fswzadd Ndv];
    fmnmx(z: Ftz, n: Nan, x: Xorsign) = [Fmnmx (z) (n) (x)];
    fsetp(c: FloatCmp, z: Ftz) = [Fsetp (c) (z) And];
    fchk() = [Fchk];
    mufu(f: Function) = [Mufu (f)];
    mufu_16(f: Function16) = [Mufu (f)];
    dadd(r: Round) = [Dadd (r)];
    dmul(r: Round) = [Dmul (r)];
    dfma(r: Round) = [Dfma (r)];
    fset(c: FloatCmp, z: Ftz) = [Fset Bf (c) (z) And];
    dsetp(c: FloatCmp) = [Dsetp (c) And];
    hadd2(b: Bf16V2, z: Ftz, s: Sat) = [Hadd2 (b) (z) (s)];
    hadd2_f32(z: Ftz, s: Sat) = [Hadd2 F32 (z) (s)];
    hmul2(b: Bf16V2, z: Ftz, s: Sat) = [Hmul2 (b) (z) (s)];
    hfma2(b: Bf16V2, z: Ftz, s: Sat) = [Hfma2 (b) (z) (s)];
    hfma2_relu(b: Bf16V2, z: Ftz) = [Hfma2 (b) (z) Relu];
    hmnmx2(b: Bf16V2, z: Ftz, n: Nan, x: Xorsign) = [Hmnmx2 (b) (z) (n) (x)];
    hset2(c: FloatCmp, z: Ftz) = [Hset2 Bf (c) (z) And];
    hsetp2(b: Bf16V2, c: FloatCmp, z: Ftz) = [Hsetp2 (b) (c) (z) And];

    // Conversions.
    frnd(z: Ftz, r: RoundInt) = [Frnd (z) (r)];
    frnd_f16(r: RoundInt) = [Frnd F16 (r)];
    frnd_f64(r: RoundInt) = [Frnd F64 (r)];
    f2f_16_f32(to: Float16, r: Round) = [F2f (to) F32 (r)];
    f2f_f16_f64(r: Round) = [F2f F16 F64 (r)];
    f2f_f32_f64(z: Ftz, r: Round) = [F2f (z) F32 F64 (r)];
    f2f_f64_f16() = [F2f F64 F16];
    f2f_f64_f32(z: Ftz) = [F2f (z) F64 F32];
    f2fp_f32(n: Relu, to: Float16, r: RoundZero) = [F2fp (n) (to) F32 PackAb (r)];
    f2fp(n: Relu, to: Brain, r: RoundZero) = [F2fp (n) (to) PackAb (r)];
    f2fp_8(n: Relu, to: Float8) = [F2fp Satfinite (n) (to) F32 PackAbMergeC];
    f2fp_unpack(from: Float8) = [F2fp F16 (from) UnpackB];
    i2f(from: IntSource, r: Round) = [I2f (from) (r)];
    i2f_f16(from: IntSource, r: Round) = [I2f F16 (from) (r)];
    i2f_f64(from: IntSource, r: Round) = [I2f F64 (from) (r)];
    i2f_bf16(u: Unsigned, r: Round) = [I2f Bf16 (u) (r)];
    i2fp(from: Int32, r: RoundZero) = [I2fp F32 (from) (r)];
    f2i(z: Ftz, to: IntResult, r: RoundInt) = [F2i (z) (to) (r) Ntz];
    f2i_f16(to: IntResult, r: RoundInt) = [F2i (to) F16 (r) Ntz];
    f2i_64(to: Int64, r: RoundInt) = [F2i (to) (r)];
    f2i_64_f16(to: Int64, r: RoundInt) = [F2i (to) F16 (r)];
    f2i_f64(to: IntResultAny, r: RoundInt) = [F2i (to) F64 (r)];

    // Memory.
    ld(c: Cache, p: Prefetch, size: Size, order: LoadOrder) = [Ld E (c) (p) (size) (order)];
    ldg(c: Cache, p: Prefetch, size: Size, order: LoadOrder) = [Ldg E (c) (p) (size) (order)];
    lds(size: Size) = [Lds (size)];
    ldl(size: Size) = [Ldl (size)];
    ldc(size: BankSize) = [Ldc (size)];
    st(c: Cache, size: Size, order: StoreOrder) = [St E (c) (size) (order)];
    stg(c: Cache, size: Size, order: StoreOrder) = [Stg E (c) (size) (order)];
    sts(size: Size) = [Sts (size)];
    stl(size: Size) = [Stl (size)];
    atom(op: AtomInt, ty: AtomIntTy, scope: AtomScope) = [Atom E (op) (ty) (scope)];
    atom_float(op: AtomFloat, ty: AtomFloatTy, scope: AtomScope) = [Atom E (op) (ty) (scope)];
    atom_cas(ty: CasTy, scope: AtomScope) = [Atom E Cas (ty) (scope)];
    atomg(op: AtomInt, ty: AtomIntTy, scope: AtomScope) = [Atomg E (op) (ty) (scope)];
    atomg_float(op: AtomFloat, ty: AtomFloatTy, scope: AtomScope) = [Atomg E (op) (ty) (scope)];
    atomg_cas(ty: CasTy, scope: AtomScope) = [Atomg E Cas (ty) (scope)];
    atoms(op: AtomInt, ty: SharedTy) = [Atoms (op) (ty)];
    atoms_cas(ty: SharedCasTy) = [Atoms Cas (ty)];
    red(op: RedInt, ty: RedIntTy, scope: AtomScope) = [Red E (op) (ty) (scope)];
    red_float(op: AtomFloat, ty: RedFloatTy, scope: AtomScope) = [Red E (op) (ty) (scope)];
    redg(op: RedInt, ty: RedIntTy, scope: AtomScope) = [Redg E (op) (ty) (scope)];
    redg_float(op: AtomFloat, ty: AtomFloatTy, scope: AtomScope) = [Redg E (op) (ty) (scope)];
    ldgmc(op: CombineInt, ty: CombineIntTy) = [Ldgmc E (op) (ty) Strong Sys];
    ldgmc_float(op: CombineFloat, ty: CombineFloatTy) = [Ldgmc E (op) (ty) Strong Sys];
    membar(fence: Fence, level: Level) = [Membar (fence) (level)];
    errbar() = [Errbar];
    cgaerrbar() = [Cgaerrbar];
    cctl_ivall() = [Cctl Ivall];
    cctl(line: Line) = [Cctl E (line)];
    qspc(window: Window) = [Qspc E (window)];
    fence_view_async(space: AsyncSpace) = [Fence View Async (space)];
    ldsm(matrix: Matrix, n: Matrices) = [Ldsm N16 (matrix) (n)];
    stsm(matrix: Matrix, n: Matrices) = [Stsm N16 (matrix) (n)];
    ldgsts(b: Bypass, p: Prefetch, size: CopySize, fill: Zfill) = [Ldgsts E (b) (p) (size) (fill)];
    ldgdepbar() = [Ldgdepbar];
    depbar_le() = [Depbar Le];

    // Asynchronous operations.
    syncs_phasechk(wait: TryWait) = [Syncs Phasechk Trans64 (wait)];
    syncs_arrive(r: SyncsRed, o: Optout, count: SyncsCount) = [Syncs Arrive Trans64 (r) (o) (count)];
    syncs_exch() = [Syncs Exch N64];
    syncs_inval() = [Syncs Cctl Iv];
    arrives() = [Arrives Ldgstsbar N64];
    arrives_counted(how: CopiesCounted) = [Arrives Ldgstsbar N64 (how)];
    atoms_arrive() = [Atoms Arrive N64];
    ublkcp_sg(m: Multicast) = [Ublkcp S G (m)];
    ublkcp_gs() = [Ublkcp G S];
    ublkcp_ss() = [Ublkcp S S];
    ublkpf() = [Ublkpf L2];
    ublkred(to: BulkTo, op: RedInt, ty: BulkTy) = [Ublkred (to) S (op) (ty)];
    utmaldg(dims: Dims) = [Utmaldg (dims)];
    utmaldg_multicast(dims: Dims) = [Utmaldg (dims) Multicast];
    utmastg(dims: Dims) = [Utmastg (dims)];
    utmaredg(dims: Dims, op: RedInt) = [Utmaredg (dims) (op)];
    utmapf(dims: Dims) = [Utmapf L2 (dims)];
    utmaldg_im2col(dims: Dims, to: Multicast) = [Utmaldg (dims) Im2col (to)];
    utmastg_im2col(dims: Dims) = [Utmastg (dims) Im2col];
    utmaredg_im2col(dims: Dims, op: RedInt) = [Utmaredg (dims) Im2col (op)];
    utmapf_im2col(dims: Dims) = [Utmapf L2 (dims) Im2col];
    utmacctl_pf() = [Utmacctl Pf];
    utmacctl_iv() = [Utmacctl Iv];
    utmacmdflush() = [Utmacmdflush];
    depbar() = [Depbar];
    stas(size: CopySize) = [Stas (size)];
    redas(op: RedInt, ty: RedasTy) = [Redas (op) (ty)];
    ucgabar_arv() = [UcgabarArv];
    ucgabar_wait() = [UcgabarWait];

    usetmaxreg_dealloc() = [Usetmaxreg Dealloc Ctapool];
    usetmaxreg_try() = [Usetmaxreg TryAlloc Ctapool];

    // Special registers.
    s2r() = [S2r];
    cs2r(size: CounterSize) = [Cs2r (size)];

    // Warps and barriers.
    vote(how: Vote) = [Vote (how)];
    elect() = [Elect];
    warpsync() = [Warpsync];
    warpsync_all() = [Warpsync All];
    warpsync_exclusive() = [Warpsync Exclusive];
    shfl(shuffle: Shuffle) = [Shfl (shuffle)];
    match_any(wide: Wide) = [Match Any (wide)];
    match_all(wide: Wide) = [Match All (wide)];
    redux(reduction: Reduction, signed: Signed) = [Redux (reduction) (signed)];
    nanosleep() = [Nanosleep];
    bar_sync() = [Bar Sync DeferBlocking];
    bar_sync_of_one_register() = [Bar SyncDeferBlocking];
    bar_arv() = [Bar Arv];
    bar_red(reduction: BarReduction) = [Bar Red (reduction) DeferBlocking];
    b2r_result() = [B2r Result];
    acqbulk() = [Acqbulk];
    preexit() = [Preexit];
    bpt_trap() = [Bpt Trap];
    pmtrig() = [Pmtrig];

    // Matrix products.
    movm() = [Movm N16 Mt88];
    hmma_f32(shape: Shape16, b: Brain) = [Hmma (shape) F32 (b)];
    hmma_f16(shape: Shape16) = [Hmma (shape) F16];
    hmma_tf32(shape: ShapeTf32) = [Hmma (shape) F32 Tf32];
    imma(shape: Shape8, a: Byte, b: Byte, s: Sat) = [Imma (shape) (a) (b) (s)];
    hmma_sp_f32(shape: ShapeSparse, b: Brain) = [Hmma Sp (shape) F32 (b)];
    hmma_sp_f16(shape: ShapeSparse) = [Hmma Sp (shape) F16];
    hmma_sp_tf32(shape: Shape16) = [Hmma Sp (shape) F32 Tf32];
    imma_4(shape: Shape4, a: Nibble, b: Nibble, s: Sat) = [Imma (shape) (a) (b) (s)];
    qmma_f32(shape: ShapeQuarter, a: Float8, b: Float8) = [Qmma (shape) F32 (a) (b)];
    qmma_f16(shape: ShapeQuarter, a: Float8, b: Float8) = [Qmma (shape) F16 (a) (b)];
    qmma_sp_f32(a: Float8, b: Float8) = [Qmma Sp N16864 F32 (a) (b)];
    imma_sp(shape: ShapeSparse8, a: Byte, b: Byte, s: Sat) = [Imma Sp (shape) (a) (b) (s)];
    imma_sp_4(shape: ShapeSparse4, a: Nibble, b: Nibble, s: Sat) = [Imma Sp (shape) (a) (b) (s)];
    bmma(shape: Shape1, op: BitOp) = [Bmma (shape) (op) Popc];
    dmma(shape: Shape64, r: Round) = [Dmma (shape) (r)];
    dmma_884(r: Round) = [Dmma N884 (r)];
    warpgroup_depbar() = [Warpgroup Depbar Le];

    // Textures and surfaces.
    tex(b: InRegister, level: TexLevel, o: Aoffi, d: Dc) = [Tex (b) (level) (o) (d)];
    tex_quad(b: InRegister, o: Aoffi, d: Dc) = [Tex (b) (o) (d) Ndv];
    tld(b: InRegister, level: TldLevel, o: Aoffi, m: Ms, c: Cl) = [Tld (b) (level) (o) (m) (c)];
    tld4(channel: Gathered, b: InRegister, o: Aoffi, d: Dc) = [Tld4 (channel) (b) (o) (d)];
    txd(b: InRegister, o: Aoffi) = [Txd (b) (o)];
    txq(b: InRegister) = [Txq (b)];
    suld(dim: SurfDim, c: SurfEf, size: SurfSize, o: SurfOrder, clamp: SurfOutside) = [Suld D Ba (dim) (c) (size) (o) (clamp)];
    sust(dim: SurfDim, c: SurfEf, size: SurfSize, o: SurfOrder, clamp: SurfOutside) = [Sust D Ba (dim) (c) (size) (o) (clamp)];
    sust_p(dim: SurfDim, c: SurfEf, o: SurfOrder, rgba: SurfChannels, clamp: SurfOutside) = [Sust P (dim) (c) (o) (rgba) (clamp)];
    sured(b: SurfBytes, dim: SurfDim, op: SurfOp, ty: SurfType, clamp: SurfOutside) = [Sured D (b) (dim) (op) (ty) StrongSys (clamp)];

    // Control flow.
    bra() = [Bra];
    brx() = [Brx];
    call_abs() = [Call Abs Noinc];
    ret_abs() = [Ret Abs Nodec];
    call_rel() = [Call Rel Noinc];
    ret_rel() = [Ret Rel Nodec];
    exit() = [Exit];
    nop() = [Nop];
    bssy() = [Bssy];
    bsync() = [Bsync];
    break_() = [Break];
    yield_() = [Yield];
    bmov(clear: Clear) = [Bmov N32 (clear)];
    bmov_active() = [Bmov N32];
    bmov_quads() = [Bmov N32 Pquad];

    // Uniform registers.
    umov() = [Umov];
    usel() = [Usel];
    uisetp(c: IntCmp, u: Unsigned) = [Uisetp (c) (u) And];
    uldc(size: BankSize) = [Uldc (size)];
    r2ur() = [R2ur];
    voteu(how: Vote) = [Voteu (how)];
}

/// Returns the uniform-path operation that corresponds to a vector operation.
pub fn uniform_twin(op: Op) -> Option<Op> {
    Some(match op {
        Op::Bmsk => Op::Ubmsk,
        Op::Brev => Op::Ubrev,
        Op::Flo => Op::Uflo,
        Op::Iadd3 => Op::Uiadd3,
        Op::Imad => Op::Uimad,
        Op::Isetp => Op::Uisetp,
        Op::Ldc => Op::Uldc,
        Op::Lea => Op::Ulea,
        Op::Lop3 => Op::Ulop3,
        Op::Mov => Op::Umov,
        Op::Plop3 => Op::Uplop3,
        Op::Popc => Op::Upopc,
        Op::Prmt => Op::Uprmt,
        Op::Sel => Op::Usel,
        Op::Sgxt => Op::Usgxt,
        Op::Shf => Op::Ushf,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_every_mnemonic() {
        let missing: Vec<String> = all().iter().filter(|m| !m.exists()).map(ToString::to_string).collect();
        assert!(missing.is_empty(), "no row has {missing:?}");
        assert!(all().len() > 2000, "the test goes through all tokens");
    }
}
