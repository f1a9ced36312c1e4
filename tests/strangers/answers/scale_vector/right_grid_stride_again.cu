// Right: grid-stride loop with 64-bit indices, so any launch covers the vector.
// y = factor * x, one thread for each element.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = factor * x[i];
    }
}
