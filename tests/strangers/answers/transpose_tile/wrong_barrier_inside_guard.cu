// The barrier lies within the guard.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    if (r0 + ty < rows && c0 + tx < cols) { tile[32 * ty + (tx ^ ty)] = x[(r0 + ty) * cols + c0 + tx]; __syncthreads(); }
    if (c0 + ty < cols && r0 + tx < rows) y[(c0 + ty) * rows + r0 + tx] = tile[32 * tx + (tx ^ ty)];
}
