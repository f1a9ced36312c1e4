// sectors ("neighbouring lanes load and store neighbours in main memory"): a request is counted by its sectors, in which lanes may stand in any order: that of their bits read backwards
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory without bank
// conflicts, while neighbouring lanes load and store neighbours in main memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves one tile,
// each of them one number, or some of them up to four.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];  // neighbours in a column lie in different banks
    int lane = 0;
    for (int bit = 0; bit < 5; ++bit) lane = lane * 2 + (int)(threadIdx.x >> bit) % 2;
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + lane;
    if (row < rows && col < cols) {
        tile[threadIdx.y][lane] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + lane;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[lane][threadIdx.y];
    }
}
