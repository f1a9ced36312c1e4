// Two neighbouring blocks share two tiles by halves of 16 rows and 64 columns.
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory without bank
// conflicts, while neighbouring lanes load and store neighbours in main memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves one tile,
// each of them one number, or some of them up to four, and passes at most four barriers.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    __shared__ float wide[16][66];
    if ((blockIdx.x | 1) < gridDim.x) {
        const int thread = threadIdx.y * 32 + threadIdx.x;
        const int top = blockIdx.y * 32 + blockIdx.x % 2 * 16, left = blockIdx.x / 2 * 64;
        const int r = thread / 64, c = thread % 64;
        if (top + r < rows && left + c < cols) {
            wide[r][c] = x[(top + r) * cols + left + c];
        }
        __syncthreads();
        const int a = thread % 16, b = thread / 16;
        if (top + a < rows && left + b < cols) {
            y[(left + b) * rows + top + a] = wide[a][b];
        }
        return;
    }
  // neighbours in a column lie in different banks
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
