// A driver in the place of libcuda for tests of check.c, latency.c and bench.c on machines without a GPU: memory and
// arrays are the host's, a launch runs nothing, and what is asked of textures goes to driver.log. tests/tests/texture_probes.rs builds it as libcuda.so.1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef unsigned long long CUdeviceptr;
#define TYPES_ALONE
#include "textures.h"

// An array: texels of all levels, each with its layers, and where a level begins.
struct levels {
    struct array_description of;
    unsigned level;
    unsigned char *texels;
};

static void say(const char *line) {
    FILE *log = fopen("driver.log", "a");
    if (log) {
        fprintf(log, "%s\n", line);
        fclose(log);
    }
}

CUresult cuInit(unsigned flags) { return (int)flags; }
CUresult cuDriverGetVersion(int *version) { return *version = 13000, 0; }
CUresult cuDeviceGet(int *device, int n) { return *device = n, 0; }
CUresult cuDeviceGetName(char *name, int length, int device) { return snprintf(name, (size_t)length, "none %d", device), 0; }
CUresult cuDeviceGetAttribute(int *value, int attribute, int device) { return *value = attribute == 75 ? 9 : device, 0; }
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { return *context = NULL, device; }
CUresult cuCtxSetCurrent(void *context) { return context != NULL; }
CUresult cuCtxSynchronize(void) { return 0; }
CUresult cuModuleLoadData(void **module, const void *image) { return *module = NULL, image == NULL; }
CUresult cuModuleUnload(void *module) { return module != NULL; }
CUresult cuModuleGetFunction(void **function, void *module, const char *name) { return *function = module, name == NULL; }
CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t size) { return *at = (CUdeviceptr)(size_t)malloc(size), 0; }
CUresult cuMemFree_v2(CUdeviceptr at) { return free((void *)(size_t)at), 0; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) { return memcpy((void *)(size_t)to, from, size), 0; }
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) { return memcpy(to, (void *)(size_t)from, size), 0; }
CUresult cuGetErrorName(CUresult code, const char **name) { return *name = code ? "an error" : "none", 0; }
CUresult cuEventCreate(void **event, unsigned flags) { return *event = NULL, (int)flags; }
CUresult cuEventRecord(void *event, void *stream) { return event || stream; }
CUresult cuEventSynchronize(void *event) { return event != NULL; }
CUresult cuEventElapsedTime_v2(float *ms, void *from, void *to) { return *ms = 1, from || to; }
CUresult cuArrayDestroy(void *array) { return free(((struct levels *)array)->texels), free(array), 0; }
CUresult cuMipmappedArrayDestroy(void *array) { return free(array), 0; }
CUresult cuTexObjectDestroy(unsigned long long object) { return object != 77; }
CUresult cuSurfObjectDestroy(unsigned long long object) { return object != 78; }

CUresult cuCtxSetLimit(int limit, size_t value) { return limit != 0 || value == 0; }
CUresult cuFuncSetAttribute(void *function, int attribute, int value) { return function || attribute < 0 || value < 0; }

struct launch_config {
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned count;
};

CUresult cuLaunchKernelEx(const struct launch_config *c, void *function, void **params, void **extra) {
    char line[160];
    snprintf(line, sizeof line, "launch %u %u %u, %u %u %u, %u, handle %llu", c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2],
             c->shared, *(unsigned long long *)params[2]);
    say(line);
    return function || c->stream || extra || c->count;
}

CUresult cuArray3DCreate_v2(void **array, const struct array_description *of) {
    struct levels *l = calloc(1, sizeof *l);
    l->of = *of;
    size_t bytes = 16 * of->width * (of->height ? of->height : 1) * (of->depth ? of->depth : 1);
    l->texels = malloc(bytes);
    *array = l;
    char line[160];
    snprintf(line, sizeof line, "array %zu %zu %zu, format %d, channels %u, flags %u", of->width, of->height, of->depth, of->format, of->channels,
             of->flags);
    say(line);
    return 0;
}

CUresult cuMipmappedArrayCreate(void **array, const struct array_description *of, unsigned levels) {
    struct levels **list = calloc(levels, sizeof *list);
    for (unsigned n = 0; n < levels; n++) {
        struct array_description level = *of;
        level.width = halved(of->width, n);
        level.height = of->height ? halved(of->height, n) : 0;
        level.depth = of->flags & 5 || !of->depth ? of->depth : halved(of->depth, n);
        cuArray3DCreate_v2((void **)&list[n], &level);
    }
    *array = list;
    return 0;
}

CUresult cuMipmappedArrayGetLevel(void **level, void *array, unsigned n) { return *level = ((struct levels **)array)[n], 0; }

// Copies of whole levels, checked against their arrays.
CUresult cuMemcpy3D_v2(const struct copy *c) {
    int back = c->src_type == MEMORY_ARRAY;
    struct levels *l = back ? c->src_array : c->dst_array;
    size_t height = l->of.height ? l->of.height : 1, depth = l->of.depth ? l->of.depth : 1;
    size_t bytes = c->width_in_bytes * c->height * c->depth;
    char line[160];
    snprintf(line, sizeof line, "copy %s %zu bytes", back ? "back" : "there", bytes);
    say(line);
    if (c->height != height || c->depth != depth || c->width_in_bytes % l->of.width || c->src_pitch != c->width_in_bytes) return 1;
    if (back) memcpy(c->dst_host, l->texels, bytes);
    else memcpy(l->texels, c->src_host, bytes);
    return 0;
}

CUresult cuTexObjectCreate(unsigned long long *object, const struct resource_description *r, const struct texture_description *t, const void *view) {
    char line[320];
    snprintf(line, sizeof line, "texture %d, modes %d %d %d, filters %d %d, flags %u, levels %g %g %g, border %g %g %g %g", r->type, t->address_mode[0],
             t->address_mode[1], t->address_mode[2], t->filter_mode, t->mipmap_filter_mode, t->flags, t->mipmap_level_bias, t->min_mipmap_level_clamp,
             t->max_mipmap_level_clamp, t->border_color[0], t->border_color[1], t->border_color[2], t->border_color[3]);
    say(line);
    *object = 77;
    return view != NULL || r->resource.array == NULL;
}

CUresult cuSurfObjectCreate(unsigned long long *object, const struct resource_description *r) {
    say("surface");
    *object = 78;
    return r->type != RESOURCE_ARRAY || r->resource.array == NULL;
}
