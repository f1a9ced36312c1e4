// thread ("one number, or up to four"): 48 threads store up to six each
#include "tilewise.cuh"
extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) tile[thread] = x[start + thread];
    __syncthreads();
    for (int i = thread; thread < 48 && i < size; i += 48) y[start + i] = tile[size - 1 - i];
}
