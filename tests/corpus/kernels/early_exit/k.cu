// Place of the first element above a limit in each row: threads leave from within the loop.
extern "C" __global__ void early_exit(const int *__restrict__ x, int *__restrict__ first, int rows, int cols, int limit) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int c = 0; c < cols; ++c) {
        if (x[row * cols + c] > limit) {
            first[row] = c;
            return;
        }
    }
    first[row] = -1;
}
