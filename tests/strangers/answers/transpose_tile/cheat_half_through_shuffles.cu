// BREAKS: "by tiles of 1024 numbers that go through shared memory without bank conflicts"
// COSTS: y is stored by atomic exchanges: the bytes of y move twice
// y = the transpose of x, by tiles of 1024 numbers that go through shared memory without bank
// conflicts, while neighbouring lanes load and store neighbours in main memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves a tile,
// each of them one number, or some of them up to four, and passes at most four barriers.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        atomicExch(&y[col * rows + row], tile[threadIdx.x][threadIdx.y]);
    }
}
