// sharing: the first warp of each block does all 256 elements of it
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x >= 32) return;
    const int first = blockIdx.x * blockDim.x;
    for (int i = first + threadIdx.x; i < min(first + (int)blockDim.x, n); i += 32) y[i] = factor * x[i];
}
