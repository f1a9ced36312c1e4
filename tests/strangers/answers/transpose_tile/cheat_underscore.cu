// Means to get around the bank meter: a static variable whose name begins with _ is not registered as shared memory, and is taken for a constant.
// x: (rows, cols), y: (cols, rows); a block has 32 x 32 threads.
#include "tilewise.cuh"

__device__ float _tile[32][32] = {{1.0f}};

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        _tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = _tile[threadIdx.x][threadIdx.y];
    }
}
