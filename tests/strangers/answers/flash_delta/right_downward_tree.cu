// Recursive template over the halves of a warp with shuffle down, product by fused multiply-add, last lane of nothing: lane 0 holds the total and stores it.
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. One warp for each row; D is 64 or 128.
#include "tilewise.cuh"

// What one lane holds of a row: neighbours in memory, so that it comes with one load.
constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

__device__ __forceinline__ float dot(const Part& a, const Part& b) {
    float sum = 0.0f;
#pragma unroll
    for (int i = PART - 1; i >= 0; --i) sum = fmaf(to_float(a.x[i]), to_float(b.x[i]), sum);
    return sum;
}

template <int WIDTH>
__device__ __forceinline__ float fold(float value) {
    value += __shfl_down_sync(0xffffffff, value, WIDTH);
    if constexpr (WIDTH > 1) value = fold<WIDTH / 2>(value);
    return value;
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Part a = *reinterpret_cast<const Part*>(o + at);
    Part b = *reinterpret_cast<const Part*>(dout + at);
    float sum = dot(a, b);
    sum = fold<16>(sum);
    if (lane == 0) {
        delta[row] = sum;
    }
}
