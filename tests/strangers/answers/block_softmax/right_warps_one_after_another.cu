// Softmax of every row in two readings: each thread keeps a running maximum and denominator of
// its own (the online softmax), which are then merged by shuffles within a warp and by shared
// memory between warps.
#include "tilewise.cuh"

#define WARPS (THREADS / 32)

// A maximum m and the sum l of exp(x - m), over some numbers x.
struct State {
    float m, l;
};

__device__ float safe(float m) { return m == -INFINITY ? 0.0f : m; }

__device__ State merged(State a, State b) {
    const float m = fmaxf(a.m, b.m), shift = safe(m);
    return {m, a.l * expf(a.m - shift) + b.l * expf(b.m - shift)};
}

__device__ State take(State s, float x) {
    if (x > s.m) {
        s.l = s.l * expf(s.m - x) + 1.0f;
        s.m = x;
    } else if (x > -INFINITY) {
        s.l += expf(x - s.m);
    }
    return s;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float maxima[WARPS];
    __shared__ float sums[WARPS];
    const int thread = threadIdx.x;
    const int warp = thread / 32, lane = thread % 32;
    const float* row = x + (long long)blockIdx.x * cols;
    float* out = y + (long long)blockIdx.x * cols;

    State s = {-INFINITY, 0.0f};
    for (int j = thread; j < cols; j += THREADS) {
        s = take(s, row[j]);
    }
    for (int apart = 1; apart < 32; apart *= 2) {
        State other;
        other.m = __shfl_xor_sync(0xffffffff, s.m, apart);
        other.l = __shfl_xor_sync(0xffffffff, s.l, apart);
        s = merged(s, other);
    }
    if (lane == 0) {
        maxima[warp] = s.m;
        sums[warp] = s.l;
    }
    __syncthreads();
    s = {maxima[0], sums[0]};
    for (int w = 1; w < WARPS; w++) {
        s = merged(s, {maxima[w], sums[w]});
    }
    const float shift = safe(s.m);
    const float inverse = s.l > 0.0f ? 1.0f / s.l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        out[j] = expf(row[j] - shift) * inverse;
    }
}
