// style: web port: __restrict__, __ldg, size_t, #pragma unroll, a __forceinline__ helper
#include "tilewise.cuh"

#define PER_BLOCK 256

__device__ __forceinline__ float scaled(float value, float factor) { return __fmul_rn(value, factor); }

extern "C" __global__ void scale_vector(const float* __restrict__ x, float* __restrict__ y, int n,
                                        float factor) {
    const size_t base = static_cast<size_t>(blockIdx.x) * PER_BLOCK;
#pragma unroll 1
    for (unsigned offset = threadIdx.x; offset < PER_BLOCK; offset += blockDim.x) {
        const size_t i = base + offset;
        if (i < static_cast<size_t>(n)) y[i] = scaled(__ldg(x + i), factor);
    }
}
