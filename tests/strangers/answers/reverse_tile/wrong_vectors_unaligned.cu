// A full tile is read as float4 and written as float4 backwards; a shorter one number by number. Nobody asks whether x begins at 16 bytes.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int start = blockIdx.x * TILE, size = min(TILE, n - start), thread = threadIdx.x;
    if (size == TILE) {
        if (4 * thread < TILE) {
            const float4 a = *(const float4*)(x + start + TILE - 4 - 4 * thread);
            *(float4*)(y + start + 4 * thread) = {a.w, a.z, a.y, a.x};
        }
    } else if (thread < size) {
        y[start + thread] = x[start + size - 1 - thread];
    }
}
