// Reads the row again for the output.
#include "tilewise.cuh"

struct alignas(4 * VECTOR) Chunk {
    float at[VECTOR];
};

extern "C" __global__ void __launch_bounds__(1024)
warp_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float maxima[32], sums[32];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    x += (long long)row * cols;
    y += (long long)row * cols;
    const int first = threadIdx.x * VECTOR, step = blockDim.x * VECTOR, warps = blockDim.x / 32;
    Chunk p[CHUNKS];
    float m = -INFINITY, l = 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) p[i].at[v] = -INFINITY;
        if (j < cols) p[i] = *reinterpret_cast<const Chunk*>(x + j);
        for (int v = 0; v < VECTOR; v++) m = fmaxf(m, p[i].at[v]);
    }
    auto everywhere = [&](float a, float* shared, auto merge) {
#pragma unroll
        for (int apart = 1; apart < 32; apart *= 2) a = merge(a, __shfl_xor_sync(0xffffffff, a, apart));
        if (warps > 1) {
            if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = a;
            __syncthreads();
            a = shared[0];
            for (int w = 1; w < warps; w++) a = merge(a, shared[w]);
        }
        return a;
    };
    m = everywhere(m, maxima, [](float a, float b) { return fmaxf(a, b); });
    m = m == -INFINITY ? 0.0f : m;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        for (int v = 0; v < VECTOR; v++) l += p[i].at[v] = expf(p[i].at[v] - m);
    }
    l = everywhere(l, sums, [](float a, float b) { return a + b; });
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
        if (j < cols) p[i] = *reinterpret_cast<const Chunk*>(x + j);
        for (int v = 0; v < VECTOR; v++) p[i].at[v] = expf(p[i].at[v] - m) * inverse;
        if (j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
