// Lanes read neighbours in turn, two elements as one word, and the sums of the lanes are added in shared memory.
#include "tilewise.cuh"

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    __shared__ float sums[16][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.x * (blockDim.x / 32) + warp;
    float sum = 0.0f;
    if (row < rows) {
        for (int c = 2 * lane; c < D; c += 64) {
            const unsigned a = *(const unsigned*)(o + (size_t)row * D + c);
            const unsigned b = *(const unsigned*)(dout + (size_t)row * D + c);
            const element *x = (const element*)&a, *y = (const element*)&b;
            sum += to_float(x[0]) * to_float(y[0]) + to_float(x[1]) * to_float(y[1]);
        }
    }
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && lane < 16) {
        float all = 0.0f;
        for (int i = 0; i < 32; ++i) all += sums[lane][i];
        const int there = blockIdx.x * (blockDim.x / 32) + lane;
        if (there < rows) delta[there] = all;
    }
}
