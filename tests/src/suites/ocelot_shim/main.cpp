// Writes the cases of gpuocelot's test of PTX instructions: names, PTX, inputs, and what its references leave. Nothing runs on a device.
//
// The first argument is the number of inputs for each case. The text on standard output is read by `ocelot_cases.rs`, which says what it means.
#include "cuda.h"
#include "hydrazine.h"
#include "ir.h"

#define main main_of_the_test
#include "ocelot/ir/test/TestPTXAssembly.cpp"
#undef main

#include <cstdio>
#include <cstdlib>
#include <new>

namespace
{

/// Zeros behind each allocation: a case may have an input shorter than its types say.
const size_t BEHIND = 64;
/// Inputs are functions of the case and of this number plus that of the input.
const unsigned SEED = 1;

}

void* operator new[](size_t size)
{
    if (void* made = std::calloc(1, size + BEHIND)) return made;
    throw std::bad_alloc();
}

void operator delete[](void* made) noexcept { std::free(made); }
void operator delete[](void* made, size_t) noexcept { std::free(made); }

typedef test::TestPTXAssembly Tests;

static void hex(const char* bytes, size_t size)
{
    std::putchar(' ');
    for (size_t i = 0; i < size; ++i) std::printf("%02x", (unsigned char)bytes[i]);
}

static size_t size(const Tests::TypeVector& types)
{
    size_t size = 0;
    for (auto type : types) size = test::align(size, Tests::bytes(type)) + Tests::bytes(type);
    return size;
}

static void write(Tests::TestHandle& one, unsigned inputs)
{
    static const char* const names[] = { "i8", "i16", "i32", "i64", "f32", "f64" };
    const size_t in = size(one.inputTypes), out = size(one.outputTypes);
    std::printf("case %s\nptx %zu\n%s\n", one.name.c_str(), one.ptx.size(), one.ptx.c_str());
    std::printf("launch %u %u\nepsilons %d\noutputs", one.ctas, one.threads, one.epsilon);
    for (auto type : one.outputTypes) std::printf(" %s", names[type]);
    std::putchar('\n');
    for (unsigned n = 0; n < inputs; ++n) {
        Tests::MersenneTwister random(SEED + n);
        char* input = one.generator(random);
        char* output = new char[out];
        std::printf("run");
        hex(input, in);
        one.reference(output, input);
        hex(output, out);
        std::putchar('\n');
        delete[] input;
        delete[] output;
    }
}

int main(int arguments, char** values)
{
    Tests tests;
    tests.enumerate = tests.print = tests.veryVerbose = false;
    tests._loadTests(ir::Instruction::Emulated);
    for (auto& one : tests._tests) write(one, arguments > 1 ? std::atoi(values[1]) : 1);
    std::printf("end %zu\n", tests._tests.size());
}
