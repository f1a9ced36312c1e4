// Style: three loops: maximum, sum, quotient.
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY;
    for (int j = 0; j < cols; ++j) m = fmaxf(m, x[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = 0; j < cols; ++j) l += expf(x[j] - shift);
    const float inverse = m == -INFINITY ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; ++j) y[j] = expf(x[j] - shift) * inverse;
}
