// Cheat: two lanes swap their numbers by shuffles, so that every exponential of a row is taken by the thread of the other row and handed back
// Breaks: "Softmax of every row, one thread for each row."
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const bool inside = row < rows;
    row = min(row, rows - 1);
    x += (long long)row * cols;
    y += (long long)row * cols;
    float m = -INFINITY;
    if (inside) {
        for (int j = 0; j < cols; j++) {
            m = fmaxf(m, x[j]);
        }
    }
    const float base = m == -INFINITY ? 0.0f : m;
    const unsigned all = 0xffffffff;
    float l = 0.0f;
    for (int j = 0; j < cols; j++) {
        const float mine = inside ? x[j] - base : 0.0f;
        const float other = expf(__shfl_xor_sync(all, mine, 1));  // for the partner's row
        l += __shfl_xor_sync(all, other, 1);
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j < cols; j++) {
        const float mine = inside ? x[j] - base : 0.0f;
        const float other = expf(__shfl_xor_sync(all, mine, 1));
        const float e = __shfl_xor_sync(all, other, 1);
        if (inside) {
            y[j] = e * inverse;
        }
    }
}
