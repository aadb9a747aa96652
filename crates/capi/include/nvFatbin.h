/* nvFatbin: puts PTX, cubins and LTO-IR for several architectures into one fatbin.
 *
 * The interface of CUDA 13.0, implemented by Raddle. Handles are independent of each other: any number of threads may
 * use any number of them.
 */
#ifndef nvFatbin_INCLUDED
#define nvFatbin_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* What a function returns. */
typedef enum
{
    NVFATBIN_SUCCESS = 0,
    NVFATBIN_ERROR_INTERNAL,                 /* a call at the wrong time, or a defect */
    NVFATBIN_ERROR_ELF_ARCH_MISMATCH,        /* a cubin for another architecture, or one that cannot be read */
    NVFATBIN_ERROR_ELF_SIZE_MISMATCH,        /* not a cubin */
    NVFATBIN_ERROR_MISSING_PTX_VERSION,      /* PTX without .version */
    NVFATBIN_ERROR_NULL_POINTER,             /* a null pointer */
    NVFATBIN_ERROR_COMPRESSION_FAILED,       /* not returned by this implementation */
    NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED, /* not returned by this implementation */
    NVFATBIN_ERROR_UNRECOGNIZED_OPTION,      /* an option or its value is not known */
    NVFATBIN_ERROR_INVALID_ARCH,             /* not a number with a suffix */
    NVFATBIN_ERROR_INVALID_NVVM,             /* not LTO-IR */
    NVFATBIN_ERROR_EMPTY_INPUT,              /* no bytes, or none that can be used */
    NVFATBIN_ERROR_MISSING_PTX_ARCH,         /* not returned by this implementation */
    NVFATBIN_ERROR_PTX_ARCH_MISMATCH,        /* not returned by this implementation */
    NVFATBIN_ERROR_MISSING_FATBIN,           /* not returned by this implementation */
    NVFATBIN_ERROR_INVALID_INDEX,            /* an index is not supported */
    NVFATBIN_ERROR_IDENTIFIER_REUSE,         /* two relocatable members of one name and architecture */
    NVFATBIN_ERROR_INTERNAL_PTX_OPTION       /* not returned by this implementation */
} nvFatbinResult;

typedef struct _nvFatbinHandle *nvFatbinHandle;

/* A text for a code, which is not to be freed; null for success. */
const char *nvFatbinGetErrorString(nvFatbinResult result);

/* Makes an empty fatbin. Options: -64 (the default), -32; -host=linux (the default), -host=windows, -host=mac; -cuda
 * (the default), -opencl; -g; -compress=true (the default: PTX and large cubins), -compress=false,
 * -compress-all; -compress-mode=default, size, speed, balance (all the same here) or none. After an unknown option
 * there is a fatbin all the same. */
nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle_indirect, const char **options, size_t optionsCount);

/* Destroys a fatbin, and stores null in its place. */
nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle_indirect);

/* Adds a member, which is copied. An architecture is a number with or without a suffix: "80", "90a". The identifier is
 * its name, and may be null; so may the options, which go with it. PTX may have its NUL or not. */
nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code, size_t size, const char *arch, const char *identifier, const char *optionsCmdLine);
nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code, size_t size, const char *arch, const char *identifier);
nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code, size_t size, const char *arch, const char *identifier, const char *optionsCmdLine);

/* Not supported: there is no way to make an index. */
nvFatbinResult nvFatbinAddIndex(nvFatbinHandle handle, const void *code, size_t size, const char *identifier);

/* Adds the PTX of relocatable code in a host object, for the linker of the driver. */
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code, size_t size);

/* The size of the fatbin in bytes, and then the fatbin. */
nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size);
nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer);

/* The version of the interface: 13.0. */
nvFatbinResult nvFatbinVersion(unsigned int *major, unsigned int *minor);

#ifdef __cplusplus
}
#endif

#endif
