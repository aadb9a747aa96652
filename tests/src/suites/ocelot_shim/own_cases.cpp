// Cases of our own in the shape of gpuocelot's, for the test of the reader: what the stand-ins compute is what PTX says.
#include <functional>
#include <string>
#include <vector>

namespace test
{

static unsigned align(unsigned at, unsigned bytes) { return (at + bytes - 1) / bytes * bytes; }

struct TestPTXAssembly : Test {
    enum DataType { I8, I16, I32, I64, FP32, FP64 };
    typedef std::vector<DataType> TypeVector;
    struct TestHandle {
        std::string name, ptx;
        void (*reference)(void*, void*);
        char* (*generator)(MersenneTwister&);
        TypeVector inputTypes, outputTypes;
        unsigned threads, ctas;
        int epsilon;
    };
    bool print, enumerate, veryVerbose;
    std::vector<TestHandle> _tests;

    static unsigned bytes(DataType type) { return type == I8 ? 1 : type == I16 ? 2 : type == I32 || type == FP32 ? 4 : 8; }
    bool doTest() { return false; }
    void _loadTests(ir::Instruction::Architecture);
};

}

/// Three words `%a`, `%b`, `%c` go in, `%d` comes out.
static std::string kernel(const std::string& body)
{
    return ".version 3.0\n.target sm_30\n.entry test(.param .u64 to, .param .u64 from) {\n.reg .b64 %t, %f, %w;\n.reg .b32 %a, %b, %c, %d;\n"
           "ld.param.u64 %t, [to];\nld.param.u64 %f, [from];\nld.global.b32 %a, [%f];\nld.global.b32 %b, [%f+4];\n"
           "ld.global.b32 %c, [%f+8];\n"
        + body + "\nst.global.b32 [%t], %d;\nexit;\n}\n";
}

static char* words(test::Test::MersenneTwister& random)
{
    uint32_t* made = new uint32_t[3];
    for (int i = 0; i < 3; ++i) made[i] = random() >> (random() % 32);
    return (char*)made;
}

#define REFERENCE(value)                                                                                                                   \
    [](void* to, void* from) {                                                                                                             \
        uint32_t a, b, c;                                                                                                                  \
        std::memcpy(&a, from, 4), std::memcpy(&b, (char*)from + 4, 4), std::memcpy(&c, (char*)from + 8, 4);                                \
        auto d = value;                                                                                                                    \
        std::memcpy(to, &d, 4);                                                                                                            \
    }

static uint32_t carried(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t high, carry = 0, low;
    hydrazine::multiplyHiLo(high, low, a, b);
    hydrazine::addHiLo(high, low, c);
    hydrazine::add(low, carry, low, a, carry);
    hydrazine::add(low, carry, high, b, carry);
    return low;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t c)
{
    using namespace hydrazine;
    return permute<DefaultPermute>(a, b, c) ^ permute<ForwardFourExtract>(a, b, c) ^ permute<BackwardFourExtract>(a, b, c);
}

static uint32_t clamped(uint32_t a, uint32_t b, uint32_t c)
{
    using namespace hydrazine;
    return permute<ReplicateEight>(a, b, c) ^ permute<EdgeClampLeft>(a, b, c) ^ permute<EdgeClampRight>(a, b, c)
        ^ permute<ReplicateSixteen>(a, b, c);
}

void test::TestPTXAssembly::_loadTests(ir::Instruction::Architecture)
{
    auto add = [this](const char* name, const std::string& body, void (*reference)(void*, void*), DataType type, int epsilon) {
        _tests.push_back({ name, kernel(body), reference, words, { I32, I32, I32 }, { type }, 1, 1, epsilon });
    };
    add("reversed", "brev.b32 %d, %a;", REFERENCE(hydrazine::brev(a)), I32, 0);
    add("counted", "popc.b32 %a, %a;\nclz.b32 %b, %b;\nmad.lo.u32 %d, %b, 64, %a;",
        REFERENCE(hydrazine::popc(a) + 64 * hydrazine::countLeadingZeros(b)), I32, 0);
    add("found", "bfind.s32 %a, %a;\nbfind.shiftamt.u32 %b, %b;\nxor.b32 %d, %a, %b;",
        REFERENCE(hydrazine::bfind((int32_t)a, false) ^ hydrazine::bfind(b, true)), I32, 0);
    add("inserted", "and.b32 %c, %c, 31;\nbfi.b32 %d, %a, %b, %c, 9;", REFERENCE(hydrazine::bitFieldInsert(a, b, c & 31, 9)), I32, 0);
    add("carried", "cvt.u64.u32 %f, %c;\nmul.wide.u32 %w, %a, %b;\nadd.u64 %w, %w, %f;\nmov.b64 {%c, %d}, %w;\nadd.cc.u32 %c, %c, %a;\n"
                   "addc.u32 %d, %d, %b;",
        REFERENCE(carried(a, b, c)), I32, 0);
    auto folded = [](const std::vector<std::string>& modes) {
        std::string body = "mov.b32 %d, 0;\n.reg .b32 %x;\n";
        for (auto& mode : modes) body += "prmt.b32" + mode + " %x, %a, %b, %c;\nxor.b32 %d, %d, %x;\n";
        return body;
    };
    add("permuted", folded({ "", ".f4e", ".b4e" }), REFERENCE(permuted(a, b, c)), I32, 0);
    add("clamped", folded({ ".rc8", ".ecl", ".ecr", ".rc16" }), REFERENCE(clamped(a, b, c)), I32, 0);
    add("root", "cvt.rn.f32.u32 %d, %a;\nsqrt.approx.f32 %d, %d;", REFERENCE(std::sqrt((float)a)), FP32, 14);
}
