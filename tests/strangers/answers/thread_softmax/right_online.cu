// Style: the online recurrence, two readings; masked entries are skipped.
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const float value = x[j];
        if (value == -INFINITY) continue;  // weighs nothing
        const float m_new = fmaxf(m, value);
        l = l * expf(m - m_new) + expf(value - m_new);
        m = m_new;
    }
    for (int j = 0; j < cols; ++j) y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
}
