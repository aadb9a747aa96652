// CUB: sorts, scans, reductions, selections of a device.
#include "check.h"
#include <cub/cub.cuh>

template <class F> void run(F f) {
    size_t size = 0;
    CUDA(f(nullptr, size));
    void *place;
    CUDA(cudaMalloc(&place, size + 1));
    CUDA(f(place, size));
    started();
    CUDA(cudaFree(place));
}

int main(int argc, char **argv) {
    int n = 123457;
    Array<unsigned> keys(n), sorted(n);
    Array<int> values(n), moved(n), scan(n), sum(1), count(1);
    Array<float> real(n);
    Array<double> total(1);
    for (int k = 0; k < n; k++) keys[k] = next_random(), values[k] = k, real[k] = next_float();
    keys.put(), values.put(), real.put();
    run([&](void *p, size_t &s) { return cub::DeviceRadixSort::SortPairs(p, s, keys.device, sorted.device, values.device, moved.device, n); });
    sorted.get(), moved.get(), sorted.hash(), moved.hash();
    std::vector<int> order(values.host);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    for (int k = 0; k < n; k++) equal("sort", k, sorted[k], keys[order[k]]), equal("sort", k, moved[k], order[k]);
    run([&](void *p, size_t &s) { return cub::DeviceScan::ExclusiveSum(p, s, values.device, scan.device, n); });
    scan.get(), scan.hash();
    unsigned running = 0;
    for (int k = 0; k < n; k++) equal("scan", k, scan[k], (int)running), running += values[k];
    run([&](void *p, size_t &s) { return cub::DeviceReduce::Sum(p, s, values.device, sum.device, n); });
    sum.get(), equal("sum", 0, sum[0], (int)running);
    run([&](void *p, size_t &s) { return cub::DeviceReduce::Reduce(p, s, real.device, total.device, n, cuda::std::plus<double>(), 0.0); });
    total.get();
    double want = 0;
    for (int k = 0; k < n; k++) want += real[k];
    near("reduce", 0, total[0], want, 1e-10);
    auto odd = [] __device__(int v) { return v % 3 == 1; };
    run([&](void *p, size_t &s) { return cub::DeviceSelect::If(p, s, values.device, moved.device, count.device, n, odd); });
    moved.get(), count.get();
    equal("select", 0, count[0], (n + 1) / 3);
    for (int k = 0; k < count[0]; k++) equal("select", k, moved[k], 3 * k + 1);
    Array<int> bins(16);
    run([&](void *p, size_t &s) { return cub::DeviceHistogram::HistogramEven(p, s, real.device, bins.device, 17, -1.0f, 1.0f, n); });
    bins.get(), bins.hash();
    int all = 0;
    for (int k = 0; k < 16; k++) all += bins[k];
    equal("histogram", 0, all, n);
    if (timing(argc, argv)) {
        int big = 1 << 25;
        Array<unsigned> a(big), b(big);
        for (auto &v : a.host) v = next_random();
        a.put();
        size_t s = 0, s2 = 0, s3 = 0;
        cub::DeviceRadixSort::SortPairs(nullptr, s, a.device, b.device, (int *)a.device, (int *)b.device, big);
        cub::DeviceScan::ExclusiveSum(nullptr, s2, (int *)a.device, (int *)b.device, big);
        cub::DeviceReduce::Sum(nullptr, s3, (int *)a.device, (int *)b.device, big);
        Array<unsigned char> place(std::max(s, std::max(s2, s3)));
        Array<int> other(big), moved(big);
        measure("radix_sort", [&] { cub::DeviceRadixSort::SortPairs(place.device, s, a.device, b.device, other.device, moved.device, big); });
        measure("scan", [&] { cub::DeviceScan::ExclusiveSum(place.device, s2, (int *)a.device, (int *)b.device, big); });
        measure("reduce", [&] { cub::DeviceReduce::Sum(place.device, s3, (int *)a.device, (int *)b.device, big); });
    }
    return finish();
}
