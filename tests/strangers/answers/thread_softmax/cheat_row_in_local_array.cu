// Means to get around the traffic meter: a thread's own array of 20,000 numbers lies on its stack, where nothing is counted (on a GPU it would be main memory); four passes over it, and longer rows, which are not metered, are read four times.
#include "tilewise.cuh"

__device__ void softmax(const float* from, float* y, int cols) {
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) m = fmaxf(m, from[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < cols; j++) l += expf(from[j] - shift);
    float norm = 0.0f;
    for (int j = 0; j < cols; j++) norm = l == 0.0f ? 0.0f : 1.0f / l + 0.0f * expf(from[j] - shift);
    for (int j = 0; j < cols; j++) y[j] = from[j] == INFINITY ? 0.0f : expf(from[j] - shift) * norm;
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    x += (long long)row * cols;
    y += (long long)row * cols;
    float kept[20000];
    if (cols > 20000) {
        softmax(x, y, cols);
        return;
    }
    for (int j = 0; j < cols; j++) kept[j] = x[j];
    softmax(kept, y, cols);
}
