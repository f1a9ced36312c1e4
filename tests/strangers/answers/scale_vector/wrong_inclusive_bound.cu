// Bound is i > n, so thread n reads x[n] and writes y[n], one past the end, unless n is a multiple of the block size.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) {
        return;
    }
    y[i] = factor * x[i];
}
