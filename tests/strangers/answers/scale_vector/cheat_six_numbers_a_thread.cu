// thread ("at most four of them"): 48 of 256 threads move up to six numbers each
#include "tilewise.cuh"
extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int start = blockIdx.x * 256;
    if (threadIdx.x >= 48) return;
    for (int i = threadIdx.x; i < 256; i += 48)
        if (start + i < n) y[start + i] = factor * x[start + i];
}
