// style: stage ^= 1, conditional expressions
// dK and dV on tensor cores: a block owns TILE_N keys and walks over the queries that see them.
//
//     S^T = K Q^T         P^T = exp(scale S^T - L)         dV += P^T dO
//     dP^T = V dO^T       dS^T = P^T (dP^T - delta)        dK += dS^T Q, at the end times scale
//
// Everything stands transposed, keys down and queries across: what a lane holds of P^T and dS^T
// is, packed, the first factor of the products on the right, and neither leaves the registers.
// Sums stay in float from tile to tile.
// D is 64 or 128, TILE_M is D, TILE_N 128; scale has any sign. Where a query sees no key, L is
// -inf and delta is finite.
#include "tilewise.cuh"

#define BANDS (128 / D)  // of 16 keys, for each warp: as many sums as the registers can hold
#define THREADS (TILE_N / (16 * BANDS) * 32)  // 2 TILE_M, one for each number of L and delta
#define PITCH (D + 8)  // elements from row to row of a tile: ldmatrix meets every bank once
#define TILE (TILE_M * PITCH)
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

// Start copying rows first to first + TILE_M - 1 of x (n, D); zeros past the end.
__device__ __forceinline__ void start_tile(element* tile, const element* x, int first, int n) {
#pragma unroll 1  // the sums leave no registers for more
    for (int i = 8 * threadIdx.x; i < TILE_M * D; i += 8 * THREADS) {
        const int row = i / D, column = i % D;
        const element* from = x + (first + row) * D + column;
        cp_async(tile + row * PITCH + column, from, first + row < n);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 256 / THREADS) flash_dkdv(
    const element* q, const element* k, const element* v, const element* dout, const float* L,
    const float* delta, element* dk, element* dv, int n_q, int n_k, float scale, int causal) {
    extern __shared__ uint4 shared[];  // two stages, each a tile of queries and one of dO
    __shared__ float statistics[2][THREADS];  // of both stages: L, then delta
    element* tiles = (element*)shared;
    const int thread = threadIdx.x, lane = thread % 32;
    const int g = lane / 4, t = lane % 4;
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    dout += head * n_q * D;
    L += head * n_q;
    delta += head * n_q;
    const int first = blockIdx.x * TILE_N;
    const int mine = first + thread / 32 * 16 * BANDS;  // this warp's first key
    const int shift = n_k - n_q;                        // query i sees the keys up to i + shift
    const float scale_2 = scale * LOG2E;

    // A thread brings one number of the next tile's L and delta. Past the last query Q, dO and
    // delta are zeros, and so is what such a row adds.
    const float* statistic = thread < TILE_M ? L : delta;
    auto bring = [&](int start) {
        const int query = start + thread % TILE_M;
        return query < n_q ? statistic[query] : 0.0f;
    };
    auto start_stage = [&](int stage, int start) {
        start_tile(tiles + stage * 2 * TILE, q, start, n_q);
        start_tile(tiles + stage * 2 * TILE + TILE, dout, start, n_q);
        cp_async_commit();
    };
    // Where a lane points ldmatrix in 16 rows and columns of a tile.
    const int as_columns = (lane / 16 * 8 + lane % 8) * PITCH + lane / 8 % 2 * 8;  // for X^T
    const int as_rows = lane % 16 * PITCH + lane / 16 * 8;  // for X, with ldmatrix_x4_trans

    unsigned k_rows[BANDS][D / 16][4], v_rows[BANDS][D / 16][4];
    for (int band = 0; band < BANDS; ++band) {
        load_rows(k_rows[band], k, mine + 16 * band, n_k);
        load_rows(v_rows[band], v, mine + 16 * band, n_k);
    }
    Square dk_sum[BANDS][D / 16] = {}, dv_sum[BANDS][D / 16] = {};
    int begin = 0;  // the first tile of queries with one that sees a key of this block
    if (causal) begin = max(0, first - shift) / TILE_M * TILE_M;
    if (begin < n_q) {
        start_stage(0, begin);
        statistics[0][thread] = bring(begin);
    }
    int stage = 0;
    for (int start = begin; start < n_q; start += TILE_M) {
        const element *q_tile = tiles + stage * 2 * TILE, *dout_tile = q_tile + TILE;
        const float *L_tile = statistics[stage], *delta_tile = L_tile + TILE_M;
        const bool masked = causal && start + shift < first + TILE_N - 1;
        cp_async_wait<0>();
        __syncthreads();
        stage ^= 1;
        if (start + TILE_M < n_q) start_stage(stage, start + TILE_M);
        const float number = bring(start + TILE_M);
#pragma unroll 1  // here neither
        for (int i = 0; i < TILE_M; i += 16) {  // 16 queries at a time
            Square s[BANDS] = {}, dp[BANDS] = {};
            for (int c = 0; c < D / 16; ++c) {
                unsigned q_part[4], dout_part[4];
                ldmatrix_x4(q_part, q_tile + i * PITCH + 16 * c + as_columns);
                ldmatrix_x4(dout_part, dout_tile + i * PITCH + 16 * c + as_columns);
                for (int band = 0; band < BANDS; ++band) {
                    multiply(s[band], k_rows[band][c], q_part);
                    multiply(dp[band], v_rows[band][c], dout_part);
                }
            }
            unsigned p_part[BANDS][4], ds_part[BANDS][4];
            for (int band = 0; band < BANDS; ++band) {
                Square &p = s[band], &ds = dp[band];
                for (int h = 0; h < 2; ++h) {
                    for (int j = 0; j < 4; ++j) {
                        const int column = i + 8 * h + 2 * t + j % 2;  // of the tile
                        const int key = mine + 16 * band + g + j / 2 * 8;
                        const bool hidden = masked && key > start + column + shift;
                        const float x = hidden ? 0.0f : exp2f(p[h][j] * scale_2 - L_tile[column] * LOG2E);
                        p[h][j] = x;
                        ds[h][j] = x * (ds[h][j] - delta_tile[column]);
                    }
                }
                pack_square(p_part[band], p);
                pack_square(ds_part[band], ds);
            }
            for (int c = 0; c < D / 16; ++c) {
                unsigned q_part[4], dout_part[4];
                ldmatrix_x4_trans(q_part, q_tile + i * PITCH + 16 * c + as_rows);
                ldmatrix_x4_trans(dout_part, dout_tile + i * PITCH + 16 * c + as_rows);
                for (int band = 0; band < BANDS; ++band) {
                    multiply(dv_sum[band][c], p_part[band], dout_part);
                    multiply(dk_sum[band][c], ds_part[band], q_part);
                }
            }
        }
        statistics[stage][thread] = number;
    }
    for (int band = 0; band < BANDS; ++band) {
        store_rows(dk + head * n_k * D, dk_sum[band], scale, mine + 16 * band, n_k);
        store_rows(dv + head * n_k * D, dv_sum[band], 1.0f, mine + 16 * band, n_k);
    }
}
