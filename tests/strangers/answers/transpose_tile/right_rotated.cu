// right: no padding, row r of the tile is rotated by r places, so that a column lies in 32 banks.
#include "tilewise.cuh"

__device__ __forceinline__ int turned(int row, int col) { return (row + col) & 31; }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
    if (top + warp < rows && left + lane < cols) {
        tile[warp][turned(warp, lane)] = x[(top + warp) * cols + left + lane];
    }
    __syncthreads();
    // row `warp` of this tile of y is column `warp` of the tile of x
    if (left + warp < cols && top + lane < rows) {
        y[(left + warp) * rows + top + lane] = tile[lane][turned(lane, warp)];
    }
}
