// The barrier stands before the tile is filled, so writes and reads of the tile still race.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    float mine = thread < size ? x[start + thread] : 0.0f;
    __syncthreads();
    tile[thread] = mine;
    if (thread < size) {
        y[start + thread] = tile[size - 1 - thread];
    }
    __syncthreads();
}
