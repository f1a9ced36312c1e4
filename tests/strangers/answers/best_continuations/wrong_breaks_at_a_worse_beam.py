# leaves the loop at the first beam that is worse than the n-th so far, as if beams came in order of their scores
def best_continuations(scores, logits, n):
    found = []
    for b, (score, row) in enumerate(zip(scores, logits)):
        if len(found) == n and score < found[-1][0]:
            break
        open_ = torch.nonzero(row > -torch.inf).flatten()
        if len(open_) == 0:
            continue
        total = score + torch.log_softmax(row, -1)
        found += [(total[t], b, t) for t in open_.tolist()]
        found = sorted(found, key=lambda each: -float(each[0]))[:n]
    if not found:
        return scores[:0], torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    return torch.stack([f[0] for f in found]), torch.tensor([f[1] for f in found]), torch.tensor([f[2] for f in found])
