// BREAKS: "neighbouring lanes store neighbouring elements, and sectors are loaded whole"
// COSTS: every store is an atomic exchange, serial read-modify-writes in L2: twice the bytes of y
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for up to four;
// neighbouring lanes store neighbouring elements, and sectors are loaded whole. x, y: (rows,
// cols), rows * cols below 2^30; cols may be any number, and x may begin at any multiple of 4
// bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    atomicExch(&y[row * cols + col], x[row * cols + col] * factor[col]);
}
