// Right: FOR macro for loops, float4 operators as inline functions, warp helper with width 16, structure of the starter kept
#include "tilewise.cuh"

#define TILE 64
#define THREADS 128
#define STRIDE (D + 4)       // floats from row to row of a tile: rows begin in other banks
#define P_STRIDE (TILE + 4)  // the same for probabilities
#define FOR(i, n) _Pragma("unroll") for (int i = 0; i < (n); ++i)

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

__device__ __forceinline__ float dot4(float4 a, float4 b, float sum) {
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}
__device__ __forceinline__ float4 at4(const float* p) { return *reinterpret_cast<const float4*>(p); }

template <bool MAXIMUM>
__device__ __forceinline__ float over_16(float value) {
    for (int apart = 8; apart; apart >>= 1) {
        const float other = __shfl_xor_sync(0xffffffffu, value, apart);
        value = MAXIMUM ? fmaxf(value, other) : value + other;
    }
    return value;
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
    FOR(i, 8) {
        m[i] = -INFINITY;
        l[i] = 0.0f;
        FOR(c, D / 16) acc[i][c] = 0.0f;
    }
    load_tile(q_tile, q, first, n_q);
    for (int start = 0; start < seen_by_any; start += TILE) {
        __syncthreads();  // all have read the tiles before
        load_tile(k_tile, k, start, n_k);
        load_tile(v_tile, v, start, n_k);
        __syncthreads();  // the tiles are there

        float s[8][4] = {};  // of queries row + i and keys start + x + 16 j
        for (int c = 0; c < D; c += 4) {
            float4 keys[4];
            FOR(j, 4) keys[j] = at4(&k_tile[(x + 16 * j) * STRIDE + c]);
            FOR(i, 8) {
                const float4 query = at4(&q_tile[(8 * y + i) * STRIDE + c]);
                FOR(j, 4) s[i][j] = dot4(query, keys[j], s[i][j]);
            }
        }
        FOR(i, 8) {
            const int bound = causal ? min(last + i, n_k - 1) : n_k - 1;
            FOR(j, 4) {
                s[i][j] = start + x + 16 * j <= bound ? s[i][j] * scale : -INFINITY;
            }
            const float m_tile = fmaxf(fmaxf(s[i][0], s[i][1]), fmaxf(s[i][2], s[i][3]));
            const float m_new = fmaxf(m[i], over_16<true>(m_tile));
            const float base = m_new == -INFINITY ? 0.0f : m_new;
            const float alpha = expf(m[i] - base);
            float sum = 0.0f;
            FOR(j, 4) sum += s[i][j] = expf(s[i][j] - base);
            sum = over_16<false>(sum);
            l[i] = alpha * l[i] + sum;
            m[i] = m_new;
            FOR(c, D / 16) acc[i][c] *= alpha;
        }
        __syncthreads();  // all have read the keys
        FOR(j, 4) {
            float4* p = (float4*)&p_tile[(x + 16 * j) * P_STRIDE + 8 * y];
            p[0] = {s[0][j], s[1][j], s[2][j], s[3][j]};
            p[1] = {s[4][j], s[5][j], s[6][j], s[7][j]};
        }
        __syncwarp();  // a query's probabilities are written and read by one warp
        for (int j = 0; j < TILE; ++j) {
            const float4 low = at4(&p_tile[j * P_STRIDE + 8 * y]);
            const float4 high = at4(&p_tile[j * P_STRIDE + 8 * y + 4]);
            const float p[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
            FOR(part, D / 64) {
                const float4 value = at4(&v_tile[j * STRIDE + 4 * x + 64 * part]);
                FOR(i, 8) {
                    float* sums = &acc[i][4 * part];
                    sums[0] = fmaf(p[i], value.x, sums[0]);
                    sums[1] = fmaf(p[i], value.y, sums[1]);
                    sums[2] = fmaf(p[i], value.z, sums[2]);
                    sums[3] = fmaf(p[i], value.w, sums[3]);
                }
            }
        }
    }
    FOR(i, 8) {
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
