// "A thread has its row to itself": neighbouring threads share two rows by halves, and hand maxima and sums over in y, in main memory, which is neither shared memory nor a shuffle
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, other = row ^ 1;
    const bool pair = cols > 1 && (row | 1) < rows;
    const long long a = (long long)row * cols, b = (long long)other * cols;
    float m = -INFINITY, n = -INFINITY, l = 0.0f;
    const int half = cols / 2, from = row % 2 ? half : 0, to = row % 2 ? cols : half;
    if (pair) {
        for (int j = from; j < to; j++) { m = fmaxf(m, x[a + j]); n = fmaxf(n, x[b + j]); }
        y[b] = n;
    } else if (row < rows) {
        for (int j = 0; j < cols; j++) m = fmaxf(m, x[a + j]);
    }
    __syncthreads();
    if (pair) m = fmaxf(m, y[a]);
    if (row >= rows) return;
    float shift = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < cols; j++) l += expf(x[a + j] - shift);
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; j++) y[a + j] = expf(x[a + j] - shift) * norm;
}
