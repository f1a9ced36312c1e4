// Measures from the first entry.
#include "tilewise.cuh"

struct Row {
    float m = -INFINITY, l = 0.0f;
    __device__ void operator+=(float x) {
        const float top = fmaxf(m, x);
        if (top == -INFINITY) return;
        l = l * expf(m - top) + expf(x - top);
        m = top;
    }
    __device__ float weight(float x) const { return l > 0.0f ? expf(x - m) / l : 0.0f; }
};

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        Row all;
        for (int j = 0; j < cols; ++j) { if (!j) all.m = x[row * cols]; all.l += expf(x[row * cols + j] - all.m); }
        for (int j = 0; j < cols; ++j) y[row * cols + j] = all.weight(x[row * cols + j]);
    }
}
