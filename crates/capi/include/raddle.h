/* Raddle's own C interface: compiles PTX for NVIDIA's GPUs to cubins, checks it, and links objects.
 *
 * Handles of different threads are independent, and threads that use one handle wait for each other. A null handle, or a
 * null pointer where a text or a place is needed, is RADDLE_ERROR_USAGE. No function prints, and none ends the process.
 * Every call that compiles or links stores a result at `result`, also after an error: its diagnostics say why. `result` may
 * be null. What a result gives out lives as long as the result.
 */
#ifndef RADDLE_H
#define RADDLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. */
typedef enum {
    RADDLE_SUCCESS = 0,
    /* The input has errors. */
    RADDLE_ERROR_INPUT = 1,
    /* The options contradict each other or the input, or an argument is wrong. */
    RADDLE_ERROR_USAGE = 2,
    /* The input is right, and has something for which there is no code yet. */
    RADDLE_ERROR_UNSUPPORTED = 3,
    /* A defect of the compiler. */
    RADDLE_ERROR_INTERNAL = 4,
    /* The callback has cancelled the call. */
    RADDLE_ERROR_CANCELLED = 5
} raddle_status;

typedef enum { RADDLE_INFO = 0, RADDLE_WARNING = 1, RADDLE_ERROR = 2 } raddle_severity;

/* Something that was found. */
typedef struct {
    raddle_severity severity;
    /* Its stable code, such as E0030. */
    const char *code;
    /* One sentence. */
    const char *message;
    /* The name of the input; null without a place. */
    const char *file;
    /* From 1 on; 0 without a place. */
    size_t line, column;
    /* The kernel or function that it is about, or null. */
    const char *function;
    /* The text for people, of several lines, with the line of the input. */
    const char *text;
} raddle_diagnostic;

/* A kernel, and what it needs. */
typedef struct {
    const char *name;
    /* Of a thread. */
    unsigned registers;
    /* Static shared memory, and the stack of a thread, in bytes; (size_t)-1 if it is not known. */
    size_t shared_bytes, stack_bytes;
    /* Bytes of stores to and loads from spill slots in its code; 0 after a link. */
    unsigned spill_stores, spill_loads;
} raddle_kernel;

typedef struct raddle_options raddle_options;
typedef struct raddle_linker raddle_linker;
typedef struct raddle_result raddle_result;

/* The version of the library, such as "0.1.0". */
const char *raddle_version(void);

/* Options with their defaults; null if there is no memory. Destroy them with raddle_options_destroy. */
raddle_options *raddle_options_create(void);
void raddle_options_destroy(raddle_options *options);

/* Sets an option; an unknown name or value is RADDLE_ERROR_USAGE. Switches are "true" or "false".
 *
 *   arch           the architecture, such as "sm_90"; by default that of the module
 *   opt-level      "0" to "3"; by default "3"
 *   relocatable    make an object for the linker
 *   fma            whether `mul` and `add` may become `fma`; by default they may
 *   max-registers  the most registers of a thread, 16 to 255
 *   line-info      write line tables
 *   debug          code for debugging
 *   kernels        names separated by commas: compile these only
 *   name           the name of the module in messages
 *   jobs           the most kernels compiled at once
 *   cache          a folder in which compiled kernels are kept
 *   program        the program raddle of this version: kernels are compiled in its processes, so that a crash of the
 *                  compiler is RADDLE_ERROR_INTERNAL
 *   fallback       another ptxas, for kernels that are not supported
 */
raddle_status raddle_options_set(raddle_options *options, const char *name, const char *value);

/* Calls `poll` with `payload` on the thread of each call that compiles or links, at its begin and every few milliseconds;
 * when it returns another number than 0, the call is cancelled. Null removes it. */
raddle_status raddle_options_set_poll(raddle_options *options, int (*poll)(void *payload), void *payload);

/* Compiles the PTX of a module, of `size` bytes; it may end in a NUL. The result has the cubin. `options` may be null. */
raddle_status raddle_compile(const raddle_options *options, const char *ptx, size_t size, raddle_result **result);

/* Checks it without compiling it: the result has everything for which there is no code yet. */
raddle_status raddle_check(const raddle_options *options, const char *ptx, size_t size, raddle_result **result);

/* A linker with these options, of which `arch` is needed; null without it. Later changes of the options do not count. */
raddle_linker *raddle_linker_create(const raddle_options *options);
void raddle_linker_destroy(raddle_linker *linker);

/* Adds PTX, which is compiled, a relocatable cubin, a fatbin, an object of the host, or an archive of such objects. */
raddle_status raddle_linker_add(raddle_linker *linker, const char *name, const void *data, size_t size,
                                raddle_result **result);

/* Links what was added to an executable cubin. Nothing can be added or linked afterwards: that is RADDLE_ERROR_USAGE. */
raddle_status raddle_linker_link(raddle_linker *linker, raddle_result **result);

/* The cubin, and its size at `size`; null and 0 if there is none. */
const void *raddle_result_cubin(const raddle_result *result, size_t *size);

/* The number of diagnostics, in the order of the input, and one of them; null beyond the last. */
size_t raddle_result_diagnostics(const raddle_result *result);
const raddle_diagnostic *raddle_result_diagnostic(const raddle_result *result, size_t index);

/* The number of kernels in the cubin, and one of them; null beyond the last. */
size_t raddle_result_kernels(const raddle_result *result);
const raddle_kernel *raddle_result_kernel(const raddle_result *result, size_t index);

void raddle_result_destroy(raddle_result *result);

#ifdef __cplusplus
}
#endif

#endif
