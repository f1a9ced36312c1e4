// Lanes beyond the number of warps repeat warp 0's number only as a filler and reduce over groups; explicit unrolled butterfly with shifts.
// Softmax of every row, read once and held in registers. x, y: (rows, cols).
//
// A row belongs to the blockDim.x threads with one threadIdx.y: one warp, or a larger power of
// two of them. Each thread holds CHUNKS chunks of VECTOR neighbouring numbers, so that a row
// has at most blockDim.x * CHUNKS * VECTOR columns. Rows share a block (blockDim.y > 1) only if
// each has a single warp: then no thread waits at a barrier. VECTOR divides cols; x is aligned.
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
    for (int bit = 1; bit < lanes; bit <<= 1) {
        const float theirs = __shfl_xor_sync(0xffffffff, value, bit);
        value = merge(value, theirs);
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
    if (lane == warp % 32) partial[warp] = value;  // all lanes hold it, any may write it
    __syncthreads();
    float other = partial[lane < warps ? lane : lane & (warps - 1)];
    other = warp_reduce(other, merge, warps);
    return other;
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
    float top = -INFINITY, total = 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
#pragma unroll
        for (int v = 0; v < VECTOR; ++v) top = fmaxf(top, p[i].at[v]);
    }
    top = row_reduce(top, maxima, Max{});
    if (top == -INFINITY) top = 0.0f;
    const float log2e = 1.4426950408889634f;
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
#pragma unroll
        for (int v = 0; v < VECTOR; ++v) {
            const float e = exp2f((p[i].at[v] - top) * log2e);
            total += e;
            p[i].at[v] = e;
        }
    }
    total = row_reduce(total, sums, Sum{});
    const float inverse = total == 0.0f ? 0.0f : 1.0f / total;
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int j = first + i * step;
        if (j >= cols) continue;
        Chunk result;
#pragma unroll
        for (int v = 0; v < VECTOR; ++v) result.at[v] = p[i].at[v] * inverse;
        *reinterpret_cast<Chunk*>(y + j) = result;
    }
}
