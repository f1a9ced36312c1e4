// style: online softmax, one pass for m and l, one for y; __expf; ternaries
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;
    y += (long long)row * cols;
    float maxval = -INFINITY;
    float sumval = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float value = x[j];
        if (value > maxval) {
            sumval = sumval * expf(maxval - value) + 1.0f;
            maxval = value;
        } else if (value > -INFINITY) {
            sumval += expf(value - maxval);
        }
    }
    const float norm = sumval > 0.0f ? 1.0f / sumval : 0.0f;
    const float shift = maxval > -INFINITY ? maxval : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift) * norm;
    }
}
