// No padding: the columns of row r are swapped by an exclusive or with r, which spreads a column over all banks.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    if (top + ty < rows && left + tx < cols) {
        tile[ty][tx ^ ty] = x[(long long)(top + ty) * cols + left + tx];
    }
    __syncthreads();
    if (top + tx < rows && left + ty < cols) {
        y[(long long)(left + ty) * rows + top + tx] = tile[tx][ty ^ tx];
    }
}
