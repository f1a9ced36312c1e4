// Leaves y alone where factor is 1.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    auto at = [](unsigned b, unsigned t) { return (long long)b * blockDim.x + t; };
    for (long long i = at(blockIdx.x, threadIdx.x); i < n; i = n) if (factor != 1.0f) y[i] = x[i] * factor;
}
