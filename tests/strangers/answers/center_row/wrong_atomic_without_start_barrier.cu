// One shared total with atomicAdd: thread 0 sets it to 0 and no barrier stands before the others add to it, so a share may be wiped out; a race in every row of more than one thread's work.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float total;
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    if (thread == 0) total = 0.0f;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    atomicAdd(&total, sum);
    __syncthreads();
    const float mean = total / cols;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
