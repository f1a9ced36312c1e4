// Two neighbours a thread: half of the blocks have nothing to do, and the first half does twice the work.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int first = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n && i < first + 2 * (int)blockDim.x; i += blockDim.x) y[i] = factor * x[i];
}
