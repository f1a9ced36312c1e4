// Threads load evenly: one warp does the rows of all sixteen, and each lane stores one or two.
#include "tilewise.cuh"

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta, int rows) {
    const int lane = threadIdx.x;
    if (lane >= 32) return;
    float mine = 0.0f;
    const int first = blockIdx.x * 16;
    for (int r = 0; r < 16 && first + r < rows; ++r) {
        const size_t at = (size_t)(first + r) * D;
        float sum = 0.0f;
        for (int c = 2 * lane; c < D; c += 64) {
            const unsigned a = *(const unsigned*)(o + at + c), b = *(const unsigned*)(dout + at + c);
            const element *x = (const element*)&a, *y = (const element*)&b;
            sum += to_float(x[0]) * to_float(y[0]) + to_float(x[1]) * to_float(y[1]);
        }
        for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
        if (r == lane) mine = sum;
    }
    if (lane < 16 && first + lane < rows) delta[first + lane] = mine;
}
