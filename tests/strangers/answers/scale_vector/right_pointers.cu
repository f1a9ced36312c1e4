// right: pointers to the block's piece, the number of what is left compared with the thread (no sum that could pass 2^31)
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const long long start = 256LL * blockIdx.x;
    const float* from = x + start;
    float* to = y + start;
    const long long left = n - start;
    for (int thread = threadIdx.x; thread < 256; thread += blockDim.x) {
        if (thread < left) to[thread] = from[thread] * factor;
    }
}
