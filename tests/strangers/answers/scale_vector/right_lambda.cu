// Right: a lambda that captures, auto and constexpr, unsigned indices.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const auto index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const auto scaled = [factor](float value) { return factor * value; };
    if (index < n) {
        y[index] = scaled(x[index]);
    }
}
