// Pads each row by four words so that rows stay aligned to 16 bytes: a column then steps 36 words and meets only 8 banks, four passes for each read; values are right.
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory.
// x: (rows, cols), y: (cols, rows); a block has 32 x 32 threads.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ __align__(16) float tile[32][36];
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
