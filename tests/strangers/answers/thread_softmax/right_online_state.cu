// Maximum and sum in one go with a rescaled sum, so x is read twice instead of three times.
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
    for (int j = 0; j < cols; ++j) {
        const float a = x[j];
        if (a > m) {
            l = l * expf(m - a) + 1.0f;  // m is -inf only while l is 0
            m = a;
        } else if (a > -INFINITY) {
            l += expf(a - m);
        }
    }
    const float shift = l > 0.0f ? m : 0.0f, inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; ++j) y[j] = expf(x[j] - shift) * inverse;
}
