# Right: a merge kernel of its own in the same file, which stores in the dtype of q.
import torch
import triton
import triton.language as tl


@triton.jit
def merge_kernel(parts_ptr, lse_ptr, o_ptr, L_ptr, splits, S: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    s = tl.arange(0, S)
    c = tl.arange(0, D)
    lse = tl.load(lse_ptr + head * splits + s, mask=s < splits, other=float("-inf"))
    at = (head * splits + s)[:, None] * D + c[None, :]
    parts = tl.load(parts_ptr + at, mask=(s < splits)[:, None], other=0.0)
    top = tl.max(lse, axis=0)
    w = tl.exp(lse - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(w, axis=0)
    o = tl.sum(w[:, None] * parts, axis=0) / tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + head * D + c, o.to(o_ptr.dtype.element_ty))
    tl.store(L_ptr + head, top + tl.log(total))


def flash_decode(q, k, v, lengths, scale=None, slots=264, tile_n=64):
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    limit = min(128, max(1, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, limit)
    parts, lse = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    merge_kernel[(batch * heads,)](
        parts, lse, o, L, splits, S=triton.next_power_of_2(splits), D=d
    )
    return o, L
