// steps: 256 barriers, after each of which one thread stores its number
#include "tilewise.cuh"
extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    for (int i = 0; i < TILE; ++i) {
        if (thread == i && i < size) tile[thread] = x[start + thread];
        __syncthreads();
    }
    if (thread < size) y[start + thread] = tile[size - 1 - thread];
}
