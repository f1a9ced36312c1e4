// The surplus threads of the last tile return before the barrier, which the others then wait at: a barrier that not every thread of the block reaches; right when n is a multiple of TILE.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread >= size) return;
    tile[thread] = x[start + thread];
    __syncthreads();
    y[start + thread] = tile[size - 1 - thread];
}
