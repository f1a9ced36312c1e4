// Long indices and pointers to the row.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)rows * cols) return;
    const long long row = i / cols;
    const int col = (int)(i % cols);
    const float* from = x + row * cols;
    float* to = y + row * cols;
    to[col] = factor[col] * from[col];
}
