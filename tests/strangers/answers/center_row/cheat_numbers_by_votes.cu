// A warp hands its sums on by 32 votes, a bit each, and one lane adds them all up: no shuffles, and few reads.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS / 32];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    const unsigned mine = __float_as_uint(sum);
    unsigned planes[32];
    for (int bit = 0; bit < 32; bit++) {
        planes[bit] = __ballot_sync(0xffffffff, (mine >> bit) & 1);
    }
    if (lane == 0) {
        float total = 0.0f;
        for (int other = 0; other < 32; other++) {
            unsigned bits = 0;
            for (int bit = 0; bit < 32; bit++) bits |= ((planes[bit] >> other) & 1) << bit;
            total += __uint_as_float(bits);
        }
        partial[warp] = total;
    }
    __syncthreads();
    float total = 0.0f;
    for (int i = 0; i < THREADS / 32; i++) total += partial[i];
    const float mean = total / cols;
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - mean;
}
