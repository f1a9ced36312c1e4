// style: NVIDIA blog: TILE_DIM + 1 padding
#include "tilewise.cuh"

constexpr int TILE_DIM = 32;

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];  // the extra column avoids bank conflicts
    int col = blockIdx.x * TILE_DIM + threadIdx.x;
    int row = blockIdx.y * TILE_DIM + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
    __syncthreads();
    col = blockIdx.y * TILE_DIM + threadIdx.x;  // transposed block offset
    row = blockIdx.x * TILE_DIM + threadIdx.y;
    if (row < cols && col < rows) y[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}
