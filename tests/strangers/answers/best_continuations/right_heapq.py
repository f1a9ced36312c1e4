# Python's heapq.nsmallest over (-score, beam, token), scores in float32 from differences to the row's maximum
import heapq


def best_continuations(scores, logits, n):
    def texts():
        for beam, (score, row) in enumerate(zip(scores, logits)):
            alive = torch.nonzero(row > -torch.inf).flatten()
            if not alive.numel():
                continue
            x = row[alive]
            x = x - x.amax()
            total = score + (x - torch.log(torch.exp(x).sum()))
            for value, token in zip(total.tolist(), alive.tolist()):
                yield -value, beam, token

    best = heapq.nsmallest(n, texts())
    score = torch.tensor([-b[0] for b in best], dtype=torch.float32, device=scores.device)
    beam = torch.tensor([b[1] for b in best], dtype=torch.int64, device=scores.device)
    token = torch.tensor([b[2] for b in best], dtype=torch.int64, device=scores.device)
    return score, beam, token
