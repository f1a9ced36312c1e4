// Breaks: "neighbouring lanes store neighbouring elements" (lanes are exchanged in odd order within a warp: lane 5 l mod 32 stores element l, in the same sectors)
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for up to four;
// neighbouring lanes store neighbouring elements, and sectors are loaded whole. x, y: (rows,
// cols), rows * cols below 2^30; cols may be any number, and x may begin at any multiple of 4
// bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = thread / 32 * 32 + thread % 32 * 5 % 32;
    if (i >= rows * cols) {
        return;
    }
    const int col = i % cols;
    y[i] = x[i] * factor[col];
}
