// Right: one reduction of a pair (m, l) as float2 instead of two; the functor merges pairs; two reads of x
#include "tilewise.cuh"

struct MergePairs {
    __device__ float2 operator()(float2 a, float2 b) const {
        const float m = fmaxf(a.x, b.x);
        if (m == -INFINITY) return make_float2(m, 0.0f);
        return make_float2(m, a.y * expf(a.x - m) + b.y * expf(b.x - m));
    }
};

// All threads' values merged into one, which every thread gets.
template <typename Value, typename Merge>
__device__ Value block_reduce(Value value, Value* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    const Value result = partial[0];
    __syncthreads();
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float2 partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const MergePairs merge{};
    float2 state = make_float2(-INFINITY, 0.0f);
    for (int j = thread; j < cols; j += THREADS) state = merge(state, make_float2(x[j], 1.0f));
    state = block_reduce(state, partial, merge);
    const float inverse = state.y > 0.0f ? 1.0f / state.y : 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = state.y > 0.0f ? expf(x[j] - state.x) * inverse : 0.0f;
    }
}
