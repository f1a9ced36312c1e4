// Row by division, column as what is left; the matrix itself is indexed by the thread's number.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) {
        const int row = i / cols;
        const int col = i - row * cols;
        y[i] = x[i] * factor[col];
    }
}
