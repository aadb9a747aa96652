/* What the test programs share: checks, and modules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition);  \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

#define WORDS(...) (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]){__VA_ARGS__}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* A kernel that stores a number. */
static const char *const GOOD = HEAD
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

/* An instruction that there is not. */
static const char *const BAD = HEAD ".visible .entry k()\n{\nfrob.u32;\nret;\n}\n";

/* A version that there is not. */
static const char *const NEW = ".version 99.9\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

/* A call of a function that another module defines, and that module. */
static const char *const USES = HEAD
    ".extern .func (.param .b32 r) f(.param .b32 a);\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, 1;\n"
    "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r1;\ncall (r), f, (a);\nld.param.b32 %r2, [r];\n}\n"
    "st.global.u32 [%rd1], %r2;\nret;\n}\n";
static const char *const DEFINES = HEAD
    ".visible .func (.param .b32 r) f(.param .b32 a)\n{\n"
    ".reg .b32 %r<3>;\nld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, 5;\nst.param.b32 [r], %r2;\nret;\n}\n";

/* A kernel that holds 60 values at once: too many for 24 registers. */
static inline const char *spilling(void)
{
    static char text[1 << 13];
    char *end = text + sprintf(text, "%s.visible .entry k(.param .u64 p)\n{\n.reg .b64 %%rd<2>;\n.reg .f32 %%f<60>;\n"
                                     "ld.param.u64 %%rd1, [p];\n", HEAD);
    for (int i = 0; i < 60; i++)
        end += sprintf(end, "ld.volatile.global.f32 %%f%d, [%%rd1+%d];\n", i, 4 * i);
    for (int i = 0; i < 60; i++)
        end += sprintf(end, "st.volatile.global.f32 [%%rd1+%d], %%f%d;\n", 4 * (59 - i), i);
    strcpy(end, "ret;\n}\n");
    return text;
}

/* Prints the lines of a log, with a sign in place of each number. */
static inline void show_lines(const char *text)
{
    printf("<<");
    for (; *text != 0; text++) {
        if (*text >= '0' && *text <= '9') {
            while (text[1] >= '0' && text[1] <= '9')
                text++;
            putchar('#');
        } else {
            putchar(*text);
        }
    }
    printf(">>\n");
}

/* Prints what a log is: its size beside that of its text, its first line if it is to be the same everywhere. */
static inline void show_log(const char *what, size_t size, const char *text, int exact)
{
    if (size == 0) {
        printf(" %s=none,%d", what, text[0]);
        return;
    }
    printf(" %s=%s,%s", what, size == strlen(text) + 1 ? "with its NUL" : "of another size",
           text[strlen(text) - 1] == '\n' ? "lines" : "no lines");
    if (exact)
        printf(",[%.*s]", (int)strcspn(text, "\n"), text);
}

/* Prints what a cubin is. */
static inline void show_cubin(size_t size, const unsigned char *bytes)
{
    int is_elf = size > 64 && memcmp(bytes, "\177ELF", 4) == 0;
    printf(" cubin=%s,type %d,machine %d", is_elf ? "ELF" : "none", is_elf ? bytes[16] : 0, is_elf ? bytes[18] : 0);
}
