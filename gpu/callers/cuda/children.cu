// Kernels that start kernels.
#include "check.h"

__global__ void child(int *out, int at) { atomicAdd(out + at, (int)threadIdx.x + 1); }
__global__ void parent(int *out) { child<<<2, 32, 0, cudaStreamFireAndForget>>>(out, threadIdx.x); }
__global__ void deeper(int *out, int depth) {
    if (threadIdx.x == 0) {
        atomicAdd(out, 1);
        if (depth) {
            deeper<<<1, 32>>>(out, depth - 1);
            deeper<<<1, 32>>>(out, depth - 1);
        }
    }
}
__global__ void after(int *out) { out[9] = out[8] * 2; }
__global__ void ends(int *out) {
    deeper<<<1, 32>>>(out + 8, 2);
    after<<<1, 1, 0, cudaStreamTailLaunch>>>(out);
}

int main() {
    Array<int> out(10);
    parent<<<1, 8>>>(out.device);
    ends<<<1, 1>>>(out.device);
    out.get(), out.hash();
    for (int k = 0; k < 8; k++) equal("child", k, out[k], 2 * 32 * 33 / 2);
    equal("deeper", 8, out[8], 7), equal("after", 9, out[9], 14);
    return finish();
}
