// style: braced pairs
// Attention on tensor cores as in flash_mma, with tiles that come while others are computed on.
// A warp owns 32 queries, in two fragments f of 16: what it reads of a tile it uses twice. Rows
// of tiles lie without padding; within a row the chunks of 16 bytes are swapped. Unroll
// loops over what lies in registers: an index that is not known puts an array into memory.
#include "tilewise.cuh"

#define FRAGMENTS 2               // of 16 queries each, in a warp
#define THREADS TILE_M            // 32 queries and 32 lanes in a warp
#define TILE (TILE_N * D)         // elements of a tile of keys or values
#define ROWS (THREADS / (D / 8))  // rows that the block's threads copy at once: a chunk each

// Where chunk `chunk` (eight elements) of row `row` lies in a tile: over eight consecutive rows
// a chunk takes each of the eight slots of 128 bytes once. Rows r and r + 8 lie 8 D apart, and
// two chunks to the right is ^ 16, as start_tile and the reads of q_tile have it.
__device__ __forceinline__ int place(int row, int chunk) {
    return row * D + 8 * (chunk ^ row % 8);
}

// Start copying rows first to first + rows - 1 of x (n, D); zeros past the end.
__device__ __forceinline__ void start_tile(
    element* tile, const element* x, int first, int rows, int n) {
    // ROWS is a multiple of 8, so that all rows of a thread have its chunk in the same place.
    const int row = threadIdx.x / (D / 8), chunk = threadIdx.x % (D / 8);
    const element* from = x + (first + row) * D + 8 * chunk;
    element* to = tile + place(row, chunk);
#pragma unroll
    for (int i = 0; i < rows; i += ROWS) {
        cp_async(to + i * D, from + i * D, first + row + i < n);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) flash_async(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    extern __shared__ uint4 shared[];
    element* q_tile = (element*)shared;
    element* stages = q_tile + TILE_M * D;  // two, each a tile of keys and one of values
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int g = lane / 4, t = lane % 4;
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    // Of a causal grid the last queries see most keys: they start first.
    const int first = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * TILE_M;
    const int row = first + 32 * warp + g;  // this lane's queries: row, + 8, + 16 and + 24
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    const int seen_by_all = causal ? first + 1 + n_k - n_q : n_k;
    const float scale_2 = scale * 1.4426950408889634f;  // exp(x) = exp2(x log2(e))

    // Where the row lies whose address this lane gives to ldmatrix, at c = 0. A step of c, two
    // chunks to the right, is ^ 16 c: the chunk is 0 or 1, and exclusive ors may change places.
    const int q_at = place(32 * warp + lane % 16, lane / 16);
    // k_at and v_at: the same for 16 keys, and for the values of 16 keys.
    const int k_at = place(lane / 16 * 8 + lane % 8, lane / 8 % 2);
    const int v_at = place(lane % 16, lane / 16);

    start_tile(q_tile, q, first, TILE_M, n_q);
    start_tile(stages, k, 0, TILE_N, n_k);
    start_tile(stages + TILE, v, 0, TILE_N, n_k);
    cp_async_commit();
    float acc[FRAGMENTS][D / 8][4] = {};  // the output, eight columns a fragment
    float m[FRAGMENTS][2];                // of each query: largest score, times scale_2
    float l[FRAGMENTS][2];                // sum of exp2(score - m) over this lane's columns
    for (int f = 0; f < FRAGMENTS; ++f) {
        m[f][0] = m[f][1] = -INFINITY;
        l[f][0] = l[f][1] = 0.0f;
    }
    int stage = 0;
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const element* k_tile = stages + stage * 2 * TILE;
        const element* v_tile = k_tile + TILE;
        // Wait until this stage's tiles are there for everybody.
        cp_async_wait<0>();
        __syncthreads();

        float s[FRAGMENTS][TILE_N / 8][4] = {};  // the scores, eight keys a fragment
#pragma unroll 4  // all eight steps of D = 128 at once would ask for too many registers
        for (int c = 0; c < D / 16; ++c) {
            unsigned a[FRAGMENTS][4];
            for (int f = 0; f < FRAGMENTS; ++f) {
                ldmatrix_x4(a[f], q_tile + 16 * f * D + (q_at ^ 16 * c));
            }
            // s += Q K^T over the columns 16 c to 16 c + 15.
            #pragma unroll
            for (int j = 0; j < TILE_N / 16; ++j) {
                unsigned b[4];
                ldmatrix_x4(b, k_tile + 16 * j * D + (k_at ^ 16 * c));
                for (int f = 0; f < FRAGMENTS; ++f) {
                    mma_m16n8k16(s[f][2 * j], a[f], {b[0], b[1]});
                    mma_m16n8k16(s[f][2 * j + 1], a[f], {b[2], b[3]});
                }
            }
        }

        stage = 1 - stage;
        // Start copying the next tiles, if there are any.
        if (start + TILE_N < seen_by_any) {
            element* next = stages + stage * 2 * TILE;
            start_tile(next, k, start + TILE_N, TILE_N, n_k);
            start_tile(next + TILE, v, start + TILE_N, TILE_N, n_k);
            cp_async_commit();
        }

        if (start + TILE_N > seen_by_all) {  // only these tiles have something to mask
#pragma unroll
            for (int f = 0; f < FRAGMENTS; ++f) {
                for (int j = 0; j < TILE_N / 8; ++j) {
                    for (int i = 0; i < 4; ++i) {
                        const int key = start + 8 * j + 2 * t + i % 2;
                        const int query = row + 16 * f + i / 2 * 8;
                        const int bound = causal ? min(query + n_k - n_q, n_k - 1) : n_k - 1;
                        if (key > bound) s[f][j][i] = -INFINITY;
                    }
                }
            }
        }
#pragma unroll
        for (int f = 0; f < FRAGMENTS; ++f) {
            for (int h = 0; h < 2; ++h) {  // the fragment's query row, then row + 8
                float m_new = -INFINITY;
                for (int j = 0; j < TILE_N / 8; ++j) {
                    m_new = fmaxf(m_new, fmaxf(s[f][j][2 * h], s[f][j][2 * h + 1]));
                }
                m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 2));
                m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 1));
                m_new = fmaxf(m[f][h], m_new * scale_2);
                const float shift = m_new == -INFINITY ? 0.0f : m_new;
                const float alpha = exp2f(m[f][h] - shift);
                l[f][h] *= alpha;
                for (int j = 0; j < TILE_N / 8; ++j) {
                    for (int i = 2 * h; i < 2 * h + 2; ++i) {
                        s[f][j][i] = exp2f(s[f][j][i] * scale_2 - shift);
                        l[f][h] += s[f][j][i];
                    }
                }
                for (int c = 0; c < D / 8; ++c) {
                    acc[f][c][2 * h] *= alpha;
                    acc[f][c][2 * h + 1] *= alpha;
                }
                m[f][h] = m_new;
            }
        }
#pragma unroll
        for (int j = 0; j < TILE_N / 16; ++j) {
            unsigned p[FRAGMENTS][4];
            for (int f = 0; f < FRAGMENTS; ++f) {
                for (int i = 0; i < 4; ++i) {
                    const float* two = &s[f][2 * j + i / 2][i % 2 * 2];
                    p[f][i] = pack(two[0], two[1]);
                }
            }
#pragma unroll
            for (int c = 0; c < D / 16; ++c) {
                // acc += P V: keys 16 j to 16 j + 15, columns 16 c to 16 c + 15.
                unsigned b[4];
                ldmatrix_x4_trans(b, v_tile + 16 * j * D + (v_at ^ 16 * c));
                for (int f = 0; f < FRAGMENTS; ++f) {
                    mma_m16n8k16(acc[f][2 * c], p[f], {b[0], b[1]});
                    mma_m16n8k16(acc[f][2 * c + 1], p[f], {b[2], b[3]});
                }
            }
        }
    }
#pragma unroll
    for (int f = 0; f < FRAGMENTS; ++f) {
        for (int h = 0; h < 2; ++h) {
            l[f][h] += __shfl_xor_sync(0xffffffff, l[f][h], 1);
            l[f][h] += __shfl_xor_sync(0xffffffff, l[f][h], 2);
            const int query = row + 16 * f + 8 * h;
            if (query < n_q) {
                const float inverse = l[f][h] > 0.0f ? 1.0f / l[f][h] : 0.0f;  // no key seen: 0
                for (int c = 0; c < D / 8; ++c) {
                    *(unsigned*)&o[query * D + 8 * c + 2 * t] =
                        pack(acc[f][c][2 * h] * inverse, acc[f][c][2 * h + 1] * inverse);
                }
                if (t == 0) L[query] = (m[f][h] + log2f(l[f][h])) * 0.6931471805599453f;
            }
        }
    }
}
