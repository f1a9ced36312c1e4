// a lambda for the loop over one's own columns
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int me = threadIdx.x;
    const long long row = (long long)blockIdx.x * cols;
    auto mine = [&](auto body) {
        for (int j = me; j < cols; j += THREADS) body(row + j);
    };

    float sum = 0.0f;
    mine([&](long long at) { sum += x[at]; });
    partial[me] = sum;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > 0; half >>= 1) {
        if (me < half) partial[me] += partial[me + half];
        __syncthreads();
    }
    const float mean = partial[0] / cols;
    mine([&](long long at) { y[at] = x[at] - mean; });
}
