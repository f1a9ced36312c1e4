// structs for tiles and rows, ldmatrix for keys and for values, constexpr instead of macros, helper templates
#include "tilewise.cuh"

constexpr int WIDE = D + 8, BLOCK_THREADS = TILE_M * 2, CHUNKS = D / 8;

struct Tile {
    element at[TILE_N][WIDE];

    __device__ void fill(const element* x, int first, int n) {
        const int chunk = threadIdx.x % CHUNKS;
        for (int row = threadIdx.x / CHUNKS; row < TILE_N; row += BLOCK_THREADS / CHUNKS) {
            const bool real = first + row < n;
            uint4 value = make_uint4(0, 0, 0, 0);
            if (real) value = reinterpret_cast<const uint4*>(x + (first + row) * D)[chunk];
            *reinterpret_cast<uint4*>(&at[row][8 * chunk]) = value;
        }
    }
    __device__ void keys(unsigned (&b)[4], int key, int column) const {
        const int lane = threadIdx.x % 32;
        ldmatrix_x4(b, &at[key + lane / 16 * 8 + lane % 8][column + lane / 8 % 2 * 8]);
    }
    __device__ void values(unsigned (&b)[4], int key, int column) const {
        const int lane = threadIdx.x % 32;
        ldmatrix_x4_trans(b, &at[key + lane % 16][column + lane / 16 * 8]);
    }
};

__device__ void twice(float (*d)[4], const unsigned (&a)[4], const unsigned (&b)[4]) {
    const unsigned left[2] = {b[0], b[1]}, right[2] = {b[2], b[3]};
    mma_m16n8k16(d[0], a, left);
    mma_m16n8k16(d[1], a, right);
}

template <typename F>
__device__ float of_four(float x, F f) {
    for (int step = 1; step <= 2; ++step) x = f(x, __shfl_xor_sync(0xffffffff, x, step));
    return x;
}

struct Line {
    float m = -INFINITY, l = 0.0f;

    template <int N>
    __device__ float rescale(float (&s)[N][4], int h, float factor) {
        float top = -INFINITY;
        for (int j = 0; j < N; ++j) top = fmaxf(top, fmaxf(s[j][2 * h], s[j][2 * h + 1]));
        top = of_four(top, [](float x, float y) { return fmaxf(x, y); });
        top = fmaxf(m, top * factor);
        const float base = top > -INFINITY ? top : 0.0f, alpha = exp2f(m - base);
        float sum = 0.0f;
        for (int j = 0; j < N; ++j) {
            for (int i = 2 * h; i < 2 * h + 2; ++i) {
                s[j][i] = exp2f(fmaf(s[j][i], factor, -base));
                sum += s[j][i];
            }
        }
        l = fmaf(l, alpha, sum);
        m = top;
        return alpha;
    }
};

extern "C" __global__ void __launch_bounds__(2 * TILE_M) flash_mma(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) Tile k_tile, v_tile;
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const long long head = blockIdx.y;
    q += head * n_q * D, o += head * n_q * D, L += head * n_q;
    k += head * n_k * D, v += head * n_k * D;
    const int first = blockIdx.x * TILE_M, mine = first + threadIdx.x / 32 * 16 + g;
    const int shift = n_k - n_q;
    const int end = causal ? min(first + TILE_M + shift, n_k) : n_k;
    const float factor = scale * 1.4426950408889634f;

    unsigned a[D / 16][4];
    for (int c = 0; c < D / 16; ++c)
        for (int i = 0; i < 4; ++i) {
            const int query = mine + (i & 1) * 8, column = 16 * c + 2 * t + (i >> 1) * 8;
            a[c][i] = query < n_q ? *reinterpret_cast<const unsigned*>(q + query * D + column) : 0u;
        }
    float acc[D / 8][4] = {};
    Line lines[2];
    for (int start = 0; start < end; start += TILE_N) {
        k_tile.fill(k, start, n_k);
        v_tile.fill(v, start, n_k);
        __syncthreads();
        float s[TILE_N / 8][4] = {};
        for (int j = 0; j < TILE_N / 8; j += 2)
            for (int c = 0; c < D / 16; ++c) {
                unsigned b[4];
                k_tile.keys(b, 8 * j, 16 * c);
                twice(&s[j], a[c], b);
            }
        for (int h = 0; h < 2; ++h) {
            const int bound = causal ? min(mine + 8 * h + shift, n_k - 1) : n_k - 1;
            for (int j = 0; j < TILE_N / 8; ++j)
                for (int i = 0; i < 2; ++i)
                    if (start + 8 * j + 2 * t + i > bound) s[j][2 * h + i] = -INFINITY;
            const float alpha = lines[h].rescale(s, h, factor);
            for (int c = 0; c < D / 8; ++c) acc[c][2 * h] *= alpha, acc[c][2 * h + 1] *= alpha;
        }
        for (int j = 0; j < TILE_N / 8; j += 2) {
            const unsigned p[4] = {pack(s[j][0], s[j][1]), pack(s[j][2], s[j][3]),
                                   pack(s[j + 1][0], s[j + 1][1]), pack(s[j + 1][2], s[j + 1][3])};
            for (int c = 0; c < D / 8; c += 2) {
                unsigned b[4];
                v_tile.values(b, 8 * j, 8 * c);
                twice(&acc[c], p, b);
            }
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; ++h) {
        const float l = of_four(lines[h].l, [](float x, float y) { return x + y; });
        const int query = mine + 8 * h;
        if (query >= n_q) continue;
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int c = 0; c < D / 8; ++c)
            *reinterpret_cast<unsigned*>(o + query * D + 8 * c + 2 * t) =
                pack(acc[c][2 * h] * inverse, acc[c][2 * h + 1] * inverse);
        if (t == h) L[query] = (lines[h].m + log2f(l)) * 0.6931471805599453f;
    }
}
