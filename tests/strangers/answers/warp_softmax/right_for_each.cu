// a template for_each over the registers, and a butterfly of shuffles
#include "tilewise.cuh"

struct alignas(4 * VECTOR) Chunk {
    float at[VECTOR];
};

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float warp_reduce(float value, Merge merge, int lanes = 32) {
    for (int distance = lanes >> 1; distance > 0; distance >>= 1) {
        value = merge(value, __shfl_xor_sync(0xffffffff, value, distance));
    }
    return value;
}

template <typename Merge>
__device__ float row_reduce(float value, float* partial, Merge merge) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    value = warp_reduce(value, merge);
    if (warps == 1) {
        return value;
    }
    if (lane == 0) {
        partial[warp] = value;
    }
    __syncthreads();
    return warp_reduce(partial[lane % warps], merge, warps);
}

template <typename Body>
__device__ __forceinline__ void for_each(Chunk (&chunks)[CHUNKS], Body body) {
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
#pragma unroll
        for (int v = 0; v < VECTOR; ++v) body(chunks[i].at[v]);
    }
}

extern "C" __global__ void __launch_bounds__(1024)
warp_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float maxima[32], sums[32];  // at most 32 warps
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;
    y += (long long)row * cols;
    const int first = threadIdx.x * VECTOR, step = blockDim.x * VECTOR;
    Chunk p[CHUNKS];
    for_each(p, [](float& e) { e = -INFINITY; });  // past the end of the row
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int j = first + i * step;
        if (j < cols) p[i] = *reinterpret_cast<const Chunk*>(x + j);
    }

    float top = -INFINITY, mass = 0.0f;
    for_each(p, [&](float& e) { top = fmaxf(top, e); });
    top = row_reduce(top, maxima, Max());
    const float anchor = top == -INFINITY ? 0.0f : top;
    for_each(p, [&](float& e) {
        e = expf(e - anchor);
        mass += e;
    });
    mass = row_reduce(mass, sums, Sum());
    const float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
    for_each(p, [&](float& e) { e *= inverse; });

#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int j = first + i * step;
        if (j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
