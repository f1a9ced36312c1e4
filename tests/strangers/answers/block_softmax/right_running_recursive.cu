// x is read twice: each thread keeps a running maximum and sum; the tree is a recursion of templates; sums are brought to the row's maximum before they are merged.
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// The first 2 HALF numbers of partial merged into partial[0]; ends with a barrier.
template <int HALF, typename Merge>
__device__ void fold(float* partial, Merge merge) {
    const int thread = threadIdx.x;
    __syncthreads();
    if constexpr (HALF > 0) {
        if (thread < HALF) partial[thread] = merge(partial[thread + HALF], partial[thread]);
        fold<HALF / 2>(partial, merge);
    }
}

// All threads' values merged into one, which every thread gets. partial: THREADS numbers in
// shared memory, free again when the last thread has returned. THREADS is a power of two.
template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    partial[threadIdx.x] = value;
    fold<THREADS / 2>(partial, merge);
    const float all = partial[0];
    __syncthreads();
    return all;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const long long begin = (long long)blockIdx.x * cols, end = begin + cols;
    float m_mine = -INFINITY, l_mine = 0.0f;
    for (long long i = begin + threadIdx.x; i < end; i += THREADS) {
        const float value = x[i];
        if (value > m_mine) {
            l_mine = l_mine * expf(m_mine - value) + 1.0f;
            m_mine = value;
        } else if (value != -INFINITY) {
            l_mine += expf(value - m_mine);
        }
    }
    const float m = block_reduce(m_mine, partial, Max());
    const float share = l_mine > 0.0f ? l_mine * expf(m_mine - m) : 0.0f;
    const float l = block_reduce(share, partial, Sum());
    for (long long i = begin + threadIdx.x; i < end; i += THREADS) {
        y[i] = l > 0.0f ? expf(x[i] - m) / l : 0.0f;
    }
}
