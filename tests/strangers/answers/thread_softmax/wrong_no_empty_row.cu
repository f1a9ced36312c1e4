// Stable softmax without the care for a row of -inf, which comes out as NaN.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = x[0];
    for (int j = 1; j < cols; j++) m = fmaxf(m, x[j]);
    float l = 0.0f;
    for (int j = 0; j < cols; j++) l += expf(x[j] - m);
    for (int j = 0; j < cols; j++) y[j] = expf(x[j] - m) / l;
}
