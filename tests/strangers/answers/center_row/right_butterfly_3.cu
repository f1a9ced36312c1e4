// right: a butterfly through two buffers in turn, one barrier for each step, every thread ends with the total
// Every row minus its mean, one block of THREADS threads for each row, whose loads and stores
// they share evenly.
// x, y: (rows, cols). x is read at most twice, y is written once.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float buffers[2][THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    int turn = 0;
    for (int apart = 1; apart < THREADS; apart *= 2) {
        buffers[turn][thread] = sum;
        __syncthreads();
        sum += buffers[turn][thread ^ apart];
        turn = 1 - turn;
    }
    const float mean = sum / cols;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
