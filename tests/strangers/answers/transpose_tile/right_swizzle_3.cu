// Right: no padding, columns swapped by exclusive or (a swizzle), constexpr side and a device function.
#include "tilewise.cuh"

constexpr int SIDE = 32;

__device__ inline int slot(int row, int col) { return row * SIDE + (col ^ row); }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[SIDE * SIDE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (top + ty < rows && left + tx < cols) {
        tile[slot(ty, tx)] = x[(top + ty) * cols + left + tx];
    }
    __syncthreads();
    if (left + ty < cols && top + tx < rows) {
        y[(left + ty) * rows + top + tx] = tile[slot(tx, ty)];
    }
}
