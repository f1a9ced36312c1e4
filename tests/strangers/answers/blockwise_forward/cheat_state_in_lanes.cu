// BREAKS: "one warp for each, and o, m and l in global memory hold what earlier blocks gave"
// COSTS: o is brought up to date by atomic exchanges: a read and two writes for each number, one of them in vain
// Attention with keys outside and queries inside: for every block of BLOCK keys the queries
// pass by, one warp for each, and o, m and l in global memory hold what earlier blocks gave.
//
//     m' = max(m, rowmax S)    a = l exp(m - m')    l' = a + rowsum P    o' = (a o + P V) / l'
//
// so that o is divided by the l so far; or it stays undivided until the last block. Before the
// first block nothing is there.
// One block of threads for each head; plain arithmetic, float32 or wider; D is 64 or 128.
#include "tilewise.cuh"

constexpr int WARPS = 16;
constexpr int PITCH = D + 1;  // of a row of keys: 32 lanes with a row each read 32 banks

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// All lanes' values merged into one, which every lane gets.
template <typename Merge> __device__ float warp_reduce(float x, Merge merge) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        x = merge(x, __shfl_xor_sync(0xffffffff, x, distance));
    }
    return x;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
    blockwise_forward(const element* q, const element* k, const element* v, float* o, float* m,
                      float* l, int n_q, int n_k, float scale) {
    extern __shared__ float memory[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float* k_block = memory;                      // (BLOCK, PITCH)
    float* v_block = k_block + BLOCK * PITCH;     // (BLOCK, PITCH)
    float* q_row = v_block + BLOCK * PITCH + warp * (D + BLOCK);  // this warp's (D,)
    float* p_row = q_row + D;                                     // and (BLOCK,)
    size_t head = blockIdx.x;
    q += head * n_q * D, o += head * n_q * D, m += head * n_q, l += head * n_q;
    k += head * n_k * D, v += head * n_k * D;

    for (int start = 0; start < n_k; start += BLOCK) {
        int keys = min(BLOCK, n_k - start);
        __syncthreads();  // nobody reads the block before any more
        for (int i = threadIdx.x; i < keys * D; i += 32 * WARPS) {
            int at = i / D * PITCH + i % D;
            k_block[at] = to_float(k[size_t(start) * D + i]);
            v_block[at] = to_float(v[size_t(start) * D + i]);
        }
        __syncthreads();
        for (int row = warp; row < n_q; row += WARPS) {
            for (int c = lane; c < D; c += 32) {
                q_row[c] = to_float(q[size_t(row) * D + c]);
            }
            __syncwarp();
            float m_block = -INFINITY;
            for (int j = lane; j < keys; j += 32) {
                float s = 0;
#pragma unroll 16
                for (int c = 0; c < D; c++) {
                    s += q_row[c] * k_block[j * PITCH + c];
                }
                p_row[j] = s * scale;
                m_block = fmaxf(m_block, p_row[j]);
            }
            float m_old = -INFINITY, l_old = 0;  // lane 0 brings what earlier blocks gave
            if (lane == 0 && start > 0) {
                m_old = m[row];
                l_old = l[row];
            }
            m_old = __shfl_sync(0xffffffff, m_old, 0);
            l_old = __shfl_sync(0xffffffff, l_old, 0);
            m_block = warp_reduce(m_block, Max());
            const float m_new = fmaxf(m_old, m_block);
            float sum_block = 0.0f;
            for (int j = lane; j < keys; j += 32) sum_block += p_row[j] = expf(p_row[j] - m_new);
            sum_block = warp_reduce(sum_block, Sum());
            const float a = start > 0 ? l_old * expf(m_old - m_new) : 0.0f;
            const float l_new = a + sum_block;
            __syncwarp();  // all of p_row is there
            for (int c = lane; c < D; c += 32) {
                float* out = o + size_t(row) * D + c;
                float sum = 0;
                for (int j = 0; j < keys; j++) {
                    sum += p_row[j] * v_block[j * PITCH + c];
                }
                const float before = start > 0 ? atomicExch(out, 0.0f) : 0.0f;
                atomicExch(out, (a * before + sum) / l_new);
            }
            if (lane == 0) {
                m[row] = m_new;
                l[row] = l_new;
            }
            __syncwarp();  // q_row and p_row are free again
        }
    }
}
