# style: FlashAttention-1 pseudo-code names (m_ij, P_ij, l_ij, mi_new, li_new)
import torch
from torch import Tensor

EPSILON_FREE = True  # no 1e-10 is added anywhere: rows without keys are masked instead


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    Oi, mi, li, S_ij, Vj = o, m, l, s, v
    m_block_ij = S_ij.max(dim=-1).values
    mi_new = torch.maximum(m_block_ij, mi)
    zero = torch.zeros_like(mi_new)
    ref = torch.where(mi_new == float("-inf"), zero, mi_new)
    P_ij = torch.exp(S_ij - ref[:, None])
    P_ij_Vj = torch.einsum("i j, j d -> i d", P_ij, Vj)
    li_new = torch.exp(mi - ref) * li + P_ij.sum(dim=-1)
    denominator = torch.where(li_new == 0, torch.ones_like(li_new), li_new)[:, None]
    Oi_new = ((li * torch.exp(mi - ref))[:, None] * Oi + P_ij_Vj) / denominator
    # nothing new for a row whose scores are all masked
    idle = m_block_ij == float("-inf")
    return (
        torch.where(idle[:, None], Oi, Oi_new),
        torch.where(idle, mi, mi_new),
        torch.where(idle, li, li_new),
    )
