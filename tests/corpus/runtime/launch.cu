// Kernels that start kernels through the device runtime: named, in a function, out of a table, and one that prints.
#include <cstdio>

__global__ void plus(int *out, int v) { out[threadIdx.x] = v + threadIdx.x; }
__global__ void times(int *out, int v) { out[threadIdx.x] = v * threadIdx.x; }

typedef void (*Kernel)(int *, int);
__device__ Kernel kernels[2] = {plus, times};

__device__ __noinline__ void start(int *out, int v) { times<<<1, 32>>>(out, v); }

extern "C" __global__ void starts_named(int *out, int v) {
  if (threadIdx.x == 0) plus<<<1, 32>>>(out, v);
}

extern "C" __global__ void starts_by_function(int *out, int v) {
  if (threadIdx.x == 0) start(out, v);
}

extern "C" __global__ void starts_listed(int *out, int v) {
  if (threadIdx.x == 0) kernels[v & 1]<<<1, 32>>>(out, v);
}

extern "C" __global__ void starts_itself(int *out, int v) {
  out[threadIdx.x] = v;
  if (v > 0 && threadIdx.x == 0) starts_itself<<<1, 32>>>(out, v - 1);
}

extern "C" __global__ void prints(int *out, int v) { printf("%d\n", v); }
