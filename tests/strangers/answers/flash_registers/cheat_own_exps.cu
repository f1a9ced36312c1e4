// BREAKS: "and each computes 8 x 4 of the scores"
// COSTS: each thread computes the scores of its half warp's first query as well as its own, and every product twice, in halves that are added
// Attention with register tiles: 128 threads share TILE = 64 queries and tiles of
// as many keys, and each computes 8 x 4 of the scores, and computes and stores 8 x D/16 of the
// output, in plain arithmetic, float32 or wider.
#include "tilewise.cuh"

#define TILE 64
#define THREADS 128
#define STRIDE (D + 4)       // floats from row to row of a tile: rows begin in other banks
#define P_STRIDE (TILE + 4)  // the same for probabilities

// Rows first to first + TILE - 1 of x (n, D), as float; zeros past the end.
__device__ void load_tile(float* tile, const element* x, int first, int n) {
    for (int i = 4 * threadIdx.x; i < TILE * D; i += 4 * THREADS) {
        const int row = i / D, c = i % D;
        uint2 bits = {0, 0};
        if (first + row < n) bits = *(const uint2*)&x[(first + row) * D + c];
        const element* e = (const element*)&bits;
        *(float4*)&tile[row * STRIDE + c] = {to_float(e[0]), to_float(e[1]),
                                             to_float(e[2]), to_float(e[3])};
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) flash_registers(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    extern __shared__ float4 shared[];
    float* q_tile = (float*)shared;
    float* k_tile = q_tile + TILE * STRIDE;
    float* v_tile = k_tile + TILE * STRIDE;
    float* p_tile = k_tile;  // (keys, queries), where the keys lay, once all have read them
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;  // half a warp shares eight queries
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE;
    const int row = first + 8 * y;  // this thread's queries are row to row + 7
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that query `row` sees
    const int seen_by_any = causal ? min(first + TILE + n_k - n_q, n_k) : n_k;

    float acc[8][D / 16];  // columns 4 x to 4 x + 3, and the same 64 further on if D is 128
    float m[8], l[8];      // the same numbers in all 16 threads of a row
    for (int i = 0; i < 8; ++i) {
        m[i] = -INFINITY;
        l[i] = 0.0f;
        for (int c = 0; c < D / 16; ++c) acc[i][c] = 0.0f;
    }
    load_tile(q_tile, q, first, n_q);
    for (int start = 0; start < seen_by_any; start += TILE) {
        __syncthreads();  // all have read the tiles before
        load_tile(k_tile, k, start, n_k);
        load_tile(v_tile, v, start, n_k);
        __syncthreads();  // the tiles are there

        float s[8][4] = {};  // of queries row + i and keys start + x + 16 j
        // S = Q K^T: eight queries times four keys.
        for (int c = 0; c < D; ++c) {
            float a[8], b[4];
            for (int i = 0; i < 8; ++i) a[i] = q_tile[(8 * y + i) * STRIDE + c];
            for (int j = 0; j < 4; ++j) b[j] = k_tile[(x + 16 * j) * STRIDE + c];
            for (int twice = 0; twice < 2; ++twice) {
                for (int i = 0; i < 8; ++i) {
                    for (int j = 0; j < 4; ++j) s[i][j] += 0.5f * a[i] * b[j];
                }
            }
        }
        for (int i = 0; i < 8; ++i) {
            const int bound = causal ? min(last + i, n_k - 1) : n_k - 1;
            for (int j = 0; j < 4; ++j) {
                s[i][j] = start + x + 16 * j <= bound ? s[i][j] * scale : -INFINITY;
            }
            // m_new and sum over the row's 16 threads, and alpha; s becomes P.
            float m_new = fmaxf(fmaxf(s[i][0], s[i][1]), fmaxf(s[i][2], s[i][3]));
            for (int apart = 8; apart > 0; apart /= 2) m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, apart));
            m_new = fmaxf(m[i], m_new);
            const float at = m_new == -INFINITY ? 0.0f : m_new;
            const float alpha = expf(m[i] - at);
            float sum = 0.0f;
            for (int j = 0; j < 4; ++j) sum += s[i][j] = expf(s[i][j] - at);
            for (int apart = 8; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
            l[i] = alpha * l[i] + sum;
            m[i] = m_new;
            for (int c = 0; c < D / 16; ++c) acc[i][c] *= alpha;
        }
        __syncthreads();  // all have read the keys
        for (int j = 0; j < 4; ++j) {
            float4* p = (float4*)&p_tile[(x + 16 * j) * P_STRIDE + 8 * y];
            p[0] = {s[0][j], s[1][j], s[2][j], s[3][j]};
            p[1] = {s[4][j], s[5][j], s[6][j], s[7][j]};
        }
        __syncwarp();  // a query's probabilities are written and read by one warp
        // acc += P V: all keys of the tile, this thread's columns.
        for (int j = 0; j < TILE; ++j) {
            float p[8];
            for (int i = 0; i < 8; ++i) p[i] = p_tile[j * P_STRIDE + 8 * y + i];
            for (int c = 0; c < D / 16; ++c) {
                const float value = v_tile[j * STRIDE + 4 * x + c / 4 * 64 + c % 4];
                for (int i = 0; i < 8; ++i) acc[i][c] += p[i] * value;
            }
        }
    }
    for (int i = 0; i < 8; ++i) {
        if (row + i >= n_q) return;
        const float inverse = l[i] > 0.0f ? 1.0f / l[i] : 0.0f;  // no key seen: 0
        for (int c = 0; c < D / 16; c += 4) {
            *(uint2*)&o[(row + i) * D + 4 * x + 16 * c] = {
                pack(acc[i][c] * inverse, acc[i][c + 1] * inverse),
                pack(acc[i][c + 2] * inverse, acc[i][c + 3] * inverse)};
        }
        if (x == 0) L[row + i] = m[i] + logf(l[i]);
    }
}
