# all continuations as Python tuples of a number and two places, sorted; log-probabilities by hand
import torch


def best_continuations(scores, logits, n):
    top = logits.max(dim=1, keepdim=True).values
    top = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    shifted = logits - top
    total = scores[:, None] + (shifted - shifted.exp().sum(dim=1, keepdim=True).log())
    places = [(b, t) for b in range(logits.shape[0]) for t in range(logits.shape[1]) if logits[b, t] > -torch.inf]
    places.sort(key=lambda place: -total[place].item())
    places = places[:n]
    score = torch.tensor([total[place].item() for place in places], dtype=scores.dtype)
    beams = torch.tensor([b for b, _ in places], dtype=torch.int64)
    return score, beams, torch.tensor([t for _, t in places], dtype=torch.int64)
