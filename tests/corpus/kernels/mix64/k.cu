// 64-bit integer arithmetic: products, high products, rotates, shifts by a variable, signed and unsigned comparison.
extern "C" __global__ void mix64(const unsigned long long *__restrict__ x, unsigned long long *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = x[i], w = x[n - 1 - i];
    unsigned long long r = v * 6364136223846793005ull + w;
    r ^= __umul64hi(v, w);
    r = (r << 23) | (r >> 41);
    r += (long long)v >> (w & 63);
    r ^= w << (v & 31);
    if ((long long)v < (long long)w) r -= w;
    if (v < w) r = ~r;
    y[i] = r % 1000003ull + (r >> 20);
}
