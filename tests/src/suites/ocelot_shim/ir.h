// Stand-in for the PTX tree of gpuocelot: names of types, operations and modifiers, as far as its test of instructions uses them.
// The values are ours, the spellings are those of PTX.
#pragma once

#include <map>
#include <string>

namespace ir
{

struct Instruction {
    enum Architecture { Emulated, LLVM, VIR, CAL };

    static std::string toString(Architecture) { return "host"; }
};

struct PTXOperand {
    enum DataType { s8, s16, s32, s64, u8, u16, u32, u64, f16, f32, f64, b8, b16, b32, b64, pred };
    enum PredicateCondition { Pred, InvPred };
    enum Vec { v1 = 1, v2 = 2, v4 = 4 };

    static std::string toString(DataType type)
    {
        static const char* const names[] = {
            "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "b8", "b16", "b32", "b64", "pred"
        };
        return names[type];
    }
    static bool isFloat(DataType type) { return type == f16 || type == f32 || type == f64; }
    /// Bytes in memory; a predicate has none, and counts as one.
    static unsigned bytes(DataType type)
    {
        static const unsigned sizes[] = { 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1, 2, 4, 8, 1 };
        return sizes[type];
    }
};

struct PTXInstruction {
    typedef PTXOperand::Vec Vec;
    enum Opcode { And, CNot, Cos, Ex2, Lg2, Not, Or, Shl, Shr, Sin, Xor };
    /// Bits of a set: a test may have a rounding and others.
    enum Modifier { rn = 1, rz = 2, rm = 4, rp = 8, sat = 16, ftz = 32, approx = 64, full = 128 };
    enum AddressSpace { Const, Global, Local, Param, Shared };
    enum CmpOp { Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
    enum BoolOp { BoolAnd, BoolOr, BoolXor, BoolOp_Invalid };
    enum PermuteMode {
        DefaultPermute,
        ForwardFourExtract,
        BackwardFourExtract,
        ReplicateEight,
        EdgeClampLeft,
        EdgeClampRight,
        ReplicateSixteen
    };
    enum FloatingPointMode { Finite, Infinite, Number, NotANumber, Normal, SubNormal };
    /// By the number of coordinates.
    enum Geometry { _1d = 1, _2d = 2, _3d = 3 };

    static std::string toString(Opcode op)
    {
        static const char* const names[] = { "and", "cnot", "cos", "ex2", "lg2", "not", "or", "shl", "shr", "sin", "xor" };
        return names[op];
    }
    static std::string toString(AddressSpace space)
    {
        static const char* const names[] = { "const", "global", "local", "param", "shared" };
        return names[space];
    }
    static std::string toString(CmpOp op)
    {
        static const char* const names[] = { "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi",
            "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan" };
        return names[op];
    }
    static std::string toString(BoolOp op)
    {
        static const char* const names[] = { "and", "or", "xor", "" };
        return names[op];
    }
    static std::string toString(PermuteMode mode)
    {
        static const char* const names[] = { "", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16" };
        return names[mode];
    }
    static std::string toString(FloatingPointMode mode)
    {
        static const char* const names[] = { "finite", "infinite", "number", "notanumber", "normal", "subnormal" };
        return names[mode];
    }
    static std::string toString(Geometry geometry) { return std::to_string(int(geometry)) + "d"; }
    static std::string toString(Vec vec) { return "v" + std::to_string(int(vec)); }
    /// The rounding in a set of modifiers, empty where there is none.
    static std::string roundingMode(Modifier modifiers)
    {
        static const std::map<Modifier, const char*> names = { { rn, "rn" }, { rz, "rz" }, { rm, "rm" }, { rp, "rp" } };
        for (auto& name : names)
            if (modifiers & name.first) return name.second;
        return "";
    }
};

/// No texture is ever made.
struct Texture { };

}
