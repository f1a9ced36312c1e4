// the log of the sum joins the shift: exp(x - (m + log l)) loses log l beside a maximum of -1e38 (shows there)
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float top = -INFINITY;
    for (int j = 0; j < cols; j++) {
        top = fmaxf(top, x[j]);
    }
    const float shift = top == -INFINITY ? 0.0f : top;
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        sum += expf(x[j] - shift);
    }
    const float lse = sum > 0.0f ? shift + logf(sum) : INFINITY;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - lse);
    }
}
