// Sends threads home only for i > n: element n is read and written past the end whenever n is not a multiple of the block size.
// y = factor * x, one thread for each element.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    y[i] = x[i] * factor;
}
