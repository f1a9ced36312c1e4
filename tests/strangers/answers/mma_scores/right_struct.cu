// Style: C++ with structs of fragments, a template for the number of registers and device helpers; the layout is a function from register to row and column.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

template <int REGISTERS>
struct Fragment {
    unsigned x[REGISTERS];
};

struct Accumulator {
    float x[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    __device__ void write(float* to, int stride, int g, int t) const {
#pragma unroll
        for (int i = 0; i < 4; ++i) to[(g + i / 2 * 8) * stride + 2 * t + i % 2] = x[i];
    }
};

// A has four registers (rows g, g + 8, then again eight columns on), B two (no second row).
template <int REGISTERS>
__device__ inline Fragment<REGISTERS> read_fragment(const element* from, int stride, int g, int t) {
    Fragment<REGISTERS> f;
    constexpr int DOWN = REGISTERS / 2;
#pragma unroll
    for (int i = 0; i < REGISTERS; ++i) {
        const int row = g + i % DOWN * 8, column = 2 * t + i / DOWN * 8;
        f.x[i] = *reinterpret_cast<const unsigned*>(from + row * stride + column);
    }
    return f;
}

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    Accumulator sum[2];  // 16 queries and eight keys each
    for (int step = 0; step < d / 16; ++step) {
        Fragment<4> a = read_fragment<4>(q + 16 * step, d, g, t);
        Fragment<2> b[2];
#pragma unroll
        for (int j = 0; j < 2; ++j) b[j] = read_fragment<2>(k + 8 * j * d + 16 * step, d, g, t);
#pragma unroll
        for (int j = 0; j < 2; ++j) mma_m16n8k16(sum[j].x, a.x, b[j].x);
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) sum[j].write(s + 8 * j, n, g, t);
}
