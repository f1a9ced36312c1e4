// shuffles from near to far, the warps' numbers merged one after the other by every thread, arithmetic by lambdas over a thread's part, division instead of the inverse.
// Softmax of every row, read once and held in registers. x, y: (rows, cols). A row of -inf
// gives zeros.
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
    int apart = 1;
    while (apart < lanes) {
        value = merge(__shfl_xor_sync(0xffffffff, value, apart), value);
        apart += apart;
    }
    return value;
}

// The values of all of a row's threads merged into one, which each of them gets.
// partial: a number for each warp, in shared memory, used by this reduction only.
template <typename Merge>
__device__ float row_reduce(float value, float* partial, Merge merge) {
    const int warps = blockDim.x / 32;
    value = warp_reduce(value, merge);
    if (warps > 1) {
        if (threadIdx.x % 32 == 31) {  // any lane has it
            partial[threadIdx.x / 32] = value;
        }
        __syncthreads();
        value = partial[0];
        for (int warp = 1; warp < warps; warp++) {  // the same number for all lanes at once
            value = merge(value, partial[warp]);
        }
    }
    return value;
}

// The row's part of one thread, worked on by its members.
struct Part {
    Chunk p[CHUNKS];

    template <typename Step> __device__ void each(Step step) {
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
#pragma unroll
            for (int v = 0; v < VECTOR; v++) {
                step(p[i].at[v]);
            }
        }
    }
};

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
    Part part;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int j = first + i * step;
        for (int v = 0; v < VECTOR; v++) {
            part.p[i].at[v] = -INFINITY;  // past the end of the row
        }
        if (j < cols) {
            part.p[i] = *reinterpret_cast<const Chunk*>(x + j);
        }
    }
    float m = -INFINITY;
    part.each([&](float& value) { m = fmaxf(m, value); });
    m = row_reduce(m, maxima, Max());
    if (m == -INFINITY) {
        m = 0.0f;  // exp(-inf - 0) is 0
    }
    float l = 0.0f;
    part.each([&](float& value) { l += value = expf(value - m); });
    l = row_reduce(l, sums, Sum());
    if (l == 0.0f) {
        l = 1.0f;  // zeros stay zeros
    }
    part.each([&](float& value) { value /= l; });
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        if (first + i * step < cols) {
            *reinterpret_cast<Chunk*>(y + first + i * step) = part.p[i];
        }
    }
}
