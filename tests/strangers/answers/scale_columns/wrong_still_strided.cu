// Counts the rows from the bottom but still lets the lanes go down a column: right values, a sector for every lane (many rows).
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int col = i / rows;
    const int row = rows - 1 - (i - col * rows);
    const float f = factor[col];
    const float* from = x + row * cols;
    float* to = y + row * cols;
    to[col] = from[col] * f;
}
