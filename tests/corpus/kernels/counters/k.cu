// Atomics on global memory whose final values do not depend on their order.
extern "C" __global__ void counters(const int *__restrict__ x, unsigned *__restrict__ c, unsigned long long *__restrict__ wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = x[i];
    atomicAdd(&c[0], (unsigned)v);
    atomicMax((int *)&c[1], v);
    atomicMin((int *)&c[2], v);
    atomicMax(&c[3], (unsigned)v);
    atomicOr(&c[4], 1u << (v & 31));
    atomicXor(&c[5], (unsigned)v);
    atomicAdd(&wide[0], (unsigned long long)v * v);
    unsigned seen = 0, expected;
    do {
        expected = seen;
        seen = atomicCAS(&c[6], expected, expected * 3 + 1 > 0 ? expected + 7 : expected);
    } while (seen != expected);
    if (atomicExch(&c[7], 42u) > 42u) c[8] = 1;
}
