// right: four neighbours by each of 64 threads where both addresses allow it, else one number by each of 256; the tail by scalars.
#include "tilewise.cuh"

__device__ bool at_16_bytes(const void* p) { return ((size_t)p & 15) == 0; }

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int start = blockIdx.x * 256;
    if (at_16_bytes(x) && at_16_bytes(y)) {
        const int i = start + 4 * (int)threadIdx.x;
        if (threadIdx.x >= 64 || i >= n) return;
        if (n - i >= 4) {
            const float4 v = *(const float4*)(x + i);
            *(float4*)(y + i) = {v.x * factor, v.y * factor, v.z * factor, v.w * factor};
        } else {
            for (int j = i; j < n; ++j) y[j] = x[j] * factor;
        }
    } else {
        const int i = start + (int)threadIdx.x;
        if (i < n) y[i] = x[i] * factor;
    }
}
