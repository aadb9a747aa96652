// Arithmetic: functions of mathematics, roundings, intrinsics, half precision, integers of all widths.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

const int N = 4096, ROWS = 40;

template <class T> __global__ void functions(const T *x, const T *y, T *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    T a = x[t], b = y[t], p = fabs(a) + T(0.01);
    auto put = [&](T v) { out[r++ * N + t] = v; };
    put(sin(a)), put(cos(a)), put(tan(a)), put(exp(a)), put(log(p)), put(sqrt(p)), put(cbrt(a)), put(pow(p, b)), put(atan2(a, b)), put(sinh(a));
    put(cosh(a)), put(tanh(a)), put(asinh(a)), put(erf(a)), put(erfc(a)), put(tgamma(p)), put(lgamma(p)), put(expm1(a)), put(log1p(p)), put(exp2(a));
    put(log2(p)), put(log10(p)), put(fmod(a, b)), put(remainder(a, b)), put(floor(a)), put(ceil(a)), put(trunc(a)), put(rint(a)), put(round(a)), put(hypot(a, b));
    put(fma(a, b, p)), put(fdim(a, b)), put(copysign(a, b)), put(a / b), put(T(1) / a), put(rsqrt(p)), put(fmin(a, b)), put(fmax(a, b)), put(j0(p)), put(normcdf(a));
}

template <class T> void test(const char *name, double off) {
    Array<T> x(N), y(N), out(N * ROWS);
    for (int k = 0; k < N; k++) x[k] = next_float() * 8, y[k] = next_float() * 4;
    x.put(), y.put();
    functions<T><<<N / 128, 128>>>(x.device, y.device, out.device);
    out.get(), out.hash();
    for (int k = 0; k < N; k++) {
        double a = x[k], b = y[k], p = (T)(std::fabs(x[k]) + T(0.01));
        double want[ROWS] = {sin(a), cos(a), tan(a), exp(a), log(p), sqrt(p), cbrt(a), pow(p, b), atan2(a, b), sinh(a), cosh(a), tanh(a), asinh(a), erf(a), erfc(a), tgamma(p), lgamma(p), expm1(a), log1p(p), exp2(a), log2(p), log10(p), fmod(a, b), remainder(a, b), floor(a), ceil(a), trunc(a), rint(a), round(a), hypot(a, b), std::fma(a, b, p), fdim(a, b), copysign(a, b), a / b, 1 / a, 1 / sqrt(p), fmin(a, b), fmax(a, b), j0(p), 0.5 * erfc(-a / sqrt(2.0))};
        for (int r = 0; r < ROWS; r++) near(name, r * 10000 + k, out[r * N + k], want[r], off * (r == 2 ? 1 + want[r] * want[r] : 1));
    }
}

__global__ void roundings(const float *x, const float *y, const double *xd, const double *yd, float *out, double *outd, int *outi, long long *outl) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    float a = x[t], b = y[t];
    double c = xd[t], d = yd[t];
    auto put = [&](float v) { out[r++ * N + t] = v; };
    put(__fadd_rn(a, b)), put(__fadd_rd(a, b)), put(__fadd_ru(a, b)), put(__fadd_rz(a, b)), put(__fmul_rd(a, b)), put(__fmul_ru(a, b));
    put(__fdiv_rn(a, b)), put(__fdiv_rd(a, b)), put(__fsqrt_rn(fabsf(a))), put(__fsqrt_ru(fabsf(a))), put(__frcp_rz(b)), put(__fmaf_rz(a, b, a)), put(__double2float_rd(c)), put((float)c);
    r = 0;
    auto putd = [&](double v) { outd[r++ * N + t] = v; };
    putd(__dadd_ru(c, d)), putd(__dmul_rz(c, d)), putd(__ddiv_rn(c, d)), putd(__ddiv_ru(c, d)), putd(__dsqrt_rn(fabs(c))), putd(__drcp_rn(d)), putd(__fma_rd(c, d, c)), putd((double)a);
    r = 0;
    auto puti = [&](int v) { outi[r++ * N + t] = v; };
    puti(__float2int_rn(a * 1e4f)), puti(__float2int_rd(a)), puti(__float2uint_rz(b * 1e10f)), puti((int)c), puti(__double2int_ru(d)), puti(__float_as_int(__int2float_rn(__float_as_int(a)))), puti(__half_as_ushort(__float2half_rz(a))), puti(ilogb(a));
    outl[t] = __float2ll_rn(a * 1e15f), outl[N + t] = (long long)(c * 1e17), outl[2 * N + t] = (unsigned long long)(fabs(c) * 1e18), outl[3 * N + t] = __double_as_longlong((double)__double_as_longlong(c)) ^ (long long)__float_as_int((float)__double_as_longlong(d));
}

__global__ void whole(const unsigned *x, const unsigned *y, unsigned *out, unsigned long long *wide) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    unsigned a = x[t], b = y[t] | 1;
    int s = a, u = b;
    auto put = [&](unsigned v) { out[r++ * N + t] = v; };
    put(a / b), put(a % b), put(s / u), put(s % u), put(__umulhi(a, b)), put(__mulhi(s, u)), put(__popc(a)), put(__clz(a)), put(__ffs(a)), put(__brev(a));
    put(__byte_perm(a, b, a & 0x7777)), put(__funnelshift_l(a, b, b)), put(__funnelshift_rc(a, b, b & 63)), put(__dp4a(s, u, 5)), put(__dp2a_lo(s, u, 7)), put(__sad(s, u, 3u)), put(__uhadd(a, b)), put(__rhadd(s, u)), put(__vadd4(a, b)), put(__vabsdiffu4(a, b));
    put(__vmaxs2(a, b)), put(__vcmpgtu4(a, b)), put(__vaddss2(a, b)), put(a << (b & 31)), put(s >> (b & 31)), put(a >> (b & 31)), put(abs(s)), put((short)a * (short)b), put((signed char)a / ((signed char)b | 1)), put(__vavgu4(a, b));
    unsigned long long c = (unsigned long long)a << 32 | b, d = (unsigned long long)(b * 7) << (a & 31) | 1;
    long long e = c, f = d;
    wide[t] = c / d, wide[N + t] = c % d, wide[2 * N + t] = e / f, wide[3 * N + t] = e % f, wide[4 * N + t] = __umul64hi(c, d), wide[5 * N + t] = __mul64hi(e, f), wide[6 * N + t] = c * d, wide[7 * N + t] = c >> (b & 63) ^ e >> (a & 63) ^ d << (b & 63);
    wide[8 * N + t] = __popcll(c) + __clzll(d) * 100 + __ffsll(d) * 10000, wide[9 * N + t] = __brevll(c);
    unsigned __int128 q = (unsigned __int128)c * d / (b | 3);
    wide[10 * N + t] = (unsigned long long)q ^ (unsigned long long)(q >> 64);
}

__global__ void halves(const float *x, const float *y, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    float a = x[t], b = y[t];
    auto put = [&](float v) { out[r++ * N + t] = v; };
    __half h = __float2half(a), g = __float2half(b);
    put(__half2float(h + g)), put(__half2float(h * g)), put(__half2float(h / g)), put(__half2float(__hfma(h, g, h))), put(__half2float(hsqrt(__habs(h)))), put(__half2float(hexp(h)));
    __half2 p = __floats2half2_rn(a, b), q = __floats2half2_rn(b, 0.5f);
    __half2 m = __hfma2(p, q, __hmax2(p, q));
    put(__low2float(m)), put(__high2float(m)), put(__half2float(htanh(h))), put(h > g ? 1 : 0);
    __nv_bfloat16 u = __float2bfloat16(a), v = __float2bfloat16(b);
    put(__bfloat162float(u + v)), put(__bfloat162float(u * v)), put(__bfloat162float(__hfma(u, v, u))), put(__bfloat162float(__hmax(u, v))), put(__bfloat162float(u / v));
    put(float(__nv_fp8_e4m3(a))), put(float(__nv_fp8_e5m2(b)));
    __nv_fp8x2_e4m3 two(make_float2(a, b));
    float2 both = float2(two);
    put(both.x + both.y * 3);
}

__global__ void black_scholes(const float *s, const float *k, float *call, float *put, int n) {
    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
        float a = sqrtf(2.0f) * 0.3f, d1 = (logf(s[t] / k[t]) + (0.02f + 0.045f) * 2) / a, d2 = d1 - a, e = expf(-0.04f);
        call[t] = s[t] * normcdff(d1) - k[t] * e * normcdff(d2), put[t] = k[t] * e * normcdff(-d2) - s[t] * normcdff(-d1);
    }
}

template <class T> __global__ void mandelbrot(int *out, int w, int limit) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    T cx = T(t % w) * 3 / w - 2, cy = T(t / w) * 2 / w - 1, x = 0, y = 0;
    int k = 0;
    while (k < limit && x * x + y * y < 4) {
        T next = x * x - y * y + cx;
        y = 2 * x * y + cy, x = next, k++;
    }
    out[t] = k;
}

__global__ void nbody(const float4 *at, float4 *out, int n) {
    __shared__ float4 part[256];
    float4 me = at[blockIdx.x * 256 + threadIdx.x];
    float ax = 0, ay = 0, az = 0;
    for (int k = 0; k < n; k += 256) {
        part[threadIdx.x] = at[k + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; j++) {
            float dx = part[j].x - me.x, dy = part[j].y - me.y, dz = part[j].z - me.z, q = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = part[j].w * q * q * q;
            ax += dx * f, ay += dy * f, az += dz * f;
        }
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = make_float4(ax, ay, az, 0);
}

__global__ void sha(const unsigned *x, unsigned *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16], a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
    for (int k = 0; k < 16; k++) w[k] = x[k] ^ t;
#pragma unroll
    for (int k = 0; k < 64; k++) {
        auto r = [](unsigned v, int n) { return v >> n | v << (32 - n); };
        if (k >= 16) w[k % 16] += (r(w[(k + 1) % 16], 7) ^ r(w[(k + 1) % 16], 18) ^ w[(k + 1) % 16] >> 3) + w[(k + 9) % 16] + (r(w[(k + 14) % 16], 17) ^ r(w[(k + 14) % 16], 19) ^ w[(k + 14) % 16] >> 10);
        unsigned p = h + (r(e, 6) ^ r(e, 11) ^ r(e, 25)) + (e & f ^ ~e & g) + k * 0x9e3779b9 + w[k % 16], q = (r(a, 2) ^ r(a, 13) ^ r(a, 22)) + (a & b ^ a & c ^ b & c);
        h = g, g = f, f = e, e = d + p, d = c, c = b, b = a, a = p + q;
    }
    out[t] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

int main(int argc, char **argv) {
#ifdef FAST
    const double off = 1e-2;
#else
    const double off = 1e-5;
#endif
#ifndef FAST
    test<float>("f32", off);
#endif
    test<double>("f64", 1e-12);
    Array<float> x(N), y(N), out(18 * N), h(18 * N);
    Array<double> xd(N), yd(N), outd(8 * N);
    Array<int> oi(8 * N);
    Array<long long> ol(4 * N);
    Array<unsigned> a(N), b(N), o(30 * N);
    Array<unsigned long long> wide(11 * N);
    for (int k = 0; k < N; k++) x[k] = next_float() * 3, y[k] = next_float(), xd[k] = next_float() * 3 + next_float() * 1e-9, yd[k] = next_float() + next_float() * 1e-9, a[k] = next_random() >> (next_random() % 32), b[k] = next_random() >> (next_random() % 32);
    x[0] = 0, x[1] = 1e-40f, x[2] = INFINITY, x[3] = NAN, y[4] = 1e-39f;
    x.put(), y.put(), xd.put(), yd.put(), a.put(), b.put();
    roundings<<<N / 128, 128>>>(x.device, y.device, xd.device, yd.device, out.device, outd.device, oi.device, ol.device);
    whole<<<N / 128, 128>>>(a.device, b.device, o.device, wide.device);
    halves<<<N / 128, 128>>>(x.device, y.device, h.device);
    out.get(), outd.get(), oi.get(), ol.get(), o.get(), wide.get(), h.get();
    out.hash(), outd.hash(), oi.hash(), ol.hash(), o.hash(), wide.hash(), h.hash();
    for (int k = 5; k < N; k++) {
        equal("add", k, out[k], x[k] + y[k]), near("mul", k, out[4 * N + k], (double)x[k] * y[k], 1e-6);
#ifndef FAST
        equal("div", k, out[6 * N + k], x[k] / y[k]), equal("sqrt", k, out[8 * N + k], std::sqrt(std::fabs(x[k])));
#endif
        equal("ddiv", k, outd[2 * N + k], xd[k] / yd[k]), equal("dsqrt", k, outd[4 * N + k], std::sqrt(std::fabs(xd[k])));
        unsigned p = a[k], q = b[k] | 1;
        unsigned long long c = (unsigned long long)p << 32 | q, d = (unsigned long long)(q * 7) << (p & 31) | 1;
        expect(o[k] == p / q && o[N + k] == p % q && o[2 * N + k] == (unsigned)((int)p / (int)q), "divide", k, o[k], p / q);
        expect(wide[k] == c / d && wide[N + k] == c % d && wide[2 * N + k] == (unsigned long long)((long long)c / (long long)d) && wide[6 * N + k] == c * d, "divide 64", k, wide[k], c / d);
        unsigned __int128 product = (unsigned __int128)c * d, quotient = product / (q | 3);
        expect(wide[4 * N + k] == (unsigned long long)(product >> 64), "mulhi 64", k, wide[4 * N + k], (double)(product >> 64));
        expect(wide[10 * N + k] == ((unsigned long long)quotient ^ (unsigned long long)(quotient >> 64)), "divide 128", k, wide[10 * N + k], 0);
        near("half", k, h[k], x[k] + y[k], 2e-3), near("half fma", k, h[3 * N + k], x[k] * y[k] + x[k], 4e-3), near("bf16", k, h[10 * N + k], x[k] + y[k], 2e-2), near("e4m3", k, h[15 * N + k], x[k], 0.07);
    }
    if (timing(argc, argv)) {
        int n = 1 << 24;
        Array<float> s(n, 30), k(n, 35), call(n), put(n);
        Array<int> image(1 << 20);
        Array<float4> stars(32768), force(32768);
        Array<unsigned> words(16, 77), hashes(1 << 22);
        for (auto &v : stars.host) v = make_float4(next_float(), next_float(), next_float(), 1);
        stars.put();
        measure("black_scholes", [&] { black_scholes<<<2112, 256>>>(s.device, k.device, call.device, put.device, n); });
        measure("mandelbrot_f32", [&] { mandelbrot<float><<<4096, 256>>>(image.device, 1024, 500); });
        measure("mandelbrot_f64", [&] { mandelbrot<double><<<4096, 256>>>(image.device, 1024, 500); });
        measure("nbody", [&] { nbody<<<128, 256>>>(stars.device, force.device, 32768); });
        measure("sha256", [&] { sha<<<1 << 14, 256>>>(words.device, hashes.device); });
        Array<double> big(N * ROWS);
        measure("functions_f64", [&] { functions<double><<<N / 128, 128>>>(xd.device, yd.device, big.device); });
    }
    return finish();
}
