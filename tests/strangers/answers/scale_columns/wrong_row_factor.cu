// Style: mixes up quotient and remainder, the factor of the row: wrong wherever factors differ; reads past factor where rows > cols.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    y[i] = x[i] * factor[i / cols];
}
