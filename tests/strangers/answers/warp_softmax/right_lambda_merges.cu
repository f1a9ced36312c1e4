// Right: generic lambdas for the element loops, reference parameters, functors kept; range-for over an array member
#include "tilewise.cuh"

// Numbers that are loaded and stored by one instruction, because they are aligned.
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
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        if (apart < lanes) value = merge(value, __shfl_xor_sync(0xffffffff, value, apart));
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
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warp_reduce(partial[lane % warps], merge, warps);
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
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] = -INFINITY;  // past the end of the row
        }
        if (j < cols) {
            p[i] = *reinterpret_cast<const Chunk*>(x + j);
        }
    }
    const auto each = [&p](auto&& change) {
#pragma unroll
        for (Chunk& chunk : p) {
#pragma unroll
            for (float& number : chunk.at) change(number);
        }
    };
    float m = -INFINITY, l = 0.0f;
    each([&m](float& number) { m = fmaxf(m, number); });
    m = row_reduce(m, maxima, Max{});
    const float shift = m == -INFINITY ? 0.0f : m;
    each([&l, shift](float& number) { l += number = expf(number - shift); });
    l = row_reduce(l, sums, Sum{});
    const float inverse = l == 0.0f ? 0.0f : 1.0f / l;
    each([inverse](float& number) { number *= inverse; });
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        if (const int j = first + i * step; j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
