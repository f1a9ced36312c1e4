// one pass for maximum and sum, by branches; a second one backwards that divides
// Softmax of every row, one thread for each row. x, y: (rows, cols).
// x is read at most three times, y is written once. A row of -inf gives zeros.
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
        const float a = x[j];
        if (a > m) {
            l = l == 0.0f ? 1.0f : l * expf(m - a) + 1.0f;
            m = a;
        } else if (a > -INFINITY) {
            l += expf(a - m);
        }
    }
    if (l == 0.0f) {
        for (int j = 0; j < cols; ++j) {
            y[j] = 0.0f;
        }
        return;
    }
    for (int j = cols - 1; j >= 0; --j) {
        y[j] = expf(x[j] - m) / l;
    }
}
