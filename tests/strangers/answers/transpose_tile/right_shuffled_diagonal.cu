// Right within its contract: lanes are rotated by the row: lane l of row r takes column l + r of the same 32, in the same sectors, which also spares the padding
// y = the transpose of x, by tiles of 1024 numbers that go through shared memory without bank
// conflicts, while neighbouring lanes load and store neighbours in main memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves a tile,
// each of them one number, or some of them up to four, and passes at most four barriers.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    const int turned = (threadIdx.x + threadIdx.y) % 32;
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + turned;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + turned;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[turned][(threadIdx.y + 32 - turned) % 32];
    }
}
