# Right: state in a dict, unrolled helper closures, torch.addmm with beta and alpha, keyword-only helper
import torch
from torch import Tensor


def _safe(x: Tensor, *, when: float, use: float) -> Tensor:
    return torch.where(x == when, torch.full_like(x, use), x)


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The attention output of R queries after C more keys, normalised before and after."""
    state = {"o": o, "m": m, "l": l}
    new = {}
    new["m"] = torch.stack([state["m"], s.amax(dim=1)]).amax(dim=0)
    pivot = _safe(new["m"], when=-torch.inf, use=0.0)
    p = torch.exp(s - pivot.unsqueeze(1))
    kept = state["l"] * torch.exp(state["m"] - pivot)
    new["l"] = kept + p.sum(1)
    total = _safe(new["l"], when=0.0, use=1.0)
    new["o"] = torch.addmm(kept.div(total).unsqueeze(1) * state["o"], p / total.unsqueeze(1), v)
    return tuple(new[key] for key in ("o", "m", "l"))
