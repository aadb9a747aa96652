// y = a * x + y on pairs of halves: rounded after the product in the first half of the array, fused in the second.
#ifndef RADDLE_SHIM
#include <cuda_fp16.h>
#endif
extern "C" __global__ void half2_axpy(const __half2 *__restrict__ a, const __half2 *__restrict__ x, __half2 *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i < n / 2) y[i] = __hadd2_rn(__hmul2_rn(a[0], x[i]), y[i]);
    else y[i] = __hfma2(a[0], x[i], y[i]);
}
