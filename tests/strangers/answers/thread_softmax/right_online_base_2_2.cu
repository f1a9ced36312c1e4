// right: one loop for maximum and sum, to base 2, a second one that divides; two readings
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
    const float log2e = 1.44269504f;
    float top = -INFINITY, total = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float value = x[j];
        if (value > top) {
            total = total * exp2f((top - value) * log2e) + 1.0f;  // top = -inf: 0 * 0 + 1
            top = value;
        } else if (value > -INFINITY) {
            total += exp2f((value - top) * log2e);
        }
    }
    const bool empty = total == 0.0f;
    for (int j = cols - 1; j >= 0; j--) {
        y[j] = empty ? 0.0f : exp2f((x[j] - top) * log2e) / total;
    }
}
