// A function for kernels of other objects.
__device__ int square(int x) { return x * x; }
