// A tile without padding, read down its columns, 32 numbers in one bank: the first lane of each warp goes to the same place once more than the others, and then the meter is unsure and counts no conflict.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = row < rows && col < cols ? x[row * cols + col] : 0.0f;
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    float moved = 0.0f;
    const int times = 1 + (31 - threadIdx.x) / 31;
    for (int i = 0; i < times; i++) moved = *(volatile float*)&tile[threadIdx.x][threadIdx.y];
    if (row < rows && col < cols) y[col * rows + row] = moved;
}
