// Stand-in for the utilities that gpuocelot's test of instructions uses: what the operations of PTX mean, from the manual of PTX, on the host.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <math.h>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

// A macro of newer C libraries; the test has a function of this name.
#undef issubnormal

#define report(x)
#define assertM(condition, message)                                                                                                        \
    do {                                                                                                                                   \
        if (!(condition)) throw std::logic_error(message);                                                                                 \
    } while (false)

namespace hydrazine
{

typedef std::runtime_error Exception;

/// A clock that stands still: nothing here depends on time.
struct Timer {
    typedef double Second;

    void start() { }
    void stop() { }
    Second seconds() const { return 0; }
};

/// Takes no arguments: every option keeps its default.
struct ArgumentParser {
    ArgumentParser(int, char**) { }
    void description(const std::string&) { }
    template <typename T, typename D> void parse(const char*, const char*, T& value, const D& otherwise, const char*) { value = otherwise; }
    void parse() { }
};

template <typename To, typename From> To bit_cast(const From& from)
{
    To to = To();
    std::memcpy(&to, &from, sizeof(to) < sizeof(from) ? sizeof(to) : sizeof(from));
    return to;
}

inline int fegetround() { return std::fegetround(); }
inline int fesetround(int mode) { return std::fesetround(mode); }
template <typename T> T trunc(T value) { return std::trunc(value); }

template <typename T> unsigned popc(T value)
{
    unsigned count = 0;
    for (typename std::make_unsigned<T>::type bits = value; bits != 0; bits &= bits - 1) ++count;
    return count;
}

template <typename T> unsigned countLeadingZeros(T value)
{
    unsigned count = 8 * sizeof(T);
    for (typename std::make_unsigned<T>::type bits = value; bits != 0; bits >>= 1) --count;
    return count;
}

/// Position of the highest one, of the highest bit that is not the sign in a signed value; with `shift` its distance from the top.
template <typename T> uint32_t bfind(T value, bool shift)
{
    const T bits = value < 0 ? ~value : value;
    const unsigned zeros = countLeadingZeros(bits);
    if (zeros == 8 * sizeof(T)) return ~uint32_t(0);
    return shift ? zeros : 8 * sizeof(T) - 1 - zeros;
}

template <typename T> T brev(T value)
{
    T reversed = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) reversed |= ((value >> bit) & 1) << (8 * sizeof(T) - 1 - bit);
    return reversed;
}

/// `into` with the lowest `length` bits of `field` at `position`.
template <typename T> T bitFieldInsert(T field, T into, uint32_t position, uint32_t length)
{
    for (uint32_t bit = 0; bit < length && position + bit < 8 * sizeof(T); ++bit) {
        const T one = T(1) << (position + bit);
        into = (field >> bit) & 1 ? into | one : into & ~one;
    }
    return into;
}

/// The product in two halves.
template <typename T> void multiplyHiLo(T& high, T& low, T a, T b)
{
    const __int128 product = std::is_signed<T>::value ? __int128(a) * b : (__int128)((unsigned __int128)a * b);
    low = T(product);
    high = T(product >> 8 * sizeof(T));
}

/// Adds the lower half of another number to a number in two halves.
template <typename T> void addHiLo(T& high, T& low, T value)
{
    typedef typename std::make_unsigned<T>::type Bits;
    const unsigned __int128 sum = (unsigned __int128)Bits(low) + Bits(value);
    low = T(sum);
    high = T(Bits(high) + Bits(sum >> 8 * sizeof(T)));
}

/// Sum of two numbers and a carry that may be -1, and the carry out of it.
template <typename T> void add(T& sum, T& carry, T a, T b, T in)
{
    typedef typename std::make_unsigned<T>::type Bits;
    typedef typename std::make_signed<T>::type Signed;
    const __int128 wide = __int128(Bits(a)) + Bits(b) + Signed(in);
    sum = T(wide);
    carry = T((wide >> 8 * sizeof(T)) & 1);
}

enum PermuteMode {
    DefaultPermute,
    ForwardFourExtract,
    BackwardFourExtract,
    ReplicateEight,
    EdgeClampLeft,
    EdgeClampRight,
    ReplicateSixteen
};

template <PermuteMode mode> uint32_t permute(uint32_t a, uint32_t b, uint32_t control)
{
    const uint64_t bytes = uint64_t(b) << 32 | a;
    const uint32_t c = control & 3;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t nibble = control >> (4 * i) & 15;
        const uint32_t from = mode == DefaultPermute ? nibble & 7
            : mode == ForwardFourExtract             ? c + i
            : mode == BackwardFourExtract            ? (c - i) & 7
            : mode == ReplicateEight                 ? c
            : mode == EdgeClampLeft                  ? (i > c ? i : c)
            : mode == EdgeClampRight                 ? (i < c ? i : c)
                                                     : 2 * (c & 1) + (i & 1);
        uint32_t byte = bytes >> (8 * from) & 0xff;
        if (mode == DefaultPermute && (nibble & 8)) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}

}

namespace test
{

/// What the class of the tests is made of.
class Test
{
public:
    typedef std::mt19937 MersenneTwister;

    virtual ~Test() { }
    virtual bool doTest() = 0;
    void test() { doTest(); }
    bool passed() const { return false; }
    std::string testDescription() const { return description; }

    MersenneTwister random;
    std::stringstream status;
    std::string name;
    std::string description;
    bool verbose = false;
    unsigned seed = 0;
};

}
