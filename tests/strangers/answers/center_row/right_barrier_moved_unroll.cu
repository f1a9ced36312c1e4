// Right: only the barrier is moved out of the branch; the old loop is left as a comment and a DEBUG print is in #ifdef
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    partial[thread] = sum;
    __syncthreads();
    // for (int half = THREADS / 2; half > 0; half /= 2) {
    //     if (thread < half) {
    //         partial[thread] += partial[thread + half];
    //         __syncthreads();      <-- was here: only some threads came
    //     }
    // }
    for (int half = THREADS >> 1; half; half >>= 1) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    const float mean = partial[0] / cols;
#ifdef DEBUG
    if (thread == 0) printf("row %d: mean %f\n", blockIdx.x, mean);
#endif
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
