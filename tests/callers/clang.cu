// A kernel for clang without the headers of a toolkit: it wants these declarations of the runtime.
struct dim3 {
    unsigned x, y, z;
};
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
extern "C" unsigned __cudaPopCallConfiguration(dim3 *, dim3 *, unsigned long *, void *);

__attribute__((global)) void k(const int *x, int *y, int n) {
    int i = __nvvm_read_ptx_sreg_ctaid_x() * 64 + __nvvm_read_ptx_sreg_tid_x();
    if (i < n) y[i] = x[i] - 7;
}
