# memory and bytes: every rank gathers all keys and values, padded to the longest block
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    most = max(lengths)

    def gathered(x):
        padded = torch.zeros(x.shape[0], most, x.shape[2])
        padded[:, : x.shape[1]] = x
        parts = [torch.empty_like(padded) for _ in lengths]
        dist.all_gather(parts, padded)
        return torch.cat([part[:, :n] for part, n in zip(parts, lengths)], dim=1)

    return attend(q, gathered(k), gathered(v))
