// Separate compilation, second file.
#include "parts.h"

__device__ int shared_state[4] = {1, 2, 3, 4};
__device__ int Derived::value(int x) { return x * k; }
__device__ int far_call(int x, double y, const int *z) { return z[x] + (int)(x + y) + shared_constant + scratch[blockDim.x - 1 - x]; }
__device__ int far_recursion(int n) { return n ? n + far_recursion(n - 1) : 0; }
__device__ static int one(int x) { return x + 1; }
__device__ static int two(int x) { return x * 2; }
__device__ static int three(int x) { return -x; }
__device__ Far far_table[3] = {one, two, three};
