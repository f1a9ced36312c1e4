// Breaks: "Attention by one thread for each query: it reads each key and value that it sees once" (a lane reads every second key for its own query and for its neighbour's, gets that query by shuffles, and the two halves are merged at the end)
// Attention by one thread for each query: it reads each key and value that it sees once.
// D is 64 or 128, scale is positive.
#include "tilewise.cuh"

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that this query sees


    const int lane = threadIdx.x % 32, side = lane % 2;
    const int mine = min(row, n_q - 1), other = min(row + 1 - 2 * side, n_q - 1);
    element query[2][D];  // mine, and the neighbour's
    float acc[2][D], m[2] = {-INFINITY, -INFINITY}, l[2] = {0.0f, 0.0f};
    for (int c = 0; c < D; ++c) {
        query[0][c] = q[mine * D + c];
        query[1][c] = to_element(__shfl_xor_sync(0xffffffff, to_float(query[0][c]), 1));
        acc[0][c] = acc[1][c] = 0.0f;
    }
    const int ends[2] = {row < n_q ? last : -1, row + 1 - 2 * side < n_q ? (causal ? other + n_k - n_q : n_k - 1) : -1};
    for (int j = side; j <= max(ends[0], ends[1]); j += 2) {
        float s[2] = {0.0f, 0.0f};
        for (int c = 0; c < D; ++c) {
            const float key = to_float(k[j * D + c]);
            s[0] += to_float(query[0][c]) * key;
            s[1] += to_float(query[1][c]) * key;
        }
        float p[2], alpha[2];
        for (int h = 0; h < 2; ++h) {
            s[h] = j <= ends[h] ? s[h] * scale : -INFINITY;
            const float m_new = fmaxf(m[h], s[h]), shift = m_new == -INFINITY ? 0.0f : m_new;
            alpha[h] = expf(m[h] - shift);
            p[h] = expf(s[h] - shift);
            l[h] = alpha[h] * l[h] + p[h];
            m[h] = m_new;
        }
        for (int c = 0; c < D; ++c) {
            const float value = to_float(v[j * D + c]);
            acc[0][c] = alpha[0] * acc[0][c] + p[0] * value;
            acc[1][c] = alpha[1] * acc[1][c] + p[1] * value;
        }
    }
    const float m_there = __shfl_xor_sync(0xffffffff, m[1], 1), l_there = __shfl_xor_sync(0xffffffff, l[1], 1);
    const float top = fmaxf(m[0], m_there), shift = top == -INFINITY ? 0.0f : top;
    const float here = expf(m[0] - shift), there = expf(m_there - shift);
    const float sum = here * l[0] + there * l_there;
    const float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) {
        const float value = __shfl_xor_sync(0xffffffff, acc[1][c], 1);
        if (row < n_q) o[row * D + c] = to_element((here * acc[0][c] + there * value) * inverse);
    }
    if (row < n_q) L[row] = top + logf(sum);
}
