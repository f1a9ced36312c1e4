// right: each thread has an online softmax of its own columns, then the sums are brought to the common maximum; x is read twice; the tree doubles its steps
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
    partial[thread] = value;
    for (int gap = 1; gap < THREADS; gap *= 2) {
        __syncthreads();
        if (thread % (2 * gap) == 0) {
            partial[thread] = merge(partial[thread], partial[thread + gap]);
        }
    }
    __syncthreads();
    const float result = partial[0];
    __syncthreads();
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float top = -INFINITY, total = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j];
        if (value > top) {
            total = total * expf(top - value) + 1.0f;
            top = value;
        } else if (value > -INFINITY) {
            total += expf(value - top);
        }
    }
    const float m = block_reduce(top, partial, Max());
    const float factor = top == -INFINITY ? 0.0f : expf(top - m);
    const float l = block_reduce(total * factor, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
    }
}
