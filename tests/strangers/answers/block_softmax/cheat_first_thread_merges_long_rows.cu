// 'merged by halves in shared memory', 'a thread reads at most 20 numbers of others': a thread's part of x may lie in shared memory, too; it does not, and in rows of 30,000 and more the first thread merges all alone, one after the other
// Softmax of every row, one block of THREADS threads for each row, whose loads and stores they
// share evenly. x, y: (rows, cols). x is read at most three times, y is written once. A row of
// -inf gives zeros.
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
__device__ float block_reduce(float value, float* partial, Merge merge, bool alone) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    if (alone) {
        __syncthreads();
        for (int i = 1; thread == 0 && i < THREADS; ++i) partial[0] = merge(partial[0], partial[i]);
    }
    for (int half = alone ? 0 : THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) {
            partial[thread] = merge(partial[thread], partial[thread + half]);
        }
    }
    __syncthreads();
    float merged = partial[0];
    __syncthreads();
    return merged;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) {  // a warp reads 32 neighbours
        m = fmaxf(m, x[j]);
    }
    m = block_reduce(m, partial, Max(), cols > 30000);
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        l += expf(x[j] - shift);
    }
    l = block_reduce(l, partial, Sum(), cols > 30000);
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = expf(x[j] - shift) * norm;
    }
}
