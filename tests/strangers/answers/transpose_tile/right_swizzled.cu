// No padding: the column within a row of the tile is xored with the row.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    if (row < rows && col < cols) tile[ty * 32 + (tx ^ ty)] = x[row * cols + col];
    __syncthreads();
    row = blockIdx.y * 32 + tx;
    col = blockIdx.x * 32 + ty;
    if (row < rows && col < cols) y[col * rows + row] = tile[tx * 32 + (ty ^ tx)];
}
