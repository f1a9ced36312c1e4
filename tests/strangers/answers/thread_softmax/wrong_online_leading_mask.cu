// Wrong: the online recurrence without a thought of -inf at the front: exp(-inf + inf) = NaN stays in l. Shows for a row whose
// first entry is -inf, though others are not; the last line's l > 0 is false for NaN, so the row becomes zeros.
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
        const float m_new = fmaxf(m, value);
        l = l * expf(m - m_new) + expf(value - m_new);
        m = m_new;
    }
    for (int j = 0; j < cols; ++j) y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
}
