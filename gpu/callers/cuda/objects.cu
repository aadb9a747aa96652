// C++ on the device: virtual functions, recursion, pointers to functions, new and delete, printf, large arguments, tables.
#include "check.h"
#include <cassert>

struct Shape {
    float size;
    __device__ Shape(float s) : size(s) {}
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    using Shape::Shape;
    __device__ float area() const override { return size * size; }
};
struct Circle : Shape {
    using Shape::Shape;
    __device__ float area() const override { return 3.0f * size * size; }
};
struct Ring : Circle {
    float hole;
    __device__ Ring(float s, float h) : Circle(s), hole(h) {}
    __device__ float area() const override { return Circle::area() - 3.0f * hole * hole; }
};

__global__ void virtuals(float *out) {
    int t = threadIdx.x;
    Shape *shape;
    switch (t % 3) {
    case 0: shape = new Square(t); break;
    case 1: shape = new Circle(t); break;
    default: shape = new Ring(t, 1); break;
    }
    assert(shape);
    out[t] = shape->area();
    delete shape;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ void quicksort(int *x, int low, int high) {
    if (low >= high) return;
    int pivot = x[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (x[i] < pivot) i++;
        while (x[j] > pivot) j--;
        if (i <= j) {
            int t = x[i];
            x[i++] = x[j], x[j--] = t;
        }
    }
    quicksort(x, low, j), quicksort(x, i, high);
}
__global__ void recursion(int *out, int *lists) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 15) * 1000 + ackermann(2, threadIdx.x % 6);
    quicksort(lists + threadIdx.x * 50, 0, 49);
}

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int mixed(int a, int b) { return a * 3 + (b >> 1); }
__device__ Operation table[4] = {plus, minus, times, mixed};
__constant__ Operation fixed[2] = {times, plus};
__global__ void pointers(int *out, int seed) {
    int t = threadIdx.x;
    out[t] = table[(t + seed) % 4](t, seed) * 10 + fixed[t & 1](t, 3);
}
template <class F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

struct Large {
    int words[900];
    double scale;
};
__global__ void large(const __grid_constant__ Large given, double *out) {
    int t = threadIdx.x;
    out[t] = given.words[(t * 37) % 900] * given.scale;
}

__device__ __noinline__ double heavy(double a, float b, int c, long long d, short e, char f, Large *g, double h, double i, double j, double k) {
    return a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g->scale + h * 13 + i * 17 + j * 19 + k * 23;
}
struct Pair {
    double a;
    int b[5];
};
__device__ __noinline__ Pair pair(int k) {
    Pair p = {k * 0.5, {k, k + 1, k + 2, k + 3, k + 4}};
    return p;
}
__global__ void calls(double *out, Large *g) {
    int t = threadIdx.x;
    Pair p = pair(t);
    out[t] = heavy(t, t, t, t, t, t, g, 1, 2, 3, t) + p.a + p.b[t % 5];
}

__global__ void heap(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    struct Node {
        int value;
        Node *next;
    } *list = nullptr;
    for (int k = 0; k < 10; k++) list = new Node{t + k, list};
    int *copy = (int *)malloc(40);
    for (int k = 0; k < 10; k++) {
        Node *n = list;
        copy[k] = n->value, list = n->next;
        delete n;
    }
    int again[10];
    memcpy(again, copy, 40);
    memset(copy, t & 1 ? 0xff : 0, 40);
    for (int k = 0; k < 10; k++) sum += again[k] * (k + 1) + copy[k];
    free(copy);
    out[t] = sum;
}

__global__ void jumps(const int *x, int *out) {
    int v = x[threadIdx.x], r = 0;
    for (int k = 0; k < 8; k++) {
        switch ((v >> (k * 4)) & 15) {
        case 0: r += 3; break;
        case 1: r ^= v; break;
        case 2: r = r * 5 + k; break;
        case 3: r -= v >> 3;
        case 4: r += 17; break;
        case 5: if (r & 1) goto out; r++; break;
        case 6: r = ~r; break;
        case 7: r <<= 1; continue;
        case 8: r = __brev(r); break;
        case 9: r += __popc(v); break;
        case 10: r %= 1000003; break;
        case 11: r = max(r, k); break;
        default: r += k; break;
        }
        r ^= k;
    }
out:
    out[threadIdx.x] = r;
}

__global__ void prints(int n) {
    if (threadIdx.x == 0)
        for (int k = 0; k < n; k++) printf("printed %d %s %.3f %lld %c %5x|%-6u|\n", k, k & 1 ? "odd" : "even", k * 0.125 + 1.0 / 3, (long long)k << 40, 'a' + k, k * 77, k);
}

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main() {
    Array<float> areas(96);
    virtuals<<<1, 96>>>(areas.device);
    areas.get(), areas.hash();
    for (int t = 0; t < 96; t++) equal("area", t, areas[t], t % 3 == 0 ? t * t : t % 3 == 1 ? 3 * t * t : 3 * t * t - 3);

    CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 12 << 10));
    Array<int> out(64), lists(64 * 50), x(64);
    for (auto &v : lists.host) v = next_random() % 1000;
    auto sorted = lists.host;
    for (int t = 0; t < 64; t++) std::sort(sorted.begin() + t * 50, sorted.begin() + t * 50 + 50);
    lists.put();
    recursion<<<1, 64>>>(out.device, lists.device);
    out.get(), out.hash(), lists.get(), lists.hash();
    for (int t = 0; t < 64; t++) equal("recursion", t, out[t], fib(t % 15) * 1000 + 2 * (t % 6) + 3);
    for (int t = 0; t < 64 * 50; t++) equal("quicksort", t, lists[t], sorted[t]);

    pointers<<<1, 64>>>(out.device, 6);
    out.get(), out.hash();
    for (int t = 0; t < 64; t++) {
        int values[] = {t + 6, t - 6, t * 6, t * 3 + 3};
        equal("pointers", t, out[t], values[(t + 6) % 4] * 10 + (t & 1 ? t + 3 : t * 3));
    }
    int captured = 12;
    apply<<<1, 64>>>(out.device, [captured] __device__(int t) { return t * captured + 1; });
    out.get();
    for (int t = 0; t < 64; t++) equal("lambda", t, out[t], t * 12 + 1);

    Large given;
    for (int k = 0; k < 900; k++) given.words[k] = next_random() % 1000;
    given.scale = 0.25;
    Array<double> real(64);
    Array<Large> place(1, given);
    large<<<1, 64>>>(given, real.device);
    real.get(), real.hash();
    for (int t = 0; t < 64; t++) equal("large", t, real[t], given.words[t * 37 % 900] * 0.25);
    calls<<<1, 64>>>(real.device, place.device);
    real.get(), real.hash();
    for (int t = 0; t < 64; t++) equal("calls", t, real[t], t * (1 + 2 + 3 + 5 + 7 + 11 + 23) + 0.25 + 13 + 34 + 57 + t * 0.5 + t + t % 5);

    heap<<<2, 32>>>(out.device);
    out.get(), out.hash();
    for (int t = 0; t < 64; t++) {
        int want = 0;
        for (int k = 0; k < 10; k++) want += (t + 9 - k) * (k + 1) + (t & 1 ? -1 : 0);
        equal("heap", t, out[t], want);
    }
    for (auto &v : x.host) v = next_random();
    x.put();
    jumps<<<1, 64>>>(x.device, out.device);
    out.get(), out.hash();
    for (int t = 0; t < 64; t++) {
        int v = x[t], r = 0;
        for (int k = 0; k < 8; k++) {
            int c = (v >> (k * 4)) & 15;
            if (c == 7) { r = (int)((unsigned)r << 1); continue; }
            if (c == 5 && r & 1) break;
            unsigned reversed = 0;
            for (int b = 0; b < 32; b++) reversed |= ((unsigned)r >> b & 1) << (31 - b);
            r = c == 0 ? r + 3 : c == 1 ? r ^ v : c == 2 ? (int)((unsigned)r * 5 + k) : c == 3 ? (int)((unsigned)r - (unsigned)(v >> 3) + 17) : c == 4 ? r + 17 : c == 5 ? r + 1 : c == 6 ? ~r : c == 8 ? (int)reversed : c == 9 ? r + __builtin_popcount(v) : c == 10 ? r % 1000003 : c == 11 ? std::max(r, k) : r + k;
            r ^= k;
        }
        equal("jumps", t, out[t], r);
    }
    prints<<<1, 32>>>(6);
    return finish();
}
