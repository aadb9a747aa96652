/* Uses every function of raddle.h, with what is right and with what is not. */
#include "check.h"
#include "raddle.h"
#include <stdint.h>

static int calls;

static int never(void *payload)
{
    CHECK(payload == &calls);
    calls++;
    return 0;
}

static int at_once(void *payload)
{
    (void)payload;
    return 1;
}

static void nulls(void)
{
    raddle_options *options = raddle_options_create();
    raddle_result *result = (raddle_result *)&calls;
    size_t size = 7;
    CHECK(options != NULL && raddle_version()[0] >= '0' && raddle_version()[0] <= '9');
    CHECK(raddle_options_set(NULL, "arch", "sm_80") == RADDLE_ERROR_USAGE);
    CHECK(raddle_options_set(options, NULL, "sm_80") == RADDLE_ERROR_USAGE);
    CHECK(raddle_options_set(options, "arch", NULL) == RADDLE_ERROR_USAGE);
    CHECK(raddle_options_set(options, "arch", "sm_20") == RADDLE_ERROR_USAGE);
    CHECK(raddle_options_set(options, "frob", "true") == RADDLE_ERROR_USAGE);
    CHECK(raddle_options_set_poll(NULL, never, &calls) == RADDLE_ERROR_USAGE);
    CHECK(raddle_compile(options, NULL, 3, &result) == RADDLE_ERROR_USAGE && result == NULL);
    CHECK(raddle_linker_create(NULL) == NULL && raddle_linker_create(options) == NULL);
    CHECK(raddle_linker_add(NULL, "a", GOOD, 3, NULL) == RADDLE_ERROR_USAGE);
    CHECK(raddle_linker_link(NULL, &result) == RADDLE_ERROR_USAGE && result == NULL);
    CHECK(raddle_result_cubin(NULL, &size) == NULL && size == 0 && raddle_result_cubin(NULL, NULL) == NULL);
    CHECK(raddle_result_diagnostics(NULL) == 0 && raddle_result_diagnostic(NULL, 0) == NULL);
    CHECK(raddle_result_kernels(NULL) == 0 && raddle_result_kernel(NULL, 0) == NULL);
    raddle_result_destroy(NULL);
    raddle_linker_destroy(NULL);
    raddle_options_destroy(NULL);
    raddle_options_destroy(options);
}

static void compiles(void)
{
    raddle_options *options = raddle_options_create();
    raddle_result *result, *again;
    size_t size, other;
    /* Without options, without a place for the result, with a NUL. */
    CHECK(raddle_compile(NULL, GOOD, strlen(GOOD), NULL) == RADDLE_SUCCESS);
    CHECK(raddle_compile(NULL, GOOD, strlen(GOOD) + 1, &result) == RADDLE_SUCCESS);
    const char *cubin = raddle_result_cubin(result, &size);
    CHECK(size > 64 && memcmp(cubin, "\177ELF", 4) == 0);
    CHECK(raddle_result_kernels(result) == 1 && raddle_result_kernel(result, 1) == NULL);
    const raddle_kernel *kernel = raddle_result_kernel(result, 0);
    CHECK(strcmp(kernel->name, "k") == 0 && kernel->registers > 0 && kernel->registers < 32);
    CHECK(kernel->shared_bytes == 0 && kernel->stack_bytes == 0 && kernel->spill_stores == 0);
    CHECK(raddle_options_set(options, "arch", "sm_90") == 0 && raddle_options_set_poll(options, never, &calls) == 0);
    CHECK(raddle_compile(options, GOOD, strlen(GOOD), &again) == RADDLE_SUCCESS && calls > 0);
    const void *newer = raddle_result_cubin(again, &other);
    CHECK(size != other || memcmp(cubin, newer, size) != 0);
    raddle_result_destroy(again);
    CHECK(raddle_options_set(options, "arch", "sm_80") == 0);
    CHECK(raddle_compile(options, GOOD, strlen(GOOD), &again) == RADDLE_SUCCESS);
    newer = raddle_result_cubin(again, &other);
    CHECK(size == other && memcmp(cubin, newer, size) == 0);
    raddle_result_destroy(again);
    raddle_result_destroy(result);
    /* Spills are seen. */
    CHECK(raddle_options_set(options, "max-registers", "24") == 0);
    CHECK(raddle_compile(options, spilling(), strlen(spilling()), &result) == RADDLE_SUCCESS);
    CHECK(raddle_result_kernel(result, 0)->spill_stores > 0 && raddle_result_kernel(result, 0)->stack_bytes > 0);
    raddle_result_destroy(result);
    raddle_options_destroy(options);
}

static void errors(void)
{
    raddle_options *options = raddle_options_create();
    raddle_result *result;
    CHECK(raddle_options_set(options, "name", "bad.ptx") == 0);
    for (int checks = 0; checks < 2; checks++) {
        raddle_status status = (checks ? raddle_check : raddle_compile)(options, BAD, strlen(BAD), &result);
        CHECK(status == RADDLE_ERROR_INPUT && raddle_result_cubin(result, NULL) == NULL);
        CHECK(raddle_result_diagnostics(result) == 1 && raddle_result_diagnostic(result, 1) == NULL);
        const raddle_diagnostic *found = raddle_result_diagnostic(result, 0);
        CHECK(found->severity == RADDLE_ERROR && found->code[0] == 'E' && strstr(found->message, "frob") != NULL);
        CHECK(strcmp(found->file, "bad.ptx") == 0 && found->line == 6 && found->column == 1);
        CHECK(strstr(found->text, "bad.ptx:6") != NULL);
        raddle_result_destroy(result);
    }
    CHECK(raddle_check(options, GOOD, strlen(GOOD), &result) == RADDLE_SUCCESS);
    CHECK(raddle_result_kernels(result) == 0 && raddle_result_diagnostics(result) == 0);
    raddle_result_destroy(result);
    CHECK(raddle_options_set(options, "kernels", "nosuch") == 0);
    CHECK(raddle_compile(options, GOOD, strlen(GOOD), &result) == RADDLE_ERROR_USAGE);
    raddle_result_destroy(result);
    CHECK(raddle_options_set(options, "kernels", "k") == 0 && raddle_options_set_poll(options, at_once, NULL) == 0);
    CHECK(raddle_compile(options, GOOD, strlen(GOOD), &result) == RADDLE_ERROR_CANCELLED);
    CHECK(raddle_result_diagnostics(result) > 0 && raddle_result_cubin(result, NULL) == NULL);
    raddle_result_destroy(result);
    CHECK(raddle_options_set_poll(options, NULL, NULL) == 0);
    CHECK(raddle_compile(options, GOOD, strlen(GOOD), NULL) == RADDLE_SUCCESS);
    raddle_options_destroy(options);
}

static void links(void)
{
    raddle_options *options = raddle_options_create();
    raddle_result *object, *result;
    size_t size;
    CHECK(raddle_options_set(options, "arch", "sm_80") == 0 && raddle_options_set(options, "relocatable", "true") == 0);
    CHECK(raddle_compile(options, DEFINES, strlen(DEFINES), &object) == RADDLE_SUCCESS);
    const void *bytes = raddle_result_cubin(object, &size);
    for (int with_object = 0; with_object < 2; with_object++) {
        raddle_linker *linker = raddle_linker_create(options);
        CHECK(raddle_linker_add(linker, "uses.ptx", USES, strlen(USES) + 1, &result) == RADDLE_SUCCESS);
        raddle_result_destroy(result);
        CHECK(raddle_linker_add(linker, "junk", "junk", 4, NULL) == RADDLE_ERROR_INPUT);
        if (with_object)
            CHECK(raddle_linker_add(linker, "defines.o", bytes, size, NULL) == RADDLE_SUCCESS);
        raddle_status status = raddle_linker_link(linker, &result);
        CHECK(status == (with_object ? RADDLE_SUCCESS : RADDLE_ERROR_INPUT));
        CHECK((raddle_result_cubin(result, NULL) != NULL) == with_object);
        CHECK(raddle_result_kernels(result) == (size_t)with_object);
        if (!with_object)
            CHECK(strstr(raddle_result_diagnostic(result, 0)->message, "undefined symbol f") != NULL);
        raddle_result_destroy(result);
        CHECK(raddle_linker_link(linker, NULL) == RADDLE_ERROR_USAGE);
        CHECK(raddle_linker_add(linker, "more", GOOD, strlen(GOOD), NULL) == RADDLE_ERROR_USAGE);
        raddle_linker_destroy(linker);
    }
    raddle_result_destroy(object);
    raddle_options_destroy(options);
}

int main(void)
{
    nulls();
    compiles();
    errors();
    links();
    puts("done");
    return 0;
}
