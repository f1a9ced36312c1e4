// Padded rightly, but threads outside the matrix return before the barrier: they are missing at it, and, where a tile is cut off (sides that are no multiples of 32), elements that such threads should store are never written.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= rows || col >= cols) return;
    tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
    }
}
