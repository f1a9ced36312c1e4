# style: heapq.nsmallest with a key over Python tuples
import heapq

import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    logits64 = logits.to(torch.float64)
    top = logits64.amax(dim=1, keepdim=True).nan_to_num(neginf=0.0)
    lse = top + torch.log(torch.exp(logits64 - top).sum(dim=1, keepdim=True))
    totals = (scores.to(torch.float64)[:, None] + logits64 - lse).tolist()
    allowed = (logits > -torch.inf).tolist()
    candidates = (
        (-value, beam, token)
        for beam, row in enumerate(totals)
        for token, value in enumerate(row)
        if allowed[beam][token]
    )
    best = heapq.nsmallest(n, candidates)  # ties: the lower beam, then the lower token
    score = torch.tensor([-value for value, _, _ in best], dtype=scores.dtype)
    beam = torch.tensor([beam for _, beam, _ in best], dtype=torch.int64)
    token = torch.tensor([token for _, _, token in best], dtype=torch.int64)
    return score, beam, token
