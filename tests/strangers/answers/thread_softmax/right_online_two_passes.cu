// Right: online maximum and sum in one pass, -inf skipped, a second pass writes.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float top = -INFINITY, mass = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const float value = x[j];
        if (value > top) {
            mass = mass * expf(top - value) + 1.0f;
            top = value;
        } else if (value > -INFINITY) {
            mass += expf(value - top);
        }
    }
    if (mass == 0.0f) {
        for (int j = 0; j < cols; ++j) y[j] = 0.0f;
        return;
    }
    const float share = 1.0f / mass;
    for (int j = 0; j < cols; ++j) y[j] = expf(x[j] - top) * share;
}
