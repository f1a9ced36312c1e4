// right: turned on the way in and read straight, with a pointer to the mirrored place and one barrier for all.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    const bool busy = thread < size;
    float* mirrored = tile + (size - 1 - thread);
    if (busy) *mirrored = x[start + thread];
    __syncthreads();
    if (!busy) return;
    y[start + thread] = tile[thread];
}
