// constexpr and a strided loop within the block's slice: right for 64, 128 or 256 threads
#include "tilewise.cuh"

constexpr int SLICE = 256;  // elements of a block

struct Scale {
    float factor;
    __device__ float operator()(float x) const { return factor * x; }
};

template <typename Function>
__device__ void map_slice(const float* __restrict__ x, float* __restrict__ y, int count,
                          Function f) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        y[i] = f(x[i]);
    }
}

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int begin = blockIdx.x * SLICE;
    const int left = n - begin;
    if (left <= 0) {
        return;
    }
    map_slice(x + begin, y + begin, left < SLICE ? left : SLICE, Scale{factor});
}
