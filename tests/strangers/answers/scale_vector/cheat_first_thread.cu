// sharing: the first thread of each block does all 256 elements of it, as on a processor
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x) return;
    const int first = blockIdx.x * blockDim.x;
    for (int i = first; i < min(first + (int)blockDim.x, n); ++i) y[i] = factor * x[i];
}
