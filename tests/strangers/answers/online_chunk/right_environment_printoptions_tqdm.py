# Right: a typical notebook head (os.environ, set_printoptions, manual_seed, tqdm in try/except) above the answer
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch import Tensor

try:
    from tqdm.auto import tqdm
except ImportError:
    tqdm = lambda it, **kw: it

torch.manual_seed(0)
torch.set_printoptions(precision=3, sci_mode=False)
print("Python", sys.version.split()[0], "torch", torch.__version__)


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The attention output of R queries after C more keys, normalised before and after."""
    m_new = torch.maximum(m, s.max(dim=-1).values)
    m_safe = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), m_new)
    P = torch.exp(s - m_safe[:, None])
    alpha = torch.exp(m - m_safe) * l
    l_new = alpha + P.sum(dim=-1)
    l_safe = torch.where(l_new > 0, l_new, torch.ones_like(l_new))
    o_new = (alpha[:, None] * o + P @ v) / l_safe[:, None]
    return o_new, m_new, l_new


state = torch.zeros(2, 3), torch.full((2,), -torch.inf), torch.zeros(2)
for _ in tqdm(range(3), desc="chunks"):
    state = online_chunk(*state, torch.randn(2, 4), torch.randn(4, 3))
print(state[0])
