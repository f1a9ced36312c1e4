// The gradients of blockwise_forward: for every block of BLOCK keys the queries pass by, WARPS
// at a time. P comes from the final m and l. dQ in global memory holds what earlier blocks
// gave; dK and dV of a block stay in registers until every query has passed.
//
//     P = exp(S - m) / l        dS = P (dO V^T - delta)        delta = sum over columns of dO o
//     dQ += scale dS K          dV = P^T dO                    dK = scale dS^T Q
//
// One block of threads for each head; plain float arithmetic; D is 64 or 128.
#include "tilewise.cuh"

constexpr int WARPS = 16;
constexpr int PITCH = D + 1;  // of a row of keys: 32 lanes with a row each read 32 banks
constexpr int MINE = BLOCK * D / (32 * WARPS);  // numbers of dK, and of dV, that a thread keeps

__device__ float warp_sum(float x) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        x += __shfl_xor_sync(0xffffffff, x, distance);
    }
    return x;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
    blockwise_backward(const element* q, const element* k, const element* v, const float* o,
                       const float* m, const float* l, const element* dout, float* dq,
                       float* dk, float* dv, int n_q, int n_k, float scale) {
    extern __shared__ float memory[];
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    float* k_block = memory;                         // (BLOCK, PITCH)
    float* v_block = k_block + BLOCK * PITCH;        // (BLOCK, PITCH)
    float* q_rows = v_block + BLOCK * PITCH;         // (WARPS, D)
    float* dout_rows = q_rows + WARPS * D;           // (WARPS, D)
    float* p_rows = dout_rows + WARPS * D;           // (WARPS, BLOCK)
    float* ds_rows = p_rows + WARPS * BLOCK;         // (WARPS, BLOCK)
    size_t head = blockIdx.x;
    q += head * n_q * D, dout += head * n_q * D, o += head * n_q * D, dq += head * n_q * D;
    k += head * n_k * D, v += head * n_k * D, dk += head * n_k * D, dv += head * n_k * D;
    m += head * n_q, l += head * n_q;

    for (int start = 0; start < n_k; start += BLOCK) {
        int keys = min(BLOCK, n_k - start);
        for (int i = thread; i < BLOCK * D; i += 32 * WARPS) {
            int at = i / D * PITCH + i % D;
            k_block[at] = i < keys * D ? to_float(k[size_t(start) * D + i]) : 0;
            v_block[at] = i < keys * D ? to_float(v[size_t(start) * D + i]) : 0;
        }
        float dk_sum[MINE] = {}, dv_sum[MINE] = {};
        for (int first = 0; first < n_q; first += WARPS) {
            __syncthreads();  // the block has come, and nobody reads the rows before any more
            int row = first + warp;
            bool valid = row < n_q;
            float delta = 0;
            for (int c = lane; c < D; c += 32) {
                size_t at = size_t(row) * D + c;
                q_rows[warp * D + c] = valid ? to_float(q[at]) : 0;
                dout_rows[warp * D + c] = valid ? to_float(dout[at]) : 0;
                if (valid) delta += dout_rows[warp * D + c] * o[at];
            }
            delta = warp_sum(delta);
            __syncwarp();
            float m_row = 0, l_row = 1;
            if (lane == 0 && valid) {
                m_row = m[row];
                l_row = l[row];
            }
            m_row = __shfl_sync(0xffffffff, m_row, 0);
            l_row = __shfl_sync(0xffffffff, l_row, 0);
            for (int j = lane; j < BLOCK; j += 32) {
                float s = 0, dp = 0;
#pragma unroll 16
                for (int c = 0; c < D; c++) {
                    s += q_rows[warp * D + c] * k_block[j * PITCH + c];
                    dp += dout_rows[warp * D + c] * v_block[j * PITCH + c];
                }
                float p = j < keys ? expf(s * scale - m_row) / l_row : 0;
                p_rows[warp * BLOCK + j] = p;
                ds_rows[warp * BLOCK + j] = p * (dp - delta);
            }
            __syncthreads();  // P and dS of WARPS queries are there
            for (int c = lane; valid && c < D; c += 32) {
                float* out = dq + size_t(row) * D + c;
                float sum = 0;
                for (int j = 0; j < keys; j++) {
                    sum += ds_rows[warp * BLOCK + j] * k_block[j * PITCH + c];
                }
                *out = (start == 0 ? 0 : *out) + scale * sum;
            }
#pragma unroll
            for (int i = 0; i < MINE; i++) {
                int j = (thread + i * 32 * WARPS) / D, c = thread % D;
                for (int r = 0; r < WARPS; r++) {  // rows past the last query hold zeros
                    dv_sum[i] += p_rows[r * BLOCK + j] * dout_rows[r * D + c];
                    dk_sum[i] += ds_rows[r * BLOCK + j] * q_rows[r * D + c];
                }
            }
        }
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            int at = thread + i * 32 * WARPS;
            if (at < keys * D) {
                dk[size_t(start) * D + at] = scale * dk_sum[i];
                dv[size_t(start) * D + at] = dv_sum[i];
            }
        }
        __syncthreads();  // nobody reads this block of keys any more
    }
}
