/* nvPTXCompiler: compiles the text of a PTX module to a cubin.
 *
 * The interface of CUDA 13.0, implemented by Raddle. Handles are independent of each other: any number of threads may
 * use any number of them. All compilations of a process together use its job slots: as many as there are CPUs
 * (RADDLE_JOBS sets another number), or those of the make that started it. RADDLE_CACHE names a folder in which
 * compiled kernels are kept.
 */
#ifndef nvPTXCompiler_INCLUDED
#define nvPTXCompiler_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nvPTXCompiler *nvPTXCompilerHandle;

/* What a function returns. */
typedef enum {
    NVPTXCOMPILE_SUCCESS = 0,
    NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE = 1,        /* the handle is null */
    NVPTXCOMPILE_ERROR_INVALID_INPUT = 2,                  /* a null pointer, a text without bytes */
    NVPTXCOMPILE_ERROR_COMPILATION_FAILURE = 3,            /* the error log says why */
    NVPTXCOMPILE_ERROR_INTERNAL = 4,                       /* a defect of the compiler */
    NVPTXCOMPILE_ERROR_OUT_OF_MEMORY = 5,                  /* not returned by this implementation */
    NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE = 6, /* there is no program: nothing was compiled */
    NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION = 7,        /* the error log names the newest version */
    NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 8,       /* not returned by this implementation */
    NVPTXCOMPILE_ERROR_CANCELLED = 9                       /* the callback has cancelled it */
} nvPTXCompileResult;

/* The version of the interface: 13.0. */
nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int *major, unsigned int *minor);

/* The number of versions of PTX that CUDA 13.0 supports, and these versions, ascending, each with its major and minor
 * number. Newer text is compiled too, if the compiler knows what is in it. */
nvPTXCompileResult nvPTXCompilerGetNumSupportedVersions(int *numVersions);
nvPTXCompileResult nvPTXCompilerGetSupportedVersions(int (*versions)[2]);

/* Makes a handle for a text of ptxCodeLen bytes, which is copied. The text may end in a NUL, which may be counted;
 * what follows the first NUL is not read. */
nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle *compiler, size_t ptxCodeLen, const char *ptxCode);

/* Destroys a handle, and stores null in its place. */
nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle *compiler);

/* Compiles the module. Options are those of ptxas, one word in each text: "--gpu-name=sm_90", or "--gpu-name" and
 * "sm_90" in two. The architecture must be given: the default is sm_75. A virtual one ("compute_90") only checks the
 * module: the result is a failure, without a program, and the error log is empty if there are no errors.
 *
 * A handle may be used for several compilations. Logs then grow, and the program is that of the last success. */
nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler, int numCompileOptions,
                                        const char *const *compileOptions);

/* The size of the cubin in bytes, and the cubin. */
nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler, size_t *binaryImageSize);
nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler, void *binaryImage);

/* The errors: the size of the text with its NUL, and the text. Without errors the size is 0, and the text is a NUL. */
nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler, size_t *errorLogSize);
nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler, char *errorLog);

/* The warnings, and the resources of each kernel if "--verbose" is given, in the same way. */
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler, size_t *infoLogSize);
nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler, char *infoLog);

/* Sets a function that is called during a compilation, on the thread that compiles, with the payload and a null
 * pointer: it returns 1 to cancel, 0 to continue. It must not use the handle. */
nvPTXCompileResult nvPTXCompilerSetFlowCallback(nvPTXCompilerHandle compiler, int (*callback)(void *, void *),
                                                void *payload);

#ifdef __cplusplus
}
#endif

#endif
