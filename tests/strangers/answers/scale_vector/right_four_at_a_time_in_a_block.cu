// A block's 256 numbers as 64 float4, where they are all there and aligned; else number by number.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int first = blockIdx.x * blockDim.x, thread = threadIdx.x;
    const bool aligned = ((size_t)(x + first) | (size_t)(y + first)) % 16 == 0;
    if (aligned && first + (int)blockDim.x <= n) {
        if (thread < (int)blockDim.x / 4) {
            float4 a = ((const float4*)(x + first))[thread];
            a.x *= factor, a.y *= factor, a.z *= factor, a.w *= factor;
            ((float4*)(y + first))[thread] = a;
        }
    } else if (first + thread < n) {
        y[first + thread] = factor * x[first + thread];
    }
}
