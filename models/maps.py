"""What the heads of a model look at: their probabilities, and the scores behind them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.gqa import grouped_attention
from kernels.language_model import LanguageModel
from kernels.reference import scores


def attention_maps(model: LanguageModel, tokens: Sequence[int]) -> tuple[Tensor, Tensor]:
    """The scores S before the softmax, and the probabilities P: (layers, heads, N, N) each, -inf and 0 where masked."""
    seen: list[Tensor] = []

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        shared = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)
        seen.append(scores(q.cpu(), shared.cpu(), causal=True)[0])
        with q.device:
            return grouped_attention(q, k, v, causal=True)

    with torch.no_grad():
        model.logits(torch.tensor([list(tokens)], device=model.device), attend)
    s = torch.stack(seen)
    return s, torch.softmax(s, dim=-1)
