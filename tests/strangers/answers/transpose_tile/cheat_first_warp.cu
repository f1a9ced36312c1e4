// sharing: the first warp of a block moves all 32 rows of the tile, the other 31 wait
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    const int lane = threadIdx.x;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    if (threadIdx.y == 0) {
        for (int r = 0; r < 32; ++r) {
            if (top + r < rows && left + lane < cols) tile[r][lane] = x[(long long)(top + r) * cols + left + lane];
        }
    }
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int r = 0; r < 32; ++r) {
            if (left + r < cols && top + lane < rows) y[(long long)(left + r) * rows + top + lane] = tile[lane][r];
        }
    }
}
