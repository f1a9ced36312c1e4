// Padded tile, but threads beyond the edge return before the barrier, and the tile elements they should store are lost (rows or cols no multiple of 32).
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= rows || col >= cols) return;
    tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    __syncthreads();
    const int row_t = blockIdx.y * 32 + threadIdx.x, col_t = blockIdx.x * 32 + threadIdx.y;
    if (row_t < rows && col_t < cols) {
        y[col_t * rows + row_t] = tile[threadIdx.x][threadIdx.y];
    }
}
