// 20 lanes (10 where D is 128) hand what they have loaded to the first lane of their warp, in 40 words: slow, and within what lanes may hand each other.
#include "tilewise.cuh"

constexpr int PART = D / 32;
constexpr int WORDS = PART / 2;  // of 4 bytes, in a lane's part of a row
constexpr int HELPED = 20 / WORDS;
struct alignas(2 * PART) Part {
    element x[PART];
};
union Bits {
    Part part;
    unsigned word[WORDS];
    __device__ Bits() {}
};

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    __shared__ __align__(16) unsigned words[16][2 * 20];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Bits a, b;
    a.part = *reinterpret_cast<const Part*>(o + at);
    b.part = *reinterpret_cast<const Part*>(dout + at);
    const bool helped = lane >= 1 && lane <= HELPED;
    if (helped) {
#if D == 64
        *(uint2*)&words[warp][2 * (lane - 1)] = make_uint2(a.word[0], b.word[0]);
#else
        *(uint4*)&words[warp][4 * (lane - 1)] = make_uint4(a.word[0], b.word[0], a.word[WORDS - 1], b.word[WORDS - 1]);
#endif
    }
    __syncwarp();
    float sum = 0;
    if (!helped)
        for (int i = 0; i < PART; i++) sum += to_float(a.part.x[i]) * to_float(b.part.x[i]);
    if (lane == 0) {
        for (int j = 0; j < 10; j++) {
            const uint4 four = *(const uint4*)&words[warp][4 * j];
            Bits c, d;
            c.word[0] = four.x, d.word[0] = four.y;
            for (int i = 0; i < 2; i++) sum += to_float(c.part.x[i]) * to_float(d.part.x[i]);
            c.word[0] = four.z, d.word[0] = four.w;
            for (int i = 0; i < 2; i++) sum += to_float(c.part.x[i]) * to_float(d.part.x[i]);
        }
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0) delta[row] = sum;
}
