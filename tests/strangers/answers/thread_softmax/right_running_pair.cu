// one reading for maximum and denominator together, in a struct that takes numbers in and skips -inf; a second one for the quotients.
#include "tilewise.cuh"

struct Running {
    float m = -INFINITY, l = 0.0f;

    __device__ void take(float value) {
        if (value > m) {
            l = l * expf(m - value) + 1.0f;  // m may be -inf, and l is 0 then
            m = value;
        } else if (value > -INFINITY) {
            l += expf(value - m);
        }
    }
};

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float* from = x + row * cols;
        Running sum;
        for (const float* p = from; p != from + cols; ++p) {
            sum.take(*p);
        }
        const bool empty = sum.l == 0.0f;
        for (float* to = y + row * cols; cols-- > 0; ++to, ++from) {
            *to = empty ? 0.0f : expf(*from - sum.m) / sum.l;
        }
    }
}
