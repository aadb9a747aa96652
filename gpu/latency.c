// Runs the kernels of a folder made by `cargo campaign gpu-latency` on the GPU of this machine. Needs libcuda and nothing else.
//
//   ./latency LIST RESULTS
//
// A line of LIST is: cubin, kernel, number of distances, what the table demands, name of the pair. Every kernel runs twice: one
// warp alone, and as many as fit. Each pair ends as one line of JSON in RESULTS, with the right and the wrong result and how often
// each was seen, by distance from 1 on:
// {"pair":NAME,"table":N,"refs":[RIGHT,WRONG],"lone":{"samples":N,"right":[N,...],"wrong":[N,...]},"many":{...}}. Kernels run in a worker
// process; where one kills its worker, hangs, or leaves the context unusable, it gets a line that says so, and a new worker goes on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 31, LONE_ROUNDS = 256, MANY_ROUNDS = 64, MANY_THREADS = 512, KERNEL_SECONDS = 15 };

// The part of the driver API that is used, declared after the published reference manual.
typedef int CUresult;
typedef unsigned long long CUdeviceptr;
static CUresult (*cuInit)(unsigned);
static CUresult (*cuDriverGetVersion)(int *);
static CUresult (*cuDeviceGet)(int *, int);
static CUresult (*cuDeviceGetName)(char *, int, int);
static CUresult (*cuDeviceGetAttribute)(int *, int, int);
static CUresult (*cuDevicePrimaryCtxRetain)(void **, int);
static CUresult (*cuCtxSetCurrent)(void *);
static CUresult (*cuCtxSynchronize)(void);
static CUresult (*cuModuleLoadData)(void **, const void *);
static CUresult (*cuModuleUnload)(void *);
static CUresult (*cuModuleGetFunction)(void **, void *, const char *);
static CUresult (*cuMemAlloc)(CUdeviceptr *, size_t);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static CUresult (*cuGetErrorName)(CUresult, const char **);

static const struct {
    void *slot;
    const char *name;
} functions[] = {
    {&cuInit, "cuInit"},
    {&cuDriverGetVersion, "cuDriverGetVersion"},
    {&cuDeviceGet, "cuDeviceGet"},
    {&cuDeviceGetName, "cuDeviceGetName"},
    {&cuDeviceGetAttribute, "cuDeviceGetAttribute"},
    {&cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain"},
    {&cuCtxSetCurrent, "cuCtxSetCurrent"},
    {&cuCtxSynchronize, "cuCtxSynchronize"},
    {&cuModuleLoadData, "cuModuleLoadData"},
    {&cuModuleUnload, "cuModuleUnload"},
    {&cuModuleGetFunction, "cuModuleGetFunction"},
    {&cuMemAlloc, "cuMemAlloc_v2"},
    {&cuMemcpyHtoD, "cuMemcpyHtoD_v2"},
    {&cuMemcpyDtoH, "cuMemcpyDtoH_v2"},
    {&cuLaunchKernel, "cuLaunchKernel"},
    {&cuGetErrorName, "cuGetErrorName"},
};

struct pair {
    char cubin[64], kernel[32], name[512];
    int distances, table;
};

// Of the worker, in memory that is shared with its parent: the pair that runs, and since when.
static volatile struct {
    int pair;
    time_t since;
} *now;

static FILE *results;
static int processors = 1;
static CUdeviceptr results_at, buffer, far_away;

static void die(const char *what, const char *detail) {
    fprintf(stderr, "latency: %s: %s\n", what, detail);
    exit(1);
}

static const char *error_name(CUresult code) {
    const char *name = NULL;
    return cuGetErrorName(code, &name) == 0 && name ? name : "unknown";
}

static unsigned char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) die(path, strerror(errno));
    long length = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc((size_t)length + 1);
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) die(path, "cannot be read");
    fclose(file);
    return bytes;
}

static void check(CUresult code, const char *what) {
    if (code) die(what, error_name(code));
}

// Opens the driver and device 0, and fills the buffers.
static void open_device(int first) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL;
    if (!driver) die("libcuda.so.1", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(driver, functions[i].name);
        if (!address) die(functions[i].name, "is missing in libcuda");
        memcpy(functions[i].slot, &address, sizeof address);
    }
    char name[256] = "";
    int device = 0, major = 0, minor = 0, version = 0;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
    cuDeviceGetAttribute(&major, 75, device);
    cuDeviceGetAttribute(&minor, 76, device);
    cuDeviceGetAttribute(&processors, 16, device);
    if (processors < 1 || processors > 1024) processors = 1;
    cuDriverGetVersion(&version);
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    if (first) fprintf(results, "{\"device\":\"%s\",\"capability\":%d,\"driver\":%d,\"processors\":%d}\n", name, 10 * major + minor, version, processors);
    size_t words = 1024 + (size_t)processors * MANY_THREADS * 8;
    unsigned *content = malloc(4 * words), first_word = 0x11111111, far_word = 0x22222222;
    for (size_t n = 0; n < words; n++) content[n] = (unsigned)n * 0x01010107u + 0x1357u;
    check(cuMemAlloc(&results_at, 512), "memory");
    check(cuMemAlloc(&buffer, 4 * words), "memory");
    check(cuMemcpyHtoD(buffer, content, 4 * words), "memory");
    free(content);
    // Two words that lie 4 GiB apart.
    if (!cuMemAlloc(&far_away, (1ull << 32) + 65536)) {
        check(cuMemcpyHtoD(far_away, &first_word, 4), "memory");
        check(cuMemcpyHtoD(far_away + (1ull << 32), &far_word, 4), "memory");
        far_away += 1ull << 32;
    } else far_away = 0;
}

// Runs a kernel once; the counts are those of `samples` in all for each distance.
static CUresult run(void *function, unsigned blocks, unsigned threads, unsigned rounds, unsigned *into) {
    unsigned zero = 0, words[8] = {5, 82, 0, 0, 313, 390, 467, 544};
    void *params[] = {&results_at, &rounds, &zero, &buffer, &far_away, words};
    memset(into, 0, 512);
    CUresult code = cuMemcpyHtoD(results_at, into, 512);
    if (!code) code = cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
    if (!code) code = cuCtxSynchronize();
    return code ? code : cuMemcpyDtoH(into, results_at, 512);
}

static void report_error(const struct pair *p, const char *what) {
    fprintf(results, "{\"pair\":\"%s\",\"table\":%d,\"error\":\"%s\"}\n", p->name, p->table, what);
    fflush(results);
}

static void report_counts(const char *launch, const struct pair *p, unsigned long long samples, const unsigned *counts) {
    fprintf(results, ",\"%s\":{\"samples\":%llu,\"right\":[", launch, samples);
    for (int d = 0; d < p->distances; d++) fprintf(results, d ? ",%u" : "%u", counts[d]);
    fprintf(results, "],\"wrong\":[");
    for (int d = 0; d < p->distances; d++) fprintf(results, d ? ",%u" : "%u", counts[MOST + d]);
    fprintf(results, "]}");
}

// Measures a pair. Returns 0 where the context cannot be used any more.
static int measure(const struct pair *p, void *module) {
    unsigned lone[128], many[128];
    void *function = NULL;
    CUresult code = cuModuleGetFunction(&function, module, p->kernel);
    if (code) return report_error(p, error_name(code)), 1;
    code = run(function, 1, 32, LONE_ROUNDS, lone);
    if (!code) code = run(function, (unsigned)processors, MANY_THREADS, MANY_ROUNDS, many);
    if (code) return report_error(p, error_name(code)), 0;
    fprintf(results, "{\"pair\":\"%s\",\"table\":%d,\"refs\":[%u,%u]", p->name, p->table, lone[2 * MOST], lone[2 * MOST + 1]);
    report_counts("lone", p, 32 * LONE_ROUNDS, lone);
    report_counts("many", p, 1ull * (unsigned)processors * MANY_THREADS * MANY_ROUNDS, many);
    fprintf(results, "}\n");
    return 1;
}

// Measures the pairs from the one that `now` names. Exit status: 0 nothing is left, 3 the context is spoilt.
static void work(const struct pair *pairs, int count, int first) {
    char loaded[64] = "";
    void *module = NULL;
    now->since = time(NULL) + 30;
    open_device(first == 0);
    for (int n = first; n < count; n++) {
        now->pair = n;
        now->since = time(NULL);
        if (strcmp(loaded, pairs[n].cubin)) {
            if (module) cuModuleUnload(module);
            module = NULL;
            unsigned char *bytes = read_file(pairs[n].cubin);
            CUresult code = cuModuleLoadData(&module, bytes);
            free(bytes);
            if (code) {
                module = NULL;
                report_error(&pairs[n], error_name(code));
                continue;
            }
            strcpy(loaded, pairs[n].cubin);
        }
        if (!measure(&pairs[n], module)) {
            fclose(results);
            _exit(3);
        }
    }
    fclose(results);
    _exit(0);
}

static struct pair *read_list(const char *path, int *count) {
    FILE *list = fopen(path, "r");
    if (!list) die(path, strerror(errno));
    struct pair *pairs = NULL;
    char line[1024];
    for (*count = 0; fgets(line, sizeof line, list); ++*count) {
        pairs = realloc(pairs, ((size_t)*count + 1) * sizeof *pairs);
        struct pair *p = &pairs[*count];
        if (sscanf(line, "%63s %31s %d %d %511[^\n]", p->cubin, p->kernel, &p->distances, &p->table, p->name) != 5) die(path, line);
        if (p->distances > MOST) die(path, "too many distances");
    }
    fclose(list);
    return pairs;
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage", "latency LIST RESULTS");
    int count = 0, first = 0, failures = 0;
    struct pair *pairs = read_list(argv[1], &count);
    now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED) die("mmap", strerror(errno));
    while (first < count) {
        now->pair = first;
        now->since = time(NULL) + 30;
        pid_t worker = fork();
        if (worker < 0) die("fork", strerror(errno));
        if (worker == 0) {
            results = fopen(argv[2], first ? "a" : "w");
            if (!results) die(argv[2], strerror(errno));
            work(pairs, count, first);
        }
        int status = 0;
        while (waitpid(worker, &status, WNOHANG) != worker) {
            if (time(NULL) - now->since > KERNEL_SECONDS) kill(worker, SIGKILL);
            usleep(5000);
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return 1;
        if (!WIFEXITED(status)) {
            results = fopen(argv[2], "a");
            if (results) report_error(&pairs[now->pair], "the worker ended"), fclose(results);
        }
        first = now->pair + 1;
        if (++failures > 20) die("too many failures", "given up");
    }
    printf("latency: %d pairs, %d failures, see %s\n", count, failures, argv[2]);
    return 0;
}
