/* CUDA's names for clang without a toolkit: attributes, builtins, and functions of libdevice. */
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __attribute__((always_inline)) inline
#define memcpy __builtin_memcpy
#define LIBRARY extern "C" __device__ __attribute__((const))
LIBRARY int __nv_popc(int x);
LIBRARY int __nv_popcll(long long x);
LIBRARY int __nv_clz(int x);
LIBRARY int __nv_clzll(long long x);
LIBRARY int __nv_ffs(int x);
LIBRARY int __nv_brev(int x);
LIBRARY long long __nv_brevll(long long x);
LIBRARY unsigned int __nv_umulhi(unsigned int a, unsigned int b);
LIBRARY unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b);
LIBRARY float __nv_fmaf(float a, float b, float c);
LIBRARY double __nv_fma(double a, double b, double c);
LIBRARY float __nv_sqrtf(float x);
LIBRARY double __nv_sqrt(double x);
#define __popc __nv_popc
#define __popcll __nv_popcll
#define __clz __nv_clz
#define __clzll __nv_clzll
#define __ffs __nv_ffs
#define __brev (unsigned int)__nv_brev
#define __brevll (unsigned long long)__nv_brevll
#define __umulhi __nv_umulhi
#define __umul64hi __nv_umul64hi
#define fmaf __nv_fmaf
#define fma __nv_fma
#define sqrtf __nv_sqrtf
#define sqrt __nv_sqrt
struct Index { unsigned int x; };
#define threadIdx (Index{(unsigned int)__nvvm_read_ptx_sreg_tid_x()})
static __device__ __forceinline__ int __shfl_sync(unsigned int m, int v, int l) {
    return __nvvm_shfl_sync_idx_i32(m, v, l, 31);
}
static __device__ __forceinline__ unsigned long long __shfl_sync(unsigned int m, unsigned long long v, int l) {
    unsigned int low = (unsigned int)__nvvm_shfl_sync_idx_i32(m, (int)v, l, 31);
    unsigned int high = (unsigned int)__nvvm_shfl_sync_idx_i32(m, (int)(v >> 32), l, 31);
    return (unsigned long long)high << 32 | low;
}
#define __shfl_xor_sync(m, v, n) (unsigned int)__nvvm_shfl_sync_bfly_i32(m, (int)(v), n, 31)
#define __shfl_up_sync(m, v, n) __nvvm_shfl_sync_up_i32(m, v, n, 0)
#define __shfl_down_sync(m, v, n) __nvvm_shfl_sync_down_i32(m, v, n, 31)
#define __ballot_sync(m, p) (unsigned int)__nvvm_vote_ballot_sync(m, p)
#define __any_sync __nvvm_vote_any_sync
#define __all_sync __nvvm_vote_all_sync
#define __match_any_sync(m, v) (unsigned int)__nvvm_match_any_sync_i32(m, (int)(v))
#define __reduce_add_sync(m, v) (unsigned int)__nvvm_redux_sync_add((int)(v), m)
#define __reduce_max_sync(m, v) __nvvm_redux_sync_max(v, m)
#define __reduce_xor_sync(m, v) (unsigned int)__nvvm_redux_sync_xor((int)(v), m)
#define atomicAdd(p, v) __nvvm_atom_add_gen_i((int*)(p), (int)(v))
#define __syncthreads_count __nvvm_bar0_popc
#define __syncwarp() __nvvm_bar_warp_sync(0xffffffffu)
