// style: grid of 256 elements a block, loop with blockDim stride
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int begin = blockIdx.x * 256;
    const int end = min(begin + 256, n);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        y[i] = x[i] * factor;
    }
}
