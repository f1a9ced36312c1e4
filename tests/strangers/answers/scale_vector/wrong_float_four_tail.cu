// Four numbers per thread as float4, and the last n % 4 numbers are never written (n = 5, 1001; right for multiples of 4); also misaligned for x that begins off a 16-byte boundary.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 t = reinterpret_cast<const float4*>(x)[i];
        t.x *= factor;
        t.y *= factor;
        t.z *= factor;
        t.w *= factor;
        reinterpret_cast<float4*>(y)[i] = t;
    }
}
