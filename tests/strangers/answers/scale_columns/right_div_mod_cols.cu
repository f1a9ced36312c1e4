// Row by division and column by remainder of cols, as the puzzle wants.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    y[row * cols + col] = x[row * cols + col] * factor[col];
}
