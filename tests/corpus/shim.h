// What the CUDA sources of the corpus need when clang compiles them (it cannot read the headers of CUDA 13).
// Included by `cargo campaign corpus`; nvcc never sees it. Written from the CUDA C++ programming guide and clang's list of
// NVPTX builtins.
#pragma once
#define RADDLE_SHIM

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

typedef unsigned long size_t;

// Special registers, read like the members of a structure.
#define RADDLE_SREG(object, member, builtin) \
    __declspec(property(get = get_##member)) unsigned member; \
    static inline __attribute__((device, always_inline)) unsigned get_##member() { return builtin(); }

struct raddle_tid {
    RADDLE_SREG(tid, x, __nvvm_read_ptx_sreg_tid_x)
    RADDLE_SREG(tid, y, __nvvm_read_ptx_sreg_tid_y)
    RADDLE_SREG(tid, z, __nvvm_read_ptx_sreg_tid_z)
};
struct raddle_ctaid {
    RADDLE_SREG(ctaid, x, __nvvm_read_ptx_sreg_ctaid_x)
    RADDLE_SREG(ctaid, y, __nvvm_read_ptx_sreg_ctaid_y)
    RADDLE_SREG(ctaid, z, __nvvm_read_ptx_sreg_ctaid_z)
};
struct raddle_ntid {
    RADDLE_SREG(ntid, x, __nvvm_read_ptx_sreg_ntid_x)
    RADDLE_SREG(ntid, y, __nvvm_read_ptx_sreg_ntid_y)
    RADDLE_SREG(ntid, z, __nvvm_read_ptx_sreg_ntid_z)
};
struct raddle_nctaid {
    RADDLE_SREG(nctaid, x, __nvvm_read_ptx_sreg_nctaid_x)
    RADDLE_SREG(nctaid, y, __nvvm_read_ptx_sreg_nctaid_y)
    RADDLE_SREG(nctaid, z, __nvvm_read_ptx_sreg_nctaid_z)
};
extern const __device__ raddle_tid threadIdx;
extern const __device__ raddle_ctaid blockIdx;
extern const __device__ raddle_ntid blockDim;
extern const __device__ raddle_nctaid gridDim;

#define RADDLE_FN static __device__ __forceinline__

// Vector types.
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct __attribute__((aligned(8))) float2 { float x, y; };
RADDLE_FN float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
RADDLE_FN float2 make_float2(float x, float y) { return {x, y}; }

// Mathematics: the functions of libdevice.
extern "C" {
__device__ float __nv_expf(float);
__device__ float __nv_fast_expf(float);
__device__ float __nv_logf(float);
__device__ float __nv_sinf(float);
__device__ float __nv_cosf(float);
__device__ double __nv_exp(double);
__device__ double __nv_log(double);
__device__ float __nv_sqrtf(float);
__device__ float __nv_rsqrtf(float);
__device__ float __nv_tanhf(float);
__device__ float __nv_erff(float);
__device__ float __nv_fmaxf(float, float);
__device__ float __nv_fminf(float, float);
__device__ float __nv_fabsf(float);
__device__ float __nv_fmaf(float, float, float);
__device__ double __nv_fma(double, double, double);
__device__ double __nv_fabs(double);
__device__ double __nv_sqrt(double);
__device__ float __nv_rintf(float);
__device__ int __nv_float2int_rn(float);
__device__ int __nv_popc(int);
__device__ int __nv_popcll(long long);
__device__ int __nv_clz(int);
__device__ int __nv_clzll(long long);
__device__ int __nv_ffs(int);
__device__ unsigned __nv_brev(unsigned);
__device__ unsigned __nv_byte_perm(unsigned, unsigned, unsigned);
__device__ unsigned __nv_umulhi(unsigned, unsigned);
__device__ unsigned long long __nv_umul64hi(unsigned long long, unsigned long long);
}
RADDLE_FN float expf(float x) { return __nv_expf(x); }
RADDLE_FN float logf(float x) { return __nv_logf(x); }
RADDLE_FN float sinf(float x) { return __nv_sinf(x); }
RADDLE_FN float cosf(float x) { return __nv_cosf(x); }
RADDLE_FN double exp(double x) { return __nv_exp(x); }
RADDLE_FN double log(double x) { return __nv_log(x); }
RADDLE_FN float sqrtf(float x) { return __nv_sqrtf(x); }
RADDLE_FN float rsqrtf(float x) { return __nv_rsqrtf(x); }
RADDLE_FN float tanhf(float x) { return __nv_tanhf(x); }
RADDLE_FN float erff(float x) { return __nv_erff(x); }
RADDLE_FN float fmaxf(float x, float y) { return __nv_fmaxf(x, y); }
RADDLE_FN float fminf(float x, float y) { return __nv_fminf(x, y); }
RADDLE_FN float fabsf(float x) { return __nv_fabsf(x); }
RADDLE_FN float fmaf(float x, float y, float z) { return __nv_fmaf(x, y, z); }
RADDLE_FN double fma(double x, double y, double z) { return __nv_fma(x, y, z); }
RADDLE_FN double fabs(double x) { return __nv_fabs(x); }
RADDLE_FN double sqrt(double x) { return __nv_sqrt(x); }
RADDLE_FN float rintf(float x) { return __nv_rintf(x); }
RADDLE_FN int __float2int_rn(float x) { return __nv_float2int_rn(x); }
RADDLE_FN int __popc(unsigned x) { return __nv_popc(x); }
RADDLE_FN int __popcll(unsigned long long x) { return __nv_popcll(x); }
RADDLE_FN int __clz(int x) { return __nv_clz(x); }
RADDLE_FN int __clzll(long long x) { return __nv_clzll(x); }
RADDLE_FN int __ffs(int x) { return __nv_ffs(x); }
RADDLE_FN unsigned __brev(unsigned x) { return __nv_brev(x); }
RADDLE_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s) { return __nv_byte_perm(x, y, s); }
RADDLE_FN unsigned __umulhi(unsigned x, unsigned y) { return __nv_umulhi(x, y); }
RADDLE_FN unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return __nv_umul64hi(x, y); }
RADDLE_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
RADDLE_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
RADDLE_FN int min(int x, int y) { return x < y ? x : y; }
RADDLE_FN int max(int x, int y) { return x > y ? x : y; }
RADDLE_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    unsigned r;
    __asm__("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
    return r;
}

// Warp functions.
#define RADDLE_SHFL(mode, clamp) \
    RADDLE_FN int __shfl_##mode(unsigned mask, int v, int lane) { return __nvvm_shfl_sync_##clamp; } \
    RADDLE_FN float __shfl_##mode(unsigned mask, float f, int lane) { \
        int v = __builtin_bit_cast(int, f); \
        return __builtin_bit_cast(float, __nvvm_shfl_sync_##clamp); \
    }
RADDLE_SHFL(sync, idx_i32(mask, v, lane, 0x1f))
RADDLE_SHFL(up_sync, up_i32(mask, v, lane, 0))
RADDLE_SHFL(down_sync, down_i32(mask, v, lane, 0x1f))
RADDLE_SHFL(xor_sync, bfly_i32(mask, v, lane, 0x1f))
RADDLE_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
RADDLE_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
RADDLE_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
RADDLE_FN unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
RADDLE_FN void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
RADDLE_FN unsigned __activemask() {
    unsigned r;
    __asm__ volatile("activemask.b32 %0;" : "=r"(r));
    return r;
}
RADDLE_FN void __threadfence() { __nvvm_membar_gl(); }
RADDLE_FN void __threadfence_block() { __nvvm_membar_cta(); }

// Pairs of halves.
struct __attribute__((aligned(4))) __half2 { unsigned bits; };
#define RADDLE_HALF2(name, op) \
    RADDLE_FN __half2 name(__half2 x, __half2 y) { \
        __half2 r; \
        __asm__(op " %0, %1, %2;" : "=r"(r.bits) : "r"(x.bits), "r"(y.bits)); \
        return r; \
    }
RADDLE_HALF2(__hadd2_rn, "add.rn.f16x2")
RADDLE_HALF2(__hmul2_rn, "mul.rn.f16x2")
RADDLE_FN __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
    __half2 r;
    __asm__("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r.bits) : "r"(x.bits), "r"(y.bits), "r"(z.bits));
    return r;
}

// Atomics.
RADDLE_FN int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
RADDLE_FN unsigned atomicAdd(unsigned *p, unsigned v) { return __nvvm_atom_add_gen_i((int *)p, v); }
RADDLE_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
RADDLE_FN unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) {
    return __nvvm_atom_add_gen_ll((long long *)p, v);
}
RADDLE_FN int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
RADDLE_FN int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
RADDLE_FN unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
RADDLE_FN unsigned atomicExch(unsigned *p, unsigned v) { return __nvvm_atom_xchg_gen_i((int *)p, v); }
RADDLE_FN unsigned atomicOr(unsigned *p, unsigned v) { return __nvvm_atom_or_gen_i((int *)p, v); }
RADDLE_FN unsigned atomicXor(unsigned *p, unsigned v) { return __nvvm_atom_xor_gen_i((int *)p, v); }
RADDLE_FN unsigned atomicCAS(unsigned *p, unsigned c, unsigned v) { return __nvvm_atom_cas_gen_i((int *)p, c, v); }
