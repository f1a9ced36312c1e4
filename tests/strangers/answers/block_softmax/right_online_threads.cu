// Style: each thread runs the online softmax over its columns, then maxima and rescaled sums are merged; two readings.
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// All threads' values merged into one, which every thread gets. partial: THREADS numbers in
// shared memory, free again when the last thread has returned. THREADS is a power of two.
template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] = merge(partial[thread], partial[thread + half]);
        }
        __syncthreads();
    }
    const float merged = partial[0];
    __syncthreads();
    return merged;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;  // of this thread's columns
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j];
        if (value > m) {
            l *= expf(m - value);
            m = value;
        }
        if (value > -INFINITY) l += expf(value - m);
    }
    const float top = block_reduce(m, partial, Max());
    const float share = m == -INFINITY ? 0.0f : l * expf(m - top);
    const float total = block_reduce(share, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = total > 0.0f ? expf(x[j] - top) / total : 0.0f;
    }
}
