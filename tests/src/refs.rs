//! CPU references of the corpus kernels, by name of their folder.

use crate::kernel::Args;

/// Declares one module per kernel folder, from its `ref.rs`, and the function that finds it.
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
    collatz "../corpus/kernels/collatz/ref.rs",
    histogram "../corpus/kernels/histogram/ref.rs",
    matmul "../corpus/kernels/matmul/ref.rs",
    reduce_shared "../corpus/kernels/reduce_shared/ref.rs",
    reduce_shuffle "../corpus/kernels/reduce_shuffle/ref.rs",
    saxpy "../corpus/kernels/saxpy/ref.rs",
    scan "../corpus/kernels/scan/ref.rs",
    transpose "../corpus/kernels/transpose/ref.rs",
}
