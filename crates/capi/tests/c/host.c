/* Uses a library as a host with its own handlers, threads and children does: what the process is must not change.
 *
 * host state|threads|stack|fork|crash|panic|cancel|memory N|reload LIBRARY|tokens fail|panic|cancel FIFO
 *
 * The library is nvJitLink if JITLINK is defined, else nvPTXCompiler.
 */
#define _GNU_SOURCE
#include "check.h"
#ifdef JITLINK
#include "nvJitLink.h"
#else
#include "nvPTXCompiler.h"
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#ifdef JITLINK
enum { FAILURE = NVJITLINK_ERROR_PTX_COMPILE, INTERNAL = NVJITLINK_ERROR_INTERNAL };

/* Compiles and links a module into new memory. */
static int compile_with(const char *ptx, unsigned char **image, size_t *size)
{
    nvJitLinkHandle linker;
    CHECK(nvJitLinkCreate(&linker, 1, (const char *[]){"-arch=sm_80"}) == 0);
    int code = nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, ptx, strlen(ptx) + 1, "k");
    if (code == 0) {
        CHECK(nvJitLinkComplete(linker) == 0);
        CHECK(nvJitLinkGetLinkedCubinSize(linker, size) == 0 && *size > 0);
        *image = malloc(*size);
        CHECK(nvJitLinkGetLinkedCubin(linker, *image) == 0);
    }
    CHECK(nvJitLinkDestroy(&linker) == 0);
    return code;
}
#else
enum { FAILURE = NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, INTERNAL = NVPTXCOMPILE_ERROR_INTERNAL };

/* Compiles a module into new memory. */
static int compile_with(const char *ptx, unsigned char **image, size_t *size)
{
    nvPTXCompilerHandle compiler;
    CHECK(nvPTXCompilerCreate(&compiler, strlen(ptx), ptx) == 0);
    int code = nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80"));
    if (code == 0) {
        CHECK(nvPTXCompilerGetCompiledProgramSize(compiler, size) == 0 && *size > 0);
        *image = malloc(*size);
        CHECK(nvPTXCompilerGetCompiledProgram(compiler, *image) == 0);
    }
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
    return code;
}
#endif

static void compile(unsigned char **image, size_t *size)
{
    CHECK(compile_with(GOOD, image, size) == 0);
}

static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    CHECK(dir != NULL);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

static void nothing(int signal)
{
    (void)signal;
}

/* Handlers, mask, folder, locale, environment, descriptors and threads are the same before and after. */
static void state(void)
{
    struct sigaction before[65], after;
    sigset_t mask, mask_after;
    char folder[4096], folder_after[4096];
    unsigned char *image;
    size_t size;
    char **variables = environ;
    signal(SIGSEGV, nothing);
    signal(SIGINT, nothing);
    for (int s = 1; s < 65; s++)
        sigaction(s, NULL, &before[s]);
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && getcwd(folder, sizeof folder) != NULL);
    char *locale = strdup(setlocale(LC_ALL, NULL));
    int descriptors = entries("/proc/self/fd"), count = 0;
    while (environ[count] != NULL)
        count++;
    compile(&image, &size);
    free(image);
    compile_with(BAD, &image, &size);
    for (int s = 1; s < 65; s++)
        if (sigaction(s, NULL, &after) == 0)
            CHECK(after.sa_handler == before[s].sa_handler && after.sa_flags == before[s].sa_flags);
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &mask_after) == 0 && memcmp(&mask, &mask_after, sizeof mask) == 0);
    CHECK(getcwd(folder_after, sizeof folder_after) != NULL && strcmp(folder, folder_after) == 0);
    CHECK(strcmp(locale, setlocale(LC_ALL, NULL)) == 0);
    CHECK(entries("/proc/self/fd") == descriptors);
    /* Threads that have ended may be listed a moment longer. */
    for (int i = 0; i < 1000 && entries("/proc/self/task") != 3; i++)
        usleep(1000);
    CHECK(entries("/proc/self/task") == 3);
    CHECK(environ == variables);
    while (count > 0 && environ[count - 1] != NULL)
        count--;
    CHECK(count == 0 && waitpid(-1, NULL, WNOHANG) == -1);
}

enum { THREADS = 16, ROUNDS = 20 };

static unsigned char *wanted;
static size_t wanted_size;

static void *compile_often(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        unsigned char *image;
        size_t size;
        compile(&image, &size);
        CHECK(size == wanted_size && memcmp(image, wanted, size) == 0);
        free(image);
        CHECK(compile_with(BAD, &image, &size) == FAILURE);
    }
    return unused;
}

/* Many threads at once, and all their results are the same. Meanwhile there are never many more threads. */
static void threads(void)
{
    pthread_t all[THREADS];
    int most = 0;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    compile(&wanted, &wanted_size);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&all[i], NULL, compile_often, NULL) == 0);
    for (int i = 0; i < 200; i++) {
        int now = entries("/proc/self/task") - 2;
        most = now > most ? now : most;
        usleep(500);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(all[i], NULL) == 0);
    CHECK(most > 1);
    /* Besides the threads here: one worker for each slot, and those that are about to end. */
    CHECK(most <= THREADS + 1 + 2 * cpus + 2);
}

/* A thread with a small stack: half of what musl gives a thread is left to the host. */
static void stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    compile(&wanted, &wanted_size);
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 256 << 10) == 0);
    CHECK(pthread_create(&thread, &attributes, compile_often, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void compile_in_child(int depth)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        unsigned char *image;
        size_t size;
        alarm(60);
        compile(&image, &size);
        CHECK(size == wanted_size && memcmp(image, wanted, size) == 0);
        if (depth > 0)
            compile_in_child(depth - 1);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static volatile int stop;

static void *compile_until_stopped(void *unused)
{
    while (!stop) {
        unsigned char *image;
        size_t size;
        compile(&image, &size);
        free(image);
    }
    return unused;
}

/* Children after use, children of children, and children of a process that is compiling. */
static void forks(void)
{
    pthread_t other;
    compile(&wanted, &wanted_size);
    for (int i = 0; i < 5; i++)
        compile_in_child(2);
    CHECK(pthread_create(&other, NULL, compile_until_stopped, NULL) == 0);
    for (int i = 0; i < 50; i++)
        compile_in_child(0);
    stop = 1;
    CHECK(pthread_join(other, NULL) == 0);
    unsigned char *image;
    size_t size;
    compile(&image, &size);
    CHECK(size == wanted_size && memcmp(image, wanted, size) == 0);
}

static sigjmp_buf back;

static void jump(int signal)
{
    siglongjmp(back, signal);
}

/* The host's own handler of crashes works before, during and after. */
static void crash(void)
{
    unsigned char *image;
    size_t size;
    signal(SIGSEGV, jump);
    compile(&image, &size);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile int *)(size - size) = 0;
        CHECK(0);
    }
    compile(&image, &size);
}

/* With a panic asked for by the environment: an error code, and the next compilation works. */
static void panic(void)
{
    unsigned char *image;
    size_t size;
    int code = compile_with(GOOD, &image, &size);
    CHECK(code == INTERNAL);
    unsetenv("RADDLE_FAULT");
    compile(&image, &size);
}

#ifndef JITLINK
static int after_a_while(void *payload, void *reserved)
{
    struct timespec now, *begun = payload;
    (void)reserved;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begun->tv_sec) * 1000 + (now.tv_nsec - begun->tv_nsec) / 1000000 > 100;
}

/* With a kernel that takes a minute, asked for by the environment: the callback ends it. */
static void cancel(void)
{
    nvPTXCompilerHandle compiler;
    struct timespec begun, end;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    CHECK(nvPTXCompilerCreate(&compiler, strlen(GOOD), GOOD) == 0);
    CHECK(nvPTXCompilerSetFlowCallback(compiler, after_a_while, &begun) == 0);
    CHECK(nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80")) == NVPTXCOMPILE_ERROR_CANCELLED);
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK(end.tv_sec - begun.tv_sec < 30);
    size_t size;
    CHECK(nvPTXCompilerGetCompiledProgramSize(compiler, &size) == NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
}

#endif

enum { HELD = 3 };

static volatile int running;

static void *fail_often(void *unused)
{
    unsigned char *image;
    size_t size;
    for (int i = 0; i < 5; i++) {
        CHECK(compile_with(BAD, &image, &size) == FAILURE);
        compile(&image, &size);
        free(image);
    }
    __sync_fetch_and_sub(&running, 1);
    return unused;
}

static void *panic_often(void *unused)
{
    unsigned char *image;
    size_t size;
    for (int i = 0; i < 5; i++)
        CHECK(compile_with(GOOD, &image, &size) == INTERNAL);
    __sync_fetch_and_sub(&running, 1);
    return unused;
}

static void *cancel_once(void *unused)
{
#ifndef JITLINK
    cancel();
#endif
    __sync_fetch_and_sub(&running, 1);
    return unused;
}

/* Under a make with a few tokens: however compilations end, all tokens are there at the end, and some were taken. */
static void tokens(const char *what, const char *path)
{
    void *(*body)(void *) = strcmp(what, "fail") == 0 ? fail_often : strcmp(what, "panic") == 0 ? panic_often : cancel_once;
    pthread_t all[THREADS];
    char flags[4096], left[HELD];
    int count, least = HELD, fifo;
    CHECK(mkfifo(path, 0600) == 0 && (fifo = open(path, O_RDWR)) >= 0 && write(fifo, "abc", HELD) == HELD);
    snprintf(flags, sizeof flags, " -j4 --jobserver-auth=fifo:%s", path);
    CHECK(setenv("MAKEFLAGS", flags, 1) == 0);
    running = THREADS;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&all[i], NULL, body, NULL) == 0);
    while (running > 0) {
        CHECK(ioctl(fifo, FIONREAD, &count) == 0);
        least = count < least ? count : least;
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(all[i], NULL) == 0);
    CHECK(least < HELD && ioctl(fifo, FIONREAD, &count) == 0 && count == HELD);
    CHECK(read(fifo, left, HELD) == HELD && memchr(left, 'a', HELD) && memchr(left, 'b', HELD) && memchr(left, 'c', HELD));
}

static long resident(void)
{
    long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* A kernel that does nothing. */
static const char *const EMPTY = HEAD ".visible .entry k()\n{\nret;\n}\n";

/* Many compilations, of which some fail, hold no more memory than a few. */
static void memory(int count)
{
    long before = 0;
    size_t held = 0;
    for (int i = 0; i < count; i++) {
        unsigned char *image;
        size_t size;
        if (i == count / 10) {
            before = resident();
            held = mallinfo2().uordblks;
        }
        if (i % 8 == 7) {
            CHECK(compile_with(BAD, &image, &size) == FAILURE);
            continue;
        }
        CHECK(compile_with(i % 8 == 0 ? GOOD : EMPTY, &image, &size) == 0);
        free(image);
    }
    long grown = resident() - before, more = (long)(mallinfo2().uordblks - held);
    printf("%ld bytes more resident, %ld more allocated, after %d compilations\n", grown, more, count - count / 10);
    /* What this thread has allocated is counted, but for some 50 KB that come and go: three words in each compilation
     * would be more. The memory of threads that have ended is not counted, but it is resident: 256 bytes in each of
     * 5,000 would be more. */
    CHECK(more < 24 * (count - count / 10) && grown < (1 << 20));
}

#ifndef JITLINK
/* The library is loaded and unloaded again and again. */
static void reload(const char *path)
{
    for (int i = 0; i < 10; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        CHECK(library != NULL);
        nvPTXCompileResult (*create)(nvPTXCompilerHandle *, size_t, const char *);
        nvPTXCompileResult (*compile)(nvPTXCompilerHandle, int, const char *const *);
        nvPTXCompileResult (*destroy)(nvPTXCompilerHandle *);
        *(void **)&create = dlsym(library, "nvPTXCompilerCreate");
        *(void **)&compile = dlsym(library, "nvPTXCompilerCompile");
        *(void **)&destroy = dlsym(library, "nvPTXCompilerDestroy");
        nvPTXCompilerHandle compiler;
        CHECK(create(&compiler, strlen(GOOD), GOOD) == 0 && compile(compiler, WORDS("-arch=sm_80")) == 0);
        CHECK(destroy(&compiler) == 0 && compiler == NULL);
        dlclose(library);
    }
}
#endif

int main(int count, char **words)
{
    CHECK(count > 1);
    const char *what = words[1];
    if (strcmp(what, "state") == 0)
        state();
    else if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "stack") == 0)
        stack();
    else if (strcmp(what, "fork") == 0)
        forks();
    else if (strcmp(what, "crash") == 0)
        crash();
    else if (strcmp(what, "panic") == 0)
        panic();
    else if (strcmp(what, "tokens") == 0 && count > 3)
        tokens(words[2], words[3]);
    else if (strcmp(what, "memory") == 0 && count > 2)
        memory(atoi(words[2]));
#ifndef JITLINK
    else if (strcmp(what, "cancel") == 0)
        cancel();
    else if (strcmp(what, "reload") == 0 && count > 2)
        reload(words[2]);
#endif
    else
        CHECK(0);
    puts("done");
    return 0;
}
