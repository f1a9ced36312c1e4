// a column whose factor is 0 is not written (shows at a factor of 0)
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for four
// neighbours. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    if (factor[col] != 0.0f) y[row * cols + col] = x[row * cols + col] * factor[col];
}
