// Iterations until escape.
extern "C" __global__ void mandelbrot(unsigned *__restrict__ out, int width, int height, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = -2.0f + 3.0f * px / width, cy = -1.0f + 2.0f * py / height;
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++i;
    }
    out[py * width + px] = i;
}
