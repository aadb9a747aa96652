// Stand-in for the runtime of CUDA and the interface of gpuocelot: there is no device, and whoever asks for one is stopped.
#pragma once

#include <cstddef>
#include <istream>
#include <stdexcept>
#include <string>

#include "ir.h"

struct dim3 {
    dim3(unsigned, unsigned, unsigned) { }
};

struct cudaDeviceProp {
    char name[1];
};

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

[[noreturn]] inline void noDevice() { throw std::logic_error("there is no device"); }

inline void cudaGetDeviceCount(int*) { noDevice(); }
inline void cudaGetDeviceProperties(cudaDeviceProp*, int) { noDevice(); }
inline void cudaSetDevice(int) { noDevice(); }
inline void cudaMalloc(void**, size_t) { noDevice(); }
inline void cudaFree(void*) { noDevice(); }
inline void cudaMemset(void*, int, size_t) { noDevice(); }
inline void cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind) { noDevice(); }
inline void cudaSetupArgument(const void*, size_t, size_t) { noDevice(); }
inline void cudaConfigureCall(dim3, dim3, size_t, int) { noDevice(); }
inline void cudaThreadSynchronize() { noDevice(); }

namespace executive
{

struct DeviceProperties {
    ir::Instruction::Architecture ISA;
};

namespace tex
{

template <unsigned component, typename D, typename... C> D sample(const ir::Texture&, C...) { noDevice(); }

}

}

namespace ocelot
{

inline void registerPTXModule(std::istream&, const std::string&) { noDevice(); }
inline void unregisterModule(const std::string&) { noDevice(); }
inline void launch(const std::string&, const std::string&) { noDevice(); }
inline void getDeviceProperties(executive::DeviceProperties&) { noDevice(); }

}
