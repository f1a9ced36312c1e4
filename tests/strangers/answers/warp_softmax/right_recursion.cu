// Right: an enum class and if constexpr for the operation, the butterfly as a template recursion.
#include "tilewise.cuh"

struct alignas(4 * VECTOR) Chunk {
    float at[VECTOR];
};

enum class Op { max, sum };

template <Op op>
__device__ inline float merge(float a, float b) {
    if constexpr (op == Op::max) {
        return fmaxf(a, b);
    } else {
        return a + b;
    }
}

template <Op op, int apart>
__device__ inline float butterfly(float value) {
    if constexpr (apart == 0) {
        return value;
    } else {
        const float other = __shfl_xor_sync(0xffffffff, value, apart);
        return butterfly<op, apart / 2>(merge<op>(value, other));
    }
}

// The values of all of a row's threads merged into one, which each of them gets.
template <Op op>
__device__ inline float row_reduce(float value, float* partial) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    value = butterfly<op, 16>(value);
    if (warps == 1) return value;
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    const float neutral = op == Op::max ? -INFINITY : 0.0f;
    return butterfly<op, 16>(lane < warps ? partial[lane] : neutral);
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
    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
#pragma unroll
        for (int v = 0; v < VECTOR; v++) p[i].at[v] = -INFINITY;
        if (j < cols) p[i] = *reinterpret_cast<const Chunk*>(x + j);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) m = fmaxf(m, p[i].at[v]);
    }
    m = row_reduce<Op::max>(m, maxima);
    const float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            p[i].at[v] = expf(p[i].at[v] - shift);
            l += p[i].at[v];
        }
    }
    l = row_reduce<Op::sum>(l, sums);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int j = first + i * step;
#pragma unroll
        for (int v = 0; v < VECTOR; v++) p[i].at[v] *= inverse;
        if (j < cols) *reinterpret_cast<Chunk*>(y + j) = p[i];
    }
}
