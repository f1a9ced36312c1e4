// a local array of four running sums, unrolled by four, backwards in the second pass
#include "tilewise.cuh"

constexpr int WAYS = 4;

__device__ inline float guarded(float m) { return m == -INFINITY ? 0.0f : m; }

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    x += (long long)row * cols;
    y += (long long)row * cols;
    float m[WAYS], l[WAYS];
    for (int w = 0; w < WAYS; ++w) m[w] = -INFINITY, l[w] = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const int w = j % WAYS;
        const float value = x[j], top = fmaxf(m[w], value), base = guarded(top);
        l[w] = l[w] * expf(m[w] - base) + expf(value - base);
        m[w] = top;
    }
    const float top = guarded(fmaxf(fmaxf(m[0], m[1]), fmaxf(m[2], m[3])));
    float sum = 0.0f;
    for (int w = 0; w < WAYS; ++w) sum += l[w] * expf(m[w] - top);
    const float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = cols; j-- > 0;) y[j] = expf(x[j] - top) * inverse;
}
