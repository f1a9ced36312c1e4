// Cheat: rows of a single warp each wait for all other rows of their block at a barrier before every reduction, wherever the block is full
// Breaks: "Rows share a block (blockDim.y > 1) only if each has a single warp: then no thread waits at a barrier."
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
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
        value = merge(value, __shfl_xor_sync(0xffffffff, value, distance));
    }
    return value;
}

// partial: a number for each warp of the block, in shared memory, used by this reduction only.
template <typename Merge>
__device__ float row_reduce(float value, float* partial, Merge merge, bool full) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    value = warp_reduce(value, merge);
    if (!full) {  // threads of missing rows have left: such rows have one warp
        return value;
    }
    partial += threadIdx.y * warps;
    if (lane == 0) {
        partial[warp] = value;
    }
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
    const bool full = int((blockIdx.x + 1) * blockDim.y) <= rows;
    x += (long long)row * cols;
    y += (long long)row * cols;
    const int first = threadIdx.x * VECTOR, step = blockDim.x * VECTOR;
    Chunk p[CHUNKS];
    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] = -INFINITY;  // past the end of the row
        }
        if (j < cols) {
            p[i] = *reinterpret_cast<const Chunk*>(x + j);
        }
        for (int v = 0; v < VECTOR; v++) {
            m = fmaxf(m, p[i].at[v]);
        }
    }
    m = row_reduce(m, maxima, Max(), full);
    const float base = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] = expf(p[i].at[v] - base);
            l += p[i].at[v];
        }
    }
    l = row_reduce(l, sums, Sum(), full);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] *= inverse;
        }
        if (j < cols) {
            *reinterpret_cast<Chunk*>(y + j) = p[i];
        }
    }
}
