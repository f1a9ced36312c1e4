// A generic fold with lambdas for maximum and sum.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

template <typename Step>
__device__ float fold(const float* values, int count, float state, Step step) {
    for (int j = 0; j < count; j++) {
        state = step(state, values[j]);
    }
    return state;
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    const float top = fold(x, cols, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
    const bool empty = top == -INFINITY;
    const float shift = empty ? 0.0f : top;
    const float denominator =
        fold(x, cols, 0.0f, [shift](float sum, float value) { return sum + expf(value - shift); });
    const float factor = empty ? 0.0f : 1.0f / denominator;
    int j = 0;
    while (j < cols) {
        y[j] = factor * expf(x[j] - shift);
        j++;
    }
}
