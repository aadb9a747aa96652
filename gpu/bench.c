// Times pairs of cubins, ours and that of ptxas, on the GPU of this machine and compares what they compute. Needs libcuda and nothing
// else.
//
//   ./bench LIST RESULTS
//
// A line of LIST is: name, kernel, two cubins, three numbers of the grid, three of the block, bytes of dynamic shared memory,
// arguments. An argument is i:INTEGER, f:FLOAT, d:DOUBLE, or a buffer KIND:COUNT[:LOW:HIGH] of a kind in `kinds`. Both kernels run
// in turn; the median of the times is reported, and how many 32-bit words of all buffers differ after one run of each:
// {"kernel":NAME,"ours":US,"ptxas":US,"ratio":OURS/PTXAS,"words":N,"different":N}. They run in a worker
// process; where one kills it, hangs, or leaves the context unusable, it gets a line that says so, and a new worker goes on.
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

enum { MAX_ARGS = 16, SAMPLES = 31, CASE_SECONDS = 20 };

// The part of the driver API that is used, declared after the published reference manual.
typedef int CUresult;
typedef unsigned long long CUdeviceptr;
static CUresult (*cuInit)(unsigned);
static CUresult (*cuDeviceGet)(int *, int);
static CUresult (*cuDeviceGetName)(char *, int, int);
static CUresult (*cuDevicePrimaryCtxRetain)(void **, int);
static CUresult (*cuCtxSetCurrent)(void *);
static CUresult (*cuCtxSynchronize)(void);
static CUresult (*cuModuleLoadData)(void **, const void *);
static CUresult (*cuModuleGetFunction)(void **, void *, const char *);
static CUresult (*cuMemAlloc)(CUdeviceptr *, size_t);
static CUresult (*cuMemFree)(CUdeviceptr);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static CUresult (*cuEventCreate)(void **, unsigned);
static CUresult (*cuEventRecord)(void *, void *);
static CUresult (*cuEventSynchronize)(void *);
static CUresult (*cuEventElapsedTime)(float *, void *, void *);
static CUresult (*cuGetErrorName)(CUresult, const char **);

static const struct {
    void *slot;
    const char *name;
} functions[] = {
    {&cuInit, "cuInit"},
    {&cuDeviceGet, "cuDeviceGet"},
    {&cuDeviceGetName, "cuDeviceGetName"},
    {&cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain"},
    {&cuCtxSetCurrent, "cuCtxSetCurrent"},
    {&cuCtxSynchronize, "cuCtxSynchronize"},
    {&cuModuleLoadData, "cuModuleLoadData"},
    {&cuModuleGetFunction, "cuModuleGetFunction"},
    {&cuMemAlloc, "cuMemAlloc_v2"},
    {&cuMemFree, "cuMemFree_v2"},
    {&cuMemcpyHtoD, "cuMemcpyHtoD_v2"},
    {&cuMemcpyDtoH, "cuMemcpyDtoH_v2"},
    {&cuLaunchKernel, "cuLaunchKernel"},
    {&cuEventCreate, "cuEventCreate"},
    {&cuEventRecord, "cuEventRecord"},
    {&cuEventSynchronize, "cuEventSynchronize"},
    {&cuEventElapsedTime, "cuEventElapsedTime_v2"},
    {&cuGetErrorName, "cuGetErrorName"},
};

// Of the worker, in memory that is shared with its parent: the line that runs, and since when.
static volatile struct {
    int line;
    time_t since;
} *now;

static FILE *results;
static char device_name[256];
static const char *current = "";

static void give_up(const char *what, const char *detail) {
    fprintf(results, "{\"kernel\":\"%s\",\"error\":\"%s: %s\"}\n", current, what, detail);
    fflush(results);
    _exit(3);
}

static void check(CUresult code, const char *what) {
    const char *name = NULL;
    if (code) give_up(what, cuGetErrorName(code, &name) == 0 && name ? name : "unknown");
}

static unsigned char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) give_up(path, strerror(errno));
    long length = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc((size_t)length + 1);
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) give_up(path, "cannot be read");
    fclose(file);
    return bytes;
}

// Numbers that are the same on every machine.
static unsigned long long state = 88172645463325252ull;
static unsigned long long next_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static double between(double low, double high) { return low + (high - low) * (double)(next_number() >> 11) / 9007199254740992.0; }

static void fill_zero(void *to, size_t count, double low, double high) { (void)low, (void)high, memset(to, 0, 4 * count); }
static void fill_bits(void *to, size_t count, double low, double high) {
    (void)low, (void)high;
    for (size_t n = 0; n < count; n++) ((unsigned *)to)[n] = (unsigned)(next_number() >> 32);
}
static void fill_words(void *to, size_t count, double low, double high) {
    for (size_t n = 0; n < count; n++) ((unsigned *)to)[n] = (unsigned)between(low, high);
}
static void fill_floats(void *to, size_t count, double low, double high) {
    for (size_t n = 0; n < count; n++) ((float *)to)[n] = (float)between(low, high);
}
static void fill_doubles(void *to, size_t count, double low, double high) {
    for (size_t n = 0; n < count; n++) ((double *)to)[n] = between(low, high);
}
// Halves in +-[1/4, 4).
static void fill_halves(void *to, size_t count, double low, double high) {
    (void)low, (void)high;
    for (size_t n = 0; n < count; n++) {
        unsigned long long bits = next_number() >> 32;
        ((unsigned short *)to)[n] = (unsigned short)((bits & 0x83ff) | (13 + (bits >> 20 & 3)) << 10);
    }
}
// Rising numbers from 0: LOW is the least step, HIGH the largest.
static void fill_rising(void *to, size_t count, double low, double high) {
    unsigned sum = 0;
    for (size_t n = 0; n < count; n++) {
        ((unsigned *)to)[n] = sum;
        sum += (unsigned)between(low, high + 1);
    }
}
static const struct {
    const char *name;
    size_t size;
    void (*fill)(void *, size_t, double, double);
} kinds[] = {{"zero", 4, fill_zero},   {"bits", 4, fill_bits},     {"words", 4, fill_words},   {"floats", 4, fill_floats},
             {"doubles", 8, fill_doubles}, {"halves", 2, fill_halves}, {"rising", 4, fill_rising}};

struct arg {
    union {
        int i;
        float f;
        double d;
        CUdeviceptr device;
    } value;
    size_t bytes; // of a buffer, else 0
    unsigned char *content;
};

struct test {
    char name[128], kernel[256], cubins[2][256];
    unsigned grid[3], block[3], shared;
    struct arg args[MAX_ARGS];
    int count;
    void *functions[2];
};

static void read_arg(struct arg *arg, const char *text) {
    char kind[32] = "";
    double count = 0, low = 0, high = 0;
    if (!strncmp(text, "i:", 2)) arg->value.i = atoi(text + 2);
    else if (!strncmp(text, "f:", 2)) arg->value.f = (float)atof(text + 2);
    else if (!strncmp(text, "d:", 2)) arg->value.d = atof(text + 2);
    else {
        sscanf(text, "%31[^:]:%lf:%lf:%lf", kind, &count, &low, &high);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(kind, kinds[k].name)) continue;
            arg->bytes = (size_t)count * kinds[k].size;
            arg->content = malloc(arg->bytes + 8);
            kinds[k].fill(arg->content, (size_t)count, low, high);
        }
        if (!arg->bytes) give_up("unknown argument", text);
        check(cuMemAlloc(&arg->value.device, arg->bytes), "memory");
    }
}

static void upload(struct test *t) {
    for (int i = 0; i < t->count; i++)
        if (t->args[i].bytes) check(cuMemcpyHtoD(t->args[i].value.device, t->args[i].content, t->args[i].bytes), "copy");
}

static void launch(struct test *t, int which) {
    void *params[MAX_ARGS];
    for (int i = 0; i < t->count; i++) params[i] = &t->args[i].value;
    const unsigned *g = t->grid, *b = t->block;
    check(cuLaunchKernel(t->functions[which], g[0], g[1], g[2], b[0], b[1], b[2], t->shared, NULL, params, NULL), "launch");
}

// Runs both once on the same inputs; says how many words differ.
static size_t compare(struct test *t, size_t *words) {
    unsigned char *kept[MAX_ARGS] = {0};
    size_t different = 0;
    for (int which = 0; which < 2; which++) {
        upload(t);
        launch(t, which);
        check(cuCtxSynchronize(), which ? "run of ptxas" : "run of ours");
        for (int i = 0; i < t->count; i++) {
            size_t bytes = t->args[i].bytes / 4 * 4;
            if (!bytes) continue;
            unsigned char *got = malloc(bytes);
            check(cuMemcpyDtoH(got, t->args[i].value.device, bytes), "copy back");
            if (which == 0) {
                kept[i] = got;
                continue;
            }
            for (size_t n = 0; n < bytes; n += 4) different += memcmp(got + n, kept[i] + n, 4) != 0;
            *words += bytes / 4;
            free(got);
            free(kept[i]);
        }
    }
    return different;
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The time of `times` launches in microseconds.
static float measure(struct test *t, int which, int times, void *begin, void *end) {
    float ms = 0;
    check(cuEventRecord(begin, NULL), "event");
    for (int n = 0; n < times; n++) launch(t, which);
    check(cuEventRecord(end, NULL), "event");
    check(cuEventSynchronize(end), "run");
    check(cuEventElapsedTime(&ms, begin, end), "event");
    return 1000 * ms / (float)times;
}

static void open_device(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL;
    int device = 0;
    if (!driver) give_up("libcuda.so.1", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(driver, functions[i].name);
        // Older drivers have one version of it.
        if (!address && !strcmp(functions[i].name, "cuEventElapsedTime_v2")) address = dlsym(driver, "cuEventElapsedTime");
        if (!address) give_up(functions[i].name, "is missing in libcuda");
        memcpy(functions[i].slot, &address, sizeof address);
    }
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDeviceGetName(device_name, sizeof device_name, device), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
}

static void run(char *line) {
    struct test t = {0};
    int at = 0;
    void *begin = NULL, *end = NULL;
    int read = sscanf(line, "%127s %255s %255s %255s %u %u %u %u %u %u %u%n", t.name, t.kernel, t.cubins[0], t.cubins[1], &t.grid[0], &t.grid[1],
                      &t.grid[2], &t.block[0], &t.block[1], &t.block[2], &t.shared, &at);
    if (read != 11) give_up("not a line of a list", line);
    for (char *word = strtok(line + at, " \n"); word && t.count < MAX_ARGS; word = strtok(NULL, " \n")) read_arg(&t.args[t.count++], word);
    for (int which = 0; which < 2; which++) {
        void *module = NULL;
        check(cuModuleLoadData(&module, read_file(t.cubins[which])), which ? "load of ptxas" : "load of ours");
        check(cuModuleGetFunction(&t.functions[which], module, t.kernel), "function");
    }
    check(cuEventCreate(&begin, 0), "event");
    check(cuEventCreate(&end, 0), "event");
    size_t words = 0, different = compare(&t, &words);
    upload(&t);
    float warm = 0, times[2][SAMPLES];
    for (int n = 0; n < 3; n++) warm = measure(&t, n & 1, 1, begin, end);
    // Short kernels are timed several at once.
    int launches = warm < 200 ? (int)(200 / (warm + 1)) + 1 : 1;
    for (int n = 0; n < SAMPLES; n++)
        for (int which = 0; which < 2; which++) times[(which + n) & 1][n] = measure(&t, (which + n) & 1, launches, begin, end);
    for (int which = 0; which < 2; which++) qsort(times[which], SAMPLES, sizeof(float), by_value);
    float ours = times[0][SAMPLES / 2], theirs = times[1][SAMPLES / 2];
    fprintf(results,
            "{\"kernel\":\"%s\",\"device\":\"%s\",\"ours\":%.3f,\"ptxas\":%.3f,\"ratio\":%.4f,\"ours_least\":%.3f,\"ptxas_least\":%.3f,"
            "\"launches\":%d,\"words\":%zu,\"different\":%zu}\n",
            t.name, device_name, ours, theirs, theirs > 0 ? ours / theirs : 0, times[0][0], times[1][0], launches, words, different);
    fflush(results);
    for (int i = 0; i < t.count; i++) {
        if (t.args[i].bytes) check(cuMemFree(t.args[i].value.device), "memory");
        free(t.args[i].content);
    }
}

// Runs the lines from `first` on. Exit status: 0 nothing is left, 3 the worker is of no more use.
static void work(const char *path, int first) {
    FILE *list = fopen(path, "r");
    if (!list) give_up(path, strerror(errno));
    current = "all";
    open_device();
    char line[2048], name[128];
    for (int n = 0; fgets(line, sizeof line, list); n++) {
        if (n < first || sscanf(line, "%127s", name) != 1) continue;
        now->line = n;
        now->since = time(NULL);
        current = name;
        run(line);
    }
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: bench LIST RESULTS\n"), 1;
    results = fopen(argv[2], "w");
    now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!results || now == MAP_FAILED) return fprintf(stderr, "bench: %s: %s\n", argv[2], strerror(errno)), 1;
    for (int first = 0, failures = 0; failures < 8; failures++) {
        now->line = first;
        now->since = time(NULL);
        pid_t worker = fork();
        if (worker == 0) work(argv[1], first);
        int status = 0;
        while (waitpid(worker, &status, WNOHANG) != worker) {
            if (time(NULL) - now->since > CASE_SECONDS) kill(worker, SIGKILL);
            usleep(5000);
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (!WIFEXITED(status)) fprintf(results, "{\"line\":%d,\"error\":\"the worker ended with status %d\"}\n", now->line + 1, status), fflush(results);
        first = now->line + 1;
    }
    printf("bench: see %s\n", argv[2]);
    return 0;
}
