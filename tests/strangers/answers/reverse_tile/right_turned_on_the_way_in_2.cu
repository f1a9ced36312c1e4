// turned when it goes into the tile, and read straight; two loops over the tile, for any number of threads
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float turned[TILE];
    const int begin = blockIdx.x * TILE;
    const int end = begin + TILE < n ? begin + TILE : n;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        turned[end - 1 - i] = x[i];
    }
    __syncthreads();
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        y[i] = turned[i - begin];
    }
}
