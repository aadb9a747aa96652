/* Compiles the PTX on standard input as a host with handlers of its own does, and prints code and logs:
 *
 * compile HOW OUTPUT OPTION...
 *
 * HOW says what becomes of the host's children: "default", "ignored", or "handled" by a handler that waits for each;
 * with "bare" the host has no handlers.
 * The library is nvJitLink if JITLINK is defined, else nvPTXCompiler.
 */
#define _GNU_SOURCE
#include "check.h"
#ifdef JITLINK
#include "nvJitLink.h"
#else
#include "nvPTXCompiler.h"
#endif
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char ptx[1 << 20], errors[1 << 16], infos[1 << 16];
static unsigned char image[1 << 20];
static size_t size;

static void nothing(int signal)
{
    (void)signal;
}

static void wait_for_all(int signal)
{
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

#ifdef JITLINK
static int compile(int count, const char *const *options)
{
    nvJitLinkHandle linker;
    CHECK(nvJitLinkCreate(&linker, count, (const char **)options) == 0);
    int code = nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, ptx, strlen(ptx) + 1, "k");
    if (code == 0) {
        CHECK(nvJitLinkComplete(linker) == 0 && nvJitLinkGetLinkedCubinSize(linker, &size) == 0);
        CHECK(size < sizeof image && nvJitLinkGetLinkedCubin(linker, image) == 0);
    }
    CHECK(nvJitLinkGetErrorLog(linker, errors) == 0 && nvJitLinkGetInfoLog(linker, infos) == 0);
    CHECK(nvJitLinkDestroy(&linker) == 0);
    return code;
}
#else
static int compile(int count, const char *const *options)
{
    nvPTXCompilerHandle compiler;
    CHECK(nvPTXCompilerCreate(&compiler, strlen(ptx), ptx) == 0);
    int code = nvPTXCompilerCompile(compiler, count, options);
    if (code == 0) {
        CHECK(nvPTXCompilerGetCompiledProgramSize(compiler, &size) == 0 && size < sizeof image);
        CHECK(nvPTXCompilerGetCompiledProgram(compiler, image) == 0);
    }
    CHECK(nvPTXCompilerGetErrorLog(compiler, errors) == 0 && nvPTXCompilerGetInfoLog(compiler, infos) == 0);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
    return code;
}
#endif

int main(int count, char **words)
{
    struct sigaction before[65], after;
    CHECK(count > 2 && fread(ptx, 1, sizeof ptx - 1, stdin) > 0);
    if (strcmp(words[1], "bare") != 0) {
        signal(SIGSEGV, nothing);
        signal(SIGABRT, nothing);
    }
    signal(SIGPIPE, SIG_DFL);
    if (strcmp(words[1], "ignored") == 0)
        signal(SIGCHLD, SIG_IGN);
    else if (strcmp(words[1], "handled") == 0)
        signal(SIGCHLD, wait_for_all);
    else
        CHECK(strcmp(words[1], "default") == 0 || strcmp(words[1], "bare") == 0);
    for (int s = 1; s < 65; s++)
        sigaction(s, NULL, &before[s]);
    int code = compile(count - 3, (const char *const *)words + 3);
    for (int s = 1; s < 65; s++)
        if (sigaction(s, NULL, &after) == 0)
            CHECK(after.sa_handler == before[s].sa_handler && after.sa_flags == before[s].sa_flags);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1);
    printf("%d\n%s%s", code, errors, infos);
    if (code == 0) {
        FILE *file = fopen(words[2], "wb");
        CHECK(file != NULL && fwrite(image, 1, size, file) == size && fclose(file) == 0);
    }
    return 0;
}
