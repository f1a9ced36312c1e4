// BREAKS: "x is read at most three times, y is written once."
// COSTS: numerators lie in y between two passes, moved by atomic exchanges: y is written twice and read twice
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
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
    const float at = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float e = expf(x[j] - at);
        atomicExch(&y[j], e);
        l += e;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; j++) atomicExch(&y[j], atomicExch(&y[j], 0.0f) * inverse);
}
