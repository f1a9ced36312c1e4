// Grid-stride loop that makes no assumption on how many blocks were launched.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int threads = gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        y[i] = x[i] * factor;
    }
}
