// Steps of each number down to 1: a loop that ends at a different time in every lane.
extern "C" __global__ void collatz(const unsigned *__restrict__ x, unsigned *__restrict__ steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i], count = 0;
    while (v > 1) {
        if (v & 1) v = 3 * v + 1;
        else v >>= 1;
        ++count;
    }
    steps[i] = count;
}
