// right: each thread runs the online softmax over its columns (x is read twice in all), the reduction is a butterfly with two barriers a step.
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
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    for (int apart = THREADS / 2; apart > 0; apart /= 2) {
        partial[thread] = value;
        __syncthreads();
        value = merge(value, partial[thread ^ apart]);
        __syncthreads();  // read by all: free again
    }
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;  // of this thread's columns
    for (int j = thread; j < cols; j += THREADS) {
        const float here = x[j];
        if (here > m) {
            l = l * expf(m - here) + 1.0f;
            m = here;
        } else if (here > -INFINITY) {
            l += expf(here - m);
        }
    }
    const float top = block_reduce(m, partial, Max());
    const float shift = top == -INFINITY ? 0.0f : top;
    const float total = block_reduce(l * expf(m - shift), partial, Sum());
    const float inverse = total > 0.0f ? 1.0f / total : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = inverse * expf(x[j] - shift);
}
