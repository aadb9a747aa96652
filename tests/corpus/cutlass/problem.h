// What the programs of this folder share: buffers, and a description of the product that a case asks for.
//
// A program makes its kernels' arguments with CUTLASS' public interface and launches them through runtime.cpp, which
// writes down what would have happened. `product` writes down what the result should be: the campaign fills the
// operands, runs the launches and compares.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "cutlass/cutlass.h"
#include "cutlass/complex.h"
#include "cutlass/numeric_types.h"

namespace raddle {

inline const char* name(cutlass::half_t*) { return "f16"; }
inline const char* name(cutlass::bfloat16_t*) { return "bf16"; }
inline const char* name(cutlass::tfloat32_t*) { return "tf32"; }
inline const char* name(cutlass::float_e4m3_t*) { return "e4m3"; }
inline const char* name(cutlass::float_e5m2_t*) { return "e5m2"; }
inline const char* name(float*) { return "f32"; }
inline const char* name(double*) { return "f64"; }
inline const char* name(int8_t*) { return "s8"; }
inline const char* name(uint8_t*) { return "u8"; }
inline const char* name(int32_t*) { return "s32"; }

/// A buffer of the device.
template <class T>
T* buffer(long count) {
  void* at = nullptr;
  if (cudaMalloc(&at, count * sizeof(T)) != cudaSuccess) abort();
  return static_cast<T*>(at);
}

/// A matrix, or one for each of a batch: its first element and the distances of rows, columns and matrices.
struct View {
  const char* type;
  const void* at;
  long row, column, batch;
};

template <class T>
View view(T* at, long row, long column, long batch = 0) {
  return View{name(static_cast<T*>(nullptr)), at, row, column, batch};
}

/// D = act(alpha * A * B + beta * C + bias of the row). B is K by N.
struct Product {
  int m, n, k, batch = 1;
  double alpha = 1, beta = 0;
  /// `none`, `relu`, or `half`: A holds the first two of each four columns.
  const char* how = "none";
  View a, b, c, d;
  View bias = {"f32", nullptr, 0, 0, 0};
};

inline void write(const char* what, const View& v) {
  std::printf("%s %s %llu %ld %ld %ld\n", what, v.type, (unsigned long long)v.at, v.row, v.column, v.batch);
}

inline void product(const Product& p) {
  std::printf("product %d %d %d %d %g %g %s\n", p.m, p.n, p.k, p.batch, p.alpha, p.beta, p.how);
  write("a", p.a);
  write("b", p.b);
  write("c", p.c);
  write("d", p.d);
  write("bias", p.bias);
}

/// Ends the program if CUTLASS refuses the arguments.
inline void require(cutlass::Status status, const char* of) {
  if (status == cutlass::Status::kSuccess) return;
  std::fprintf(stderr, "%s: %s\n", of, cutlass::cutlassGetStatusString(status));
  std::exit(1);
}

}  // namespace raddle
