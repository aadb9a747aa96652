// Counting, searching, reversing and permuting bits.
extern "C" __global__ void bits(const unsigned *__restrict__ x, unsigned *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i], w = x[(i + 1) % n];
    unsigned r = __popc(v) + 33 * __clz(v) + 1089 * __ffs(w);
    r ^= __brev(v);
    r += __byte_perm(v, w, 0x5140 ^ (w & 0x2222));
    r ^= __funnelshift_l(v, w, v & 31);
    r += __popcll(((unsigned long long)v << 32) | w) + __clzll((unsigned long long)w << (v & 15));
    y[i] = r + __umulhi(v, w);
}
