// A small byte-code machine: every lane runs a program of its own through a switch.
extern "C" __global__ void byte_code(const unsigned char *__restrict__ code, const unsigned *__restrict__ x, unsigned *__restrict__ y, int n,
                                   int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    for (int pc = 0; pc < length; ++pc) {
        switch (code[i * length + pc]) {
        case 0: v += 0x9e3779b9u; break;
        case 1: v ^= v << 13; break;
        case 2: v ^= v >> 17; break;
        case 3: v *= 0x85ebca6bu; break;
        case 4: v = (v << 7) | (v >> 25); break;
        case 5: v = ~v; break;
        case 6: v -= x[n - 1 - i]; break;
        case 7: if (v & 1) ++pc; break;
        case 8: v = v / 3; break;
        case 9: v = v > 1000u ? v - 1000u : v; break;
        default: v += pc; break;
        }
    }
    y[i] = v;
}
