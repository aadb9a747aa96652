// Keys and values of a block, sorted by CUB's radix sort in shared memory.
#include <cub/block/block_radix_sort.cuh>

extern "C" __global__ void __launch_bounds__(64) block_radix_sort(const unsigned *__restrict__ keys, const int *__restrict__ values,
                                                                  unsigned *__restrict__ sorted_keys, int *__restrict__ sorted_values) {
    using Sort = cub::BlockRadixSort<unsigned, 64, 4, int>;
    __shared__ typename Sort::TempStorage storage;
    unsigned k[4];
    int v[4];
    int base = (blockIdx.x * 64 + threadIdx.x) * 4;
    for (int i = 0; i < 4; ++i) {
        k[i] = keys[base + i];
        v[i] = values[base + i];
    }
    Sort(storage).Sort(k, v);
    for (int i = 0; i < 4; ++i) {
        sorted_keys[base + i] = k[i];
        sorted_values[base + i] = v[i];
    }
}
