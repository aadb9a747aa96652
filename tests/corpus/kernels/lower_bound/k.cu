// First place of each key in a sorted array.
extern "C" __global__ void lower_bound(const unsigned *__restrict__ sorted, const unsigned *__restrict__ keys, int *__restrict__ places,
                                       int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    unsigned key = keys[i];
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key) low = middle + 1;
        else high = middle;
    }
    places[i] = low;
}
