# Right: the answer's cell as pasted from a notebook: a plain answer, then a timing loop, asserts and a demo plot underneath
import time

import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    s = q @ k.transpose(-2, -1) * scale
    i = torch.arange(length - n, length).unsqueeze(-1)
    j = torch.arange(length)
    s = s.masked_fill(j > i, float("-inf"))
    return s.softmax(dim=-1) @ v


# ---- self test, delete before submission ----
torch.manual_seed(42)
_q, _k, _v = torch.randn(1, 2, 3, 8), torch.randn(1, 2, 10, 8), torch.randn(1, 2, 10, 8)
_k[:, :, 7:] = float("nan")
out = cached_attention(_q, _k, _v, 7)
assert out.shape == (1, 2, 3, 8)
assert not out.isnan().any()
ref = torch.nn.functional.scaled_dot_product_attention(
    _q[:, :, 2:], _k[:, :, :7], _v[:, :, :7]
)
print("last row vs sdpa:", (out[:, :, 2:] - ref).abs().max().item())
best = float("inf")
for _ in range(5):
    t = time.perf_counter()
    cached_attention(_q, _k, _v, 7)
    best = min(best, time.perf_counter() - t)
print(f"{best * 1e6:.0f} us")
