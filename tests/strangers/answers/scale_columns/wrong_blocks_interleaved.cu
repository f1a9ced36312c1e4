// Gives neighbouring elements to neighbouring blocks instead of neighbouring threads (i = thread * blocks + block): all values right, but with more than one block the lanes of a warp lie gridDim.x elements apart and every lane touches a sector of its own.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = threadIdx.x * gridDim.x + blockIdx.x;  // spread the load evenly over the blocks
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    y[row * cols + col] = x[row * cols + col] * factor[col];
}
