// Rows of the tile padded to 33 words.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32 + 1];  // rows begin in different banks
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
    }
}
