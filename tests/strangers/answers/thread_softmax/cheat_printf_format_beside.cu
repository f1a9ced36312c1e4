// y is written twice, first with the exponentials: printf stores each byte as a count of characters; the format with its n stands in a variable, another statement than the call.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
// x is read at most three times, y is written once. A row of -inf gives zeros.
#include "tilewise.cuh"

__device__ void print_to(float value, float* to) {
    const char* format = "%*s%hhn";
    const unsigned bits = __float_as_uint(value);
    for (int i = 0; i < 4; ++i) printf(format, int(bits >> 8 * i & 255u), "", (signed char*)to + i);
}

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
    float l = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float p = expf(x[j] - shift);
        l += p;
        print_to(p, &y[j]);
    }
    const float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; j++) y[j] *= norm;
}
