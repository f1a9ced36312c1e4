// right: online, rescaled only where the maximum grows, powers of two, x read twice, backwards the second time.
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
    const float log2e = 1.4426950408889634f;
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const float here = x[j];
        if (here > m) {
            l = l * exp2f((m - here) * log2e) + 1.0f;
            m = here;
        } else if (m > -INFINITY) {
            l += exp2f((here - m) * log2e);
        }
    }
    const bool empty = !(l > 0.0f);  // the largest number alone adds 1
    const float shift = empty ? 0.0f : m, inverse = empty ? 0.0f : 1.0f / l;
    for (int j = cols; j-- > 0;) y[j] = exp2f((x[j] - shift) * log2e) * inverse;
}
