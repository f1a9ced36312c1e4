// Walks with pointers up to an end pointer, leaves a row of -inf by an early loop of zeros; divides.
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
    float largest = *x;
    for (const float* p = x + 1; p < end; ++p) {
        if (*p > largest) largest = *p;
    }
    if (largest == -INFINITY) {
        for (int j = 0; j < cols; ++j) y[j] = 0.0f;
        return;
    }
    float total = 0.0f;
    for (const float* p = x; p < end; ++p) {
        total += expf(*p - largest);
    }
    for (const float* p = x; p < end; ++p) {
        *y++ = expf(*p - largest) / total;
    }
}
