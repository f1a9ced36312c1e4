// no padding: columns are swizzled with an exclusive or, so that 32 lanes meet 32 banks both ways
#include "tilewise.cuh"

#define EDGE 32

__device__ __forceinline__ int slot(int row, int col) { return row * EDGE + (col ^ row); }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[EDGE * EDGE];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int top = blockIdx.y * EDGE, left = blockIdx.x * EDGE;

    if (top + warp < rows && left + lane < cols) {
        tile[slot(warp, lane)] = x[(top + warp) * cols + left + lane];
    }
    __syncthreads();
    if (top + lane < rows && left + warp < cols) {
        y[(left + warp) * rows + top + lane] = tile[slot(lane, warp)];
    }
}
