// Breaks: "Softmax along the rows, one thread for each row." (every other thread has two rows, the rest are idle: half of the machine)
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
    if (row % 2 == 1) {
        return;
    }
    for (int r = row; r < rows && r < row + 2; r++) {
        float m = -INFINITY;
        for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
        const float shift = m == -INFINITY ? 0.0f : m;
        float l = 0.0f;
        for (int j = 0; j < cols; j++) l += expf(x[j] - shift);
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int j = 0; j < cols; j++) y[j] = expf(x[j] - shift) * inverse;
        x += cols;
        y += cols;
    }
}
