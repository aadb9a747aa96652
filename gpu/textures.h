// Textures and surfaces for check.c: the part of the driver API that makes them, declared after the published reference manual,
// and how a line of cases.txt becomes an object.
//
//   texture TEXELS - LINE...     surface TEXELS EXPECTED LINE...
//
// LINE is numbers: format, channels, bytes of a texel, width, height, depth (as the driver counts them: 0 where there is no such
// dimension; depth is layers times faces), levels, flags of the array, three address modes, filter, flags of the texture, filter
// between levels, then floats: bias, least and largest level, border colour.
#include <stddef.h>

struct array_description {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

struct copy {
    size_t src_x, src_y, src_z, src_lod;
    int src_type;
    const void *src_host;
    CUdeviceptr src_device;
    void *src_array, *reserved0;
    size_t src_pitch, src_height;
    size_t dst_x, dst_y, dst_z, dst_lod;
    int dst_type;
    void *dst_host;
    CUdeviceptr dst_device;
    void *dst_array, *reserved1;
    size_t dst_pitch, dst_height;
    size_t width_in_bytes, height, depth;
};

struct resource_description {
    int type;
    union {
        void *array;
        int reserved[32];
    } resource;
    unsigned flags;
};

struct texture_description {
    int address_mode[3], filter_mode;
    unsigned flags, max_anisotropy;
    int mipmap_filter_mode;
    float mipmap_level_bias, min_mipmap_level_clamp, max_mipmap_level_clamp, border_color[4];
    int reserved[12];
};

// Sizes on 64-bit hosts; `layouts_are_those_of_the_driver` compares every field with cuda.h.
_Static_assert(sizeof(struct array_description) == 40, "CUDA_ARRAY3D_DESCRIPTOR");
_Static_assert(sizeof(struct copy) == 200, "CUDA_MEMCPY3D");
_Static_assert(sizeof(struct resource_description) == 144, "CUDA_RESOURCE_DESC");
_Static_assert(sizeof(struct texture_description) == 104, "CUDA_TEXTURE_DESC");

static size_t halved(size_t extent, unsigned level) {
    size_t left = extent >> level;
    return left ? left : 1;
}

enum { MEMORY_HOST = 1, MEMORY_ARRAY = 3, RESOURCE_ARRAY = 0, RESOURCE_MIPMAPPED_ARRAY = 1 };

// driver.c has functions of these names itself.
#ifndef TYPES_ALONE
static CUresult (*cuArray3DCreate)(void **, const struct array_description *);
static CUresult (*cuArrayDestroy)(void *);
static CUresult (*cuMipmappedArrayCreate)(void **, const struct array_description *, unsigned);
static CUresult (*cuMipmappedArrayGetLevel)(void **, void *, unsigned);
static CUresult (*cuMipmappedArrayDestroy)(void *);
static CUresult (*cuMemcpy3D)(const struct copy *);
static CUresult (*cuTexObjectCreate)(unsigned long long *, const struct resource_description *, const struct texture_description *, const void *);
static CUresult (*cuTexObjectDestroy)(unsigned long long);
static CUresult (*cuSurfObjectCreate)(unsigned long long *, const struct resource_description *);
static CUresult (*cuSurfObjectDestroy)(unsigned long long);

// A texture or surface; `whole` is an array, or a mipmapped one of more than one level.
struct image {
    struct array_description array;
    struct texture_description texture;
    size_t texel;
    unsigned levels;
    void *whole;
};

// Reads LINE. 0 where a number is missing.
static int read_image(const char *line, struct image *m) {
    struct array_description *a = &m->array;
    struct texture_description *t = &m->texture;
    int count = sscanf(line, "%d %u %zu %zu %zu %zu %u %u %d %d %d %d %u %d %f %f %f %f %f %f %f", &a->format, &a->channels, &m->texel, &a->width,
                       &a->height, &a->depth, &m->levels, &a->flags, &t->address_mode[0], &t->address_mode[1], &t->address_mode[2], &t->filter_mode,
                       &t->flags, &t->mipmap_filter_mode, &t->mipmap_level_bias, &t->min_mipmap_level_clamp, &t->max_mipmap_level_clamp,
                       &t->border_color[0], &t->border_color[1], &t->border_color[2], &t->border_color[3]);
    return count == 21;
}

// Copies texels of all levels, which follow one another, to the arrays or from them.
static CUresult copy_texels(const struct image *m, unsigned char *texels, int back) {
    const int images = m->array.flags & 5; // layers or faces: as many in every level
    for (unsigned level = 0; level < m->levels; level++) {
        void *array = m->whole;
        CUresult code = m->levels > 1 ? cuMipmappedArrayGetLevel(&array, m->whole, level) : 0;
        if (code) return code;
        size_t width = halved(m->array.width, level), height = halved(m->array.height, level);
        size_t depth = images ? m->array.depth : halved(m->array.depth, level);
        struct copy copy = {.width_in_bytes = width * m->texel, .height = height, .depth = depth};
        copy.src_pitch = copy.dst_pitch = copy.width_in_bytes;
        copy.src_height = copy.dst_height = height;
        copy.src_type = back ? MEMORY_ARRAY : MEMORY_HOST;
        copy.dst_type = back ? MEMORY_HOST : MEMORY_ARRAY;
        if (back) copy.src_array = array, copy.dst_host = texels;
        else copy.dst_array = array, copy.src_host = texels;
        code = cuMemcpy3D(&copy);
        if (code) return code;
        texels += copy.width_in_bytes * height * depth;
    }
    return 0;
}

// Makes the array with its texels, and the object.
static CUresult make_image(struct image *m, unsigned char *texels, int surface, unsigned long long *object) {
    CUresult code = m->levels > 1 ? cuMipmappedArrayCreate(&m->whole, &m->array, m->levels) : cuArray3DCreate(&m->whole, &m->array);
    if (!code) code = copy_texels(m, texels, 0);
    if (code) return code;
    struct resource_description resource = {.type = m->levels > 1 ? RESOURCE_MIPMAPPED_ARRAY : RESOURCE_ARRAY, .resource.array = m->whole};
    return surface ? cuSurfObjectCreate(object, &resource) : cuTexObjectCreate(object, &resource, &m->texture, NULL);
}

static void destroy_image(struct image *m, int surface, unsigned long long object) {
    if (surface) cuSurfObjectDestroy(object);
    else cuTexObjectDestroy(object);
    if (m->levels > 1) cuMipmappedArrayDestroy(m->whole);
    else cuArrayDestroy(m->whole);
}
#endif
