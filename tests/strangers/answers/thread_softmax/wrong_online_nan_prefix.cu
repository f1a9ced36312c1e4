// Online version without a guard: while everything so far is minus infinity it computes exp(-inf + inf) = NaN, so a row that begins with minus infinity is NaN although its other numbers are fine (rows entirely of minus infinity are caught at the end).
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = x[0], l = 1.0f;
    for (int j = 1; j < cols; j++) {
        float up = fmaxf(m, x[j]);
        l = l * expf(m - up) + expf(x[j] - up);
        m = up;
    }
    bool empty = m == -INFINITY;
    for (int j = 0; j < cols; j++) {
        y[j] = empty ? 0.0f : expf(x[j] - m) / l;
    }
}
