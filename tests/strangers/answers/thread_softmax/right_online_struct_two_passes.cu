// Right: online softmax in a struct with member functions (two passes only), __expf-free, while loops with pointers
#include "tilewise.cuh"

struct Online {
    float m = -INFINITY;
    float l = 0.0f;

    __device__ void see(float value) {
        if (value > m) {
            l = l * expf(m - value) + 1.0f;
            m = value;
        } else if (value > -INFINITY) {
            l += expf(value - m);
        }
    }
    __device__ float probability(float value, float inverse) const {
        return value == -INFINITY ? 0.0f : expf(value - m) * inverse;
    }
};

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    Online state;
    const float* const end = x + cols;
    const float* p = x;
    while (p != end) state.see(*p++);
    const float inverse = state.l > 0.0f ? 1.0f / state.l : 0.0f;
    for (p = x; p != end; ++p, ++y) *y = state.probability(*p, inverse);
}
