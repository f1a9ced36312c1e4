// Turns the tile when it is written instead of when it is read: values right, the 32-way conflict has moved to the store.
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory.
// x: (rows, cols), y: (cols, rows); a block has 32 x 32 threads.
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
