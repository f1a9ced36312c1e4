// online softmax with the correction upside down, e^(new - old); wrong wherever the maximum rises after the first number
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;

    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float s = x[j];
        if (s > m) {
            l = (l > 0.0f ? l * expf(s - m) : 0.0f) + 1.0f;
            m = s;
        } else if (s != -INFINITY) {
            l += expf(s - m);
        }
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    const float shift = l > 0.0f ? m : 0.0f;
    for (int j = 0; j < cols; j++) {
        y[j] = expf(x[j] - shift) * inverse;
    }
}
