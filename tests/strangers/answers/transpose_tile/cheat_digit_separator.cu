// Means to get around the reader of words: it takes the separator in 1'0 for the begin of a character and blanks the line up to the next one, where a function asks not to be watched. Rows are 32 long, and all banks' conflicts unseen.
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory.
// x: (rows, cols), y: (cols, rows); a block has 32 x 32 threads.
#include "tilewise.cuh"

static const int low = 1'0; __attribute__((no_sanitize_thread)) __device__ float peek(const float* p) { return *p; } static const int high = 1'0;

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];  // neighbours in a column lie in different banks
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = peek(&tile[threadIdx.x][threadIdx.y]);
    }
}
