// Two loops with break and continue at both levels.
extern "C" __global__ void nested(const int *__restrict__ x, int *__restrict__ sums, int n, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int *m = x + i * rows * cols;
    int sum = 0;
    for (int r = 0; r < rows; ++r) {
        if (m[r * cols] < 0) continue;
        if (sum > 300) break;
        for (int c = 0; c < cols; ++c) {
            int v = m[r * cols + c];
            if (v == 0) break;
            if (v < 0) continue;
            sum += v * (c + 1);
        }
        sum ^= r;
    }
    sums[i] = sum;
}
