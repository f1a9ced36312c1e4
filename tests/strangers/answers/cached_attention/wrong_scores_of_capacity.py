# Scores all slots of the buffer and cuts afterwards: values right, but the scores take O(B H n capacity), too much where capacity is far above length.
import torch


def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = (q @ k_cache.transpose(-1, -2) * scale)[..., :length]
    s = s + torch.full((n, length), -torch.inf).triu(length - n + 1)
    return torch.softmax(s, dim=-1) @ v_cache[:, :, :length]
