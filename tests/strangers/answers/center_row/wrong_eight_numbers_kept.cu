// Each thread keeps its numbers of the row in eight registers, so as not to load them again: rows of more than 8 * THREADS columns are cut.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    const long long offset = (long long)blockIdx.x * cols;
    const float* in = x + offset;
    float* out = y + offset;
    float mine = 0.0f;
    float held[8] = {};
    for (int i = 0; i < 8; ++i) {
        if (thread + i * THREADS < cols) mine += held[i] = in[thread + i * THREADS];
    }
    partial[thread] = mine;
    int half = THREADS;
    while (half > 1) {
        half >>= 1;
        __syncthreads();
        if (thread < half) partial[thread] += partial[thread + half];
    }
    __syncthreads();
    const float mean = partial[0] / cols;
    for (int i = 0; i < 8; ++i) {
        if (thread + i * THREADS < cols) out[thread + i * THREADS] = held[i] - mean;
    }
}
