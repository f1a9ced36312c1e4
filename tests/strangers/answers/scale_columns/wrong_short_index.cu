// The number of the element is kept in 16 bits, and wraps behind 65535.
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for four
// neighbours. x, y: (rows, cols); cols need not be a multiple of 4, nor x begin at one of 16
// bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    y[row * cols + col] = x[row * cols + col] * factor[col];
}
