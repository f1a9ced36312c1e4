// Online softmax: maximum and sum in one loop, the second loop writes.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY, l = 0.0f;
    const float* end = x + cols;
    for (const float* p = x; p != end; ++p) {
        const float bigger = fmaxf(m, *p);
        const float base = bigger == -INFINITY ? 0.0f : bigger;
        l = l * expf(m - base) + expf(*p - base);
        m = bigger;
    }
    if (m == -INFINITY) {
        m = 0.0f;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - m) * inverse;
    }
}
