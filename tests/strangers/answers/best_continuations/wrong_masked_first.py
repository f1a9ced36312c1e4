# NaN of a masked beam becomes the largest in the sort; wrong in masked-beam
import torch


def best_continuations(scores, logits, n):
    total = (scores.unsqueeze(1) + logits.log_softmax(1)).reshape(-1)
    value, place = total.sort(descending=True, stable=True)
    good = value != -torch.inf
    value, place = value[good][:n], place[good][:n]
    return value, torch.div(place, logits.shape[1], rounding_mode="floor"), place.remainder(logits.shape[1])
