// Merges structs that a function takes by value, without a barrier between the rounds of the tree: a race that no plain load shows. With 64 threads and more than one warp.
#include "tilewise.cuh"

#define PER_BLOCK(type, name, n) __shared__ type name[n]

struct Sum {
    float value;
};
__device__ Sum merged(Sum a, Sum b) { return Sum{a.value + b.value}; }

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    PER_BLOCK(Sum, sums, THREADS);
    __shared__ struct {
        float value;
        int written;
    } mean;
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    Sum sum = {0.0f};
    for (int j = thread; j < cols; j += THREADS) {
        sum = merged(sum, Sum{x[j]});
    }
    sums[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            sums[thread] = merged(sums[thread], sums[thread + half]);
        }
    }
    if (thread == 0) {
        mean.value = sums[0].value / cols;
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean.value;
    }
}
