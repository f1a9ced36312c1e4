// two readings: the running sum is rescaled only when a larger number comes, powers of 2, walked from the end
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
    const float log2e = 1.4426950408889634f;
    float top = -INFINITY, sum = 0.0f;
    for (int j = cols - 1; j >= 0; --j) {
        const float value = x[j];
        if (value > top) {
            sum = sum * exp2f((top - value) * log2e) + 1.0f;  // the first time 0 * 0 + 1
            top = value;
        } else if (value > -INFINITY) {
            sum += exp2f((value - top) * log2e);
        }
    }
    const bool empty = !(sum > 0.0f);
    for (int j = 0; j < cols; ++j) {
        y[j] = empty ? 0.0f : exp2f((x[j] - top) * log2e) / sum;
    }
}
