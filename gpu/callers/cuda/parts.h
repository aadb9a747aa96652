// What both files of the program "parts" know.
#pragma once
struct Base {
    int k;
    __device__ Base(int k) : k(k) {}
    __device__ virtual int value(int x);
    __device__ virtual ~Base() {}
};
struct Derived : Base {
    using Base::Base;
    __device__ int value(int x) override;
};
extern __device__ int shared_state[4];
extern __constant__ int shared_constant;
extern __shared__ int scratch[];
__device__ int far_call(int x, double y, const int *z);
__device__ int far_recursion(int n);
typedef int (*Far)(int);
extern __device__ Far far_table[3];
