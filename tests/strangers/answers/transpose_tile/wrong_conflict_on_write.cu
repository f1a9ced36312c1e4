// Swaps the indices so that the read goes along rows of the tile and the write goes down a column: the conflicts have only moved to the other side.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.x][threadIdx.y] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[threadIdx.y][threadIdx.x];
    }
}
