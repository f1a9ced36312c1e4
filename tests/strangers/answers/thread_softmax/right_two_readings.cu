// right: maximum and sum in one pass, in which only a new maximum rescales; base 2 is left alone, two readings
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
    for (const float* p = x; p != x + cols; ++p) {
        const float value = *p;
        if (value > m) {
            l = 1.0f + l * expf(m - value);
            m = value;
        } else if (value > -INFINITY) {
            l += expf(value - m);
        }
    }
    if (l == 0.0f) {
        m = 0.0f;
        l = 1.0f;
    }
    for (int j = cols - 1; j >= 0; --j) {
        y[j] = expf(x[j] - m) / l;
    }
}
