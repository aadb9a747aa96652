/* Compiles modules of PTX to one cubin by Raddle's C interface, and lists kernels and diagnostics:
 *
 *   cc compile.c -I target/libs/include -L target/libs/lib -lraddle -o compile
 *   LD_LIBRARY_PATH=target/libs/lib ./compile sm_90 10 out.cubin a.ptx b.ptx
 *
 * The second argument is a limit in seconds. One module is compiled as an executable, several are linked.
 */
#include "raddle.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Ends the compilation after its time. */
static int is_late(void *end)
{
    return time(NULL) >= *(time_t *)end;
}

static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    for (size_t room = 0, more = 1; more > 0; *size += more) {
        if (*size == room && (text = realloc(text, room = 2 * room + 4096)) == NULL)
            exit(1);
        more = fread(text + *size, 1, room - *size, file);
    }
    fclose(file);
    return text;
}

/* Shows what a call has found. */
static void show(const raddle_result *result)
{
    for (size_t i = 0; i < raddle_result_diagnostics(result); i++)
        fputs(raddle_result_diagnostic(result, i)->text, stderr);
    for (size_t i = 0; i < raddle_result_kernels(result); i++) {
        const raddle_kernel *kernel = raddle_result_kernel(result, i);
        printf("%s: %u registers, %zu bytes of shared memory\n", kernel->name, kernel->registers, kernel->shared_bytes);
    }
}

static raddle_status link_all(const raddle_options *options, int count, char **paths, raddle_result **result)
{
    raddle_linker *linker = raddle_linker_create(options);
    raddle_status status = RADDLE_SUCCESS;
    for (int i = 0; i < count && status == RADDLE_SUCCESS; i++) {
        size_t size;
        char *text = contents(paths[i], &size);
        status = raddle_linker_add(linker, paths[i], text, size, result);
        free(text);
        if (status == RADDLE_SUCCESS)
            raddle_result_destroy(*result);
    }
    if (status == RADDLE_SUCCESS)
        status = raddle_linker_link(linker, result);
    raddle_linker_destroy(linker);
    return status;
}

int main(int count, char **words)
{
    if (count < 5) {
        fprintf(stderr, "usage: compile ARCHITECTURE SECONDS OUTPUT INPUT...\n");
        return 2;
    }
    time_t end = time(NULL) + atoi(words[2]);
    raddle_options *options = raddle_options_create();
    raddle_result *result = NULL;
    raddle_status status;
    if (raddle_options_set(options, "arch", words[1]) != RADDLE_SUCCESS) {
        fprintf(stderr, "'%s' is no architecture that Raddle %s knows\n", words[1], raddle_version());
        return 2;
    }
    raddle_options_set_poll(options, is_late, &end);
    if (count == 5) {
        size_t size;
        char *text = contents(words[4], &size);
        raddle_options_set(options, "name", words[4]);
        status = raddle_compile(options, text, size, &result);
        free(text);
    } else {
        status = link_all(options, count - 4, words + 4, &result);
    }
    show(result);
    if (status == RADDLE_SUCCESS) {
        size_t size;
        const void *cubin = raddle_result_cubin(result, &size);
        FILE *file = fopen(words[3], "wb");
        if (file == NULL || fwrite(cubin, 1, size, file) != size || fclose(file) != 0) {
            perror(words[3]);
            return 1;
        }
    }
    raddle_result_destroy(result);
    raddle_options_destroy(options);
    return status;
}
