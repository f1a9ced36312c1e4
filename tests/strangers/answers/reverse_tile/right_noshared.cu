// Right within its contract: Nothing goes through shared memory and no barrier is passed: each thread reads its number backwards straight from main memory.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        y[start + thread] = x[start + size - 1 - thread];
    }
}
