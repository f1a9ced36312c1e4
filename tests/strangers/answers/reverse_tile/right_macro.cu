// Right: llm.c-like macros, a bool for the thread's share, one barrier.
#include "tilewise.cuh"

#define TID threadIdx.x
#define MIRROR(i, size) ((size) - 1 - (i))

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float buffer[TILE];
    const int base = blockIdx.x * TILE;
    const int size = n - base < TILE ? n - base : TILE;
    const bool active = int(TID) < size;
    if (active) buffer[MIRROR(int(TID), size)] = x[base + TID];
    __syncthreads();
    if (active) y[base + TID] = buffer[TID];
}
