//! CPU references of the corpus kernels, by name of their folder.

use crate::kernel::Args;

/// Declares one module per kernel folder, from its `ref.rs`, and a lookup function.
macro_rules! references {
    ($($name:ident $path:literal),* $(,)?) => {
        $(
            #[path = $path]
            mod $name;
        )*

        /// Names of all kernels with a reference, sorted.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The reference of a kernel: computes its outputs in place.
        pub fn find(name: &str) -> Option<fn(&mut Args)> {
            match name {
                $(stringify!($name) => Some($name::run),)*
                _ => None,
            }
        }
    };
}

references! {
    argmax "../corpus/kernels/argmax/ref.rs",
    async_copy "../corpus/kernels/async_copy/ref.rs",
    bitonic "../corpus/kernels/bitonic/ref.rs",
    bits "../corpus/kernels/bits/ref.rs",
    black_scholes "../corpus/kernels/black_scholes/ref.rs",
    block_radix_sort "../corpus/kernels/block_radix_sort/ref.rs",
    byte_code "../corpus/kernels/byte_code/ref.rs",
    call "../corpus/kernels/call/ref.rs",
    collatz "../corpus/kernels/collatz/ref.rs",
    compact "../corpus/kernels/compact/ref.rs",
    convert "../corpus/kernels/convert/ref.rs",
    counters "../corpus/kernels/counters/ref.rs",
    device_scan "../corpus/kernels/device_scan/ref.rs",
    divide "../corpus/kernels/divide/ref.rs",
    divide_f32 "../corpus/kernels/divide_f32/ref.rs",
    divide_f64 "../corpus/kernels/divide_f64/ref.rs",
    dot_f64 "../corpus/kernels/dot_f64/ref.rs",
    dynamic "../corpus/kernels/dynamic/ref.rs",
    early_exit "../corpus/kernels/early_exit/ref.rs",
    exp_log_f64 "../corpus/kernels/exp_log_f64/ref.rs",
    filter "../corpus/kernels/filter/ref.rs",
    fnv "../corpus/kernels/fnv/ref.rs",
    gelu "../corpus/kernels/gelu/ref.rs",
    half2_axpy "../corpus/kernels/half2_axpy/ref.rs",
    histogram "../corpus/kernels/histogram/ref.rs",
    jump_table "../corpus/kernels/jump_table/ref.rs",
    layernorm "../corpus/kernels/layernorm/ref.rs",
    local_sort "../corpus/kernels/local_sort/ref.rs",
    lower_bound "../corpus/kernels/lower_bound/ref.rs",
    mandelbrot "../corpus/kernels/mandelbrot/ref.rs",
    matmul "../corpus/kernels/matmul/ref.rs",
    mix64 "../corpus/kernels/mix64/ref.rs",
    named_barriers "../corpus/kernels/named_barriers/ref.rs",
    nbody "../corpus/kernels/nbody/ref.rs",
    nested "../corpus/kernels/nested/ref.rs",
    peers "../corpus/kernels/peers/ref.rs",
    poly_f64 "../corpus/kernels/poly_f64/ref.rs",
    quantize "../corpus/kernels/quantize/ref.rs",
    reduce_shared "../corpus/kernels/reduce_shared/ref.rs",
    reduce_shuffle "../corpus/kernels/reduce_shuffle/ref.rs",
    remainder64 "../corpus/kernels/remainder64/ref.rs",
    saxpy "../corpus/kernels/saxpy/ref.rs",
    scan "../corpus/kernels/scan/ref.rs",
    sha256 "../corpus/kernels/sha256/ref.rs",
    sine "../corpus/kernels/sine/ref.rs",
    softmax "../corpus/kernels/softmax/ref.rs",
    spill "../corpus/kernels/spill/ref.rs",
    spmv "../corpus/kernels/spmv/ref.rs",
    stencil1d "../corpus/kernels/stencil1d/ref.rs",
    stencil2d "../corpus/kernels/stencil2d/ref.rs",
    transpose "../corpus/kernels/transpose/ref.rs",
    vectors "../corpus/kernels/vectors/ref.rs",
}
