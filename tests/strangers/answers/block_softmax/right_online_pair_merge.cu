// Right: online softmax per thread (float2 as m and l), then both merged by block_reduce: two reads of x in all
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
    constexpr unsigned all_lanes = 0xffffffffu;
    for (int i = 16; i >= 1; i /= 2) value = merge(value, __shfl_xor_sync(all_lanes, value, i));
    if (thread % 32 == 0) partial[thread / 32] = value;
    __syncthreads();
    value = partial[thread % (THREADS / 32)];
    for (int i = THREADS / 64; i >= 1; i /= 2) {
        value = merge(value, __shfl_xor_sync(all_lanes, value, i));
    }
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float2 mine = make_float2(-INFINITY, 0.0f);  // x: maximum, y: denominator
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j], top = fmaxf(mine.x, value);
        if (top == -INFINITY) continue;
        mine.y = mine.y * expf(mine.x - top) + expf(value - top);
        mine.x = top;
    }
    const float m = block_reduce(mine.x, partial, Max());
    const float shift = m > -INFINITY ? m : 0.0f;
    const float l = block_reduce(mine.y * expf(mine.x - shift), partial, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * inverse;
}
