// Reverses the whole vector without a tile instead of every tile by itself: right for one tile only.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int i = blockIdx.x * TILE + threadIdx.x;
    if (i < n) {
        y[n - 1 - i] = x[i];
    }
}
