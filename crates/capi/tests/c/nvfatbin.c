/* Prints what nvFatbin does in many cases: the same with every implementation. With arguments it writes fatbins of
 * files: nvfatbin FOLDER CUBIN CUBIN-FOR-90A LTO-IR HOST-OBJECT */
#include "check.h"
#include "nvFatbin.h"

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

static nvFatbinHandle create(int count, const char *const *options)
{
    nvFatbinHandle fatbin = NULL;
    CHECK(nvFatbinCreate(&fatbin, (const char **)options, count) == 0 && fatbin != NULL);
    return fatbin;
}

static void save(nvFatbinHandle fatbin, const char *folder, const char *name)
{
    char path[4096];
    size_t size = 0;
    CHECK(nvFatbinSize(fatbin, &size) == 0 && size >= 16);
    char *bytes = malloc(size);
    CHECK(nvFatbinGet(fatbin, bytes) == 0);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    free(bytes);
    CHECK(nvFatbinDestroy(&fatbin) == 0 && fatbin == NULL);
}

static void values(void)
{
    CHECK(NVFATBIN_SUCCESS == 0 && NVFATBIN_ERROR_INTERNAL == 1 && NVFATBIN_ERROR_ELF_ARCH_MISMATCH == 2);
    CHECK(NVFATBIN_ERROR_ELF_SIZE_MISMATCH == 3 && NVFATBIN_ERROR_MISSING_PTX_VERSION == 4);
    CHECK(NVFATBIN_ERROR_NULL_POINTER == 5 && NVFATBIN_ERROR_COMPRESSION_FAILED == 6);
    CHECK(NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED == 7 && NVFATBIN_ERROR_UNRECOGNIZED_OPTION == 8);
    CHECK(NVFATBIN_ERROR_INVALID_ARCH == 9 && NVFATBIN_ERROR_INVALID_NVVM == 10 && NVFATBIN_ERROR_EMPTY_INPUT == 11);
    CHECK(NVFATBIN_ERROR_MISSING_PTX_ARCH == 12 && NVFATBIN_ERROR_PTX_ARCH_MISMATCH == 13);
    CHECK(NVFATBIN_ERROR_MISSING_FATBIN == 14 && NVFATBIN_ERROR_INVALID_INDEX == 15);
    CHECK(NVFATBIN_ERROR_IDENTIFIER_REUSE == 16 && NVFATBIN_ERROR_INTERNAL_PTX_OPTION == 17);
}

static void nulls(void)
{
    nvFatbinHandle none = NULL, fatbin = NULL;
    unsigned major = 0, minor = 99;
    size_t size;
    char text[64];
    int code = nvFatbinVersion(&major, &minor);
    printf("version %d: %u.%u, without a place %d\n", code, major, minor, nvFatbinVersion(&major, NULL));
    printf("null handles: %d %d %d %d %d %d %d %d %d %d\n", nvFatbinCreate(NULL, NULL, 0),
           nvFatbinCreate(&fatbin, NULL, 1), nvFatbinDestroy(NULL), nvFatbinDestroy(&none),
           nvFatbinAddPTX(NULL, GOOD, 9, "80", "x", ""), nvFatbinAddCubin(NULL, GOOD, 9, "80", "x"),
           nvFatbinAddLTOIR(NULL, GOOD, 9, "80", "x", ""), nvFatbinAddReloc(NULL, GOOD, 9),
           nvFatbinSize(NULL, &size), nvFatbinGet(NULL, text));
    printf("a null option: %d\n", nvFatbinCreate(&fatbin, (const char *[]){"-64", NULL}, 2));
    fatbin = create(0, NULL);
    printf("null places: %d %d, before its size: %d", nvFatbinSize(fatbin, NULL), nvFatbinGet(fatbin, NULL),
           nvFatbinGet(create(0, NULL), text));
    code = nvFatbinSize(fatbin, &size);
    printf(", empty: %d %zu %d\n", code, size, nvFatbinGet(fatbin, text));
    CHECK(nvFatbinDestroy(&fatbin) == 0);
    for (int result = -1; result < 19; result++)
        printf("%d %s\n", result, nvFatbinGetErrorString((nvFatbinResult)result) == NULL ? "null" : "a text");
}

static void options(void)
{
    const char *const all[] = {"-32", "-64", "-c", "-compress=true", "-compress=false", "-compress=frob", "-compress",
        "-compress-all", "-compress-mode=none", "-compress-mode=size", "-compress-mode=speed", "-compress-mode=balance",
        "-compress-mode=default", "-compress-mode=frob", "-cuda", "-g", "-host=linux", "-host=windows", "-host=mac",
        "-host=frob", "-opencl", "-frob", "", "--64", "64"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        nvFatbinHandle fatbin = NULL;
        const char *option = all[i];
        int code = nvFatbinCreate(&fatbin, &option, 1);
        printf("%s: %d,%d\n", option, code, fatbin != NULL);
        CHECK(nvFatbinDestroy(&fatbin) == 0);
    }
}

static void inputs(void)
{
    nvFatbinHandle fatbin = create(0, NULL);
    size_t good = strlen(GOOD);
    printf("PTX: %d %d %d %d %d\n", nvFatbinAddPTX(fatbin, NULL, good, "80", "x", ""),
           nvFatbinAddPTX(fatbin, GOOD, 0, "80", "x", ""), nvFatbinAddPTX(fatbin, GOOD, good, NULL, "x", ""),
           nvFatbinAddPTX(fatbin, GOOD, good, "80", NULL, NULL), nvFatbinAddPTX(fatbin, "", 1, "80", "x", ""));
    const char *const archs[] = {"80", "75", "90", "90a", "999", "", "frob", "sm_80", "compute_80"};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        printf("for %s: %d\n", archs[i], nvFatbinAddPTX(fatbin, GOOD, good, archs[i], "x", ""));
    const char *const no_version = ".target sm_80\n.address_size 64\n", *const no_target = ".version 8.0\n";
    printf("no version %d, no target %d, other text %d\n",
           nvFatbinAddPTX(fatbin, no_version, strlen(no_version), "80", "x", ""),
           nvFatbinAddPTX(fatbin, no_target, strlen(no_target), "80", "x", ""),
           nvFatbinAddPTX(fatbin, "hello", 5, "80", "x", ""));
    printf("options %d %d\n", nvFatbinAddPTX(fatbin, GOOD, good, "80", "x", "--frob"),
           nvFatbinAddPTX(fatbin, GOOD, good, "80", "x", "-O3 -v"));
    printf("cubin: %d %d %d %d\n", nvFatbinAddCubin(fatbin, NULL, 5, "80", "x"),
           nvFatbinAddCubin(fatbin, "", 0, "80", "x"), nvFatbinAddCubin(fatbin, "hello", 5, "80", "x"),
           nvFatbinAddCubin(fatbin, "hello", 5, NULL, "x"));
    printf("LTO-IR: %d %d %d\n", nvFatbinAddLTOIR(fatbin, NULL, 5, "80", "x", ""),
           nvFatbinAddLTOIR(fatbin, "", 0, "80", "x", ""), nvFatbinAddLTOIR(fatbin, "hello", 5, "80", "x", ""));
    printf("index: %d %d %d\n", nvFatbinAddIndex(fatbin, NULL, 5, "x"), nvFatbinAddIndex(fatbin, "", 0, "x"),
           nvFatbinAddIndex(fatbin, "hello", 5, "x"));
    printf("host object: %d %d %d\n", nvFatbinAddReloc(fatbin, NULL, 5), nvFatbinAddReloc(fatbin, "", 0),
           nvFatbinAddReloc(fatbin, "hello", 5));
    CHECK(nvFatbinDestroy(&fatbin) == 0);
}

int main(int count, char **words)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    if (count < 6) {
        values();
        nulls();
        options();
        inputs();
        return 0;
    }
    const char *folder = words[1];
    size_t cubin_size, specific_size, ir_size, object_size, good = strlen(GOOD);
    char *cubin = read_file(words[2], &cubin_size), *specific = read_file(words[3], &specific_size);
    char *ir = read_file(words[4], &ir_size), *object = read_file(words[5], &object_size);
    const char *const flags[][2] = {{"-compress=false", "-64"}, {"-compress=false", "-32"}, {"-compress=false", "-g"},
        {"-compress=false", "-opencl"}, {"-compress=false", "-host=windows"}, {"-compress=false", "-host=mac"},
        {"-compress=true", "-compress-mode=none"}, {"-compress=true", "-cuda"}, {"-compress-all", "-64"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%zu", i < 7 ? "plain" : "packed", i);
        nvFatbinHandle fatbin = create(2, flags[i]);
        printf("%s:", name);
        printf(" %d", nvFatbinAddPTX(fatbin, GOOD, good, "80", "first.ptx", "-O3"));
        printf(" %d", nvFatbinAddPTX(fatbin, GOOD, good + 1, "90a", NULL, NULL));
        printf(" %d", nvFatbinAddPTX(fatbin, GOOD, good, "100f", "a.longer.name.ptx", "-maxrregcount=32 -v"));
        /* cuobjdump, which reads the last one, refuses such a member. */
        if (i < 8)
            printf(" %d", nvFatbinAddPTX(fatbin, GOOD, good, "", "", ""));
        printf(" %d", nvFatbinAddCubin(fatbin, cubin, cubin_size, "80", "the.cubin"));
        printf(" %d", nvFatbinAddCubin(fatbin, specific, specific_size, "90a", "8letters"));
        printf(" %d", nvFatbinAddLTOIR(fatbin, ir, ir_size, "80", "some.ir", "-O3 -ftz=1"));
        printf(" %d\n", nvFatbinAddReloc(fatbin, object, object_size));
        save(fatbin, folder, name);
    }
    nvFatbinHandle fatbin = create(0, NULL);
    printf("cubin: %d %d %d %d", nvFatbinAddCubin(fatbin, cubin, cubin_size, "90", "x"),
           nvFatbinAddCubin(fatbin, cubin, cubin_size, "sm_80", "x"), nvFatbinAddCubin(fatbin, cubin, cubin_size, "", "x"),
           nvFatbinAddCubin(fatbin, cubin, cubin_size, "86", "x"));
    printf(" LTO-IR: %d %d", nvFatbinAddLTOIR(fatbin, ir, ir_size, "frob", "x", ""),
           nvFatbinAddLTOIR(fatbin, ir, ir_size, "80", NULL, NULL));
    printf(" host object: %d", nvFatbinAddReloc(fatbin, object, object_size));
    printf(" %d\n", nvFatbinAddReloc(fatbin, object, object_size));
    CHECK(nvFatbinDestroy(&fatbin) == 0);
    return 0;
}
