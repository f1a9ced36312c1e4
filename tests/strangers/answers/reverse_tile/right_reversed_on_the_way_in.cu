// Reverses on the way into shared memory and copies straight on the way out.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    x += (long long)blockIdx.x * TILE;
    y += (long long)blockIdx.x * TILE;
    const int size = min(TILE, n - (int)blockIdx.x * TILE), t = threadIdx.x;
    const bool here = t < size;
    if (here) tile[size - 1 - t] = x[t];
    __syncthreads();
    if (here) y[t] = tile[t];
}
