// Runs the cases of a folder made by `cargo campaign gpu-check` on the GPU of this machine. Needs libcuda and nothing else.
//
//   ./check [RESULTS]      RESULTS: results.jsonl unless given
//
// Every case ends as one line of JSON in RESULTS. A run that is stopped goes on where it was: cases that have a line are not run
// again. Cases run in a worker process, one after another; where one kills its worker, hangs, or leaves the context unusable, it
// gets a line that says so and the next case gets a new worker. Results of outputs are compared byte by byte; where they differ,
// the bytes are kept in outputs/ for a comparison within tolerances.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ARGS = 32, MAX_PATH = 512, CASE_SECONDS = 60 };

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
static CUresult (*cuMemFree)(CUdeviceptr);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
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
    {&cuLaunchKernel, "cuLaunchKernel"},
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

// An argument: a value in `bytes`, or a buffer, texture or surface that starts as `bytes` and, for an output or a surface, should
// end as `expected`.
struct arg {
    char kind; // v value, i in, o out, t texture, s surface
    char input[MAX_PATH], expected[MAX_PATH];
    unsigned char *bytes;
    size_t size;
    CUdeviceptr device; // or the handle of the texture or surface
    struct image image;
};

struct test {
    char name[MAX_PATH], cubin[MAX_PATH], kernel[MAX_PATH];
    int arch, load_only;
    unsigned grid[3], block[3], shared;
    struct arg args[MAX_ARGS];
    int count;
};

static FILE *results;

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

// One line of JSON; flushed, so that nothing is lost with the process.
static void report(const char *name, const char *status, const char *detail, double milliseconds) {
    fprintf(results, "{\"case\":\"%s\",\"status\":\"%s\",\"detail\":\"%s\",\"ms\":%.3f}\n", name, status, detail, milliseconds);
    fflush(results);
}

static const char *error_name(CUresult code) {
    const char *name = NULL;
    return cuGetErrorName(code, &name) == 0 && name ? name : "unknown";
}

// Reads the next case; 0 at the end of the file.
static int next_case(FILE *list, struct test *t) {
    char line[3 * MAX_PATH], word[32];
    memset(t, 0, sizeof *t);
    while (fgets(line, sizeof line, list)) {
        if (sscanf(line, "%31s", word) != 1) continue;
        const char *rest = line + strlen(word) + 1;
        struct arg *arg = &t->args[t->count];
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "case")) sscanf(rest, "%511s", t->name);
        else if (!strcmp(word, "cubin")) sscanf(rest, "%511s", t->cubin);
        else if (!strcmp(word, "kernel")) sscanf(rest, "%511s", t->kernel);
        else if (!strcmp(word, "arch")) sscanf(rest, "%d", &t->arch);
        else if (!strcmp(word, "grid")) sscanf(rest, "%u %u %u", &t->grid[0], &t->grid[1], &t->grid[2]);
        else if (!strcmp(word, "block")) sscanf(rest, "%u %u %u", &t->block[0], &t->block[1], &t->block[2]);
        else if (!strcmp(word, "shared")) sscanf(rest, "%u", &t->shared);
        else if (!strcmp(word, "load")) t->load_only = 1;
        else if (t->count == MAX_ARGS) die(t->name, "too many arguments");
        else if (!strcmp(word, "value")) {
            arg->kind = 'v';
            arg->bytes = calloc(1, strlen(rest) / 2 + 8);
            for (; sscanf(rest + 2 * arg->size, "%2hhx", arg->bytes + arg->size) == 1; arg->size++) {}
            t->count++;
        } else if (!strcmp(word, "in") || !strcmp(word, "out")) {
            arg->kind = word[0];
            sscanf(rest, "%511s %511s", arg->input, arg->expected);
            arg->bytes = read_file(arg->input, &arg->size);
            t->count++;
        } else if (!strcmp(word, "texture") || !strcmp(word, "surface")) {
            int at = 0;
            arg->kind = word[0];
            sscanf(rest, "%511s %511s%n", arg->input, arg->expected, &at);
            if (!read_image(rest + at, &arg->image)) die("a number is missing", line);
            arg->bytes = read_file(arg->input, &arg->size);
            t->count++;
        } else die("unknown line", line);
    }
    return 0;
}

static void keep_output(const struct test *t, int index, const unsigned char *bytes, size_t size) {
    char path[2 * MAX_PATH];
    mkdir("outputs", 0777);
    snprintf(path, sizeof path, "outputs/%s.%d.bin", t->name, index);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) die(path, "cannot be written");
}

// Compares the outputs; says how many bytes differ in all.
static size_t compare(struct test *t) {
    size_t wrong = 0;
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        if (arg->kind != 'o' && arg->kind != 's') continue;
        size_t size = 0, different = 0;
        unsigned char *expected = read_file(arg->expected, &size);
        unsigned char *got = malloc(arg->size + 1);
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

// Runs one case. Returns 0 where the context cannot be used any more.
static int run_case(struct test *t) {
    void *module = NULL, *function = NULL, *params[MAX_ARGS];
    size_t size;
    unsigned char *cubin = read_file(t->cubin, &size);
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
    for (int i = 0; i < t->count; i++) {
        struct arg *arg = &t->args[i];
        params[i] = arg->kind == 'v' ? (void *)arg->bytes : (void *)&arg->device;
        if (arg->kind == 'v') continue;
        if (arg->kind == 't' || arg->kind == 's') {
            code = make_image(&arg->image, arg->bytes, arg->kind == 's', &arg->device);
            if (code) return report(t->name, "texture", error_name(code), 0), 0;
            continue;
        }
        code = cuMemAlloc(&arg->device, arg->size ? arg->size : 1);
        if (!code) code = cuMemcpyHtoD(arg->device, arg->bytes, arg->size);
        if (code) return report(t->name, "memory", error_name(code), 0), 0;
    }
    start = now();
    code = cuLaunchKernel(function, t->grid[0], t->grid[1], t->grid[2], t->block[0], t->block[1], t->block[2], t->shared, NULL, params, NULL);
    if (code) return report(t->name, "launch", error_name(code), now() - start), 1;
    code = cuCtxSynchronize();
    double elapsed = now() - start;
    if (code) return report(t->name, "run", error_name(code), elapsed), 0;
    size_t wrong = compare(t);
    char detail[64];
    snprintf(detail, sizeof detail, "%zu bytes differ", wrong);
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

static int has_line(const char *done, const char *name) {
    char key[MAX_PATH + 16];
    snprintf(key, sizeof key, "{\"case\":\"%s\",", name);
    return done && strstr(done, key) != NULL;
}

// Runs cases that have no line yet, until one spoils the context. Exit status: 0 nothing is left, 3 call again.
static void work(const char *path, const char *progress) {
    char name[256];
    int capability = open_device(name, sizeof name);
    size_t size = 0;
    char *done = access(path, R_OK) == 0 ? (char *)read_file(path, &size) : NULL;
    results = fopen(path, "a");
    FILE *list = fopen("cases.txt", "r");
    if (!results || !list) die("cases.txt or results", strerror(errno));
    if (!size) {
        int version = 0;
        cuDriverGetVersion(&version);
        fprintf(results, "{\"device\":\"%s\",\"capability\":%d,\"driver\":%d}\n", name, capability, version);
    }
    for (struct test t; next_case(list, &t);) {
        // Machine code runs on devices of the same major capability, and the same or a later minor one.
        int fits = t.arch / 10 == capability / 10 && t.arch % 10 <= capability % 10;
        if (has_line(done, t.name)) continue;
        if (!fits) {
            report(t.name, "other architecture", "", 0);
            continue;
        }
        FILE *mark = fopen(progress, "w");
        if (!mark || fprintf(mark, "%s", t.name) < 0 || fclose(mark)) die(progress, "cannot be written");
        if (!run_case(&t)) exit(3);
    }
    exit(0);
}

// Waits for the worker; kills it where one case takes too long. Returns its status.
static int supervise(pid_t worker, const char *progress) {
    time_t changed = time(NULL), last = 0;
    for (int status;;) {
        if (waitpid(worker, &status, WNOHANG) == worker) return status;
        struct stat mark;
        if (stat(progress, &mark) == 0 && mark.st_mtime != last) {
            last = mark.st_mtime;
            changed = time(NULL);
        }
        if (time(NULL) - changed > CASE_SECONDS) kill(worker, SIGKILL);
        usleep(20000);
    }
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "results.jsonl", *progress = "progress";
    for (;;) {
        unlink(progress);
        pid_t worker = fork();
        if (worker < 0) die("fork", strerror(errno));
        if (worker == 0) work(path, progress);
        int status = supervise(worker, progress);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3) continue;
        if (access(progress, R_OK)) die("worker", "ended before its first case");
        size_t size;
        char *name = (char *)read_file(progress, &size), detail[64];
        snprintf(detail, sizeof detail, "worker ended with status %d", status);
        results = fopen(path, "a");
        if (!results) die(path, strerror(errno));
        report(name, "crash", detail, 0);
        fclose(results);
    }
    unlink(progress);
    printf("check: done, see %s\n", path);
    return 0;
}
