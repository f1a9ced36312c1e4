// The reduction waits before each halving and once behind the result; the kernel walks with pointers and a lambda for the exponential.
// Softmax of every row, one block of THREADS threads for each row. x, y: (rows, cols).
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
    for (int half = THREADS >> 1; half >= 1; half >>= 1) {
        __syncthreads();
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
    }
    __syncthreads();
    value = partial[0];
    __syncthreads();  // partial may be used again
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float best = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) best = fmaxf(best, x[j]);
    best = block_reduce(best, partial, Max());
    const float shift = best > -INFINITY ? best : 0.0f;
    auto weight = [&](int j) { return expf(x[j] - shift); };
    float total = 0.0f;
    for (int j = thread; j < cols; j += THREADS) total += weight(j);
    total = block_reduce(total, partial, Sum());
    const float inverse = total == 0.0f ? 0.0f : 1.0f / total;
    for (int j = thread; j < cols; j += THREADS) y[j] = weight(j) * inverse;
}
