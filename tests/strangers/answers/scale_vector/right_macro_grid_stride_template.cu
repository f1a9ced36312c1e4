// Right: template functor, macro for the bound, a lambda, constexpr block size, do-while(0) macro
#include "tilewise.cuh"

#define INSIDE(index, count) ((index) < (count))
#define STORE(where, what) do { (where) = (what); } while (0)

constexpr int PER_BLOCK = 256;

template <typename T>
struct Times {
    T factor;
    __device__ __forceinline__ T operator()(T value) const { return factor * value; }
};

extern "C" __global__ void scale_vector(const float* __restrict__ x, float* __restrict__ y, int n, float factor) {
    const Times<float> times{factor};
    const auto scale_one = [=](int i) {
        if (INSIDE(i, n)) STORE(y[i], times(x[i]));
    };
    for (unsigned t = threadIdx.x; t < PER_BLOCK; t += blockDim.x) {
        scale_one(int(blockIdx.x) * PER_BLOCK + int(t));
    }
}
