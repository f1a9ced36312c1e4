// sharing: two of the eight warps do all, the others only come to the barriers
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
    const int thread = threadIdx.x, workers = 64;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const int first = thread < workers ? thread : cols;
    float m = -INFINITY;
    for (int j = first; j < cols; j += workers) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    if (m == -INFINITY) m = 0.0f;
    float l = 0.0f;
    for (int j = first; j < cols; j += workers) l += expf(x[j] - m);
    l = block_reduce(l, partial, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = first; j < cols; j += workers) y[j] = expf(x[j] - m) * inverse;
}
