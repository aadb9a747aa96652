typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#ifdef __CUDACC__
#define DEVICE static __device__ __noinline__
#define INLINE static __device__ __forceinline__
#define TABLE static __device__ function
INLINE u32 popc32(u32 x) { return (u32)__popc(x); }
INLINE u32 popc64(u64 x) { return (u32)__popcll(x); }
INLINE u32 clz32(u32 x) { return (u32)__clz((int)x); }
INLINE u32 clz64(u64 x) { return (u32)__clzll((i64)x); }
INLINE u32 brev32(u32 x) { return __brev(x); }
INLINE u64 brev64(u64 x) { return __brevll(x); }
INLINE u32 umulhi32(u32 a, u32 b) { return __umulhi(a, b); }
INLINE u64 umulhi64(u64 a, u64 b) { return __umul64hi(a, b); }
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
#define DEVICE static __attribute__((noinline, unused))
#define INLINE static inline __attribute__((unused))
#define TABLE static function __attribute__((unused))
INLINE u32 popc64(u64 x) { u32 n = 0; for (; x != 0; x &= x - 1) { n++; } return n; }
INLINE u32 popc32(u32 x) { return popc64(x); }
INLINE u32 clz64(u64 x) { u32 n = 64; for (; x != 0; x >>= 1) { n--; } return n; }
INLINE u32 clz32(u32 x) { return clz64(x) - 32u; }
INLINE u64 brev64(u64 x) { u64 r = 0; for (u32 i = 0; i < 64u; i++) { r |= (x >> i & 1u) << (63u - i); } return r; }
INLINE u32 brev32(u32 x) { return (u32)(brev64(x) >> 32); }
INLINE u32 umulhi32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE u64 umulhi64(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
/* The first lane of the warp. */
#define WARP(l) ((l) & ~31u)
#endif

typedef u32 (*function)(u32, u32);

typedef struct {
    u32 a;
    u16 b;
    i8 c;
    f32 d;
} S;

typedef struct {
    u32 u5 : 5;
    i32 i7 : 7;
    u32 u11 : 11;
    i32 i9 : 9;
    u32 u1 : 1;
} B;

/* The state of a thread. */
typedef struct {
    u8 c0;
    i8 c1;
    u16 h0;
    i16 h1;
    u32 a, b, c;
    i32 d, e;
    u64 x, y;
    i64 z;
    f32 p, q;
    f64 g;
    S s;
    B bits;
    u32 n[8];
    u8 m[8];
    i16 w[8];
    f32 r[8];
} T;

/* No NaN is kept: its payload differs between machines. */
INLINE f32 fix32(f32 x) { return x != x ? 0.0f : x; }
INLINE f64 fix64(f64 x) { return x != x ? 0.0 : x; }
INLINE f32 fma32(f32 a, f32 b, f32 c) { return fmaf(a, b, c); }
INLINE f64 fma64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
INLINE f32 root32(f32 x) { return sqrtf(x < 0.0f ? -x : x); }
INLINE f64 root64(f64 x) { return sqrt(x < 0.0 ? -x : x); }
INLINE i32 whole32(f64 x) { return x > -2147483649.0 && x < 2147483648.0 ? (i32)x : 0; }
INLINE i64 whole64(f64 x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (i64)x : 0; }
INLINE u32 rotl32(u32 a, u32 n) { return a << (n & 31u) | a >> (-n & 31u); }
INLINE u64 rotl64(u64 a, u64 n) { return a << (n & 63u) | a >> (-n & 63u); }
INLINE u32 udiv32(u32 a, u32 b) { return b == 0u ? a : a / b; }
INLINE u32 urem32(u32 a, u32 b) { return b == 0u ? a : a % b; }
INLINE u64 udiv64(u64 a, u64 b) { return b == 0u ? a : a / b; }
INLINE u64 urem64(u64 a, u64 b) { return b == 0u ? a : a % b; }
INLINE i32 sdiv32(i32 a, i32 b) { return b == 0 || (b == -1 && a == (i32)0x80000000u) ? a : a / b; }
INLINE i32 srem32(i32 a, i32 b) { return b == 0 || b == -1 ? 0 : a % b; }
INLINE i64 sdiv64(i64 a, i64 b) { return b == 0 || (b == -1 && a == (i64)0x8000000000000000ull) ? a : a / b; }
INLINE i64 srem64(i64 a, i64 b) { return b == 0 || b == -1 ? 0 : a % b; }
INLINE u32 bits32(f32 x) { u32 bits; memcpy(&bits, &x, 4); return bits; }
INLINE u64 bits64(f64 x) { u64 bits; memcpy(&bits, &x, 8); return bits; }
INLINE f32 float32(u32 bits) { f32 x; memcpy(&x, &bits, 4); return fix32(x); }
INLINE f64 float64(u64 bits) { f64 x; memcpy(&x, &bits, 8); return fix64(x); }

/* Everything has a value from the beginning. */
INLINE void begin(T* t, const u64* in) {
    t->c0 = (u8)in[0];
    t->c1 = (i8)(in[0] >> 8);
    t->h0 = (u16)(in[0] >> 16);
    t->h1 = (i16)(in[0] >> 32);
    t->a = (u32)in[1];
    t->b = (u32)(in[1] >> 32);
    t->c = (u32)in[2];
    t->d = (i32)(u32)(in[2] >> 32);
    t->e = (i32)(u32)in[3];
    t->x = in[4];
    t->y = in[5];
    t->z = (i64)in[6];
    t->p = float32((u32)in[7]);
    t->q = (f32)(i32)(u32)(in[7] >> 32);
    t->g = float64(in[6]);
    t->s.a = (u32)(in[3] >> 32);
    t->s.b = (u16)in[5];
    t->s.c = (i8)in[6];
    t->s.d = (f32)(i32)(u32)in[4] * 0.5f;
    t->bits.u5 = (u32)in[0];
    t->bits.i7 = (i32)(u32)in[1];
    t->bits.u11 = (u32)in[2];
    t->bits.i9 = (i32)(u32)in[3];
    t->bits.u1 = (u32)in[4];
    for (u32 i = 0; i < 8u; i++) {
        t->n[i] = (u32)(in[i] >> 7);
        t->m[i] = (u8)(in[i] >> 9);
        t->w[i] = (i16)(in[i] >> 11);
        t->r[i] = (f32)(i16)(in[i] >> 13) * 0.25f;
    }
}

INLINE void end(const T* t, u64* out) {
    u64 n = 1, m = 1, w = 1, r = 1;
    for (u32 i = 0; i < 8u; i++) {
        n = n * 1099511628211ull ^ t->n[i];
        m = m * 1099511628211ull ^ t->m[i];
        w = w * 1099511628211ull ^ (u16)t->w[i];
        r = r * 1099511628211ull ^ bits32(t->r[i]);
    }
    u64 all[28] = {t->c0, (u64)t->c1, t->h0, (u64)t->h1, t->a, t->b, t->c, (u64)t->d, (u64)t->e, t->x, t->y, (u64)t->z,
                   bits32(t->p), bits32(t->q), bits64(t->g), t->s.a, t->s.b, (u64)t->s.c, bits32(t->s.d), t->bits.u5,
                   (u64)t->bits.i7, t->bits.u11, (u64)t->bits.i9, t->bits.u1, n, m, w, r};
    for (u32 i = 0; i < 28u; i++) {
        out[i] = all[i];
    }
}

#ifndef __CUDACC__
/* Runs one program: input from one file, output to another. */
static void one(void (*program)(const u64*, u64*), FILE* from, FILE* to) {
    static u64 in[THREADS * INPUTS], out[THREADS * OUTPUTS];
    if (fread(in, sizeof in, 1, from) != 1) {
        return;
    }
    program(in, out);
    fwrite(out, sizeof out, 1, to);
}
#endif
