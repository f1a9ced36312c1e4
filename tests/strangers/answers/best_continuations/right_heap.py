# plain loops and heapq.nsmallest over tuples of score, beam and token
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    import heapq
    found = []
    for b in range(len(scores)):
        allowed = torch.isfinite(logits[b])
        if not allowed.any():
            continue
        row = scores[b] + torch.log_softmax(logits[b], 0)
        found += [(-row[v].item(), b, v) for v in range(len(row)) if allowed[v]]
    best = heapq.nsmallest(n, found)
    score = torch.tensor([-s for s, _, _ in best], dtype=torch.float32)
    return score, torch.tensor([b for _, b, _ in best], dtype=torch.int64), torch.tensor([v for _, _, v in best], dtype=torch.int64)
