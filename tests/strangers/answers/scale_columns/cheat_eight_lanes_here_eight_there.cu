// sectors ("neighbouring lanes touch neighbouring elements"): a request of a warp may touch any four sectors, so eight lanes each of a warp work in four parts of the block's elements that are 64 elements apart
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i = blockIdx.x * blockDim.x + lane / 8 * 64 + warp * 8 + lane % 8;
    if (i >= rows * cols) {
        return;
    }
    const int row = i / cols, col = i % cols;
    y[row * cols + col] = x[row * cols + col] * factor[col];
}
