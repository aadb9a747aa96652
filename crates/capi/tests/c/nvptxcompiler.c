/* Prints what nvPTXCompiler does in many cases: the same with every implementation. */
#include "check.h"
#include "nvPTXCompiler.h"

static void show(nvPTXCompilerHandle compiler, int exact)
{
    size_t size = 12345;
    static char text[1 << 16];
    static unsigned char image[1 << 20];
    int code = nvPTXCompilerGetErrorLogSize(compiler, &size);
    printf("\n   %d", code);
    CHECK(code == 0 && size < sizeof text);
    text[0] = '#';
    printf(" %d", nvPTXCompilerGetErrorLog(compiler, text));
    show_log("errors", size, text, exact);
    code = nvPTXCompilerGetInfoLogSize(compiler, &size);
    printf(" %d", code);
    CHECK(code == 0 && size < sizeof text);
    text[0] = '#';
    printf(" %d", nvPTXCompilerGetInfoLog(compiler, text));
    show_log("infos", size, text, exact);
    size = 12345;
    code = nvPTXCompilerGetCompiledProgramSize(compiler, &size);
    printf(" %d", code);
    if (code != 0) {
        printf(" program=%zu,%d\n", size, nvPTXCompilerGetCompiledProgram(compiler, image));
        return;
    }
    CHECK(size < sizeof image);
    printf(" %d", nvPTXCompilerGetCompiledProgram(compiler, image));
    show_cubin(size, image);
    puts("");
}

static void run(const char *what, const char *ptx, size_t size, int exact, int count, const char *const *options)
{
    nvPTXCompilerHandle compiler = NULL;
    int code = nvPTXCompilerCreate(&compiler, size, ptx);
    printf("%s: create %d,%d", what, code, compiler != NULL);
    if (code != 0) {
        puts("");
        return;
    }
    printf(" compile %d", nvPTXCompilerCompile(compiler, count, options));
    show(compiler, exact);
    code = nvPTXCompilerDestroy(&compiler);
    printf("   destroy %d,%d\n", code, compiler != NULL);
}

static const char BOUNDS[] = HEAD ".visible .entry a() .maxnreg 16\n{\nret;\n}\n.visible .entry b()\n.minnctapersm 2\n{\nret;\n}\n"
                                  ".visible .entry c() .maxnreg 300\n{\nret;\n}\n";
static const char NO_BOUNDS[] = HEAD ".visible .entry a()\n.maxnreg 0\n{\nret;\n}\n";
static const char DOUBLES[] = HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %p; .reg .f64 %d;\nld.param.u64 %p, [p];\n"
                                   "ld.global.f64 %d, [%p];\nmul.f64 %d, %d, %d;\nst.global.f64 [%p], %d;\nret;\n}\n";

static int count_calls(void *payload, void *reserved)
{
    CHECK(reserved == NULL);
    ++*(int *)payload;
    return 0;
}

static int cancel(void *payload, void *reserved)
{
    CHECK(reserved == NULL);
    ++*(int *)payload;
    return 1;
}

static void values(void)
{
    CHECK(NVPTXCOMPILE_SUCCESS == 0 && NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE == 1);
    CHECK(NVPTXCOMPILE_ERROR_INVALID_INPUT == 2 && NVPTXCOMPILE_ERROR_COMPILATION_FAILURE == 3);
    CHECK(NVPTXCOMPILE_ERROR_INTERNAL == 4 && NVPTXCOMPILE_ERROR_OUT_OF_MEMORY == 5);
    CHECK(NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE == 6 && NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION == 7);
    CHECK(NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC == 8 && NVPTXCOMPILE_ERROR_CANCELLED == 9);
}

static void versions(void)
{
    unsigned major = 0, minor = 99;
    int code = nvPTXCompilerGetVersion(&major, &minor), count = 0, list[100][2];
    printf("version %d: %u.%u, without a place %d %d\n", code, major, minor, nvPTXCompilerGetVersion(&major, NULL),
           nvPTXCompilerGetVersion(NULL, NULL));
    code = nvPTXCompilerGetNumSupportedVersions(&count);
    printf("versions %d: %d\n", code, count);
    CHECK(count > 0 && count < 100);
    printf("%d:", nvPTXCompilerGetSupportedVersions(list));
    for (int i = 0; i < count; i++)
        printf(" %d.%d", list[i][0], list[i][1]);
    printf("\n%d %d\n", nvPTXCompilerGetNumSupportedVersions(NULL), nvPTXCompilerGetSupportedVersions(NULL));
}

static void nulls(void)
{
    nvPTXCompilerHandle none = NULL, compiler = NULL;
    char text[8];
    size_t size;
    printf("null handles: %d %d %d %d %d %d %d %d %d\n", nvPTXCompilerCompile(NULL, 0, NULL),
           nvPTXCompilerGetCompiledProgramSize(NULL, &size), nvPTXCompilerGetCompiledProgram(NULL, text),
           nvPTXCompilerGetErrorLogSize(NULL, &size), nvPTXCompilerGetErrorLog(NULL, text),
           nvPTXCompilerGetInfoLogSize(NULL, &size), nvPTXCompilerGetInfoLog(NULL, text),
           nvPTXCompilerSetFlowCallback(NULL, cancel, NULL), nvPTXCompilerDestroy(&none));
    printf("null text: %d\n", nvPTXCompilerCreate(&compiler, 0, NULL));
    CHECK(nvPTXCompilerCreate(&compiler, strlen(GOOD), GOOD) == 0);
    printf("null places: %d %d %d %d %d %d, callback %d\n", nvPTXCompilerGetCompiledProgramSize(compiler, NULL),
           nvPTXCompilerGetCompiledProgram(compiler, NULL), nvPTXCompilerGetErrorLogSize(compiler, NULL),
           nvPTXCompilerGetErrorLog(compiler, NULL), nvPTXCompilerGetInfoLogSize(compiler, NULL),
           nvPTXCompilerGetInfoLog(compiler, NULL), nvPTXCompilerSetFlowCallback(compiler, NULL, NULL));
    printf("before compiling:");
    show(compiler, 1);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
}

/* A handle that compiles several times: logs grow, the program stays. */
static void again(void)
{
    nvPTXCompilerHandle compiler = NULL;
    size_t first = 0, second = 0;
    int calls = 0, code;
    CHECK(nvPTXCompilerCreate(&compiler, strlen(GOOD), GOOD) == 0);
    printf("again: %d", nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80", "-v")));
    nvPTXCompilerGetInfoLogSize(compiler, &first);
    printf(" %d", nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80", "--frob")));
    show(compiler, 0);
    printf("   %d", nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80", "-v")));
    nvPTXCompilerGetInfoLogSize(compiler, &second);
    printf(" it %s", second > first + first / 2 ? "grows" : "does not grow");
    show(compiler, 0);
    code = nvPTXCompilerSetFlowCallback(compiler, count_calls, &calls);
    printf("   asked: %d %d,", code, nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80")));
    printf(" %s\n", calls > 0 ? "called" : "never called");
    calls = 0;
    code = nvPTXCompilerSetFlowCallback(compiler, cancel, &calls);
    printf("   cancelled: %d %d,", code, nvPTXCompilerCompile(compiler, WORDS("-arch=sm_80")));
    printf(" %s", calls > 0 ? "called" : "never called");
    show(compiler, 0);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
}

/* What callers read out of the logs. */
static void spills(int count, const char *const *options)
{
    nvPTXCompilerHandle compiler = NULL;
    static char text[1 << 16];
    CHECK(nvPTXCompilerCreate(&compiler, strlen(spilling()), spilling()) == 0);
    printf("spills: %d\n", nvPTXCompilerCompile(compiler, count, options));
    CHECK(nvPTXCompilerGetErrorLog(compiler, text) == 0);
    show_lines(text);
    CHECK(nvPTXCompilerGetInfoLog(compiler, text) == 0);
    show_lines(text);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
}

/* XLA finds these words in the log. */
static void too_few_registers(void)
{
    static char text[1 << 16];
    nvPTXCompilerHandle compiler = NULL;
    char *at = text;
    int i;
    at += sprintf(at, ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n.maxnreg 64\n{\n"
                      ".reg .b64 %%p, %%a;\n.reg .f32 %%f<128>;\n.reg .pred %%q;\nld.param.u64 %%p, [p];\n"
                      "ld.global.u64 %%a, [%%p];\nsetp.ne.b64 %%q, %%a, 0;\n");
    for (i = 0; i < 128; i++) at += sprintf(at, "ld.global.f32 %%f%d, [%%p+%d];\n", i, 4 * i);
    at += sprintf(at, "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%%f0");
    for (i = 1; i < 128; i++) at += sprintf(at, ", %%f%d", i);
    at += sprintf(at, "}, %%a, %%a, %%q, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    for (i = 0; i < 128; i++) at += sprintf(at, "st.global.f32 [%%p+%d], %%f%d;\n", 4 * i, i);
    sprintf(at, "ret;\n}\n");
    CHECK(nvPTXCompilerCreate(&compiler, strlen(text), text) == 0);
    printf("too few registers: %d\n", nvPTXCompilerCompile(compiler, WORDS("-arch=sm_90a")));
    CHECK(nvPTXCompilerGetErrorLog(compiler, text) == 0);
    CHECK(strncmp(text, "ptxas fatal   : (C7602) Insufficient registers (64) to compile", 61) == 0);
    puts(strchr(text, '\n') + 1);
    CHECK(nvPTXCompilerDestroy(&compiler) == 0);
}

int main(void)
{
    size_t good = strlen(GOOD);
    char *long_text = calloc(1, good + 64);
    setvbuf(stdout, NULL, _IONBF, 0);
    values();
    versions();
    nulls();
    run("text", GOOD, good, 1, WORDS("--gpu-name=sm_80"));
    run("text and NUL", GOOD, good + 1, 1, WORDS("--gpu-name=sm_80"));
    strcpy(long_text, GOOD);
    run("text and NULs", long_text, good + 60, 1, WORDS("--gpu-name=sm_80"));
    memcpy(long_text + good + 1, "garbage", 8);
    run("text after the NUL", long_text, good + 8, 1, WORDS("--gpu-name=sm_80"));
    memcpy(long_text + good, "!!garbage", 10);
    run("text beyond the size", long_text, good, 1, WORDS("--gpu-name=sm_80"));
    run("two words", GOOD, good, 1, WORDS("--gpu-name", "sm_80"));
    run("two words in one", GOOD, good, 1, WORDS("--gpu-name sm_80"));
    run("two options in one", GOOD, good, 1, WORDS("-arch=sm_80 -v"));
    run("verbose", GOOD, good, 1, WORDS("-arch=sm_80", "-v"));
    run("object", GOOD, good, 1, WORDS("-arch", "sm_80", "-c"));
    run("line tables", GOOD, good, 1, WORDS("-arch=sm_80", "-lineinfo", "-O1", "--fmad=false"));
    run("newer", GOOD, good, 1, WORDS("-arch=sm_90a", "-m64", "--opt-level", "2"));
    run("one kernel", GOOD, good, 1, WORDS("-arch=sm_80", "--entry", "k"));
    run("many registers", GOOD, good, 1, WORDS("-arch=sm_80", "-maxrregcount=300"));
    run("few registers", GOOD, good, 1, WORDS("-arch=sm_80", "-maxrregcount", "8"));
    run("no warning", GOOD, good, 1, WORDS("-arch=sm_80", "-maxrregcount", "8", "-w"));
    run("no options", GOOD, good, 0, 0, NULL);
    run("no architecture", GOOD, good, 0, WORDS("-v"));
    run("unknown architecture", GOOD, good, 1, WORDS("-arch=sm_999"));
    run("virtual architecture", GOOD, good, 1, WORDS("-arch=compute_80"));
    run("virtual architecture, bad", BAD, strlen(BAD), 0, WORDS("-arch=compute_80"));
    run("unknown option", GOOD, good, 1, WORDS("-arch=sm_80", "--frob"));
    run("unknown short option", GOOD, good, 1, WORDS("-arch=sm_80", "-frob"));
    run("not a cache operator", GOOD, good, 1, WORDS("-arch=sm_80", "-dlcm=frob"));
    run("optimised debugging", GOOD, good, 1, WORDS("-arch=sm_80", "-O3", "-g"));
    run("objects of two kinds", GOOD, good, 1, WORDS("-arch=sm_80", "-c", "-ewp"));
    run("two levels", GOOD, good, 1, WORDS("-arch=sm_80", "-Ofc=max", "-O3"));
    run("no debug information", GOOD, good, 1, WORDS("-arch=sm_80", "-suppress-debug-info"));
    run("another value", GOOD, good, 1, WORDS("-arch=sm_80", "-fmad=true", "-fmad=false"));
    run("options without a row in the help", GOOD, good, 1, WORDS("-arch=sm_80", "-k", "x", "-abi=yes"));
    run("another convention", GOOD, good, 1, WORDS("-arch=sm_80", "-abi=no"));
    run("no options file", GOOD, good, 1, WORDS("-arch=sm_80", "-optf", "nofile"));
    run("fewer than no kernels", GOOD, good, 1, WORDS("-arch=sm_80", "-split-compile=-3"));
    run("a usage level", GOOD, good, 1, WORDS("-arch=sm_80", "-regUsageLevel=44"));
    run("old barriers", GOOD, good, 1, WORDS("-arch=sm_80", "-legacy-bar-warp-wide-behavior"));
    run("a level alone", GOOD, good, 1, WORDS("-arch=sm_80", "-O"));
    run("launch bounds", BOUNDS, strlen(BOUNDS), 1, WORDS("-arch=sm_80"));
    run("launch bounds and a limit", BOUNDS, strlen(BOUNDS), 1, WORDS("-arch=sm_80", "-maxrregcount=300"));
    run("wrong launch bounds", BOUNDS, strlen(BOUNDS), 1, WORDS("-arch=sm_80", "-Werror"));
    run("no launch bounds", NO_BOUNDS, strlen(NO_BOUNDS), 0, WORDS("-arch=sm_80"));
    run("double precision", DOUBLES, strlen(DOUBLES), 1, WORDS("-arch=sm_80", "--warn-on-double-precision-use"));
    run("no double precision", DOUBLES, strlen(DOUBLES), 1, WORDS("-arch=sm_80", "-warn-double-usage", "-Werror"));
    run("registers of functions", GOOD, good, 1, WORDS("-arch=sm_80", "-func-maxrregcount=32"));
    run("the fewest registers", GOOD, good, 1, WORDS("-arch=sm_80", "-maxrregcount=archmin"));
    run("two files", GOOD, good, 1, WORDS("-arch=sm_80", "x.ptx", "y.ptx"));
    run("verbose, sm_90", GOOD, good, 1, WORDS("-arch=sm_90", "-v"));
    run("verbose object", GOOD, good, 1, WORDS("-arch=sm_90", "-v", "-c"));
    run("unknown option with a value", GOOD, good, 1, WORDS("-arch=sm_80", "--frob=3"));
    run("no value", GOOD, good, 1, WORDS("-arch"));
    run("no value expected", GOOD, good, 1, WORDS("-arch=sm_80", "-c=1"));
    run("not a number", GOOD, good, 1, WORDS("-arch=sm_80", "-Ox"));
    run("not a switch", GOOD, good, 1, WORDS("-arch=sm_80", "--fmad=frob"));
    run("not registers", GOOD, good, 1, WORDS("-arch=sm_80", "-maxrregcount=x"));
    run("a file", GOOD, good, 1, WORDS("-arch=sm_80", "x.ptx"));
    run("an empty option", GOOD, good, 1, WORDS("-arch=sm_80", ""));
    run("an output", GOOD, good, 1, WORDS("-arch=sm_80", "-o", "x.cubin"));
    run("unknown instruction", BAD, strlen(BAD), 0, WORDS("-arch=sm_80"));
    run("unknown version", NEW, strlen(NEW), 1, WORDS("-arch=sm_80"));
    run("undefined function", USES, strlen(USES), 0, WORDS("-arch=sm_80"));
    run("undefined function of an object", USES, strlen(USES), 1, WORDS("-arch=sm_80", "-c"));
    run("half a module", GOOD, good - 8, 0, WORDS("-arch=sm_80"));
    run("no bytes", "", 0, 1, WORDS("-arch=sm_80"));
    run("a NUL", "", 1, 1, WORDS("-arch=sm_80"));
    run("blanks", "  ", 2, 1, WORDS("-arch=sm_80"));
    spills(WORDS("-arch=sm_80", "-maxrregcount=24", "--warn-on-spills", "--warn-on-local-memory-usage"));
    spills(WORDS("-arch=sm_80", "-maxrregcount=24", "--warn-on-spills", "-Werror"));
    spills(WORDS("-arch=sm_80", "--warn-on-spills", "-v"));
    too_few_registers();
    again();
    return 0;
}
