// A module of eight kernels, as a small library would have it.
#include "../../kernels/collatz/k.cu"
#include "../../kernels/histogram/k.cu"
#include "../../kernels/matmul/k.cu"
#include "../../kernels/reduce_shared/k.cu"
#include "../../kernels/reduce_shuffle/k.cu"
#include "../../kernels/saxpy/k.cu"
#include "../../kernels/scan/k.cu"
#include "../../kernels/transpose/k.cu"
