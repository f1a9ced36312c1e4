// Tree in a while loop with the barrier behind the branch; the mean is read into a register once.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    const long long offset = (long long)blockIdx.x * cols;
    const float* in = x + offset;
    float* out = y + offset;
    float mine = 0.0f;
    for (int j = thread; j < cols; j += THREADS) mine += in[j];
    partial[thread] = mine;
    int half = THREADS;
    while (half > 1) {
        half >>= 1;
        __syncthreads();
        if (thread < half) partial[thread] += partial[thread + half];
    }
    __syncthreads();
    const float mean = partial[0] / cols;
    for (int j = thread; j < cols; j += THREADS) out[j] = in[j] - mean;
}
