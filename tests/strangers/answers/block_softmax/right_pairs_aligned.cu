// as pairs, but the pair is aligned to 8 bytes, so that it is one access of 64 bits
#include "tilewise.cuh"

struct alignas(8) Pair {
    float m, l;
};

__device__ Pair merged(Pair a, Pair b) {
    const float m = fmaxf(a.m, b.m);
    if (m == -INFINITY) return a;
    return {m, a.l * expf(a.m - m) + b.l * expf(b.m - m)};
}

template <int N, typename T, typename F>
__device__ T tree(T mine, T* shared, F f) {
    shared[threadIdx.x] = mine;
    for (int half = N / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) shared[threadIdx.x] = f(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
    return shared[0];
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ Pair pairs[THREADS];
    const long long at = (long long)blockIdx.x * cols;
    Pair mine = {-INFINITY, 0.0f};
    for (int j = threadIdx.x; j < cols; j += THREADS) mine = merged(mine, {x[at + j], 1.0f});
    const Pair all = tree<THREADS>(mine, pairs, merged);
    const float m = all.m == -INFINITY ? 0.0f : all.m, l = all.l > 0.0f ? all.l : 1.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) y[at + j] = expf(x[at + j] - m) / l;
}
