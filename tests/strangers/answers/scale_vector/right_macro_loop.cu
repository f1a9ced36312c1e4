// Right: a loop macro with blockDim stride, const int locals, unsigned arithmetic, a commented first attempt
#include "tilewise.cuh"

#define PER_BLOCK 256u
#define FOR_MINE(i, n)                                                                     \
    for (unsigned i = blockIdx.x * PER_BLOCK + threadIdx.x,                                \
                  stop_##i = min((blockIdx.x + 1u) * PER_BLOCK, (unsigned)(n));            \
         i < stop_##i; i += blockDim.x)

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    // int i = threadIdx.x;  y[i] = factor * x[i];   // only the first block!
    FOR_MINE(i, n) y[i] = factor * x[i];
}
