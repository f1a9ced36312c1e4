# Right: functools.reduce over zipped chunks with a NamedTuple state and _replace; operators as methods
from functools import reduce
from typing import NamedTuple

import torch
from torch import Tensor


class State(NamedTuple):
    o: Tensor
    m: Tensor
    l: Tensor
    start: int = 0


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attention of one head over chunks of tile_n keys, normalised after every chunk."""
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last = torch.arange(n_q).unsqueeze(1).add(n_k - n_q)

    def step(state: State, chunk: tuple[Tensor, Tensor]) -> State:
        keys, values = chunk
        s = q.mm(keys.t()).mul(scale)
        if causal:
            s.masked_fill_(torch.arange(state.start, state.start + len(keys)).gt(last), -torch.inf)
        o, m, l = online_chunk(state.o, state.m, state.l, s, values)
        return state._replace(o=o, m=m, l=l, start=state.start + len(keys))

    begin = State(q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q))
    return reduce(step, zip(k.split(tile_n), v.split(tile_n)), begin).o
