// Cheat: lanes of a warp take the columns of a row in the order 0 16 1 17 2 18 ..., so that neighbouring lanes load and store numbers sixteen apart
// Breaks: "neighbouring lanes load and store neighbours in main memory"
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    const int place = threadIdx.x % 2 * 16 + threadIdx.x / 2;
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + place;
    if (row < rows && col < cols) {
        tile[threadIdx.y][place] = x[(long long)row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + place;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[(long long)col * rows + row] = tile[place][threadIdx.y];
    }
}
