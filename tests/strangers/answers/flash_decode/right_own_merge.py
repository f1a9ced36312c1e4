# a kernel of its own merges the splits one after another and converts by its store; keyword launch
import torch
import triton
import triton.language as tl


@triton.jit
def fold(parts, Ls, out, lse, splits, D: tl.constexpr, KIND: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, D)
    m = float("-inf")
    l = 0.0
    acc = tl.zeros([D], tl.float32)
    for s in range(splits):
        L = tl.load(Ls + h * splits + s)
        top = tl.maximum(m, L)
        base = tl.where(top == float("-inf"), 0.0, top)
        a, w = tl.exp(m - base), tl.exp(L - base)
        acc = acc * a + tl.load(parts + (h * splits + s) * D + c) * w
        l = l * a + w
        m = top
    safe = tl.where(l == 0, 1.0, l)
    tl.store(out + h * D + c, (acc / safe).to(KIND))
    tl.store(lse + h, m + tl.log(safe))


NAMES = {torch.float32: tl.float32, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}


def flash_decode(q, k, v, lengths, scale=None, slots=264, tile_n=64):
    batch, heads, d = q.shape
    most = max(1, min(128, k.shape[2] // 256))
    splits = number_of_splits(batch * k.shape[1], slots, most)
    parts, Ls = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    fold[(batch * heads,)](parts, Ls, o, L, splits, D=d, KIND=NAMES[q.dtype])
    return o, L
