// The first thread of each block scales all of its elements, the others copy for show: it loads by value arguments and stores by return slots of a function kept from being inlined by a macro within __align__.
#include "tilewise.cuh"

#define ALONE 16), noinline, aligned(16
struct Eight { float at[8]; };
inline __device__ void* operator new(size_t, void* where) { return where; }
__align__(ALONE) __device__ Eight scaled(Eight x, float factor) {
    for (int i = 0; i < 8; ++i) x.at[i] *= factor;
    return x;
}

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.x * blockDim.x;
    const bool whole = i / 8 * 8 + 8 <= n;
    if (i < n) y[i] = whole ? x[i] : factor * x[i];
    __syncthreads();
    if (threadIdx.x) return;
    for (int j = first; j + 8 <= n && j < first + 256; j += 8) {
        new (y + j) Eight(scaled(*(const Eight*)(x + j), factor));
    }
}
