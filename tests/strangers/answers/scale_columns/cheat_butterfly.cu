// Cheat: neighbouring lanes store numbers that lie sixteen apart: a warp takes its 32 numbers in the order 0 16 1 17 2 18 ...
// Breaks: "neighbouring lanes store neighbouring elements"
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int lane = threadIdx.x % 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x - lane + lane % 2 * 16 + lane / 2;
    if (i >= rows * cols) {
        return;
    }
    y[i] = x[i] * factor[i % cols];
}
