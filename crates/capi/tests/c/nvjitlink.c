/* Prints what nvJitLink does in many cases: the same with every implementation. With arguments it is one case with
 * files: nvjitlink OUT OPTION,... NUMBER:FILE... (a number above 100 is that of a file to be read by the library). */
#include "check.h"
#include "nvJitLink.h"

static void show(nvJitLinkHandle linker, int exact)
{
    size_t size = 12345;
    static char text[1 << 20];
    static unsigned char image[1 << 20];
    int code = nvJitLinkGetErrorLogSize(linker, &size);
    printf("\n   %d", code);
    CHECK(code == 0 && size < sizeof text);
    text[0] = '#';
    printf(" %d", nvJitLinkGetErrorLog(linker, text));
    show_log("errors", size, text, exact);
    code = nvJitLinkGetInfoLogSize(linker, &size);
    printf(" %d", code);
    CHECK(code == 0 && size < sizeof text);
    text[0] = '#';
    printf(" %d", nvJitLinkGetInfoLog(linker, text));
    show_log("infos", size, text, 0);
    size = 12345;
    code = nvJitLinkGetLinkedCubinSize(linker, &size);
    printf(" %d", code);
    if (code == 0) {
        CHECK(size < sizeof image);
        printf(" %d", nvJitLinkGetLinkedCubin(linker, image));
        show_cubin(size, image);
    } else {
        printf(" %zu,%d", size, nvJitLinkGetLinkedCubin(linker, image));
    }
    size = 12345;
    code = nvJitLinkGetLinkedPtxSize(linker, &size);
    printf(" ptx %d,%zu\n", code, code == 0 ? 0 : size);
}

static void run_all(const char *what, int inputs, const char *const *texts, int exact, int count,
                    const char *const *options)
{
    nvJitLinkHandle linker = NULL;
    int code = nvJitLinkCreate(&linker, count, (const char **)options);
    printf("%s: create %d,%d", what, code, linker != NULL);
    if (linker == NULL) {
        puts("");
        return;
    }
    if (code == 0) {
        for (int i = 0; i < inputs; i++)
            printf(" add %d", nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, texts[i], strlen(texts[i]) + 1, what));
        printf(" complete %d", nvJitLinkComplete(linker));
    }
    show(linker, exact);
    code = nvJitLinkDestroy(&linker);
    printf("   destroy %d,%d\n", code, linker != NULL);
}

static void run(const char *what, const char *ptx, int exact, int count, const char *const *options)
{
    run_all(what, 1, &ptx, exact, count, options);
}

static void input(const char *what, int type, const void *bytes, size_t size, int exact)
{
    nvJitLinkHandle linker = NULL;
    int code = nvJitLinkCreate(&linker, 1, (const char *[]){"-arch=sm_80"});
    CHECK(code == 0);
    printf("%s: add %d", what, nvJitLinkAddData(linker, (nvJitLinkInputType)type, bytes, size, "the name"));
    printf(" complete %d", nvJitLinkComplete(linker));
    show(linker, exact);
    CHECK(nvJitLinkDestroy(&linker) == 0);
}

static void values(void)
{
    CHECK(NVJITLINK_SUCCESS == 0 && NVJITLINK_ERROR_UNRECOGNIZED_OPTION == 1 && NVJITLINK_ERROR_MISSING_ARCH == 2);
    CHECK(NVJITLINK_ERROR_INVALID_INPUT == 3 && NVJITLINK_ERROR_PTX_COMPILE == 4 && NVJITLINK_ERROR_NVVM_COMPILE == 5);
    CHECK(NVJITLINK_ERROR_INTERNAL == 6 && NVJITLINK_ERROR_THREADPOOL == 7 && NVJITLINK_ERROR_UNRECOGNIZED_INPUT == 8);
    CHECK(NVJITLINK_ERROR_FINALIZE == 9 && NVJITLINK_ERROR_NULL_INPUT == 10);
    CHECK(NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS == 11 && NVJITLINK_ERROR_INCORRECT_INPUT_TYPE == 12);
    CHECK(NVJITLINK_ERROR_ARCH_MISMATCH == 13 && NVJITLINK_ERROR_OUTDATED_LIBRARY == 14);
    CHECK(NVJITLINK_ERROR_MISSING_FATBIN == 15 && NVJITLINK_ERROR_UNRECOGNIZED_ARCH == 16);
    CHECK(NVJITLINK_ERROR_UNSUPPORTED_ARCH == 17 && NVJITLINK_ERROR_LTO_NOT_ENABLED == 18);
    CHECK(NVJITLINK_INPUT_NONE == 0 && NVJITLINK_INPUT_CUBIN == 1 && NVJITLINK_INPUT_PTX == 2);
    CHECK(NVJITLINK_INPUT_LTOIR == 3 && NVJITLINK_INPUT_FATBIN == 4 && NVJITLINK_INPUT_OBJECT == 5);
    CHECK(NVJITLINK_INPUT_LIBRARY == 6 && NVJITLINK_INPUT_INDEX == 7 && NVJITLINK_INPUT_ANY == 10);
}

static void nulls(void)
{
    nvJitLinkHandle none = NULL, linker = NULL;
    unsigned major = 0, minor = 99;
    char text[8];
    size_t size;
    int code = nvJitLinkVersion(&major, &minor);
    printf("version %d: %u.%u, without a place %d\n", code, major, minor, nvJitLinkVersion(&major, NULL));
    printf("null handles: %d %d %d %d %d %d %d %d %d %d %d %d %d\n", nvJitLinkCreate(NULL, 0, NULL),
           nvJitLinkCreate(&linker, 1, NULL), nvJitLinkDestroy(NULL), nvJitLinkDestroy(&none),
           nvJitLinkAddData(NULL, NVJITLINK_INPUT_PTX, GOOD, 9, "x"), nvJitLinkAddFile(NULL, NVJITLINK_INPUT_PTX, "x"),
           nvJitLinkComplete(NULL), nvJitLinkGetLinkedCubinSize(NULL, &size), nvJitLinkGetLinkedCubin(NULL, text),
           nvJitLinkGetErrorLogSize(NULL, &size), nvJitLinkGetErrorLog(NULL, text),
           nvJitLinkGetInfoLogSize(NULL, &size), nvJitLinkGetInfoLog(NULL, text));
    CHECK(nvJitLinkCreate(&linker, 1, (const char *[]){"-arch=sm_80"}) == 0);
    printf("null places: %d %d %d %d %d %d %d\n", nvJitLinkGetLinkedCubinSize(linker, NULL),
           nvJitLinkGetLinkedPtxSize(linker, NULL), nvJitLinkGetErrorLogSize(linker, NULL),
           nvJitLinkGetErrorLog(linker, NULL), nvJitLinkGetInfoLogSize(linker, NULL),
           nvJitLinkAddFile(linker, NVJITLINK_INPUT_PTX, NULL),
           nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, NULL, 0, NULL));
    printf("before the link:");
    show(linker, 1);
    printf("files that there are not: %d %d", nvJitLinkAddFile(linker, NVJITLINK_INPUT_PTX, "/nonexistent/x.ptx"),
           nvJitLinkAddFile(linker, NVJITLINK_INPUT_ANY, "/nonexistent/x.ptx"));
    printf(" without a name %d\n", nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, GOOD, strlen(GOOD), NULL));
    printf("twice: %d", nvJitLinkComplete(linker));
    printf(" %d", nvJitLinkComplete(linker));
    printf(" %d", nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, DEFINES, strlen(DEFINES), "late"));
    printf(" %d", nvJitLinkComplete(linker));
    show(linker, 1);
    CHECK(nvJitLinkDestroy(&linker) == 0);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    CHECK(fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static int files(int count, char **words)
{
    nvJitLinkHandle linker = NULL;
    const char *options[16];
    int n = 0;
    for (char *word = strtok(words[2], ","); word != NULL; word = strtok(NULL, ","))
        options[n++] = word;
    printf("create %d", nvJitLinkCreate(&linker, n, options));
    for (int i = 3; i < count; i++) {
        int type = atoi(words[i]);
        const char *path = strchr(words[i], ':') + 1;
        if (type > 100) {
            printf(" file %d", nvJitLinkAddFile(linker, (nvJitLinkInputType)(type - 100), path));
            continue;
        }
        size_t size;
        char *bytes = read_file(path, &size);
        printf(" data %d", nvJitLinkAddData(linker, (nvJitLinkInputType)type, bytes, size, name_of(path)));
        free(bytes);
    }
    int code = nvJitLinkComplete(linker);
    printf(" complete %d\n", code);
    size_t size = 0;
    char *bytes = NULL;
    if (code == 0 && nvJitLinkGetLinkedCubinSize(linker, &size) == 0) {
        bytes = malloc(size);
        CHECK(nvJitLinkGetLinkedCubin(linker, bytes) == 0);
        printf("type %d\n", bytes[16]);
    } else if (code == 0) {
        CHECK(nvJitLinkGetLinkedPtxSize(linker, &size) == 0);
        bytes = malloc(size);
        CHECK(nvJitLinkGetLinkedPtx(linker, bytes) == 0);
        printf("ptx, %s\n", size == strlen(bytes) + 1 ? "with its NUL" : "of another size");
    }
    if (bytes != NULL && strcmp(words[1], "-") != 0) {
        FILE *file = fopen(words[1], "wb");
        CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    }
    free(bytes);
    CHECK(nvJitLinkGetErrorLogSize(linker, &size) == 0);
    char *log = malloc(size + 1);
    CHECK(nvJitLinkGetErrorLog(linker, log) == 0);
    printf("%s", log);
    free(log);
    CHECK(nvJitLinkDestroy(&linker) == 0);
    return 0;
}

int main(int count, char **words)
{
    size_t good = strlen(GOOD);
    setvbuf(stdout, NULL, _IONBF, 0);
    if (count > 2)
        return files(count, words);
    values();
    nulls();
    input("text", NVJITLINK_INPUT_PTX, GOOD, good, 1);
    input("text and NUL", NVJITLINK_INPUT_PTX, GOOD, good + 1, 1);
    input("any text", NVJITLINK_INPUT_ANY, GOOD, good + 1, 1);
    input("no bytes", NVJITLINK_INPUT_PTX, GOOD, 0, 1);
    const char *const types[] = {"none", "cubin", "ptx", "ltoir", "fatbin", "object", "library", "index", "8", "99"};
    for (int i = 0; i < 10; i++)
        input(types[i], i == 9 ? 99 : i, "hello\n", 7, 1);
    input("any", NVJITLINK_INPUT_ANY, "hello\n", 7, 1);
    input("PTX as a cubin", NVJITLINK_INPUT_CUBIN, GOOD, good + 1, 1);
    run("good", GOOD, 1, WORDS("-arch=sm_80"));
    run("newer", GOOD, 1, WORDS("-arch=sm_90a"));
    run("verbose", GOOD, 1, WORDS("-arch=sm_80", "-verbose"));
    run("timed", GOOD, 1, WORDS("-arch=sm_80", "-time"));
    run("of ptxas", GOOD, 1, WORDS("-arch=sm_80", "-Xptxas=-v"));
    run("spills", GOOD, 1, WORDS("-arch=sm_80", "-Xptxas=--warn-on-spills"));
    run("unknown of ptxas", GOOD, 1, WORDS("-arch=sm_80", "-Xptxas=--frob"));
    run("empty of ptxas", GOOD, 1, WORDS("-arch=sm_80", "-Xptxas="));
    run("no architecture", GOOD, 1, WORDS("-verbose"));
    run("no options", GOOD, 1, 0, NULL);
    run("unknown option", GOOD, 1, WORDS("-arch=sm_80", "-frob"));
    run("two dashes", GOOD, 1, WORDS("--arch=sm_80"));
    run("two words", GOOD, 1, WORDS("-arch", "sm_80"));
    run("unknown architecture", GOOD, 1, WORDS("-arch=sm_999"));
    run("no architecture's name", GOOD, 1, WORDS("-arch=frob"));
    run("old architecture", GOOD, 1, WORDS("-arch=sm_70"));
    run("virtual architecture", GOOD, 1, WORDS("-arch=compute_80"));
    run("level", GOOD, 1, WORDS("-arch=sm_80", "-O0"));
    run("no level", GOOD, 1, WORDS("-arch=sm_80", "-O1"));
    run("not a level", GOOD, 1, WORDS("-arch=sm_80", "-O"));
    run("not registers", GOOD, 1, WORDS("-arch=sm_80", "-maxrregcount=x"));
    run("few registers", GOOD, 1, WORDS("-arch=sm_80", "-maxrregcount=8"));
    run("PTX alone", GOOD, 1, WORDS("-arch=sm_80", "-ptx", "-lto"));
    run("LTO alone", GOOD, 0, WORDS("-arch=sm_80", "-lto"));
    const char *const accepted[] = {"-lineinfo", "-ftz=true", "-prec-div=0", "-prec-sqrt=false", "-fma=1", "-fma=frob",
        "-kernels-used=k", "-variables-used=v", "-optimize-unused-variables", "-Xnvvm=-x", "-split-compile=2",
        "-split-compile=x", "-split-compile-extended=2", "-jump-table-density=10", "-no-cache", "-time=x", "-r",
        "-relocatable-device-code=true", "-maxrregcount=300", "-v", "-w", "-fmad=true", "-dlcm=cg", "-O=3", ""};
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        run(accepted[i], GOOD, 1, WORDS("-arch=sm_80", accepted[i]));
    run("unknown instruction", BAD, 0, WORDS("-arch=sm_80"));
    run("unknown version", NEW, 1, WORDS("-arch=sm_80"));
    const char *two[] = {USES, DEFINES}, *bad[] = {BAD, GOOD};
    run_all("two", 2, two, 1, WORDS("-arch=sm_80"));
    run_all("a bad one and a good one", 2, bad, 0, WORDS("-arch=sm_80"));
    return 0;
}
