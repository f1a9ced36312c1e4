// A float4 for each thread where the row allows it, number by number else; warps merge by shuffles, then eight numbers in shared memory.
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) value = merge(value, __shfl_xor_sync(0xffffffff, value, d));
    __syncthreads();
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    float all = partial[0];
    for (int w = 1; w < THREADS / 32; ++w) all = merge(all, partial[w]);
    return all;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const int fours = ((size_t)x | (size_t)y) % 16 == 0 ? cols / 4 : 0;
    float m = -INFINITY;
    for (int j = thread; j < fours; j += THREADS) {
        const float4 a = ((const float4*)x)[j];
        m = fmaxf(fmaxf(m, fmaxf(a.x, a.y)), fmaxf(a.z, a.w));
    }
    for (int j = 4 * fours + thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    if (m == -INFINITY) m = 0.0f;
    float l = 0.0f;
    for (int j = thread; j < fours; j += THREADS) {
        const float4 a = ((const float4*)x)[j];
        l += expf(a.x - m) + expf(a.y - m) + expf(a.z - m) + expf(a.w - m);
    }
    for (int j = 4 * fours + thread; j < cols; j += THREADS) l += expf(x[j] - m);
    l = block_reduce(l, partial, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < fours; j += THREADS) {
        float4 a = ((const float4*)x)[j];
        a.x = expf(a.x - m) * inverse, a.y = expf(a.y - m) * inverse;
        a.z = expf(a.z - m) * inverse, a.w = expf(a.w - m) * inverse;
        ((float4*)y)[j] = a;
    }
    for (int j = 4 * fours + thread; j < cols; j += THREADS) y[j] = expf(x[j] - m) * inverse;
}
