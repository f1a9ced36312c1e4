# stacks what it has found, which raises if no token may follow any beam
def best_continuations(scores, logits, n):
    found = []
    for b, (score, row) in enumerate(zip(scores, logits)):
        open_ = torch.nonzero(row > -torch.inf).flatten()
        if len(open_):
            total = score + row - torch.logsumexp(row, -1)
            found += [(total[t], b, t) for t in open_.tolist()]
    found = sorted(found, key=lambda each: -float(each[0]))[:n]
    score, beam, token = zip(*found)
    return torch.stack(score), torch.tensor(beam), torch.tensor(token)
