// The thread carries its value in a register, barriers at the top of each step, Sum{} and Max{} with for-pointers.
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
    int active = THREADS;
    partial[thread] = value;
    do {
        __syncthreads();
        active >>= 1;
        if (thread < active) {
            value = merge(value, partial[thread + active]);
            partial[thread] = value;
        }
    } while (active > 1);
    __syncthreads();
    value = partial[0];
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float largest = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) largest = fmaxf(largest, x[j]);
    largest = block_reduce(largest, partial, Max{});
    if (largest == -INFINITY) {  // the same in all threads: nobody misses a barrier
        for (int j = thread; j < cols; j += THREADS) y[j] = 0.0f;
        return;
    }
    float total = 0.0f;
    for (int j = thread; j < cols; j += THREADS) total += expf(x[j] - largest);
    total = block_reduce(total, partial, Sum{});
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - largest) / total;
}
