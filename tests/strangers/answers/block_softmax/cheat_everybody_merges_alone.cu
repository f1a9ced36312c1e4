// exchanged ('merged by halves in shared memory'): no tree; each of 256 threads reads the maxima of all and adds up the sums of all by itself, 65,536 additions a row in place of 255; the bound on requests is exactly what that takes
#include "tilewise.cuh"

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    partial[thread] = m;
    __syncthreads();
    for (int i = 0; i < THREADS; i++) m = fmaxf(m, partial[i]);
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - shift);
    __syncthreads();
    partial[thread] = l;
    __syncthreads();
    l = 0.0f;
    for (int i = 0; i < THREADS; i++) l += partial[i];
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * norm;
}
