// Separate compilation, first file: kernels that use functions, variables and classes of the other one.
#include "check.h"
#include "parts.h"

__device__ int Base::value(int x) { return x + k; }
__constant__ int shared_constant = 11;

__global__ void kernel(int *out, int *z) {
    int t = threadIdx.x;
    scratch[t] = t * 3;
    __syncthreads();
    Derived d(t);
    Base b(2), *p = t & 1 ? &b : &d;
    out[t] = far_call(t, t * 0.5, z) + far_recursion(t % 10) * 1000 + far_table[t % 3](t) + p->value(5);
    atomicAdd(&shared_state[t % 4], t);
}
__global__ void read_back(int *out) { out[threadIdx.x] = shared_state[threadIdx.x]; }

int main() {
    Array<int> out(96), z(96), state(4);
    for (int k = 0; k < 96; k++) z[k] = next_random() % 100;
    z.put();
    kernel<<<1, 96, 96 * 4>>>(out.device, z.device);
    read_back<<<1, 4>>>(state.device);
    out.get(), out.hash(), state.get(), state.hash();
    int sums[4] = {1, 2, 3, 4};
    for (int t = 0; t < 96; t++) {
        int n = t % 10, sum = n * (n + 1) / 2, table[] = {t + 1, t * 2, -t};
        sums[t % 4] += t;
        equal("parts", t, out[t], z[t] + (int)(t * 1.5) + 11 + (95 - t) * 3 + sum * 1000 + table[t % 3] + (t & 1 ? 7 : 5 * t));
    }
    for (int k = 0; k < 4; k++) equal("state", k, state[k], sums[k]);
    return finish();
}
