// sharing: the first block of each row of blocks does the work of all, and the others of its grid return at once
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory.
// x: (rows, cols), y: (cols, rows); a block has 32 x 32 threads.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];  // neighbours in a column lie in different banks
    if (blockIdx.x > 0) return;
    for (unsigned unit = 0; unit < gridDim.x; ++unit) {
        int row = blockIdx.y * 32 + threadIdx.y, col = unit * 32 + threadIdx.x;
        if (row < rows && col < cols) {
            tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
        }
        __syncthreads();
        row = blockIdx.y * 32 + threadIdx.x;
        col = unit * 32 + threadIdx.y;
        if (row < rows && col < cols) {
            y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
        }
        __syncthreads();
    }
}
