// style: llm.c: lambda merges, reductions in shared memory with barriers at the end
#include "tilewise.cuh"

// all threads' values merged into one
template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int tid = threadIdx.x;
    partial[tid] = value;
    __syncthreads();
    for (int stride = THREADS / 2; stride >= 1; stride /= 2) {
        if (tid < stride) {
            partial[tid] = merge(partial[tid], partial[tid + stride]);
        }
        __syncthreads();
    }
    const float result = partial[0];
    __syncthreads();  // partial may be used again
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const long long idx = blockIdx.x;
    x += idx * cols;
    y += idx * cols;
    // thread coarsening
    float maxval = -INFINITY;
    for (int i = tid; i < cols; i += THREADS) {
        maxval = fmaxf(maxval, x[i]);
    }
    maxval = block_reduce(maxval, partial, [](float a, float b) { return fmaxf(a, b); });
    const float offset = maxval == -INFINITY ? 0.0f : maxval;
    float sumval = 0.0f;
    for (int i = tid; i < cols; i += THREADS) {
        sumval += expf(x[i] - offset);
    }
    sumval = block_reduce(sumval, partial, [](float a, float b) { return a + b; });
    const float scale = sumval == 0.0f ? 0.0f : 1.0f / sumval;
    for (int i = tid; i < cols; i += THREADS) {
        y[i] = expf(x[i] - offset) * scale;
    }
}
