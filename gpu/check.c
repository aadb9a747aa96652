// Runs the cases of a folder made by `cargo campaign gpu-check` on the GPU of this machine. Needs libcuda and nothing else.
//
//   ./check [RESULTS [SHARD SHARDS]]      RESULTS: results.jsonl unless given; SHARD: 0 to SHARDS - 1, every SHARDS-th case
//
// Every case ends as one line of JSON in RESULTS. A run that is stopped goes on where it was: as many cases of the shard as RESULTS
// has lines are not run again. Cases run in a worker process, one after another; where one kills its worker, hangs, or leaves the
// context unusable, it gets a line that says so and the next case gets a new worker. Results of outputs are compared byte by byte;
// where they differ, the bytes are kept in outputs/ for a comparison within tolerances.
//
// cases.txt has words with their values, one to a line; a case ends with `end`:
//   case NAME, cubin DATA, kernel NAME, arch NUMBER, grid X Y Z, block X Y Z, cluster X Y Z, shared BYTES, stack BYTES
//   value HEX, in DATA, out DATA EXPECTED, texture and surface (textures.h)   an argument; EXPECTED may be `-`
//   hidden                            the argument before is not passed: a buffer that another one points to
//   patch ARG OFFSET TARGET PLUS      before the launch, the 8 bytes at OFFSET of an argument are the address (or handle) of TARGET
//   patched ARG OFFSET TARGET PLUS    the same for what is expected
// DATA is a file, or @OFFSET+SIZE, a part of blobs.bin.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// KEPT: bytes of outputs that one worker keeps of a case, and of all.
enum { MAX_NAME = 512, CASE_SECONDS = 4, KEPT_OF_CASE = 1 << 20, KEPT = 32 << 20 };

// The part of the driver API that is used, declared after the published reference manual.
typedef int CUresult;
typedef unsigned long long CUdeviceptr;
struct launch_attribute {
    int id;
    unsigned unused, value[16];
};
struct launch_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct launch_attribute *attributes;
    unsigned count;
};
// Sizes on 64-bit hosts, and numbers of the manual.
_Static_assert(sizeof(struct launch_attribute) == 72, "CUlaunchAttribute");
_Static_assert(sizeof(struct launch_config) == 56, "CUlaunchConfig");
enum { CLUSTER_DIMENSION = 4, MAX_DYNAMIC_SHARED = 8, NON_PORTABLE_CLUSTER = 13, LIMIT_STACK = 0 };
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
static CUresult (*cuMemFree)(CUdeviceptr);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuLaunchKernelEx)(const struct launch_config *, void *, void **, void **);
static CUresult (*cuFuncSetAttribute)(void *, int, int);
static CUresult (*cuCtxSetLimit)(int, size_t);
static CUresult (*cuGetErrorName)(CUresult, const char **);

#include "textures.h"

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
    {&cuMemFree, "cuMemFree_v2"},
    {&cuMemcpyHtoD, "cuMemcpyHtoD_v2"},
    {&cuMemcpyDtoH, "cuMemcpyDtoH_v2"},
    {&cuLaunchKernelEx, "cuLaunchKernelEx"},
    {&cuFuncSetAttribute, "cuFuncSetAttribute"},
    {&cuCtxSetLimit, "cuCtxSetLimit"},
    {&cuGetErrorName, "cuGetErrorName"},
    {&cuArray3DCreate, "cuArray3DCreate_v2"},
    {&cuArrayDestroy, "cuArrayDestroy"},
    {&cuMipmappedArrayCreate, "cuMipmappedArrayCreate"},
    {&cuMipmappedArrayGetLevel, "cuMipmappedArrayGetLevel"},
    {&cuMipmappedArrayDestroy, "cuMipmappedArrayDestroy"},
    {&cuMemcpy3D, "cuMemcpy3D_v2"},
    {&cuTexObjectCreate, "cuTexObjectCreate"},
    {&cuTexObjectDestroy, "cuTexObjectDestroy"},
    {&cuSurfObjectCreate, "cuSurfObjectCreate"},
    {&cuSurfObjectDestroy, "cuSurfObjectDestroy"},
};

// Data of a case: a file, or a part of blobs.bin.
struct data {
    char name[MAX_NAME];
};

// A word of 8 bytes that is an address or a handle: before the launch, or in what is expected.
struct patch {
    int arg, target, expected;
    size_t offset;
    unsigned long long plus;
};

// An argument: a value in `bytes`, or a buffer, texture or surface that starts as `bytes` and, for an output or a surface, should
// end as `expected`.
struct arg {
    char kind; // v value, i in, o out, t texture, s surface
    int hidden;
    struct data input, expected;
    unsigned char *bytes;
    size_t size;
    CUdeviceptr device; // or the handle of the texture or surface
    struct image image;
};

struct test {
    char name[MAX_NAME], kernel[MAX_NAME];
    struct data cubin;
    int arch, load_only;
    unsigned grid[3], block[3], cluster[3], shared, stack;
    struct arg *args;
    struct patch *patches;
    int count, patch_count;
};

static FILE *results;
static const unsigned char *blobs;
static size_t blobs_size, kept;
static const char *progress_mark; // in a worker: the file that names the case that runs

static void die(const char *what, const char *detail) {
    fprintf(stderr, "check: %s: %s\n", what, detail);
    exit(1);
}

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) die(path, strerror(errno));
    long length = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(length > 0 ? (size_t)length + 1 : 1);
    if (length < 0 || !bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) die(path, "cannot be read");
    fclose(file);
    bytes[length] = 0;
    *size = (size_t)length;
    return bytes;
}

static unsigned char *read_data(const struct data *data, size_t *size) {
    size_t offset;
    if (sscanf(data->name, "@%zu+%zu", &offset, size) != 2) return read_file(data->name, size);
    if (offset + *size > blobs_size) die(data->name, "is not inside blobs.bin");
    unsigned char *bytes = malloc(*size + 1);
    memcpy(bytes, blobs + offset, *size);
    bytes[*size] = 0;
    return bytes;
}

static void map_blobs(void) {
    int file = open("blobs.bin", O_RDONLY);
    struct stat about;
    if (file < 0 || fstat(file, &about) || !about.st_size) return;
    blobs_size = (size_t)about.st_size;
    blobs = mmap(NULL, blobs_size, PROT_READ, MAP_SHARED, file, 0);
    if (blobs == MAP_FAILED) die("blobs.bin", strerror(errno));
    close(file);
}

// One line of JSON; flushed, so that nothing is lost with the process.
static void report(const char *name, const char *status, const char *detail, double milliseconds) {
    fprintf(results, "{\"case\":\"%s\",\"status\":\"%s\",\"detail\":\"%s\",\"ms\":%.3f}\n", name, status, detail, milliseconds);
    fflush(results);
    if (progress_mark) unlink(progress_mark);
}

static const char *error_name(CUresult code) {
    const char *name = NULL;
    return cuGetErrorName(code, &name) == 0 && name ? name : "unknown";
}

static struct arg *new_arg(struct test *t, char kind) {
    t->args = realloc(t->args, (size_t)(t->count + 1) * sizeof *t->args);
    struct arg *arg = &t->args[t->count++];
    memset(arg, 0, sizeof *arg);
    arg->kind = kind;
    return arg;
}

static void read_value(struct arg *arg, const char *hex) {
    arg->bytes = calloc(1, strlen(hex) / 2 + 16);
    for (; sscanf(hex + 2 * arg->size, "%2hhx", arg->bytes + arg->size) == 1; arg->size++) {}
}

static void free_case(struct test *t) {
    for (int i = 0; i < t->count; i++) free(t->args[i].bytes);
    free(t->args);
    free(t->patches);
    memset(t, 0, sizeof *t);
}

// Reads the next case, without the files it names; 0 at the end of the list.
static int next_case(FILE *list, struct test *t) {
    static char *line;
    static size_t room;
    char word[32];
    free_case(t);
    while (getline(&line, &room, list) > 0) {
        if (sscanf(line, "%31s", word) != 1) continue;
        const char *rest = line + strlen(word) + 1;
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "case")) sscanf(rest, "%511s", t->name);
        else if (!strcmp(word, "cubin")) sscanf(rest, "%511s", t->cubin.name);
        else if (!strcmp(word, "kernel")) sscanf(rest, "%511s", t->kernel);
        else if (!strcmp(word, "arch")) sscanf(rest, "%d", &t->arch);
        else if (!strcmp(word, "grid")) sscanf(rest, "%u %u %u", &t->grid[0], &t->grid[1], &t->grid[2]);
        else if (!strcmp(word, "block")) sscanf(rest, "%u %u %u", &t->block[0], &t->block[1], &t->block[2]);
        else if (!strcmp(word, "cluster")) sscanf(rest, "%u %u %u", &t->cluster[0], &t->cluster[1], &t->cluster[2]);
        else if (!strcmp(word, "shared")) sscanf(rest, "%u", &t->shared);
        else if (!strcmp(word, "stack")) sscanf(rest, "%u", &t->stack);
        else if (!strcmp(word, "load")) t->load_only = 1;
        else if (!strcmp(word, "value")) read_value(new_arg(t, 'v'), rest);
        else if (!strcmp(word, "in") || !strcmp(word, "out")) {
            struct arg *arg = new_arg(t, word[0]);
            sscanf(rest, "%511s %511s", arg->input.name, arg->expected.name);
        } else if (!strcmp(word, "texture") || !strcmp(word, "surface")) {
            int at = 0;
            struct arg *arg = new_arg(t, word[0]);
            sscanf(rest, "%511s %511s%n", arg->input.name, arg->expected.name, &at);
            if (!read_image(rest + at, &arg->image)) die("a number is missing", line);
        } else if (!strcmp(word, "hidden") && t->count) t->args[t->count - 1].hidden = 1;
        else if (!strcmp(word, "patch") || !strcmp(word, "patched")) {
            t->patches = realloc(t->patches, (size_t)(t->patch_count + 1) * sizeof *t->patches);
            struct patch *p = &t->patches[t->patch_count++];
            p->expected = !strcmp(word, "patched");
            if (sscanf(rest, "%d %zu %d %llu", &p->arg, &p->offset, &p->target, &p->plus) != 4) die("a number is missing", line);
        } else die("unknown line", line);
    }
    return 0;
}

static void keep_output(const struct test *t, int index, const unsigned char *bytes, size_t size) {
    char path[2 * MAX_NAME];
    if (size > KEPT_OF_CASE || kept + size > KEPT) return;
    kept += size;
    mkdir("outputs", 0777);
    snprintf(path, sizeof path, "outputs/%s.%d.bin", t->name, index);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) die(path, "cannot be written");
}

// Writes addresses and handles into the bytes of an argument, or into those expected of it.
static void apply_patches(const struct test *t, int arg, int expected, unsigned char *bytes, size_t size) {
    for (int i = 0; i < t->patch_count; i++) {
        const struct patch *p = &t->patches[i];
        if (p->arg != arg || p->expected != expected) continue;
        if (p->offset + 8 > size || p->target < 0 || p->target >= t->count) die(t->name, "a patch is outside");
        unsigned long long word = t->args[p->target].device + p->plus;
        memcpy(bytes + p->offset, &word, 8);
    }
}

// Compares the outputs; says how many bytes differ in all.
static size_t compare(struct test *t) {
    size_t wrong = 0;
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        if ((arg->kind != 'o' && arg->kind != 's') || !strcmp(arg->expected.name, "-")) continue;
        size_t size = 0, different = 0;
        unsigned char *expected = read_data(&arg->expected, &size);
        unsigned char *got = malloc(arg->size + 1);
        apply_patches(t, i, 1, expected, size);
        CUresult code = arg->kind == 's' ? copy_texels(&arg->image, got, 1) : cuMemcpyDtoH(got, arg->device, arg->size);
        if (code) die("an output cannot be copied", error_name(code));
        for (size_t k = 0; k < arg->size; k++) different += k >= size || got[k] != expected[k];
        if (different) keep_output(t, i, got, arg->size);
        wrong += different;
        free(got);
        free(expected);
    }
    return wrong;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// Fills buffers, and surfaces again, with what they start as: the bytes of a buffer may hold addresses of others.
static CUresult fill_buffers(const struct test *t, int again) {
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        apply_patches(t, i, 0, arg->bytes, arg->size);
        CUresult code = 0;
        if (arg->kind == 'i' || arg->kind == 'o') code = cuMemcpyHtoD(arg->device, arg->bytes, arg->size);
        if (arg->kind == 's' && again) code = copy_texels(&arg->image, arg->bytes, 0);
        if (code) return code;
    }
    return 0;
}

// Makes buffers and textures.
static CUresult make_buffers(struct test *t, const char **what) {
    *what = "memory";
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        if (arg->kind == 'v') continue;
        arg->bytes = read_data(&arg->input, &arg->size);
        int image = arg->kind == 't' || arg->kind == 's';
        CUresult code = image ? make_image(&arg->image, arg->bytes, arg->kind == 's', &arg->device)
                              : cuMemAlloc(&arg->device, arg->size ? arg->size : 1);
        if (code && image) *what = "texture";
        if (code) return code;
    }
    return fill_buffers(t, 0);
}

// A sum over the outputs: whether two launches did the same.
static unsigned long long digest(const struct test *t) {
    unsigned long long sum = 14695981039346656037ull;
    for (int i = 0; i < t->count; i++) {
        const struct arg *arg = &t->args[i];
        if (arg->kind != 'o') continue;
        unsigned char *got = malloc(arg->size + 1);
        if (cuMemcpyDtoH(got, arg->device, arg->size)) die(t->name, "an output cannot be copied");
        for (size_t k = 0; k < arg->size; k++) sum = (sum ^ got[k]) * 1099511628211ull;
        free(got);
    }
    return sum;
}

static CUresult launch(const struct test *t, void *function) {
    void **params = calloc((size_t)t->count + 1, sizeof *params);
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        if (!arg->hidden) params[count++] = arg->kind == 'v' ? (void *)arg->bytes : (void *)&arg->device;
    }
    struct launch_attribute cluster = {.id = CLUSTER_DIMENSION, .value = {t->cluster[0], t->cluster[1], t->cluster[2]}};
    struct launch_config config = {.shared = t->shared, .attributes = &cluster, .count = t->cluster[0] != 0};
    memcpy(config.grid, t->grid, sizeof t->grid);
    memcpy(config.block, t->block, sizeof t->block);
    CUresult code = 0;
    if (t->shared > 48 << 10) code = cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, (int)t->shared);
    if (!code && t->cluster[0]) code = cuFuncSetAttribute(function, NON_PORTABLE_CLUSTER, 1);
    if (!code && t->stack > 1024) code = cuCtxSetLimit(LIMIT_STACK, t->stack);
    if (!code) code = cuLaunchKernelEx(&config, function, params, NULL);
    free(params);
    return code;
}

// Runs one case. Returns 0 where the context cannot be used any more.
static int run_case(struct test *t) {
    void *module = NULL, *function = NULL;
    const char *what;
    size_t size;
    unsigned char *cubin = read_data(&t->cubin, &size);
    double start = now();
    CUresult code = cuModuleLoadData(&module, cubin);
    free(cubin);
    if (code) return report(t->name, "load", error_name(code), now() - start), 1;
    code = cuModuleGetFunction(&function, module, t->kernel);
    if (code) return report(t->name, "function", error_name(code), now() - start), 1;
    if (t->load_only) {
        report(t->name, "ok", "", now() - start);
        return cuModuleUnload(module) == 0;
    }
    code = make_buffers(t, &what);
    if (code) return report(t->name, what, error_name(code), 0), 0;
    start = now();
    code = launch(t, function);
    if (code) return report(t->name, "launch", error_name(code), now() - start), 1;
    code = cuCtxSynchronize();
    double elapsed = now() - start;
    if (code) return report(t->name, "run", error_name(code), elapsed), 0;
    size_t wrong = compare(t);
    // Results that change from launch to launch depend on the order of threads, or on too early reads.
    unsigned long long first = digest(t);
    int changes = 0;
    for (int again = 0; wrong && again < 4; again++) {
        code = fill_buffers(t, 1);
        if (!code) code = launch(t, function);
        if (!code) code = cuCtxSynchronize();
        if (code) return report(t->name, "run", error_name(code), elapsed), 0;
        changes += digest(t) != first;
    }
    char detail[64];
    snprintf(detail, sizeof detail, changes ? "%zu bytes differ, not always the same" : "%zu bytes differ", wrong);
    report(t->name, wrong ? "different" : "ok", wrong ? detail : "", elapsed);
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        if (arg->kind == 't' || arg->kind == 's') destroy_image(&arg->image, arg->kind == 's', arg->device);
        else if (arg->kind != 'v') cuMemFree(arg->device);
    }
    return cuModuleUnload(module) == 0;
}

// Opens the driver and device 0; the capability as two digits.
static int open_device(char *name, int length) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL;
    if (!driver) die("libcuda.so.1", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(driver, functions[i].name);
        if (!address) die(functions[i].name, "is missing in libcuda");
        memcpy(functions[i].slot, &address, sizeof address);
    }
    int device = 0, major = 0, minor = 0;
    CUresult code = cuInit(0);
    if (!code) code = cuDeviceGet(&device, 0);
    if (!code) code = cuDeviceGetName(name, length, device);
    if (!code) code = cuDeviceGetAttribute(&major, 75, device);
    if (!code) code = cuDeviceGetAttribute(&minor, 76, device);
    if (!code) code = cuDevicePrimaryCtxRetain(&context, device);
    if (!code) code = cuCtxSetCurrent(context);
    if (code) {
        fprintf(stderr, "check: the device cannot be opened: error %d\n", code);
        exit(1);
    }
    return 10 * major + minor;
}

// Lines of a file; 0 where there is none.
static size_t count_lines(const char *path) {
    size_t size = 0, lines = 0;
    if (access(path, R_OK)) return 0;
    char *text = (char *)read_file(path, &size);
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    free(text);
    return lines;
}

// Which cases this process runs, and where their results go.
struct shard {
    const char *path, *progress;
    size_t number, of;
};

// Runs cases that have no line yet, until one spoils the context. Exit status: 0 nothing is left, 3 call again.
static void work(struct shard s) {
    char name[256];
    int capability = open_device(name, sizeof name);
    size_t done = count_lines(s.path), at = 0;
    results = fopen(s.path, "a");
    FILE *list = fopen("cases.txt", "r");
    if (!results || !list) die("cases.txt or results", strerror(errno));
    if (!done) {
        int version = 0;
        cuDriverGetVersion(&version);
        fprintf(results, "{\"device\":\"%s\",\"capability\":%d,\"driver\":%d}\n", name, capability, version);
        done = 1;
    }
    // What kernels print is not ours.
    if (!freopen("/dev/null", "w", stdout)) die("/dev/null", strerror(errno));
    map_blobs();
    progress_mark = s.progress;
    done--;
    for (struct test t = {0}; next_case(list, &t); at++) {
        if (at % s.of != s.number || at / s.of < done) continue;
        // Machine code runs on devices of the same major capability, and the same or a later minor one.
        int fits = t.arch / 10 == capability / 10 && t.arch % 10 <= capability % 10;
        if (!fits) {
            report(t.name, "other architecture", "", 0);
            continue;
        }
        FILE *mark = fopen(s.progress, "w");
        if (!mark || fprintf(mark, "%s", t.name) < 0 || fclose(mark)) die(s.progress, "cannot be written");
        if (!run_case(&t)) exit(3);
    }
    exit(0);
}

// Waits for the worker; kills it where one case takes too long. Returns its status.
static int supervise(pid_t worker, const char *progress) {
    struct timespec last = {0};
    double changed = now();
    for (int status;;) {
        if (waitpid(worker, &status, WNOHANG) == worker) return status;
        struct stat mark;
        if (stat(progress, &mark) == 0 && memcmp(&mark.st_mtim, &last, sizeof last)) {
            last = mark.st_mtim;
            changed = now();
        }
        if (now() - changed > 1e3 * CASE_SECONDS) kill(worker, SIGKILL);
        usleep(20000);
    }
}

int main(int argc, char **argv) {
    char progress[2 * MAX_NAME];
    struct shard s = {.path = argc > 1 ? argv[1] : "results.jsonl", .progress = progress, .of = 1};
    if (argc > 3) {
        s.number = strtoul(argv[2], NULL, 10);
        s.of = strtoul(argv[3], NULL, 10);
    }
    if (!s.of || s.number >= s.of) die("SHARD", "is not below SHARDS");
    snprintf(progress, sizeof progress, "%s.progress", s.path);
    int idle = 0;
    for (;;) {
        size_t lines = count_lines(s.path);
        unlink(progress);
        pid_t worker = fork();
        if (worker < 0) die("fork", strerror(errno));
        if (worker == 0) work(s);
        int status = supervise(worker, progress);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3) continue;
        if (access(progress, R_OK) && count_lines(s.path) > lines) continue; // it ended after a case
        if (access(progress, R_OK) && ++idle < 10) continue; // a device that others use can fail for a moment
        if (access(progress, R_OK)) die("worker", "ended before its first case");
        idle = 0;
        size_t size;
        char *name = (char *)read_file(progress, &size), detail[64];
        snprintf(detail, sizeof detail, "worker ended with status %d", status);
        results = fopen(s.path, "a");
        if (!results) die(s.path, strerror(errno));
        report(name, "crash", detail, 0);
        fclose(results);
    }
    unlink(progress);
    printf("check: done, see %s\n", s.path);
    return 0;
}
