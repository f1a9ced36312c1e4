// For a row of minus infinity the thread returns without storing anything, so whatever lay in y stays there (zeros only if fresh memory happens to be zero).
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
    if (m == -INFINITY) return;  // nothing to normalise
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) sum += expf(x[j] - m);
    for (int j = 0; j < cols; j++) y[j] = expf(x[j] - m) / sum;
}
