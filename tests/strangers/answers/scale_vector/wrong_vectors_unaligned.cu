// A block's 256 numbers as float4 wherever four are there, with a tail of single ones; but nobody asks whether x begins at 16 bytes, as a view x[1:] does not.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + 4 * threadIdx.x;
    if (4 * threadIdx.x >= blockDim.x) return;
    if (i + 3 < n) {
        const float4 a = *(const float4*)(x + i);
        *(float4*)(y + i) = {a.x * factor, a.y * factor, a.z * factor, a.w * factor};
    } else {
        for (int j = i; j < n; ++j) y[j] = x[j] * factor;
    }
}
