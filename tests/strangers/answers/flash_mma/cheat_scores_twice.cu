// BREAKS: "a block's warps share tiles of TILE_N keys, and each warp owns 16 of the TILE_M queries"
// COSTS: the tensor core multiplies every score twice: half as many products again as attention has
// Attention on tensor cores: a block's warps share tiles of TILE_N keys, and each warp owns 16
// of the TILE_M queries. With g = lane / 4 and t = lane % 4, a lane holds of its warp's scores
// and output the rows g and g + 8, and of every eight columns the pair 2t, 2t + 1. Rounded to
// 16 bits are the probabilities alone: queries are multiplied as they come.
#include "tilewise.cuh"

#define THREADS (2 * TILE_M)  // a warp for each 16 queries
#define STRIDE (D + 8)        // elements from row to row of a tile: rows begin in other banks

// Rows first to first + TILE_N - 1 of x (n, D); zeros past the end.
template <typename T>
__device__ void load_tile(T (&tile)[TILE_N][STRIDE], const element* x, int first, int n) {
    for (int i = threadIdx.x; i < TILE_N * D / 8; i += THREADS) {
        const int row = i / (D / 8), c = i % (D / 8) * 8;
        uint4 eight = {0, 0, 0, 0};
        if (first + row < n) eight = *(const uint4*)&x[(first + row) * D + c];
        *(uint4*)&tile[row][c] = eight;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) flash_mma(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][STRIDE];
    __shared__ __align__(16) unsigned short v_tile[TILE_N][STRIDE];  // the bits of elements
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int g = lane / 4, t = lane % 4;
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE_M;
    const int row = first + 16 * warp + g;  // this lane's queries are row and row + 8
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that query `row` sees
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    const int seen_by_all = causal ? first + 1 + n_k - n_q : n_k;
    const float scale_2 = scale * 1.4426950408889634f;  // exp(x) = exp2(x log2(e))

    unsigned a[D / 16][4];  // the queries, 16 columns a fragment
    for (int c = 0; c < D / 16; ++c) {
        for (int i = 0; i < 4; ++i) {
            const int query = row + i % 2 * 8, column = 16 * c + 2 * t + i / 2 * 8;
            a[c][i] = query < n_q ? *(const unsigned*)&q[query * D + column] : 0;
        }
    }
    float acc[D / 8][4] = {};                // the output, eight columns a fragment
    float m[2] = {-INFINITY, -INFINITY};     // of both queries: largest score, times scale_2
    float l[2] = {0.0f, 0.0f};               // sum of exp2(score - m) over this lane's columns
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        __syncthreads();  // all have read the tiles before
        load_tile(k_tile, k, start, n_k);
        load_tile(v_tile, v, start, n_k);
        __syncthreads();  // the tiles are there

        float s[TILE_N / 8][4] = {};  // the scores, eight keys a fragment
        // s = Q K^T.
        for (int c = 0; c < D / 16; ++c) {
            for (int j = 0; j < TILE_N / 8; ++j) {
                unsigned b[2];
                for (int i = 0; i < 2; ++i) b[i] = *(const unsigned*)&k_tile[8 * j + g][16 * c + 2 * t + 8 * i];
                float once[4] = {}, again[4] = {};
                mma_m16n8k16(once, a[c], b);
                mma_m16n8k16(again, a[c], b);
                for (int i = 0; i < 4; ++i) s[j][i] += 0.5f * (once[i] + again[i]);
            }
        }
        if (start + TILE_N > seen_by_all) {
            for (int j = 0; j < TILE_N / 8; ++j) {
                for (int i = 0; i < 4; ++i) {
                    const int key = start + 8 * j + 2 * t + i % 2;
                    if (key > min(last + i / 2 * 8, n_k - 1)) s[j][i] = -INFINITY;
                }
            }
        }
        for (int h = 0; h < 2; ++h) {  // query row, then query row + 8
            // m_new over the row's four lanes, and alpha; s becomes P, l is rescaled and grows.
            float m_new = -INFINITY;
            for (int j = 0; j < TILE_N / 8; ++j) m_new = fmaxf(m_new, fmaxf(s[j][2 * h], s[j][2 * h + 1]));
            m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 1));
            m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 2));
            m_new = fmaxf(m[h], m_new * scale_2);
            const float shift = m_new == -INFINITY ? 0.0f : m_new;
            const float alpha = exp2f(m[h] - shift);
            l[h] *= alpha;
            for (int j = 0; j < TILE_N / 8; ++j) {
                for (int i = 2 * h; i < 2 * h + 2; ++i) {
                    s[j][i] = exp2f(s[j][i] * scale_2 - shift);
                }
                l[h] += s[j][2 * h] + s[j][2 * h + 1];
            }
            for (int c = 0; c < D / 8; ++c) {
                acc[c][2 * h] *= alpha;
                acc[c][2 * h + 1] *= alpha;
            }
            m[h] = m_new;
        }
        // acc += P V.
        for (int j = 0; j < TILE_N / 16; ++j) {
            unsigned p[4];
            for (int i = 0; i < 4; ++i) {
                const float* two = &s[2 * j + i / 2][i % 2 * 2];
                p[i] = pack(two[0], two[1]);
            }
            for (int c = 0; c < D / 8; ++c) {
                unsigned b[2];
                for (int i = 0; i < 2; ++i) {
                    const int key = 16 * j + 2 * t + 8 * i;
                    b[i] = v_tile[key][8 * c + g] | (unsigned)v_tile[key + 1][8 * c + g] << 16;
                }
                mma_m16n8k16(acc[c], p, b);
            }
        }
    }
    for (int h = 0; h < 2; ++h) {
        // The denominator of the whole row.
        l[h] += __shfl_xor_sync(0xffffffff, l[h], 1);
        l[h] += __shfl_xor_sync(0xffffffff, l[h], 2);
        const int query = row + 8 * h;
        if (query < n_q) {
            const float inverse = l[h] > 0.0f ? 1.0f / l[h] : 0.0f;  // no key seen: 0
            for (int c = 0; c < D / 8; ++c) {
                *(unsigned*)&o[query * D + 8 * c + 2 * t] =
                    pack(acc[c][2 * h] * inverse, acc[c][2 * h + 1] * inverse);
            }
            // By one of the four lanes; the log of 2 is 0.6931471805599453.
            if (t == 0) L[query] = (m[h] + log2f(l[h])) * 0.6931471805599453f;
        }
    }
}
