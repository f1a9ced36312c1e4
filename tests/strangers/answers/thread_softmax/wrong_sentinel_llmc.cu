// Maximum starts at -10000 as in llm.c: a row of -inf is right, but a row whose largest number lies below about -10100 gives only zeros.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float maxval = -10000.0f;
    for (int j = 0; j < cols; j++) {
        if (x[j] > maxval) {
            maxval = x[j];
        }
    }
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        float e = expf(x[j] - maxval);
        y[j] = e;
        sum += e;
    }
    float norm = sum == 0.0f ? 0.0f : 1.0f / sum;
    for (int j = 0; j < cols; j++) {
        y[j] *= norm;
    }
}
