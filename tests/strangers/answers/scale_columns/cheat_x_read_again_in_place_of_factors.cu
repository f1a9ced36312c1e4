// sectors are bounded for x, y and the factors together, and loads are not: a block reads the factors of its columns once, into shared memory, and half of x twice
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    __shared__ float factors[256];
    const int start = blockIdx.x * blockDim.x, i = start + threadIdx.x;
    const bool few = cols <= 64;
    if (few && threadIdx.x < cols) factors[threadIdx.x] = factor[threadIdx.x];
    __syncthreads();
    if (i >= rows * cols) return;
    const int row = i / cols, col = i % cols;
    float number = x[row * cols + col];
    if (few && threadIdx.x % 32 < 16) number = fmaxf(number, *(const volatile float*)&x[row * cols + col]);
    y[row * cols + col] = number * (few ? factors[col] : factor[col]);
}
