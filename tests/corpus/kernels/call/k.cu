// A function that is called, not inlined: greatest common divisors.
static __device__ __noinline__ unsigned gcd(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}
extern "C" __global__ void call(const unsigned *__restrict__ x, unsigned *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = gcd(x[i], x[(i + 1) % n]) + 1000 * gcd(x[i], 360u);
}
