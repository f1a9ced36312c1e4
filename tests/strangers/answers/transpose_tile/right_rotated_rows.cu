// Every row of the tile is rotated by its number; the tile is filled transposed and read along rows.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    const int a = threadIdx.x, b = threadIdx.y;
    const int from_row = blockIdx.y * 32 + b, from_col = blockIdx.x * 32 + a;
    if (from_row < rows && from_col < cols) {
        tile[a][(a + b) % 32] = x[(long long)from_row * cols + from_col];
    }
    __syncthreads();
    const int to_row = blockIdx.x * 32 + b, to_col = blockIdx.y * 32 + a;
    if (to_row < cols && to_col < rows) {
        y[(long long)to_row * rows + to_col] = tile[b][(a + b) % 32];
    }
}
