// Asks the driver of this machine for tensor maps, and prints their bytes. Needs libcuda and a device.
//
//   ./maps < QUERIES
//
// A query is a line of numbers:
//   tiled TYPE RANK ADDRESS  DIM x RANK  STRIDE x (RANK-1)  BOX x RANK  STEP x RANK  INTERLEAVE SWIZZLE L2 FILL
//   im2col TYPE RANK ADDRESS  DIM x RANK  STRIDE x (RANK-1)  LOWER x (RANK-2)  UPPER x (RANK-2)  CHANNELS PIXELS
//          STEP x RANK  INTERLEAVE SWIZZLE L2 FILL
// with the values of CUtensorMapDataType and so on, as the driver's manual numbers them. The answer is the query, ` = `, the name
// of the error or the 128 bytes in hexadecimal.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };
typedef int CUresult;
typedef unsigned long long u64;
static CUresult (*cuInit)(unsigned);
static CUresult (*cuDriverGetVersion)(int *);
static CUresult (*cuDeviceGet)(int *, int);
static CUresult (*cuDevicePrimaryCtxRetain)(void **, int);
static CUresult (*cuCtxSetCurrent)(void *);
static CUresult (*cuGetErrorName)(CUresult, const char **);
static CUresult (*encode_tiled)(void *, int, unsigned, void *, const u64 *, const u64 *, const unsigned *, const unsigned *, int, int, int, int);
static CUresult (*encode_im2col)(void *, int, unsigned, void *, const u64 *, const u64 *, const int *, const int *, unsigned, unsigned,
                                 const unsigned *, int, int, int, int);

static void *find(void *driver, const char *name) {
    void *address = dlsym(driver, name);
    if (!address) {
        fprintf(stderr, "maps: %s is missing in libcuda\n", name);
        exit(1);
    }
    return address;
}

// The next number of a line.
static long long next(char **at) { return strtoll(*at, at, 0); }

static CUresult answer(char *line, void *map) {
    int tiled = !strncmp(line, "tiled", 5);
    char *at = line + strcspn(line, " ");
    int type = (int)next(&at);
    unsigned rank = (unsigned)next(&at);
    u64 address = (u64)next(&at), dims[MOST] = {0}, strides[MOST] = {0};
    unsigned box[MOST] = {0}, steps[MOST] = {0}, channels = 0, pixels = 0;
    int lower[MOST] = {0}, upper[MOST] = {0}, modes[4];
    if (rank < 1 || rank > MOST) return 1;
    for (unsigned i = 0; i < rank; i++) dims[i] = (u64)next(&at);
    for (unsigned i = 0; i + 1 < rank; i++) strides[i] = (u64)next(&at);
    if (tiled) {
        for (unsigned i = 0; i < rank; i++) box[i] = (unsigned)next(&at);
    } else {
        for (unsigned i = 0; i + 2 < rank; i++) lower[i] = (int)next(&at);
        for (unsigned i = 0; i + 2 < rank; i++) upper[i] = (int)next(&at);
        channels = (unsigned)next(&at);
        pixels = (unsigned)next(&at);
    }
    for (unsigned i = 0; i < rank; i++) steps[i] = (unsigned)next(&at);
    for (int i = 0; i < 4; i++) modes[i] = (int)next(&at);
    if (tiled) return encode_tiled(map, type, rank, (void *)address, dims, strides, box, steps, modes[0], modes[1], modes[2], modes[3]);
    return encode_im2col(map, type, rank, (void *)address, dims, strides, lower, upper, channels, pixels, steps, modes[0], modes[1], modes[2],
                         modes[3]);
}

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context;
    if (!driver) {
        fprintf(stderr, "maps: %s\n", dlerror());
        return 1;
    }
    *(void **)&cuInit = find(driver, "cuInit");
    *(void **)&cuDriverGetVersion = find(driver, "cuDriverGetVersion");
    *(void **)&cuDeviceGet = find(driver, "cuDeviceGet");
    *(void **)&cuDevicePrimaryCtxRetain = find(driver, "cuDevicePrimaryCtxRetain");
    *(void **)&cuCtxSetCurrent = find(driver, "cuCtxSetCurrent");
    *(void **)&cuGetErrorName = find(driver, "cuGetErrorName");
    *(void **)&encode_tiled = find(driver, "cuTensorMapEncodeTiled");
    *(void **)&encode_im2col = find(driver, "cuTensorMapEncodeIm2col");
    int device, version;
    if (cuInit(0) || cuDriverGetVersion(&version) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxSetCurrent(context)) {
        fprintf(stderr, "maps: the device cannot be opened\n");
        return 1;
    }
    printf("# driver %d\n", version);
    for (char line[1024]; fgets(line, sizeof line, stdin);) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        _Alignas(64) unsigned char map[128] = {0};
        CUresult code = answer(line, map);
        const char *name = "unknown";
        if (code) cuGetErrorName(code, &name);
        printf("%s = ", line);
        if (code) printf("%s", name);
        for (int i = 0; !code && i < 128; i++) printf("%02x", map[i]);
        printf("\n");
    }
    return 0;
}
