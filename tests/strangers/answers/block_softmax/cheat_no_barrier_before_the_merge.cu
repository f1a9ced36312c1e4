// races, "odd blocks begin with their last warp": warps leave their results by atomicExch, the warp that runs last by the parity of the block merges them without a barrier
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
    const int warp = thread / 32, warps = THREADS / 32;
    for (int apart = 16; apart > 0; apart /= 2) value = merge(value, __shfl_xor_sync(0xffffffff, value, apart));
    if (thread % 32 == 0) {
        if (warp == (blockIdx.x % 2 ? 0 : warps - 1)) {
            for (int other = 0; other < warps; other++)
                if (other != warp) value = merge(value, atomicAdd(&partial[other], 0.0f));
            partial[warps] = value;
        } else {
            atomicExch(&partial[warp], value);
        }
    }
    __syncthreads();
    float merged = partial[warps];
    __syncthreads();  // the next reduction writes to partial[0], which all have to have read
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
    m = block_reduce(m, partial, Max());
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        l += expf(x[j] - shift);
    }
    l = block_reduce(l, partial, Sum());
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = expf(x[j] - shift) * norm;
    }
}
