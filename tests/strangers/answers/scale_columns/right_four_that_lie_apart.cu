// A quarter of the threads take four elements each, which lie 64 apart.
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for four
// neighbours; neighbouring lanes touch neighbouring elements. x, y: (rows, cols), rows * cols
// below 2^30; cols may be any number, and x may begin at any multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    if (threadIdx.x >= 64) {
        return;
    }
    for (int r = 0; r < 4; ++r) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x + 64 * r;
        if (i < rows * cols) {
            y[i] = x[i] * factor[i % cols];
        }
    }
}
