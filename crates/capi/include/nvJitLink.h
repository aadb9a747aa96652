/* nvJitLink: links PTX, cubins, fatbins, host objects, archives and LLVM IR to one cubin.
 *
 * The interface of CUDA 13.0, implemented by Raddle. Handles are independent of each other: any number of threads may
 * use any number of them. All of a process together use its job slots: as many as there are CPUs (RADDLE_JOBS sets
 * another number), or those of the make that started it. RADDLE_CACHE names a folder in which compiled kernels are
 * kept. LLVM IR needs the program raddle, in PATH or named by RADDLE_PROGRAM, and an LLVM library, which it finds or
 * RADDLE_LLVM names. NVIDIA's LTO-IR needs NVIDIA's own libnvJitLink.so, which RADDLE_NVJITLINK names.
 */
#ifndef nvJitLink_INCLUDED
#define nvJitLink_INCLUDED

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. */
typedef enum {
    NVJITLINK_SUCCESS = 0,
    NVJITLINK_ERROR_UNRECOGNIZED_OPTION,  /* an option or its value is not known */
    NVJITLINK_ERROR_MISSING_ARCH,         /* there is no -arch=sm_NN */
    NVJITLINK_ERROR_INVALID_INPUT,        /* an input that cannot be read, is for another architecture, or is empty */
    NVJITLINK_ERROR_PTX_COMPILE,          /* errors in PTX */
    NVJITLINK_ERROR_NVVM_COMPILE,         /* errors in LLVM IR or LTO-IR, or nothing that could compile it */
    NVJITLINK_ERROR_INTERNAL,             /* the link has errors; a call at the wrong time; a defect */
    NVJITLINK_ERROR_THREADPOOL,           /* not returned by this implementation */
    NVJITLINK_ERROR_UNRECOGNIZED_INPUT,   /* an input of any type that is of none */
    NVJITLINK_ERROR_FINALIZE,             /* not returned by this implementation */
    NVJITLINK_ERROR_NULL_INPUT,           /* a null pointer */
    NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, /* options that exclude each other */
    NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, /* an input of another type than it is said to be */
    NVJITLINK_ERROR_ARCH_MISMATCH,        /* not returned by this implementation */
    NVJITLINK_ERROR_OUTDATED_LIBRARY,     /* not returned by this implementation */
    NVJITLINK_ERROR_MISSING_FATBIN,       /* not returned by this implementation */
    NVJITLINK_ERROR_UNRECOGNIZED_ARCH,    /* there is no such architecture */
    NVJITLINK_ERROR_UNSUPPORTED_ARCH,     /* there is no native code for the architecture */
    NVJITLINK_ERROR_LTO_NOT_ENABLED       /* LTO-IR without -lto */
} nvJitLinkResult;

/* What an input is. */
typedef enum {
    NVJITLINK_INPUT_NONE = 0,  /* no type */
    NVJITLINK_INPUT_CUBIN = 1, /* a relocatable cubin; an executable one is left out */
    NVJITLINK_INPUT_PTX,       /* the text of a module, with its NUL or without */
    NVJITLINK_INPUT_LTOIR,     /* NVIDIA's LTO-IR, or LLVM IR as bitcode or as text */
    NVJITLINK_INPUT_FATBIN,    /* a fatbin, of which the members for the architecture are taken */
    NVJITLINK_INPUT_OBJECT,    /* an object of the host with fatbins in it */
    NVJITLINK_INPUT_LIBRARY,   /* an archive of such objects */
    NVJITLINK_INPUT_INDEX,     /* not supported */
    NVJITLINK_INPUT_ANY = 10   /* what the bytes say */
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

/* Makes a linker. Options are "-name" or "-name=value": -arch=sm_NN, which must be given; for PTX -O0, -O3,
 * -maxrregcount=N, -g, -lineinfo, -split-compile=N and -Xptxas=WORD; for LLVM IR and LTO-IR -lto, -ptx, -ftz=BOOL,
 * -prec-div=BOOL, -prec-sqrt=BOOL, -fma=BOOL; -r for a relocatable cubin; -verbose and -time for the info log. If they
 * have errors, there is a linker all the same, of which only the log is of use. */
extern nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle *handle, uint32_t numOptions,
                                              const char *const *options);

/* Destroys a linker, and stores null in its place. */
extern nvJitLinkResult __nvJitLinkDestroy_13_0(nvJitLinkHandle *handle);

/* Adds an input, from memory, which is copied, or from a file. PTX is compiled here. After an error the input is left
 * out. The name is for messages, and may be null. */
extern nvJitLinkResult __nvJitLinkAddData_13_0(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data,
                                               size_t size, const char *name);
extern nvJitLinkResult __nvJitLinkAddFile_13_0(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                               const char *fileName);

/* Links what was added, once. */
extern nvJitLinkResult __nvJitLinkComplete_13_0(nvJitLinkHandle handle);

/* The size of the cubin in bytes, and the cubin. */
extern nvJitLinkResult __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle handle, size_t *size);
extern nvJitLinkResult __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle handle, void *cubin);

/* With -ptx: the size of the PTX with its NUL, and the PTX. */
extern nvJitLinkResult __nvJitLinkGetLinkedPtxSize_13_0(nvJitLinkHandle handle, size_t *size);
extern nvJitLinkResult __nvJitLinkGetLinkedPtx_13_0(nvJitLinkHandle handle, char *ptx);

/* The errors: the size of the text with its NUL, and the text. Without errors the size is 0, and the text is a NUL. */
extern nvJitLinkResult __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle handle, size_t *size);
extern nvJitLinkResult __nvJitLinkGetErrorLog_13_0(nvJitLinkHandle handle, char *log);

/* The warnings, and what -verbose and -time write, in the same way. */
extern nvJitLinkResult __nvJitLinkGetInfoLogSize_13_0(nvJitLinkHandle handle, size_t *size);
extern nvJitLinkResult __nvJitLinkGetInfoLog_13_0(nvJitLinkHandle handle, char *log);

/* The version of the interface: 13.0. */
extern nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);

/* The names without the version: here they are the versioned functions, and the library has them, too. */
#ifndef NVJITLINK_NO_INLINE
static inline nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions, const char **options)
{
    return __nvJitLinkCreate_13_0(handle, numOptions, options);
}

static inline nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    return __nvJitLinkDestroy_13_0(handle);
}

static inline nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data,
                                               size_t size, const char *name)
{
    return __nvJitLinkAddData_13_0(handle, inputType, data, size, name);
}

static inline nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                               const char *fileName)
{
    return __nvJitLinkAddFile_13_0(handle, inputType, fileName);
}

static inline nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    return __nvJitLinkComplete_13_0(handle);
}

static inline nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size)
{
    return __nvJitLinkGetLinkedCubinSize_13_0(handle, size);
}

static inline nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    return __nvJitLinkGetLinkedCubin_13_0(handle, cubin);
}

static inline nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    return __nvJitLinkGetLinkedPtxSize_13_0(handle, size);
}

static inline nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    return __nvJitLinkGetLinkedPtx_13_0(handle, ptx);
}

static inline nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    return __nvJitLinkGetErrorLogSize_13_0(handle, size);
}

static inline nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    return __nvJitLinkGetErrorLog_13_0(handle, log);
}

static inline nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    return __nvJitLinkGetInfoLogSize_13_0(handle, size);
}

static inline nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    return __nvJitLinkGetInfoLog_13_0(handle, log);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
