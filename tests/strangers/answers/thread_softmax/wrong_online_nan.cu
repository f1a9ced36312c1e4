// Online softmax with one pass for m and l; a row that begins with -inf takes exp(-inf - -inf) = NaN and the whole row becomes NaN though later numbers are finite.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) {
        float m_new = fmaxf(m, x[j]);
        l = l * expf(m - m_new) + expf(x[j] - m_new);
        m = m_new;
    }
    if (m == -INFINITY) {
        for (int j = 0; j < cols; j++) y[j] = 0.0f;
        return;
    }
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - m) / l;
    }
}
