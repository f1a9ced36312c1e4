// Each thread takes four numbers as float4 and the last n % 4 are left out; also float4 needs a 16-byte address, which a view x[1:] has not; right for aligned vectors whose length is a multiple of 4.
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
