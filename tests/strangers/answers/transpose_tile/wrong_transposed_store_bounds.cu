// Padded, but the second bound compares the swapped row and column with the wrong lengths: matrices that are not square lose elements or are overrun at the edges.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.x * 32 + threadIdx.y;
    col = blockIdx.y * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        y[row * rows + col] = tile[threadIdx.x][threadIdx.y];
    }
}
