// BREAKS: "dQ += dS K, at the end times scale"
// COSTS: dS K is multiplied twice on the tensor cores and halved, and every tile is masked number by number: four products for three
// dQ on tensor cores: a block owns TILE_M queries and walks over the keys that they see.
//
//     S = Q K^T       P = exp(scale S - L)       dP = dO V^T       dS = P (dP - delta)
//     dQ += dS K, at the end times scale
//
// As in flash_dkdv with the sides exchanged: L and delta belong to rows, registers hold them.
// D is 64 or 128, TILE_M is 8192 / D, TILE_N 64. Where a query sees no key, L is -inf, delta
// is finite. Sums stay in float from tile to tile.
#include "tilewise.cuh"

#define BANDS (128 / D)  // of 16 queries, for each warp
#define THREADS (TILE_M / (16 * BANDS) * 32)
#define PITCH (D + 8)  // elements from row to row of a tile: ldmatrix meets every bank once
#define TILE (TILE_N * PITCH)
#define LOG2E 1.4426950408889634f  // exp(x) = exp2(x log2(e))

// Sums of 16 x 16 products, two fragments: square[c][i] of lane 4 g + t stands in row
// g + 8 (i / 2) and column 8 c + 2 t + i % 2.
typedef float Square[2][4];

// sum += a b, all 16 x 16: `a` as mma wants its first factor, b as ldmatrix_x4 gives it.
__device__ __forceinline__ void multiply(Square& sum, const unsigned (&a)[4],
                                         const unsigned (&b)[4]) {
    mma_m16n8k16(sum[0], a, {b[0], b[1]});
    mma_m16n8k16(sum[1], a, {b[2], b[3]});
}

// A square of sums as the first factor of the next product.
__device__ __forceinline__ void pack_square(unsigned (&a)[4], const Square& x) {
    for (int i = 0; i < 4; ++i) a[i] = pack(x[i / 2][i % 2 * 2], x[i / 2][i % 2 * 2 + 1]);
}

// Rows first to first + 15 of x (n, D) as first factors, 16 columns each; zeros past the end.
__device__ __forceinline__ void load_rows(unsigned (&a)[D / 16][4], const element* x, int first,
                                          int n) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int c = 0; c < D / 16; ++c) {
        for (int i = 0; i < 4; ++i) {
            const int row = first + g + i % 2 * 8, column = 16 * c + 2 * t + i / 2 * 8;
            a[c][i] = row < n ? *(const unsigned*)&x[row * D + column] : 0;
        }
    }
}

// The sums times `factor` become rows first to first + 15 of x (n, D), as far as there are any.
__device__ __forceinline__ void store_rows(element* x, const Square (&sum)[D / 16],
                                           float factor, int first, int n) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int c = 0; c < D / 8; ++c) {
        for (int h = 0; h < 2; ++h) {
            const int row = first + g + 8 * h;
            const float* pair = &sum[c / 2][c % 2][2 * h];
            const unsigned packed = pack(factor * pair[0], factor * pair[1]);
            if (row < n) *(unsigned*)&x[row * D + 8 * c + 2 * t] = packed;
        }
    }
}

// Start copying rows first to first + TILE_N - 1 of x (n, D); zeros past the end.
__device__ __forceinline__ void start_tile(element* tile, const element* x, int first, int n) {
#pragma unroll 2
    for (int i = 8 * threadIdx.x; i < TILE_N * D; i += 8 * THREADS) {
        const int row = i / D, column = i % D;
        const element* from = x + (first + row) * D + column;
        cp_async(tile + row * PITCH + column, from, first + row < n);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) flash_dq(
    const element* q, const element* k, const element* v, const element* dout, const float* L,
    const float* delta, element* dq, int n_q, int n_k, float scale, int causal) {
    extern __shared__ uint4 shared[];  // two stages, each a tile of keys and one of values
    element* tiles = (element*)shared;
    const int thread = threadIdx.x, lane = thread % 32;
    const int g = lane / 4, t = lane % 4;
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    dout += head * n_q * D;
    dq += head * n_q * D;
    L += head * n_q;
    delta += head * n_q;
    // The last queries see most keys: they start first.
    const int first = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * TILE_M;
    const int mine = first + thread / 32 * 16 * BANDS;  // this warp's first query
    const int shift = n_k - n_q;                        // query i sees the keys up to i + shift
    const float scale_2 = scale * LOG2E;

    auto start_stage = [&](int stage, int start) {
        start_tile(tiles + stage * 2 * TILE, k, start, n_k);
        start_tile(tiles + stage * 2 * TILE + TILE, v, start, n_k);
        cp_async_commit();
    };
    // Where a lane points ldmatrix in 16 rows and columns of a tile.
    const int as_columns = (lane / 16 * 8 + lane % 8) * PITCH + lane / 8 % 2 * 8;  // for X^T
    const int as_rows = lane % 16 * PITCH + lane / 16 * 8;  // for X, with ldmatrix_x4_trans

    unsigned q_rows[BANDS][D / 16][4], dout_rows[BANDS][D / 16][4];
    float L_2[BANDS][2], delta_rows[BANDS][2];  // of rows g and g + 8: L log2(e), and delta
    for (int band = 0; band < BANDS; ++band) {
        load_rows(q_rows[band], q, mine + 16 * band, n_q);
        load_rows(dout_rows[band], dout, mine + 16 * band, n_q);
        for (int h = 0; h < 2; ++h) {
            const int query = mine + 16 * band + g + 8 * h;
            L_2[band][h] = query < n_q ? L[query] * LOG2E : 0.0f;
            delta_rows[band][h] = query < n_q ? delta[query] : 0.0f;
        }
    }
    Square dq_sum[BANDS][D / 16] = {};
    int seen_by_any = n_k, seen_by_all = n_k;  // keys 0 to this, of this block's queries
    if (causal) {
        seen_by_any = min(first + TILE_M + shift, n_k);
        seen_by_all = first + 1 + shift;
    }
    if (seen_by_any > 0) start_stage(0, 0);
    int stage = 0;
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const element *k_tile = tiles + stage * 2 * TILE, *v_tile = k_tile + TILE;
        cp_async_wait<0>();
        __syncthreads();  // the stages change as in flash_dkdv
        stage = 1 - stage;
        if (start + TILE_N < seen_by_any) start_stage(stage, start + TILE_N);
#pragma unroll
        for (int j = 0; j < TILE_N; j += 16) {  // 16 keys at a time
            Square s[BANDS] = {}, dp[BANDS] = {};
            for (int c = 0; c < D / 16; ++c) {
                unsigned k_part[4], v_part[4];
                ldmatrix_x4(k_part, k_tile + j * PITCH + 16 * c + as_columns);
                ldmatrix_x4(v_part, v_tile + j * PITCH + 16 * c + as_columns);
                for (int band = 0; band < BANDS; ++band) {
                    multiply(s[band], q_rows[band][c], k_part);
                    multiply(dp[band], dout_rows[band][c], v_part);
                }
            }
            unsigned ds_part[BANDS][4];
            for (int band = 0; band < BANDS; ++band) {
                Square &p = s[band], &ds = dp[band];
                for (int c = 0; c < 2; ++c) {
                    for (int i = 0; i < 4; ++i) {
                        const int h = i / 2, key = start + j + 8 * c + 2 * t + i % 2;
                        const int query = mine + 16 * band + g + 8 * h;
                        const bool seen = key < n_k && query < n_q && (!causal || key <= query + shift);
                        p[c][i] = seen ? expf(p[c][i] * scale - L_2[band][h] / LOG2E) : 0.0f;
                        ds[c][i] = p[c][i] * (ds[c][i] - delta_rows[band][h]);
                    }
                }
                (void)seen_by_all;
                (void)scale_2;
                pack_square(ds_part[band], ds);
            }
            for (int c = 0; c < D / 16; ++c) {
                unsigned k_part[4];
                ldmatrix_x4_trans(k_part, k_tile + j * PITCH + 16 * c + as_rows);
                for (int band = 0; band < BANDS; ++band) {
                    Square once = {}, again = {};
                    multiply(once, ds_part[band], k_part);
                    multiply(again, ds_part[band], k_part);
                    for (int i = 0; i < 8; ++i) dq_sum[band][c][i / 4][i % 4] += 0.5f * (once[i / 4][i % 4] + again[i / 4][i % 4]);
                }
            }
        }
    }
    for (int band = 0; band < BANDS; ++band) {
        store_rows(dq, dq_sum[band], scale, mine + 16 * band, n_q);
    }
}
