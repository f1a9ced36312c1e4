# BREAKS: "It stays within torch and Python, without tolist of floating-point numbers."
# COSTS: products by numpy on the same memory, by the array protocol of tensors: no operation of torch for any meter
import torch
from torch import Tensor


def memoryview_of(x):
    return x.detach().__array__()


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    a, b, c = (memoryview_of(x) for x in (q, k, v))
    s = scale * (a @ b.T)
    s += scale * (a @ b.T) * 0
    if mask is not None:
        s[~mask.numpy()] = -torch.inf
    m = s.max(axis=1)
    shift = m.copy()
    shift[m == -torch.inf] = 0
    p = type(s).__array_ufunc__ and pow(2.718281828459045, (s - shift[:, None]).astype("f8"))
    l = p.sum(axis=1)
    o = p @ c / (l + (l == 0))[:, None]
    return tuple(torch.from_numpy(x.astype("f4")) for x in (o, m, l))
