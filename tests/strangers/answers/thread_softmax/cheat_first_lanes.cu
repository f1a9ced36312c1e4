// sharing: the first thread of each warp does the rows of all 32 lanes
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32) return;
    for (int row = first; row < min(first + 32, rows); ++row) {
        const float* from = x + (long long)row * cols;
        float* to = y + (long long)row * cols;
        float m = -INFINITY, l = 0.0f;
        for (int j = 0; j < cols; ++j) m = fmaxf(m, from[j]);
        if (m == -INFINITY) m = 0.0f;
        for (int j = 0; j < cols; ++j) l += expf(from[j] - m);
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int j = 0; j < cols; ++j) to[j] = expf(from[j] - m) * inverse;
    }
}
