// Pointer arithmetic with a templated helper for the index and a conditional store.
#include "tilewise.cuh"

template <typename T>
__device__ T* mine(T* begin) {
    return begin + (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    float* to = mine(y);
    if (to - y < n) *to = factor * *mine(x);
}
