// right: four of a block's 16 warps have four rows each, the others none; shuffles from 1 up, lane 0 stores.
#include "tilewise.cuh"

constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

__device__ __forceinline__ float dot(const Part& a, const Part& b) {
    float sum = 0.0f;
    for (int i = PART - 1; i >= 0; --i) sum = fmaf(to_float(b.x[i]), to_float(a.x[i]), sum);
    return sum;
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int rows_of_block = blockDim.x / 32;  // as many as it has warps
    if (4 * warp >= rows_of_block) return;
    for (int i = 4 * warp; i < min(4 * warp + 4, rows_of_block); ++i) {
        const int row = blockIdx.x * rows_of_block + i;
        if (row >= rows) return;  // the same for all lanes
        const size_t at = (size_t)row * D + lane * PART;
        const Part a = *reinterpret_cast<const Part*>(o + at);
        const Part b = *reinterpret_cast<const Part*>(dout + at);
        float sum = dot(a, b);
        for (int apart = 1; apart < 32; apart *= 2) {
            sum += __shfl_xor_sync(0xffffffff, sum, apart);
        }
        if (lane == 0) delta[row] = sum;
    }
}
