# Right: a work list that is pushed and popped instead of a for, the answer of a chunk in a closure.
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    past = k.shape[0] - q.shape[0]

    def answer(first, last):
        """The outputs of the queries first to last - 1."""
        end = past + last
        s = scale * (q[first:last] @ k[:end].mT)
        future = torch.arange(end) > torch.arange(first, last).unsqueeze(1) + past
        return torch.softmax(s.masked_fill(future, -torch.inf), dim=-1) @ v[:end]

    o = q.new_zeros(q.shape[0], v.shape[1])
    stack = [(0, min(chunk, q.shape[0]))]
    while stack:
        first, last = stack.pop()
        if first == last:
            break
        o[first:last] = answer(first, last)
        stack.append((last, min(last + chunk, q.shape[0])))
    return o
