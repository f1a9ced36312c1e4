// Wrong: writes the exponentials to y and then divides them there.
// Breaks: "x is read at most three times, y is written once."
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
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift);
        l += y[j];
    }
    for (int j = 0; j < cols; j++) y[j] = l > 0.0f ? y[j] / l : 0.0f;
}
