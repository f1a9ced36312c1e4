// The first eight numbers of each thread stay in registers, the rest of a long row is read again.
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    __syncthreads();
    partial[thread] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half >>= 1) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    return partial[0];
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x, held = 8;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float mine[held];
    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < held; ++i) {
        const int j = i * THREADS + thread;
        mine[i] = j < cols ? x[j] : -INFINITY;
        m = fmaxf(m, mine[i]);
    }
    for (int j = held * THREADS + thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    m = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
#pragma unroll
    for (int i = 0; i < held; ++i) {
        mine[i] = expf(mine[i] - m);
        l += mine[i];
    }
    for (int j = held * THREADS + thread; j < cols; j += THREADS) l += expf(x[j] - m);
    l = block_reduce(l, partial, Sum());
    const float inverse = l == 0.0f ? 0.0f : 1.0f / l;
#pragma unroll
    for (int i = 0; i < held; ++i) {
        const int j = i * THREADS + thread;
        if (j < cols) y[j] = mine[i] * inverse;
    }
    for (int j = held * THREADS + thread; j < cols; j += THREADS) y[j] = expf(x[j] - m) * inverse;
}
