// Three walks of a pointer to the end of the row, exponentials to base 2, early way out for a row of minus infinity.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    const float* const end = x + cols;
    float top = -INFINITY;
    for (const float* p = x; p != end; ++p) top = fmaxf(top, *p);
    if (top == -INFINITY) {
        while (x++ != end) *y++ = 0.0f;
        return;
    }
    const float log2e = 1.44269504f;
    float sum = 0.0f;
    for (const float* p = x; p != end; ++p) sum += exp2f((*p - top) * log2e);
    const float factor = 1.0f / sum;
    for (const float* p = x; p != end; ++p, ++y) *y = exp2f((*p - top) * log2e) * factor;
}
