//! A kernel in Rust, which a test compiles by rustc for nvptx64-nvidia-cuda. rustup has no core library
//! for that target, so that the few traits that rustc itself needs are here.
#![feature(no_core, lang_items, abi_ptx, link_llvm_intrinsics, intrinsics, rustc_attrs, auto_traits)]
#![allow(internal_features, reason = "what takes the place of the core library is one")]
#![no_core]
#![crate_type = "cdylib"]

#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "legacy_receiver"]
pub trait LegacyReceiver {}
impl<T: PointeeSized> LegacyReceiver for &T {}
#[lang = "freeze"]
pub unsafe auto trait Freeze {}

#[lang = "copy"]
pub trait Copy {}
impl Copy for i32 {}
impl Copy for isize {}
impl<T> Copy for *const T {}
impl<T> Copy for *mut T {}

#[lang = "add"]
pub trait Add<Rhs = Self> {
    type Output;
    fn add(self, rhs: Rhs) -> Self::Output;
}
impl Add for i32 {
    type Output = i32;
    fn add(self, rhs: i32) -> i32 {
        self + rhs
    }
}

#[lang = "mul"]
pub trait Mul<Rhs = Self> {
    type Output;
    fn mul(self, rhs: Rhs) -> Self::Output;
}
impl Mul for i32 {
    type Output = i32;
    fn mul(self, rhs: i32) -> i32 {
        self * rhs
    }
}

#[lang = "partial_ord"]
pub trait PartialOrd<Rhs = Self> {
    fn lt(&self, other: &Rhs) -> bool;
}
impl PartialOrd for i32 {
    fn lt(&self, other: &i32) -> bool {
        *self < *other
    }
}

unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.tid.x"]
    fn thread() -> i32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.ntid.x"]
    fn threads() -> i32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.ctaid.x"]
    fn block() -> i32;
}

#[rustc_intrinsic]
unsafe fn arith_offset<T>(pointer: *const T, offset: isize) -> *const T;

/// `y[i] = x[i] * x[i] + i` for each `i` below `n`.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn k(x: *const i32, y: *mut i32, n: i32) {
    let i = block() * threads() + thread();
    if i < n {
        let value = *arith_offset(x, i as isize);
        *(arith_offset(y as *const i32, i as isize) as *mut i32) = value * value + i;
    }
}
