// Each thread sorts sixteen numbers in an array of its own: local memory, addressed by variables.
extern "C" __global__ void local_sort(const int *__restrict__ x, int *__restrict__ y, int n, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a[16];
#pragma unroll 1
    for (int k = 0; k < length; ++k) {
        int v = x[i * length + k], p = k;
        while (p > 0 && a[p - 1] > v) {
            a[p] = a[p - 1];
            --p;
        }
        a[p] = v;
    }
#pragma unroll 1
    for (int k = 0; k < length; ++k) y[i * length + k] = a[k];
}
