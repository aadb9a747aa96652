// Quotients and remainders by variables, 32 and 64 bits, signed and unsigned.
extern "C" __global__ void divide(const unsigned long long *__restrict__ x, const unsigned long long *__restrict__ by,
                                  unsigned long long *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = x[i], d = by[i] >> (i % 60);
    d |= 2;
    unsigned v32 = (unsigned)v, d32 = (unsigned)d;
    unsigned long long r = v / d;
    r = r * 31 + v % d;
    r = r * 31 + (long long)v / (long long)d;
    r = r * 31 + (long long)v % (long long)d;
    r = r * 31 + v32 / d32;
    r = r * 31 + v32 % d32;
    r = r * 31 + (unsigned)((int)v32 / (int)d32);
    r = r * 31 + (unsigned)((int)v32 % (int)d32);
    y[i] = r;
}
