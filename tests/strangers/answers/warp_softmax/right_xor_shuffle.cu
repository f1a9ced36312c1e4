// style: xor shuffles
// Softmax of every row, read once and held in registers. x, y: (rows, cols). A row of -inf
// gives zeros.
//
// A row belongs to the blockDim.x threads with one threadIdx.y, which share it: one warp,
// or a larger power of two of them. Each thread holds CHUNKS chunks of VECTOR neighbouring
// numbers, so that a row has at most blockDim.x * CHUNKS * VECTOR columns. Rows share a block
// (blockDim.y > 1) only if each has a single warp: then no thread waits at a barrier. VECTOR
// divides cols; x is aligned.
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

// The values of 32 lanes merged into one, which every lane gets; or, where `lanes` is a smaller
// power of two, those of every group of so many neighbours.
template <typename Merge>
__device__ float warp_reduce(float value, Merge merge, int lanes = 32) {
    #pragma unroll
    for (int distance = lanes / 2; distance > 0; distance >>= 1) {
        value = merge(value, __shfl_xor_sync(0xffffffff, value, distance));
    }
    return value;
}

// The values of all of a row's threads merged into one, which each of them gets.
// partial: a number for each warp, in shared memory, used by this reduction only.
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
    float m = -INFINITY;
    #pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        for (int v = 0; v < VECTOR; v++) m = fmaxf(m, p[i].at[v]);
    }
    m = row_reduce(m, maxima, Max{});
    if (m == -INFINITY) m = 0.0f;  // a row of -inf: exp gives zeros
    float l = 0.0f;
    #pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] = expf(p[i].at[v] - m);
            l += p[i].at[v];
        }
    }
    l = row_reduce(l, sums, Sum{});
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    #pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) p[i].at[v] *= inverse;
        if (j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
