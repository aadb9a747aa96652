// Remainders of 64 bits, signed and unsigned, and a greatest common divisor that needs many of them.
extern "C" __global__ void remainder64(const unsigned long long *__restrict__ a, const unsigned long long *__restrict__ b,
                                       unsigned long long *__restrict__ u, long long *__restrict__ s, unsigned long long *__restrict__ g, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // Divisors of every length.
    unsigned long long x = a[i], y = b[i] >> (i & 63);
    if (y == 0) y = 1;
    u[i] = x % y;
    s[i] = (long long)x % (long long)(y == ~0ull ? 3 : y);
    while (y != 0) {
        unsigned long long r = x % y;
        x = y;
        y = r;
    }
    g[i] = x;
}
