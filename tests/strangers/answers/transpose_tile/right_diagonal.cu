// no spare word: every row of the tile is turned by its number, so that rows and columns both lie in 32 banks
#include "tilewise.cuh"

__device__ int place(int row, int col) { return row * 32 + (row + col) % 32; }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[1024];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    const int height = min(32, rows - top), width = min(32, cols - left);
    if (warp < height && lane < width) {
        tile[place(warp, lane)] = x[(size_t)(top + warp) * cols + left + lane];
    }
    __syncthreads();
    if (warp < width && lane < height) {
        y[(size_t)(left + warp) * rows + top + lane] = tile[place(lane, warp)];
    }
}
