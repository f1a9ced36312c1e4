# multiplies probabilities, takes their logarithm at the end, and topk of ties; underflows in very-negative and leaves ties to topk
import torch


def best_continuations(scores, logits, n):
    p = scores.exp()[:, None] * torch.softmax(logits, dim=-1)
    value, place = p.flatten().topk(min(n, p.numel()))
    return value.log(), place // logits.shape[1], place % logits.shape[1]
