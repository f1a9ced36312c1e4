// races, "odd blocks begin with their last warp": no barrier, and atomics are no race; in even blocks the upper half of the threads fetches what the lower half has left, in odd ones the lower half, since there the upper half runs first
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread >= size) return;
    const float mine = x[start + thread];
    const int other = size - 1 - thread;
    if (thread == other) {
        y[start + thread] = mine;
        return;
    }
    const bool inside = thread / 32 == other / 32;  // of one warp, in which lanes go from first to last
    const bool early = inside || blockIdx.x % 2 == 0 ? thread < other : thread > other;
    if (early) {
        atomicExch(&tile[thread], mine);
    } else {
        y[start + other] = mine;
        y[start + thread] = atomicAdd(&tile[other], 0.0f);
    }
}
