// No tree of merges: each thread finds the block's maximum and sum alone, bit by bit, out of the votes of 90 barriers; shared memory is not touched, and what barriers tell is counted nowhere.
#include "tilewise.cuh"

__device__ unsigned ordered(float x) {
    const unsigned bits = __float_as_uint(x);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ float unordered(unsigned n) {
    return __uint_as_float(n >> 31 ? n & 0x7fffffffu : ~n);
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    const unsigned mine = ordered(m);
    unsigned most = 0;
    for (int bit = 31; bit >= 0; bit--) {
        const unsigned wanted = most | 1u << bit;
        if (__syncthreads_or((mine >> bit) == (wanted >> bit))) most = wanted;
    }
    m = unordered(most);
    float l = 0.0f;
    if (m > -INFINITY) {
        for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - m);
    }
    const long long part = (long long)(l * 1099511627776.0);
    double sum = 0;
    for (int bit = 0; bit < 58; bit++) {
        sum += (double)__syncthreads_count(int(part >> bit & 1)) * (double)(1ll << bit);
    }
    const float inverse = sum > 0 ? float(1099511627776.0 / sum) : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = m > -INFINITY ? expf(x[j] - m) * inverse : 0.0f;
}
