// Grid-stride loop with 64-bit indices and __restrict__ pointers.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* __restrict__ x, float* __restrict__ y, int n,
                                        float factor) {
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = factor * x[i];
    }
}
