// A flat array of 32 x 33 floats, the tile written turned already and read along its rows.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float turned[32 * 33];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = 32 * blockIdx.y, c0 = 32 * blockIdx.x;
    if (r0 + ty < rows && c0 + tx < cols) turned[tx * 33 + ty] = x[size_t(r0 + ty) * cols + c0 + tx];
    __syncthreads();
    if (c0 + ty < cols && r0 + tx < rows) y[size_t(c0 + ty) * rows + r0 + tx] = turned[ty * 33 + tx];
}
