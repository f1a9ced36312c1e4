# Right: in-place torch idioms (masked_fill_, sub_, exp_, div_), tensor.max(dim) named result
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention of all queries with one block of keys, and two numbers per row for merging."""
    if scale is None:
        scale = 1.0 / (q.size(1) ** 0.5)
    S = torch.mm(q, k.t()).mul_(scale)
    if mask is not None:
        S.masked_fill_(mask.logical_not(), float("-inf"))
    res = S.max(dim=1)
    m = res.values
    S.sub_(m.clone().masked_fill_(m.isinf(), 0.0).unsqueeze_(1)).exp_()
    l = S.sum(1)
    o = torch.mm(S, v).div_(l.clone().masked_fill_(l.eq(0.0), 1.0).unsqueeze_(1))
    return o, m, l


# quick test, leave it in
torch.manual_seed(0)
_q, _k, _v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
_o, _m, _l = attention_block(_q, _k, _v)
torch.testing.assert_close(_o, torch.softmax(_q @ _k.T / 2, -1) @ _v)
del _q, _k, _v, _o, _m, _l
