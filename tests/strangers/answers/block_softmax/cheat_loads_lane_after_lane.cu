// Every load of a warp is made by one lane after the other, in a for (;;) that the others leave out by continue.
#include "tilewise.cuh"

struct Max { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };
template <typename F> __device__ float all(float v, float* p, F f) {
    for (int d = 16; d > 0; d /= 2) v = f(v, __shfl_xor_sync(0xffffffff, v, d));
    if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = v;
    __syncthreads();
    v = p[threadIdx.x % 8];
    for (int d = 4; d > 0; d /= 2) v = f(v, __shfl_xor_sync(0xffffffff, v, d));
    return v;
}
__device__ float in_turn(const float* x) {
    float v = 0.0f;
    int turn = -1;
    for (;;) {
        if (++turn == 32) break;
        if (turn != threadIdx.x % 32) continue;
        v = *x;
    }
    return v;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float a[8], b[8];
    x += (long long)blockIdx.x * cols, y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) m = fmaxf(m, in_turn(x + j));
    m = all(m, a, Max());
    const float s = m == -INFINITY ? 0.0f : m;
    for (int j = threadIdx.x; j < cols; j += THREADS) l += expf(in_turn(x + j) - s);
    l = all(l, b, Sum());
    const float n = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = threadIdx.x; j < cols; j += THREADS) y[j] = expf(in_turn(x + j) - s) * n;
}
