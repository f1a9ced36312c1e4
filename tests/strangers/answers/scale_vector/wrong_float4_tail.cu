// Moves float4 and forgets the tail: the last n % 4 elements are never written.
// y = factor * x, one thread for each element.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 a = reinterpret_cast<const float4*>(x)[i];
        a.x *= factor;
        a.y *= factor;
        a.z *= factor;
        a.w *= factor;
        reinterpret_cast<float4*>(y)[i] = a;
    }
}
