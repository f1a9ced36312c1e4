# Beam by beam: the n best of each by a stable sort of what may follow, then a stable sort of these.
def best_continuations(scores, logits, n):
    values, beams, tokens = [scores[:0]], [], []
    for b, row in enumerate(logits):
        (may,) = torch.nonzero(row > -torch.inf, as_tuple=True)
        if len(may) == 0:
            continue
        x = row[may] - row.max()
        total = scores[b] + (x - x.exp().sum().log())
        order = total.argsort(descending=True, stable=True)[:n]
        values.append(total[order])
        beams += [b] * len(order)
        tokens += may[order].tolist()
    value = torch.cat(values)
    order = value.argsort(descending=True, stable=True)[:n]
    beam = torch.tensor(beams, dtype=torch.int64, device=value.device)
    token = torch.tensor(tokens, dtype=torch.int64, device=value.device)
    return value[order], beam[order], token[order]
