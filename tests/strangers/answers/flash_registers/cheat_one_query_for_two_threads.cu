// the register tile ('a thread holds 8 x 4 of their scores'): it holds 1 x 32 of them, as flash_tiles does, and reads a number of q and of k for each four products; bytes of main memory, banks and shuffles are bounded, what is read in shared memory is not
#include "tilewise.cuh"

#define TILE 64
#define THREADS 128
#define STRIDE (D + 4)

__device__ void load_tile(float* tile, const element* x, int first, int n) {
    for (int i = 4 * threadIdx.x; i < TILE * D; i += 4 * THREADS) {
        const int row = i / D, c = i % D;
        uint2 bits = {0, 0};
        if (first + row < n) bits = *(const uint2*)&x[(first + row) * D + c];
        const element* e = (const element*)&bits;
        *(float4*)&tile[row * STRIDE + c] = {to_float(e[0]), to_float(e[1]), to_float(e[2]), to_float(e[3])};
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) flash_registers(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    extern __shared__ float4 shared[];
    float* q_tile = (float*)shared;
    float* k_tile = q_tile + TILE * STRIDE;
    float* v_tile = k_tile + TILE * STRIDE;
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE, mine = threadIdx.x / 2, side = threadIdx.x % 2;
    const int row = first + mine;
    const int bound = causal ? min(row + n_k - n_q, n_k - 1) : n_k - 1;
    const int seen_by_any = causal ? min(first + TILE + n_k - n_q, n_k) : n_k;
    float acc[D / 2];
    for (int c = 0; c < D / 2; ++c) acc[c] = 0.0f;
    float m = -INFINITY, l = 0.0f;
    load_tile(q_tile, q, first, n_q);
    for (int start = 0; start < seen_by_any; start += TILE) {
        __syncthreads();
        load_tile(k_tile, k, start, n_k);
        load_tile(v_tile, v, start, n_k);
        __syncthreads();
        float s[32] = {};
        for (int c = 0; c < D; c += 4) {
            const float4 a = *(float4*)&q_tile[mine * STRIDE + c];
            for (int j = 0; j < 32; ++j) {
                const float4 b = *(float4*)&k_tile[(2 * j + side) * STRIDE + c];
                s[j] += a.x * b.x + a.y * b.y;
                s[j] += a.z * b.z + a.w * b.w;
            }
        }
        float m_new = m;
        for (int j = 0; j < 32; ++j) {
            s[j] = start + 2 * j + side <= bound ? s[j] * scale : -INFINITY;
            m_new = fmaxf(m_new, s[j]);
        }
        m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 1));
        const float shift = m_new == -INFINITY ? 0.0f : m_new;
        const float alpha = expf(m - shift);
        float sum = 0.0f;
        for (int j = 0; j < 32; ++j) {
            s[j] = expf(s[j] - shift);
            sum += s[j];
        }
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
        l = alpha * l + sum;
        m = m_new;
        for (int c = 0; c < D / 2; ++c) acc[c] *= alpha;
        for (int j = 0; j < 32; ++j) {
            const float other = __shfl_xor_sync(0xffffffff, s[j], 1);
            const float even = side ? other : s[j], odd = side ? s[j] : other;
            for (int i = 0; i < D / 8; ++i) {
                const float4 a = *(float4*)&v_tile[2 * j * STRIDE + 8 * i + 4 * side];
                const float4 b = *(float4*)&v_tile[(2 * j + 1) * STRIDE + 8 * i + 4 * side];
                acc[4 * i] += even * a.x + odd * b.x;
                acc[4 * i + 1] += even * a.y + odd * b.y;
                acc[4 * i + 2] += even * a.z + odd * b.z;
                acc[4 * i + 3] += even * a.w + odd * b.w;
            }
        }
    }
    __syncthreads();
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int i = 0; i < D / 8; ++i)
        *(float4*)&q_tile[mine * (D + 8) + 8 * i + 4 * side] = {
            acc[4 * i] * inverse, acc[4 * i + 1] * inverse, acc[4 * i + 2] * inverse, acc[4 * i + 3] * inverse};
    if (side == 0 && row < n_q) L[row] = m + logf(l);
    __syncthreads();
    for (int i = 4 * threadIdx.x; i < TILE * D; i += 4 * THREADS) {
        const float4 x = *(float4*)&q_tile[i / D * (D + 8) + i % D];
        if (first + i / D < n_q) *(uint2*)&o[(first + i / D) * D + i % D] = {pack(x.x, x.y), pack(x.z, x.w)};
    }
}
