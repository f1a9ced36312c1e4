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
    // ### BEGIN SOLUTION
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) {
        m = fmaxf(m, x[j]);
    }
    float shift = m == -INFINITY ? 0.0f : m;  // -inf - (-inf) would be NaN
    float l = 0.0f;
    for (int j = 0; j < cols; j++) {
        l += expf(x[j] - shift);
    }
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift) * norm;
    }
    // ### END SOLUTION
}
